"""Network traffic of this machine, from the egress ledger. Entries: `connections`, `traffic_of`, `forget`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from gaia_email.app import App
from gaia_email.app.services.names import account_named
from gaia_email.document import Count, Document, Timestamp
from gaia_email_registry.egress.rows import EgressRow, Why, delete, ledger_file, read
from gaia_email_registry.errors import ProviderError


class HostTraffic(Document, frozen=True, kw_only=True):
    """All connections with one host for one reason, in bytes."""

    host: str
    why: Why
    connections: Count
    sent: Count
    received: Count
    last: Timestamp
    accounts: list[str]
    programs: list[str]


class ConnectionTraffic(Document, frozen=True, kw_only=True):
    """A connection, in bytes; `port` is 0 for a local socket, `via` is its proxy."""

    at: Timestamp
    until: Timestamp
    open: bool
    program: str
    account: str | None
    host: str
    port: Count
    via: str | None
    why: Why
    sent: Count
    received: Count


class Traffic(Document, frozen=True, kw_only=True):
    """Bytes sent and received; `connections` is None unless a list was requested."""

    since: Timestamp | None
    account: str | None
    sent: Count
    received: Count
    totals: list[HostTraffic]
    connections: list[ConnectionTraffic] | None


def connections(app: App, since: float | None = None, account: str | None = None) -> list[EgressRow]:
    """Return the connections of all our programs on this machine, newest first.

    Args:
        app: The running program.
        since: Only those with traffic after this time.
        account: Only those for this account.

    Raises:
        ProviderError: The egress ledger cannot be read.
    """
    try:
        rows = read(ledger_file(app.environ), time.time())
    except OSError as error:
        raise ProviderError(f"The egress ledger cannot be read: {error.strerror}.") from None
    names = {name.casefold() for name in (account, account_named(app, account)) if name}
    return [
        row
        for row in reversed(rows)
        if (since is None or row.until >= since) and (not names or row.account.casefold() in names)
    ]


def forget(app: App) -> int:
    """Delete the egress ledger; return the number of connections it held.

    Raises:
        ProviderError: It cannot be deleted.
    """
    path = ledger_file(app.environ)
    try:
        held = len(read(path, time.time()))
        delete(path)
    except OSError as error:
        raise ProviderError(f"The egress ledger cannot be deleted: {error.strerror}.") from None
    return held


def traffic_of(rows: Sequence[EgressRow], *, each: bool, since: float | None, account: str | None) -> Traffic:
    """Sum up connections by host and reason, most bytes sent first.

    Args:
        rows: The connections.
        each: Whether to list them one by one as well.
        since: Start of the requested period.
        account: The requested account; None for all.
    """
    return Traffic(
        since=None if since is None else Timestamp(since),
        account=account,
        sent=sum(one.sent for one in rows),
        received=sum(one.received for one in rows),
        totals=_totals(rows),
        connections=[_connection(one) for one in rows] if each else None,
    )


def _totals(rows: Iterable[EgressRow]) -> list[HostTraffic]:
    found: dict[tuple[str, Why], list[EgressRow]] = {}
    for row in rows:
        found.setdefault((row.host, row.why), []).append(row)
    summed = [_total(host, why, these) for (host, why), these in found.items()]
    return sorted(summed, key=lambda one: (-one.sent, -one.connections, one.host))


def _total(host: str, why: Why, rows: Sequence[EgressRow]) -> HostTraffic:
    return HostTraffic(
        host=host,
        why=why,
        connections=len(rows),
        sent=sum(row.sent for row in rows),
        received=sum(row.received for row in rows),
        last=Timestamp(max(row.until for row in rows)),
        accounts=sorted({row.account for row in rows if row.account}),
        programs=sorted({row.program for row in rows}),
    )


def _connection(row: EgressRow) -> ConnectionTraffic:
    return ConnectionTraffic(
        at=Timestamp(row.at),
        until=Timestamp(row.until),
        open=row.open,
        program=row.program,
        account=row.account or None,
        host=row.host,
        port=row.port,
        via=row.via or None,
        why=row.why,
        sent=row.sent,
        received=row.received,
    )
