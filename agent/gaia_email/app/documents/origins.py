"""The origin of a pending item, in one sentence. Entries: `origin_text`, `origin_row`, `OriginRow`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

from gaia_email.app.languages.speaking import N_
from gaia_email.document import clean
from gaia_email_registry.origin import OriginInterface, PrincipalKind, RequestOrigin
from gaia_mail.printable import visible


class OriginRow(TypedDict):
    """The requester and the interface; `text` names both in a sentence. `found`: a run of theirs found the item."""

    principal: PrincipalKind
    interface: OriginInterface
    name: str
    found: bool
    text: str


_SENTENCES: Mapping[tuple[PrincipalKind, OriginInterface], str] = {
    ("person", "cli"): N_("You asked for it in a terminal."),
    ("person", "chat"): N_("You asked for it in the chat."),
    ("person", "http"): N_("You asked for it in the browser."),
    ("person", "control"): N_("You asked for it through the control protocol."),
    ("program", "cli"): N_("A program asked for it on the command line."),
    ("program", "chat"): N_("A program asked for it in the chat on the command line."),
    ("api_token", "http"): N_("A program with the API token asked for it over HTTP."),
    ("api_token", "control"): N_("A program with the API token asked for it through the control protocol."),
    ("api_key", "http"): N_("An API key named ‘{name}’ asked for it over HTTP."),
    ("agent", "control"): N_("The agent ‘{name}’ of another program asked for it."),
    ("mcp_client", "mcp"): N_("The MCP client asked for it."),
    ("automation", "automation"): N_("The automation ‘{name}’ asked for it."),
    ("schedule", "agent"): N_("A schedule of yours started it."),
    ("gaia", "agent"): N_("gaia-email noticed it by itself."),
}

_STARTED: Mapping[tuple[PrincipalKind, OriginInterface], str] = {
    ("person", "cli"): N_("From a run that you started in a terminal."),
    ("person", "chat"): N_("From a run that you started in the chat."),
    ("person", "http"): N_("From a run that you started in the browser."),
    ("person", "control"): N_("From a run that you started through the control protocol."),
    ("program", "cli"): N_("From a run that a program started on the command line."),
    ("api_token", "http"): N_("From a run that a program with the API token started over HTTP."),
    ("api_token", "control"): N_("From a run that a program with the API token started."),
    ("api_key", "http"): N_("From a run that an API key named ‘{name}’ started over HTTP."),
    ("agent", "control"): N_("From a run that the agent ‘{name}’ of another program started."),
    ("mcp_client", "mcp"): N_("From a run that the MCP client started."),
    ("schedule", "agent"): N_("From a run of a schedule of yours."),
}
"""Sentences for items that a run found: nobody requested the item itself."""

_QUOTES = {ord("‘"): "'", ord("’"): "'"}
"""Quotation marks inside a name are replaced, so that the name does not seem to end early."""

_UNKNOWN = N_("An earlier version did not record who asked for it.")
_OTHER = N_("An unknown requester asked for it: {name}.")


def origin_text(origin: RequestOrigin, translated: Callable[[str], str] = str, *, found: bool = False) -> str:
    """Name the requester and the interface in one sentence; for an item that a run `found`, whoever started the run."""
    if origin.principal == "unknown":
        return translated(_UNKNOWN)
    name = visible(clean(origin.name)).translate(_QUOTES)
    key = (origin.principal, origin.interface)
    sentence = (_STARTED.get(key) if found else None) or _SENTENCES.get(key)
    if sentence is None:
        return translated(_OTHER).format(name=f"{origin.principal}, {origin.interface} {name}".strip())
    return translated(sentence).format(name=name)


def origin_row(origin: RequestOrigin, *, found: bool = False) -> OriginRow:
    """Return an origin as a document row; `found` is as for `origin_text`."""
    return {
        "principal": origin.principal,
        "interface": origin.interface,
        "name": clean(origin.name),
        "found": found,
        "text": origin_text(origin, found=found),
    }


def text_of_row(row: OriginRow, translated: Callable[[str], str]) -> str:
    """Return the sentence of `origin_text` for a document's origin, in another language."""
    origin = RequestOrigin(principal=row["principal"], interface=row["interface"], name=row["name"])
    return origin_text(origin, translated, found=row["found"])
