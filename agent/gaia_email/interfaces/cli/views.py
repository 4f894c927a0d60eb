"""Views of derived commands that need code, named by `Command(view=...)`."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from gaia_email.app.documents.actions import ACTION_COLUMNS
from gaia_email.app.documents.layouts.state import CANDIDATES as CANDIDATE_CARD
from gaia_email.interfaces.cli.from_operation import OperationView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaia_email.app.documents.pending_types import ConfirmationRow, PendingDocument


def _cut(document: Mapping[str, Any]) -> list[str]:
    shown, total = document["shown"], document["total"]
    return [f"showing {shown:,} of {total:,} actions"] if shown < total else []


ACTIONS = OperationView(
    columns=ACTION_COLUMNS,
    rows=lambda document: document["actions"],
    notes=_cut,
    card="action_card.print_actions",
)


def _waiting(document: PendingDocument) -> list[Mapping[str, object]]:
    return [*map(_confirmation, document["confirmations"]), *document["items"]]


def _confirmation(row: ConfirmationRow) -> Mapping[str, object]:
    """Add an item's columns to a confirmation, for the common table."""
    about = {
        "from": {"address": ", ".join(row["senders"])},
        "subject": ", ".join(row["messages"]) or row["subject"],
    }
    return {**row, "proposal": {"text": row["text"]}, "message": about}


PENDING = OperationView(
    columns=(
        "id",
        "type",
        "cohort",
        "confidence",
        "proposal.text",
        "message.from.address",
        "message.subject",
    ),
    rows=_waiting,
    card="pending_card.print_pending",
)


def _copied(done: int, total: int) -> None:
    """Show the number of copied messages on the terminal's error stream."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\rcopied {done:,} messages" if done >= 500 else "\r\x1b[K")
        sys.stderr.flush()


def limits(document: Mapping[str, Any]) -> list[str]:
    """Return notes on what the search left out, and on how many results are not shown."""
    said = list[str]()
    if document["problem"]:
        as_of = document["as_of"]
        when = "an unfinished copy" if as_of is None else f"the copy of {_local(as_of)}"
        said.append(f"{document['problem']} This is from {when} on this machine.")
    if document["headers_only"]:
        said.append(
            f"Of {document['headers_only']:,} messages only the headers are on this machine; "
            "the next search that reaches the mailbox reads their text."
        )
    if document["total"] > document["shown"]:
        more = (
            f"{document['total']:,}" if document["total_is_exact"] else f"more than {document['total'] - 1:,}"
        )
        said.append(f"showing {document['shown']:,} of {more}; --limit shows more")
    return said


def _local(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


HITS = OperationView(
    columns=("id", "date", "from.address", "subject", "snippet"),
    rows=lambda document: document["hits"],
    notes=limits,
    card="search_card.print_hits",
    progress=_copied,
    source_first=True,
)


CANDIDATES = OperationView(
    columns=("address", "provider", "confidence", "source", "where"),
    rows=lambda document: document["candidates"],
    layout=CANDIDATE_CARD,
    options=(
        click.option("--verbose", is_flag=True, help="Every trace of each account, not only the best one."),
    ),
)
