"""A mail server's question as JSON, beside those of the gate. Entry: `server_row`."""

from __future__ import annotations

from gaia_email.actions.pending.server_questions import AnsweredServer
from gaia_email.app.documents.origins import origin_row
from gaia_email.app.documents.pending import risk_of
from gaia_email.app.documents.pending_types import ConfirmationRow, OutcomeRow
from gaia_email.control.inbox_states import CALL_STATES
from gaia_email.document import at, clean
from gaia_email_registry.approvals import OPEN_S, Approval
from gaia_email_registry.contract.tools import TOOLS


def server_row(waiting: Approval) -> ConfirmationRow:
    """One question in the shape of the gate's; what a server shows is one text, so it stands in `body`."""
    asked = waiting.asked
    first, _, rest = asked.shown.partition("\n")
    tool = TOOLS.get(asked.tool)
    return {
        "id": waiting.approval_id,
        "type": "confirmation",
        "state": CALL_STATES[waiting.state],
        "server": clean(asked.server),
        "account": clean(asked.account),
        "created_at": at(waiting.created_at),
        "expires_at": at(waiting.created_at + OPEN_S),
        "tool": clean(asked.tool),
        "risk": risk_of(None if tool is None else tool.risk),
        "text": clean(first),
        "recipients": [],
        "subject": "",
        "body": clean(rest),
        "html_text": "",
        "hidden": [],
        "files": [],
        "messages": [],
        "senders": [],
        "details": [],
        "why": "",
        "cohort": "",
        "fingerprint": clean(asked.call),
        "origin": origin_row(asked.origin),
    }


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
