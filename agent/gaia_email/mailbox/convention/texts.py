"""Parse the text answers of the convention's tools. Entries: `hits`, `message`, `labels`, `outcome`.

The formats are those of Gmail-MCP-Server 1.1.11, which other servers adopted. The text contains data from mail senders:
a line break in a subject must not forge another sender. A field that occurs twice is therefore rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gaia_email_registry.errors import ProviderError

MOST_LABELS = 1_000
MOST_FIELD = 4_000
"""Maximum length of a subject or an address list, in characters."""

MOST_SEARCHED = 1_000_000
"""Maximum length of a text, in characters, for its end to be searched for a list of attached files."""

_ID = re.compile(r"[!-~]{1,256}\Z")
_FIELD = re.compile(r"([A-Za-z][A-Za-z -]{0,40}):(?: (.*)|)\Z")
_HTML_NOTE = "[Note: This email is HTML-formatted. Plain text version not available.]\n\n"
_FILES = re.compile(r"\n\nAttachments \((\d{1,4})\):\n((?:- [^\n]*(?:\n|\Z))+)\Z")
_FILE = re.compile(
    r"- (.{1,500}) \(([!-~]{1,127}/[!-~]{1,127}), (\d{1,12}(?:\.\d{1,3})?) KB, ID: ([!-~]{1,2000})\)\Z"
)
_FAILED = re.compile(r"- (\S{1,256})\.\.\. \((.*)\)\Z")
_DONE = re.compile(r"Successfully processed: (\d{1,9}) messages", re.IGNORECASE)


class ServerDeclined(ProviderError):
    """The server answered with an error or unreadable text; its other answers may be usable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMessage:
    """A message in search results; a field that the server does not give is empty."""

    id: str
    subject: str = ""
    sender: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFile:
    """An attached file that is named but not included."""

    name: str
    content_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMessage:
    """A message from `read_email`: header fields by lower-case name, then the plain text or the HTML."""

    fields: dict[str, str]
    body: str
    is_html: bool
    files: tuple[NamedFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelName:
    """A label; `is_system` is True for the provider's own."""

    id: str
    name: str
    is_system: bool


def is_id(text: str) -> bool:
    """Return True if the text can be the id of a message or a label."""
    return _ID.match(text) is not None


def hits(text: str, *, most: int) -> list[ListedMessage]:
    """Return the messages in an answer of `search_emails`, in its order.

    Raises:
        ServerDeclined: The text is not such a list, or is longer than requested.
    """
    found: dict[str, ListedMessage] = {}
    given = 0
    for fields in _blocks(text, "id"):
        if not is_id(fields.get("id", "")):
            continue
        given += 1
        one = ListedMessage(
            id=fields["id"],
            subject=fields.get("subject", ""),
            sender=fields.get("from", ""),
            date=fields.get("date", ""),
        )
        found.setdefault(one.id, one)
    if given > most:
        raise ServerDeclined(
            f"The mail server answered a search with {given:,} messages; {most:,} were asked for."
        )
    if text.strip() and not found:
        raise ServerDeclined(f"The mail server's answer to a search cannot be read: {text.strip()[:200]}")
    return list(found.values())


def message(text: str) -> ReadMessage:
    """Return the message in an answer of `read_email`.

    Raises:
        ServerDeclined: The text is not such an answer, or one of its fields occurs twice.
    """
    head, blank, body = text.partition("\n\n")
    fields = _fields(head.split("\n"))
    if fields is None or not blank or not {"subject", "from", "date"} <= fields.keys():
        raise ServerDeclined(
            "The mail server's answer to read_email does not say clearly who sent what and when."
        )
    files: tuple[NamedFile, ...] = ()
    if len(body) <= MOST_SEARCHED and (listed := _FILES.search(body)) is not None:
        named = [_FILE.match(line) for line in listed[2].splitlines()]
        if len(named) == int(listed[1]) and all(named):
            files = tuple(NamedFile(name=one[1], content_type=one[2].lower()) for one in named if one)
            body = body[: listed.start()]
    is_html = body.startswith(_HTML_NOTE)
    return ReadMessage(
        fields=fields, body=body.removeprefix(_HTML_NOTE) if is_html else body, is_html=is_html, files=files
    )


def labels(text: str) -> list[LabelName]:
    """Return the labels in an answer of `list_email_labels`, at most `MOST_LABELS`.

    Raises:
        ServerDeclined: The text is not a list of labels.
    """
    found: dict[str, LabelName] = {}
    before, _, users = text.partition("\nUser Labels:\n")
    for part, is_system in ((before, True), (users, False)):
        for fields in _blocks(part, "id"):
            if not is_id(fields.get("id", "")):
                continue
            name = fields.get("name") or fields["id"]
            found.setdefault(fields["id"], LabelName(id=fields["id"], name=name, is_system=is_system))
    if not found and "labels" not in text.lower():
        raise ServerDeclined(
            f"The mail server's answer to list_email_labels cannot be read: {text.strip()[:200]}"
        )
    return list(found.values())[:MOST_LABELS]


def outcome(text: str, ids: Sequence[str]) -> dict[str, str]:
    """Return the messages that `batch_modify_emails` reports as failed, each with the reason.

    Raises:
        ServerDeclined: The text does not state clearly what happened to each message.
    """
    told = _DONE.search(text)
    failed: dict[str, str] = {}
    lines = [match for line in text.split("\n") if (match := _FAILED.match(line)) is not None]
    for line in lines:
        meant = [one for one in ids if one[:16] == line[1][:16]]
        if len(meant) == 1:
            failed[meant[0]] = line[2][:300]
    if told is None or len(failed) != len(lines) or int(told[1]) + len(failed) != len(ids):
        raise ServerDeclined("The mail server does not say clearly which messages it changed.")
    return failed


def label(text: str) -> LabelName:
    """Return the label that a call created or found.

    Raises:
        ServerDeclined: The text names none.
    """
    for fields in _blocks(text, "id"):
        if is_id(fields.get("id", "")):
            name = fields.get("name") or fields["id"]
            return LabelName(id=fields["id"], name=name, is_system=fields.get("type") == "system")
    raise ServerDeclined(f"The mail server did not say which label it made: {text.strip()[:200]}")


def _blocks(text: str, first: str) -> Iterator[dict[str, str]]:
    """Yield blocks of fields that begin with `first`; only that field if another occurs twice."""
    lines: list[str] = []
    for line in text.split("\n"):
        field = _FIELD.match(line)
        begins = field is not None and field[1].lower() == first
        if begins and lines:
            yield _fields(lines) or _fields(lines[:1]) or {}
            lines = []
        if lines or begins:
            lines.append(line)
    if lines:
        yield _fields(lines) or _fields(lines[:1]) or {}


def _fields(lines: Sequence[str]) -> dict[str, str] | None:
    """Return fields by lower-case name; None if one occurs twice. Other lines are skipped."""
    found: dict[str, str] = {}
    for line in lines:
        field = _FIELD.match(line)
        if field is None:
            continue
        name = field[1].lower()
        if name in found:
            return None
        found[name] = (field[2] or "")[:MOST_FIELD]
    return found
