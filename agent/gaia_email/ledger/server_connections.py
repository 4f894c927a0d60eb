"""Records connections to a PostgreSQL server in the egress ledger. Entry: `count_connections`.

Neither SQLAlchemy nor psycopg counts bytes, but Linux does for every TCP connection. So these are the bytes on the
wire, except libpq's termination message. On other systems, the row contains time and host but no bytes.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import Any

from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from gaia_email_registry.egress.flow import Flow, start_flow

_FLOW = "gaia_egress"
_RECEIVED, _SENT = 128, 200
"""Offsets in `struct tcp_info` (linux/tcp.h): tcpi_bytes_received; tcpi_bytes_sent, then tcpi_bytes_retrans."""
_WHOLE = _SENT + 16


def count_connections() -> None:
    """Record every connection that SQLAlchemy opens to a server in this process, including those of DBOS.

    SQLite connections are not recorded. Safe to call again.
    """
    for name, hear in (("connect", _began), ("checkin", _tell), ("close", _ended)):
        if not event.contains(Pool, name, hear):
            event.listen(Pool, name, hear)


def count_bytes(number: int) -> tuple[int, int] | None:
    """Return bytes sent and received over a TCP socket, by file descriptor; None if the system does not count them."""
    option = getattr(socket, "TCP_INFO", None)
    if option is None:
        return None
    try:
        with socket.socket(fileno=os.dup(number)) as same:
            told = same.getsockopt(socket.IPPROTO_TCP, option, _WHOLE)
    except OSError:
        return None
    if len(told) < _WHOLE:  # kernel before 4.19
        return None
    (received,) = struct.unpack_from("=Q", told, _RECEIVED)
    sent, again = struct.unpack_from("=QQ", told, _SENT)
    return sent - again, received


def _began(connection: Any, entry: ConnectionPoolEntry) -> None:
    driver = entry.driver_connection
    info: Any = getattr(driver, "info", None)
    if driver is None or info is None or not hasattr(driver, "fileno"):
        return
    host, port = str(info.host or "localhost"), int(info.port or 0)
    is_file = host.startswith("/")
    entry.info[_FLOW] = start_flow(f"unix:{host}" if is_file else host, 0 if is_file else port, "database")
    _tell(connection, entry)


def _tell(_: Any, entry: ConnectionPoolEntry) -> None:
    flow: Flow | None = entry.info.get(_FLOW)
    driver: Any = entry.driver_connection
    if flow is None or driver is None or driver.closed:
        return
    told = count_bytes(driver.fileno())
    if told is not None:
        before = flow.total
        flow.count_sent(max(0, told[0] - before[0]))
        flow.count_received(max(0, told[1] - before[1]))


def _ended(connection: Any, entry: ConnectionPoolEntry) -> None:
    _tell(connection, entry)
    flow: Flow | None = entry.info.pop(_FLOW, None)
    if flow is not None:
        flow.close()
