"""The document of `egress`. Entries: `egress_document`, `connection_rows`, `total_rows`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Count, Time, Version, at, at_if_known

if TYPE_CHECKING:
    from gaia_email_registry.egress.rows import EgressRow

Reason = Literal[
    "mail", "send", "sign-in", "unsubscribe", "model", "tools", "database", "lookup", "check", "agent", "post"
]


class TotalRow(TypedDict):
    """All connections with one host for one reason, in bytes."""

    host: str
    why: Reason
    connections: Count
    sent: Count
    received: Count
    last: Time
    accounts: list[str]
    programs: list[str]


class ConnectionRow(TypedDict):
    """A connection, in bytes; `port` is 0 for a socket of this machine, `via` the proxy it went through."""

    at: Time
    until: Time
    open: bool
    program: str
    account: str | None
    host: str
    port: Count
    via: str | None
    why: Reason
    sent: Count
    received: Count


class EgressDocument(TypedDict):
    """What `egress` prints; `connections` is null without `--all`."""

    schema_version: Version
    since: Time | None
    account: str | None
    sent: Count
    received: Count
    totals: list[TotalRow]
    connections: list[ConnectionRow] | None


EGRESS_DOCUMENTS: dict[str, object] = {"egress": EgressDocument}


def total_rows(rows: Iterable[EgressRow]) -> list[TotalRow]:
    """The connections by host and reason, the most bytes that were sent first."""
    found: dict[tuple[str, Reason], list[EgressRow]] = {}
    for row in rows:
        found.setdefault((row.host, row.why), []).append(row)
    summed = [_total(host, why, these) for (host, why), these in found.items()]
    return sorted(summed, key=lambda one: (-one["sent"], -one["connections"], one["host"]))


def connection_rows(rows: Sequence[EgressRow]) -> list[ConnectionRow]:
    """The connections, in their order."""
    return [
        {
            "at": at(one.at),
            "until": at(one.until),
            "open": one.open,
            "program": one.program,
            "account": one.account or None,
            "host": one.host,
            "port": one.port,
            "via": one.via or None,
            "why": one.why,
            "sent": one.sent,
            "received": one.received,
        }
        for one in rows
    ]


def egress_document(
    rows: Sequence[EgressRow], *, each: bool, since: float | None, account: str | None
) -> EgressDocument:
    """What left this machine.

    Args:
        rows: The connections.
        each: Whether they are wanted one by one.
        since: From when on.
        account: Of which account; None for all that was done.
    """
    return {
        "schema_version": 1,
        "since": at_if_known(since),
        "account": account,
        "sent": sum(one.sent for one in rows),
        "received": sum(one.received for one in rows),
        "totals": total_rows(rows),
        "connections": connection_rows(rows) if each else None,
    }


def _total(host: str, why: Reason, rows: Sequence[EgressRow]) -> TotalRow:
    return {
        "host": host,
        "why": why,
        "connections": len(rows),
        "sent": sum(row.sent for row in rows),
        "received": sum(row.received for row in rows),
        "last": at(max(row.until for row in rows)),
        "accounts": sorted({row.account for row in rows if row.account}),
        "programs": sorted({row.program for row in rows}),
    }
