"""Accounts, channels and MCP servers as one list, and how one of them does. Entries: `integrations`, `health_of`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.accounts.connect_files import files_of
from gaia_email.app.accounts.found import traces_here
from gaia_email.app.accounts.planning import BY_PASSWORD, BY_SMTP
from gaia_email.app.accounts.provider_logins import GMAIL, GRAPH, login_terms
from gaia_email.app.documents.accounts import signal_rows
from gaia_email.app.documents.integrations import (
    IntegrationHealthDocument,
    IntegrationKind,
    IntegrationRemedy,
    IntegrationRow,
    IntegrationState,
    OpenedConnectionRow,
    call_rows,
)
from gaia_email.app.languages.speaking import N_
from gaia_email.app.services.egress import connections
from gaia_email.app.services.mcp_servers import (
    PATIENT_S,
    ListedServer,
    listed,
    log_lines,
    look_at_all,
    server_named,
    variable_references,
)
from gaia_email.automations.slack import webhooks_kept
from gaia_email.document import at, clean
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.recent_calls import RECENT_CALLS
from gaia_email.mailbox.ref import MailboxRef
from gaia_email_registry.accounts import LIMITS, Account, AccountLimit, find_account, read_accounts
from gaia_email_registry.errors import BadArgument, MailError
from gaia_email_registry.providers import PROVIDERS
from gaia_email_registry.servers import StdioServer

if TYPE_CHECKING:
    from gaia_email_registry.discovery.look import AccountCandidate

MOST_LINKS, MOST_LOG = 20, 60
"""Connections and lines of a log that are shown of one integration."""

_KINDS: Mapping[str, IntegrationKind] = {"gmail": "gmail", "graph": "outlook", "local": "files"}
_VALUES: Mapping[IntegrationKind, str] = {
    "gmail": N_("Reads, sorts and drafts your Gmail"),
    "outlook": N_("Reads, sorts and drafts your Outlook mail"),
    "imap": N_("Reads, sorts and drafts your mail over IMAP"),
    "files": N_("Reads and sorts mail files of this machine"),
    "slack": N_("Posts what your automations say to Slack"),
    "mcp": N_("Lends its tools to the agent"),
}


def integrations(app: App) -> list[IntegrationRow]:
    """All of them, by what is known on this machine; nobody is asked and nothing is started.

    Raises:
        MailError: A list or the ledger cannot be read.
    """
    found, traces = read_accounts(app.environ), traces_here(app.environ)
    rows = [_account(one, traces.get(one.address.casefold())) for one in found]
    return [*rows, *_webhooks(app), *(_server(one) for one in listed(app))]


def _account(account: Account, trace: AccountCandidate | None) -> IntegrationRow:
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
    return _row(
        kind,
        f"account:{account.id}",
        account.address if files is None else files.path,
        target=files.path
        if files is not None
        else host or (provider.title if provider else account.provider),
        state=state,
        says=says,
        remedy=remedy if files is None or remedy == "enable" else "look" if remedy else "",
        scopes=list(_scopes(account)),
        trace=trace,
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


def _webhooks(app: App) -> Iterator[IntegrationRow]:
    if not has_ledger(app.environ):
        return
    with app.ledger(read_only=True) as ledger:
        names = webhooks_kept(ledger)
    for name in names:
        yield _row(
            "slack",
            f"slack:{name}",
            name,
            says=N_("Its address is in the vault."),
            scopes=["post to one channel; it reads nothing"],
        )


def _server(one: ListedServer) -> IntegrationRow:
    tools = one.tools.values()
    standings = [tool.approval_state for tool in tools]
    changed, new = standings.count("changed"), standings.count("new")
    state: IntegrationState = "ok"
    remedy: IntegrationRemedy = ""
    says = N_("Every tool is as you approved it.")
    if one.is_off:
        state, remedy, says = "off", "enable", N_("Switched off: it is not started, and keeps its approvals.")
    elif not tools:
        state, remedy, says = "new", "look", N_("Its tools were not looked at yet.")
    elif changed:
        state, remedy = "attention", "review"
        says = N_("Tools changed since you approved them, and are not called.")
    elif new:
        state, remedy, says = "new", "review", N_("Tools wait for your approval, and are not called.")
    row = _row(
        "mcp",
        f"server:{one.name}",
        one.name,
        target=one.target,
        state=state,
        says=says,
        remedy=remedy,
        scopes=sorted({f"{tier} ({count})" for tier, count in _tiers(one).items()}),
        secrets=sorted(variable_references(one.spec)),
    )
    counts = {"approved": standings.count("approved"), "changed": changed, "new": new}
    return {**row, **counts, "tools": len(standings) - standings.count("gone")}  # type: ignore[typeddict-item]


def _tiers(one: ListedServer) -> dict[str, int]:
    found: dict[str, int] = {}
    for tool in one.tools.values():
        if tool.approval_state == "approved":
            found[tool.risk()[0]] = found.get(tool.risk()[0], 0) + 1
    return found


def _row(
    kind: IntegrationKind,
    id_: str,
    name: str,
    *,
    target: str = "",
    state: IntegrationState = "ok",
    says: str = "",
    remedy: IntegrationRemedy = "",
    scopes: list[str] | None = None,
    trace: AccountCandidate | None = None,
    limits: list[AccountLimit] | None = None,
    secrets: list[str] | None = None,
) -> IntegrationRow:
    return {
        "id": id_,
        "kind": kind,
        "name": clean(name),
        "value": _VALUES[kind],
        "target": clean(target),
        "state": state,
        "says": clean(says),
        "remedy": remedy,
        "scopes": scopes or [],
        "tools": 0,
        "approved": 0,
        "changed": 0,
        "new": 0,
        "limits": limits or [],
        "signals": [] if trace is None else signal_rows(trace),
        "secrets": secrets or [],
    }


def health_of(app: App, id_: str) -> IntegrationHealthDocument:
    """How an account or a server does: it is opened anew and asked, which changes nothing.

    Raises:
        BadArgument: It is neither.
        MailError: There is none of that name, or what is kept of it cannot be read.
    """
    kind, _, name = id_.partition(":")
    if kind == "account":
        return _health_of_account(app, id_, find_account(name, app.environ, disabled_too=True))
    if kind == "server":
        return _health_of_server(app, id_, server_named(app, name))
    raise BadArgument("Only an account or an MCP server can be looked at.", argument="id")


def _health_of_account(app: App, id_: str, account: Account) -> IntegrationHealthDocument:
    health, began = _health(id_, account.address), time.monotonic()
    health["process"] = N_("Its server runs within this program while it is used.")
    try:
        asyncio.run(_ask(app, account, health))
    except MailError as error:
        health["says"], health["hint"] = clean(error.message), clean(error.hint or "")
    health["seconds"] = round(time.monotonic() - began, 3)
    health["calls"] = call_rows(RECENT_CALLS.of(account.id))
    health["connections"] = _links(app, account.address)
    return health


async def _ask(app: App, account: Account, health: IntegrationHealthDocument) -> None:
    place = files_of(account) or MailboxRef(kind="account", path=account.id, server=account.server)
    async with open_mail(place.reading(app.environ)) as mail:
        status = await mail.status()
        health["tools"] = await mail.tools()
    health["answers"] = status["connected"] and not status["errors"]
    health["says"] = clean(" ".join(status["errors"])) or (
        "It answers." if status["connected"] else "It is not connected."
    )
    if "quota" in status:
        health["quota"] = {**status["quota"]}


def _health_of_server(app: App, id_: str, one: ListedServer) -> IntegrationHealthDocument:
    health, began = _health(id_, one.name), time.monotonic()
    is_program = isinstance(one.spec, StdioServer)
    health["process"] = (
        N_("It is started when it is used, and ended afterwards.")
        if is_program
        else N_("It runs elsewhere, and is reached by HTTP.")
    )
    (look,) = asyncio.run(look_at_all(app, [one], within_s=PATIENT_S))
    problems = [clean(text) for text in look.problems]
    return {
        **health,
        "answers": not look.failed,
        "says": clean(look.failed) or " ".join(problems) or "It answers.",
        "hint": clean(look.hint),
        "seconds": round(time.monotonic() - began, 3),
        "tools": sum(tool.listed for tool in look.tools.values()),
        "calls": call_rows(RECENT_CALLS.of(one.name)),
        "log": [clean(line) for line in log_lines(app, one.name)[-MOST_LOG:]],
    }


def _health(id_: str, name: str) -> IntegrationHealthDocument:
    return {
        "schema_version": 1,
        "id": id_,
        "name": clean(name),
        "process": "",
        "answers": False,
        "says": "",
        "hint": "",
        "seconds": 0.0,
        "tools": 0,
        "quota": None,
        "calls": [],
        "connections": [],
        "log": [],
    }


def _links(app: App, address: str) -> list[OpenedConnectionRow]:
    return [
        {
            "host": clean(one.host),
            "at": at(one.at),
            "seconds": round(max(0.0, one.until - one.at), 1),
            "sent": one.sent,
            "received": one.received,
        }
        for one in connections(app, account=address)[:MOST_LINKS]
    ]
