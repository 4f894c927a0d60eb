"""`gaia email pending`: what waits for your answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app.operations.state import pending
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaia_email.app.documents.pending_types import ConfirmationRow, PendingDocument

COLUMNS = (
    "id",
    "type",
    "cohort",
    "confidence",
    "proposal.text",
    "message.from.address",
    "message.subject",
)


def _rows(document: PendingDocument) -> list[Mapping[str, object]]:
    return [*map(_line, document["confirmations"]), *document["items"]]


def _line(row: ConfirmationRow) -> Mapping[str, object]:
    """With what lines of items have in their columns, where everything is one table."""
    about = {
        "from": {"address": ", ".join(row["senders"])},
        "subject": ", ".join(row["messages"]) or row["subject"],
    }
    return {**row, "proposal": {"text": row["text"]}, "message": about}


command = operation_command(
    pending,
    """What the agent asks you, has prepared for you, and wants you to know. Changes nothing.

    A confirmation is one exact call that needs your yes: a program waits for it for ten minutes, a mail server that an
    assistant uses for a day. A question is asked
    where the agent is unsure, where a sender is new, and at L2; a review is prepared at L3; a note tells of what was
    done from L4 on. Answers: gaia email review, approve, reject.
    """,
    OperationView(columns=COLUMNS, rows=_rows, card="pending_card.print_pending"),
)
