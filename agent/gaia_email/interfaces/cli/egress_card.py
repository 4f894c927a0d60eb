"""What left this machine, as lines for a terminal. Entry: `print_egress`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.output import console, note
from gaia_email.interfaces.cli.terminal import local_time

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


def print_egress(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Each connection, or their sums."""
    if not document["totals"]:
        note("No connection was opened, as far as the egress ledger goes back.")
    elif document["connections"] is None:
        _print_totals(document)
    else:
        _print_connections(document["connections"])


def _print_totals(document: Mapping[str, Any]) -> None:
    _table(
        ("host", "why", "connections", "sent", "received", "last"),
        [
            (
                one["host"],
                one["why"],
                f"{one['connections']:,}",
                size(one["sent"]),
                size(one["received"]),
                local_time(one["last"]),
            )
            for one in document["totals"]
        ],
    )
    sent, received = size(document["sent"]), size(document["received"])
    note(f"{sent} sent, {received} received. gaia email egress --all lists each connection.")


def _print_connections(rows: Sequence[Mapping[str, Any]]) -> None:
    _table(
        ("when", "program", "account", "to", "why", "sent", "received"),
        [
            (
                local_time(one["at"]),
                one["program"],
                one["account"] or "",
                _endpoint_text(one),
                one["why"],
                size(one["sent"]),
                size(one["received"]) + (" …" if one["open"] else ""),
            )
            for one in rows
        ],
    )
    if any(one["open"] for one in rows):
        note("… was open when it was written down last.")


def size(count: int) -> str:
    """Bytes in one unit."""
    for unit, name in _UNITS:
        if count >= unit:
            return f"{count / unit:,.1f} {name}"
    return f"{count} B"


def _endpoint_text(row: Mapping[str, Any]) -> str:
    host = row["host"] if not row["port"] else f"{row['host']}:{row['port']}"
    return f"{host} via {row['via']}" if row["via"] else host


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in names:
        number = name in ("connections", "sent", "received")
        table.add_column(name, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(one_line, row))
    console().print(table)
