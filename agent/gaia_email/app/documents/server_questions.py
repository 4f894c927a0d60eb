"""The answer to a mail server's question as JSON. Entry: `server_outcome_row`."""

from __future__ import annotations

from gaia_email.actions.pending.server_questions import AnsweredServer
from gaia_email.app.documents.pending_types import OutcomeRow
from gaia_email.control.inbox_states import CALL_STATES
from gaia_email.document import clean


def server_outcome_row(answered: AnsweredServer) -> OutcomeRow:
    """One answer to a server's question, as those to items."""
    return {
        "id": answered.approval.approval_id,
        "type": "confirmation",
        "text": clean(answered.approval.asked.shown.partition("\n")[0]),
        "counts": answered.counts,
        "state": CALL_STATES[answered.approval.state],
        "result": answered.result,
        "reason": clean(answered.reason),
        "message_id": "",
        "actions": [],
    }
