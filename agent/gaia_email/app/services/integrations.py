"""Accounts, channels and MCP servers as one list, and the health of each. Entries: `integrations`, `health_of`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from gaia_email.app import App
from gaia_email.app.accounts.connect_files import files_of
from gaia_email.app.accounts.found import traces_here
from gaia_email.app.accounts.planning import BY_PASSWORD, BY_SMTP
from gaia_email.app.accounts.provider_logins import GMAIL, GRAPH, login_terms
from gaia_email.app.documents.accounts import ServerTraceRow, signal_rows
from gaia_email.app.languages.speaking import N_
from gaia_email.app.services.egress import connections
from gaia_email.app.services.mcp_servers import (
    PATIENT_S,
    ListedServer,
    find_servers,
    log_lines,
    look_at_all,
    server_named,
    variable_references,
)
from gaia_email.document import Count, Document, Timestamp
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.recent_calls import RECENT_CALLS
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.plugins import load_parts
from gaia_email_registry.accounts import LIMITS, Account, AccountLimit, find_account, read_accounts
from gaia_email_registry.errors import BadArgument, MailError
from gaia_email_registry.providers import PROVIDERS
from gaia_email_registry.servers import StdioServer

if TYPE_CHECKING:
    from gaia_email_registry.discovery.look import AccountCandidate

MOST_LINKS, MOST_LOG = 20, 60
"""Maximum number of connections, and of log lines, shown for an integration."""

IntegrationKind = Literal["gmail", "outlook", "imap", "files", "slack", "mcp"]
IntegrationState = Literal["ok", "off", "attention", "new"]
IntegrationRemedy = Literal["", "enable", "log_in", "look", "review"]


class Integration(Document, frozen=True, kw_only=True):
    """A mailbox, a channel or a server.

    `id` is `account:`, `slack:` or `server:` and `name`; `value` is its purpose in one line, `says` its
    state, `remedy` what helps, `target` its location or command, `limits` what the user forbids the agent to
    do there. The tools of our own servers are not counted here.
    """

    id: str
    kind: IntegrationKind
    name: str
    value: str
    target: str = ""
    state: IntegrationState = "ok"
    says: str = ""
    remedy: IntegrationRemedy = ""
    scopes: list[str] = msgspec.field(default_factory=list[str])
    tools: Count = 0
    approved: Count = 0
    changed: Count = 0
    new: Count = 0
    limits: list[AccountLimit] = msgspec.field(default_factory=list[AccountLimit])
    signals: list[ServerTraceRow] = msgspec.field(default_factory=list[ServerTraceRow])
    secrets: list[str] = msgspec.field(default_factory=list[str])


class Integrations(Document, frozen=True, kw_only=True):
    """All integrations: mailboxes, then channels, then other MCP servers."""

    integrations: list[Integration]


class PastCall(Document, frozen=True, kw_only=True):
    """A call that this program made, without its arguments and answer."""

    tool: str
    at: Timestamp
    seconds: float
    error: str


class PastConnection(Document, frozen=True, kw_only=True):
    """A connection that was opened for an integration, in bytes."""

    host: str
    at: Timestamp
    seconds: float
    sent: Count
    received: Count


class UsedQuota(Document, frozen=True, kw_only=True):
    """The used part of the provider's quota, in its own units."""

    used: float
    limit: float
    window_s: float


class IntegrationHealth(Document, frozen=True, kw_only=True):
    """The health of an integration after a check; `process` is its location, `log` the end of its standard error."""

    id: str
    name: str
    process: str
    answers: bool = False
    says: str = ""
    hint: str = ""
    seconds: float = 0.0
    tools: Count = 0
    quota: UsedQuota | None = None
    calls: list[PastCall] = msgspec.field(default_factory=list[PastCall])
    connections: list[PastConnection] = msgspec.field(default_factory=list[PastConnection])
    log: list[str] = msgspec.field(default_factory=list[str])


_KINDS: Mapping[str, IntegrationKind] = {"gmail": "gmail", "graph": "outlook", "local": "files"}
_VALUES: Mapping[IntegrationKind, str] = {
    "gmail": N_("Reads, sorts and drafts your Gmail"),
    "outlook": N_("Reads, sorts and drafts your Outlook mail"),
    "imap": N_("Reads, sorts and drafts your mail over IMAP"),
    "files": N_("Reads and sorts mail files of this machine"),
    "mcp": N_("Lends its tools to the agent"),
}


def integrations(app: App) -> Integrations:
    """List all integrations from local data; nothing is contacted or started."""
    found, traces = read_accounts(app.environ), traces_here(app.environ)
    rows = [_account(one, traces.get(one.address.casefold())) for one in found]
    plugged = [one for part in load_parts("integrations") for one in part(app)]
    return Integrations(integrations=[*rows, *plugged, *(_server(one) for one in find_servers(app))])


def _account(account: Account, trace: AccountCandidate | None) -> Integration:
    kind = _KINDS.get(account.server, "imap")
    calls = RECENT_CALLS.of(account.id)
    files = files_of(account)
    state: IntegrationState = "ok"
    remedy: IntegrationRemedy = ""
    says = f"Connected since {account.added_at[:10]}."
    if not account.enabled:
        state, remedy, says = (
            "off",
            "enable",
            N_("Switched off: nothing opens it, and everything kept here stays."),
        )
    elif calls and calls[0].error:
        state, remedy, says = "attention", "log_in", calls[0].error
    provider = PROVIDERS.get(account.provider)
    host = account.settings.get("imap_host", provider.imap.host if provider and kind == "imap" else "")
    return Integration(
        id=f"account:{account.id}",
        kind=kind,
        name=account.address if files is None else files.path,
        value=_VALUES[kind],
        target=files.path
        if files is not None
        else host or (provider.title if provider else account.provider),
        state=state,
        says=says,
        remedy=remedy if files is None or remedy == "enable" else "look" if remedy else "",
        scopes=list(_scopes(account)),
        signals=[] if trace is None else signal_rows(trace),
        limits=[name for name in LIMITS if account.settings.get(name) == "true"],
    )


def _scopes(account: Account) -> Iterator[str]:
    if account.server in (GMAIL, GRAPH):
        yield from login_terms(account.server, account.settings.get("granted", ""))["allows"]
    elif account.server == "imap":
        yield BY_PASSWORD
        if account.provider in PROVIDERS or account.settings.get("smtp_host"):
            yield BY_SMTP
    else:
        yield "read these files, and move mail between folders of a Maildir"


def _server(one: ListedServer) -> Integration:
    tools = one.tools.values()
    standings = [tool.approval_state for tool in tools]
    changed, new = standings.count("changed"), standings.count("new")
    state: IntegrationState = "ok"
    remedy: IntegrationRemedy = ""
    says = N_("Every tool is as you approved it.")
    if one.is_off:
        state, remedy, says = "off", "enable", N_("Switched off: it is not started, and keeps its approvals.")
    elif not tools:
        state, remedy, says = "new", "look", N_("Its tools have not been looked at yet.")
    elif changed:
        state, remedy = "attention", "review"
        says = N_("Tools changed since you approved them, and are not called.")
    elif new:
        state, remedy, says = "new", "review", N_("Tools wait for your approval, and are not called.")
    return Integration(
        id=f"server:{one.name}",
        kind="mcp",
        name=one.name,
        value=_VALUES["mcp"],
        target=one.target,
        state=state,
        says=says,
        remedy=remedy,
        scopes=sorted({f"{tier} ({count})" for tier, count in _tiers(one).items()}),
        tools=len(standings) - standings.count("gone"),
        approved=standings.count("approved"),
        changed=changed,
        new=new,
        secrets=sorted(variable_references(one.spec)),
    )


def _tiers(one: ListedServer) -> dict[str, int]:
    found: dict[str, int] = {}
    for tool in one.tools.values():
        if tool.approval_state == "approved":
            found[tool.risk()[0]] = found.get(tool.risk()[0], 0) + 1
    return found


def health_of(app: App, id_: str) -> IntegrationHealth:
    """Check an account or a server: it is reopened and asked for its status, which changes nothing.

    Raises:
        BadArgument: The id is neither.
        MailError: None has that name, or its stored data cannot be read.
    """
    kind, _, name = id_.partition(":")
    if kind == "account":
        return _health_of_account(app, id_, find_account(name, app.environ, disabled_too=True))
    if kind == "server":
        return _health_of_server(app, id_, server_named(app, name))
    raise BadArgument("Only an account or an MCP server can be looked at.", argument="id")


def _health_of_account(app: App, id_: str, account: Account) -> IntegrationHealth:
    began = time.monotonic()
    found = IntegrationHealth(
        id=id_, name=account.address, process=N_("Its server runs within this program while it is used.")
    )
    try:
        found = asyncio.run(_asked(app, account, found))
    except MailError as error:
        found = msgspec.structs.replace(found, says=error.message, hint=error.hint or "")
    return msgspec.structs.replace(
        found,
        seconds=round(time.monotonic() - began, 3),
        calls=_calls(account.id),
        connections=_connections(app, account.address),
    )


async def _asked(app: App, account: Account, found: IntegrationHealth) -> IntegrationHealth:
    place = files_of(account) or MailboxRef(kind="account", path=account.id, server=account.server)
    async with open_mail(place.reading(app.environ)) as mail:
        status = await mail.status()
        tools = await mail.tools()
    says = " ".join(status["errors"]) or ("It answers." if status["connected"] else "It is not connected.")
    return msgspec.structs.replace(
        found,
        answers=status["connected"] and not status["errors"],
        says=says,
        tools=tools,
        quota=UsedQuota(**status["quota"]) if "quota" in status else None,
    )


def _health_of_server(app: App, id_: str, one: ListedServer) -> IntegrationHealth:
    began = time.monotonic()
    is_program = isinstance(one.spec, StdioServer)
    (look,) = asyncio.run(look_at_all(app, [one], within_s=PATIENT_S))
    return IntegrationHealth(
        id=id_,
        name=one.name,
        process=N_("It is started when it is used, and ended afterwards.")
        if is_program
        else N_("It runs elsewhere, and is reached by HTTP."),
        answers=not look.failed,
        says=look.failed or " ".join(look.problems) or "It answers.",
        hint=look.hint,
        seconds=round(time.monotonic() - began, 3),
        tools=sum(tool.listed for tool in look.tools.values()),
        calls=_calls(one.name),
        log=list(log_lines(app, one.name)[-MOST_LOG:]),
    )


def _calls(name: str) -> list[PastCall]:
    return [
        PastCall(tool=one.tool, at=Timestamp(one.at), seconds=round(one.seconds, 3), error=one.error)
        for one in RECENT_CALLS.of(name)
    ]


def _connections(app: App, address: str) -> list[PastConnection]:
    return [
        PastConnection(
            host=one.host,
            at=Timestamp(one.at),
            seconds=round(max(0.0, one.until - one.at), 1),
            sent=one.sent,
            received=one.received,
        )
        for one in connections(app, account=address)[:MOST_LINKS]
    ]
