"""The tools of third-party MCP servers, as recorded in the ledger.

Entries: `tools_of`, `record_listing`, `approve_tools`.

Each server has a document `tools of NAME`: every tool as last seen and as approved. When a mailbox server is first
named, the mail contract's tools that destroy nothing are approved as they are, since the user asked for this server.
All other tools, and every later change, wait for `gaia email servers approve`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal, cast

from sqlalchemy import Connection

from gaia_email.ledger import Json, Ledger, NewLedgerEvent
from gaia_email.mailbox.foreign import lacking
from gaia_email_registry.capabilities import ServerTool, ToolForm, ToolListing, merge_listing
from gaia_email_registry.contract.tools import TOOLS, RiskTier
from gaia_email_registry.errors import NotFound

CONTRACT = frozenset(TOOLS)

KnownTools = dict[str, ServerTool]

_PREFIX = "tools of "


def tools_of(ledger: Ledger, server: str) -> KnownTools:
    """Return the tools of a server by name; empty if it was never listed."""
    with ledger.read() as tx:
        return _read(ledger, tx, server).tools


def servers_known(ledger: Ledger) -> list[str]:
    """Return the names of the servers that were listed."""
    with ledger.read() as tx:
        return [name.removeprefix(_PREFIX) for name in ledger.documents.names(tx) if name.startswith(_PREFIX)]


def record_listing(ledger: Ledger, server: str, listing: ToolListing, *, now: float) -> KnownTools:
    """Record a new listing of the server's tools, and return the known tools."""
    with ledger.write() as tx:
        kept = _read(ledger, tx, server)
        # `met` is stored separately: a server that lists nothing once is not met for the first time again.
        known = merge_listing(
            kept.tools, listing, now=now, trusted=frozenset() if kept.met else _trusted(listing)
        )
        _write(ledger, tx, server, known, kept.version)
    return known


def _trusted(listing: ToolListing) -> frozenset[str]:
    """Return the tools that naming a server approves: only those of a mailbox that cannot destroy anything."""
    if lacking({name: form.arguments for name, form in listing.forms.items()}):
        return frozenset()
    return frozenset(
        name for name, form in listing.forms.items() if name in CONTRACT and _is_mild(name, form)
    )


def _is_mild(name: str, form: ToolForm) -> bool:
    """Return True if a tool only reads by the contract, or declares that it destroys nothing (MCP assumes it does)."""
    risk = ServerTool(tool=name, seen=form).risk()[0]
    return risk == "read" or (risk == "write" and form.annotations.get("destructiveHint") is False)


def to_approve(ledger: Ledger, server: str, tool: str = "", tier: RiskTier | None = None) -> list[ServerTool]:
    """Return the tools to approve: the named one as last seen, or without a name all new or changed ones.

    Raises:
        NotFound: The server has no such tool.
    """
    known = tools_of(ledger, server)
    if tool and (tool not in known or known[tool].approval_state == "gone"):
        raise NotFound(
            f"{server} has no tool {tool[:60]!r}.",
            argument="tool",
            hint=f"gaia email servers tools {server} lists them.",
        )
    chosen = [one for name, one in known.items() if tool in ("", name)]
    return [
        one
        for one in chosen
        if one.approval_state in ("new", "changed") or (tier is not None and one.tier != tier)
    ]


def approve_tools(
    ledger: Ledger, server: str, shown: Sequence[ServerTool], tier: RiskTier | None = None
) -> list[ServerTool]:
    """Approve these tools in this form; a tool that changed meanwhile is left alone.

    Returns:
        The approved tools.
    """
    with ledger.write() as tx:
        kept = _read(ledger, tx, server)
        done = {
            one.tool: replace(kept.tools[one.tool], approved=one.seen, tier=tier or one.tier)
            for one in shown
            if one.tool in kept.tools and kept.tools[one.tool].seen.digest == one.seen.digest
        }
        _write(ledger, tx, server, kept.tools | done, kept.version)
        forms = {name: one.seen.digest for name, one in done.items()}
        event = NewLedgerEvent(
            kind="server.approved", actor="user", payload={"server": server, "tools": forms}
        )
        if done:
            ledger.events.append(tx, event)
    return list(done.values())


def forgotten(ledger: Ledger, server: str) -> None:
    """Delete what is recorded about a server; its next listing counts as the first."""
    with ledger.write() as tx:
        kept = _read(ledger, tx, server)
        if kept.met:
            _write(ledger, tx, server, {}, kept.version, met=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """The document of a server; `met` is True if it was ever listed, `version` is 0 if there is no document."""

    tools: KnownTools
    met: bool
    version: int


def _write(
    ledger: Ledger, tx: Connection, server: str, tools: KnownTools, version: int, *, met: bool = True
) -> None:
    rows = {name: _row(one) for name, one in tools.items()}
    ledger.documents.write(tx, _name(server), {"tools": rows, "met": met}, version)


def _read(ledger: Ledger, tx: Connection, server: str) -> _Kept:
    document = ledger.documents.read(tx, _name(server))
    if document is None:
        return _Kept(tools={}, met=False, version=0)
    rows = cast("Mapping[str, Mapping[str, Json]]", document.value.get("tools") or {})
    tools = {name: _capability(name, row) for name, row in rows.items()}
    return _Kept(tools=tools, met=bool(document.value.get("met", tools)), version=document.version)


def _name(server: str) -> str:
    return f"{_PREFIX}{server}"


def _row(one: ServerTool) -> dict[str, object]:
    return {
        "seen": asdict(one.seen),
        "approved": asdict(one.approved) if one.approved else None,
        "tier": one.tier,
        "last_seen": one.last_seen,
        "listed": one.listed,
    }


def _capability(name: str, row: Mapping[str, Json]) -> ServerTool:
    tier = cast("RiskTier | Literal['']", row.get("tier") or "")
    return ServerTool(
        tool=name,
        seen=_form(cast("Mapping[str, Json]", row["seen"])),
        approved=_form(cast("Mapping[str, Json]", row["approved"])) if row.get("approved") else None,
        tier=tier,
        last_seen=float(cast("float", row.get("last_seen") or 0.0)),
        listed=bool(row.get("listed", True)),
    )


def _form(row: Mapping[str, Json]) -> ToolForm:
    output = row.get("output_schema")
    return ToolForm(
        description=str(row.get("description") or ""),
        input_schema=cast("Mapping[str, Json]", row.get("input_schema") or {}),
        output_schema=cast("Mapping[str, Json]", output) if output is not None else None,
        annotations=cast("Mapping[str, bool]", row.get("annotations") or {}),
    )
