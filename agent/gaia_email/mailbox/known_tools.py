"""What is known of the tools of MCP servers that others made, in the ledger. Entries: `tools_of`, `noted`, `approved`.

Each server is a document `tools of NAME`: every tool as it was last seen and as it was approved. A server that is named
for the first time has the tools of the mail contract approved as they are, since the user asked for just that server;
everything else, and every later change, waits for `gaia email servers approve`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Literal, cast

from sqlalchemy import Connection

from gaia_email.ledger import Json, Ledger
from gaia_email_registry.capabilities import Capability, Form, Listing, joined
from gaia_email_registry.contract.tools import TOOLS, RiskTier
from gaia_email_registry.errors import NotFound

CONTRACT = frozenset(TOOLS)

Known = dict[str, Capability]


def tools_of(ledger: Ledger, server: str) -> Known:
    """The tools of a server by name; empty for one that was never looked at."""
    with ledger.read() as tx:
        return _read(ledger, tx, server)[0]


def noted(ledger: Ledger, server: str, listing: Listing, *, now: float) -> Known:
    """What is known after the server listed its tools again."""
    return _changed(ledger, server, lambda known: joined(known, listing, now=now, trusted=CONTRACT))


def approved(ledger: Ledger, server: str, tool: str = "", tier: RiskTier | None = None) -> list[Capability]:
    """Approve a tool as it was last seen, or without a name every tool that is new or changed; those it approved.

    Raises:
        NotFound: The server has no such tool.
    """
    done: list[Capability] = []

    def change(known: Known) -> Known:
        if tool and tool not in known:
            raise NotFound(
                f"{server} has no tool {tool[:60]!r}.",
                argument="tool",
                hint=f"gaia email servers tools {server} lists them.",
            )
        for name, one in known.items():
            if tool in ("", name) and (one.standing != "approved" or tier is not None):
                known[name] = replace(one, approved=one.seen, tier=tier or one.tier)
                done.append(known[name])
        return known

    _changed(ledger, server, change)
    return done


def forgotten(ledger: Ledger, server: str) -> None:
    """Nothing is known of the server any more."""
    _changed(ledger, server, lambda known: {})


def _changed(ledger: Ledger, server: str, change: Callable[[Known], Known]) -> Known:
    with ledger.write() as tx:
        before, version = _read(ledger, tx, server)
        after = change(dict(before))
        if after != before:
            rows = {name: _row(one) for name, one in after.items()}
            ledger.documents.write(tx, _name(server), {"tools": rows}, version)
    return after


def _read(ledger: Ledger, tx: Connection, server: str) -> tuple[Known, int]:
    document = ledger.documents.read(tx, _name(server))
    if document is None:
        return {}, 0
    rows = cast("Mapping[str, Mapping[str, Json]]", document.value.get("tools") or {})
    return {name: _capability(name, row) for name, row in rows.items()}, document.version


def _name(server: str) -> str:
    return f"tools of {server}"


def _row(one: Capability) -> dict[str, object]:
    return {
        "seen": asdict(one.seen),
        "approved": asdict(one.approved) if one.approved else None,
        "tier": one.tier,
        "last_seen": one.last_seen,
    }


def _capability(name: str, row: Mapping[str, Json]) -> Capability:
    tier = cast("RiskTier | Literal['']", row.get("tier") or "")
    return Capability(
        tool=name,
        seen=_form(cast("Mapping[str, Json]", row["seen"])),
        approved=_form(cast("Mapping[str, Json]", row["approved"])) if row.get("approved") else None,
        tier=tier,
        last_seen=float(cast("float", row.get("last_seen") or 0.0)),
    )


def _form(row: Mapping[str, Json]) -> Form:
    output = row.get("output_schema")
    return Form(
        description=str(row.get("description") or ""),
        input_schema=cast("Mapping[str, Json]", row.get("input_schema") or {}),
        output_schema=cast("Mapping[str, Json]", output) if output is not None else None,
        annotations=cast("Mapping[str, bool]", row.get("annotations") or {}),
    )
