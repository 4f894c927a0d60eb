"""Accounts that are connected and that could be, as tables for a terminal. Entries: `print_accounts`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from gaia_email.interfaces.cli.output import console, note
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_accounts(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line for each account that is connected, with its other addresses below."""
    from gaia_email_registry.accounts import CONNECT_HINT

    if not document["accounts"]:
        note(f"no account is connected. {CONNECT_HINT}")
        return
    _table(
        ("id", "address", "provider", "server", "password"),
        (
            (row["id"], _addresses(row), row["provider"], row["server"], row["password"])
            for row in document["accounts"]
        ),
    )


def _addresses(row: Mapping[str, Any]) -> str:
    """Beside the address stand the owner's others; mail files have none of their own, so theirs stand alone."""
    address, others = row["address"], row["aliases"]
    own = [address] if "@" in address or not others else []
    return "\n".join((*own, *others))


def print_candidates(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line for each account that could be connected, or with `--verbose` for each trace of one."""
    found = document["candidates"]
    if not found:
        note(
            "no account was found that is not connected. gaia email connect --email you@example.org adds one."
        )
        return
    _table(
        ("account", "provider", "server", "how sure", "how we know"),
        (
            (
                one["address"],
                one["provider"] or "not known yet",
                f"{imap['host']}:{imap['port']}" if (imap := trace["imap"]) else "",
                trace["confidence"],
                f"{trace['source']}: {trace['where']}",
            )
            for one in found
            for trace in (one["signals"] if answer.given["verbose"] else one["signals"][:1])
        ),
    )
    note(f"next: gaia email connect --email {found[0]['address']}")


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*("\n".join(map(visible, cell.split("\n"))) for cell in row))
    console().print(table)
