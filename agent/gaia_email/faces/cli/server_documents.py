"""A mail server's question as JSON and as lines, beside those of the gate. Entries: `server_row`, `server_lines`."""

from __future__ import annotations

from time import time

from gaia_email.documents.classify import Json, clean
from gaia_email.faces.cli.card import one_line
from gaia_email.faces.cli.pending_documents import CALL_STATES, at
from gaia_email.pending.server_questions import AnsweredServer
from gaia_email_registry.approvals import OPEN_S, Approval
from gaia_email_registry.contract.tools import TOOLS
from gaia_mail.printable import visible_block


def server_row(waiting: Approval) -> Json:
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
        "risk": "destructive" if tool is None else tool.risk,
        "text": clean(first),
        "recipients": [],
        "subject": "",
        "body": clean(rest),
        "html_text": "",
        "hidden": [],
        "files": [],
        "messages": [],
        "senders": [],
        "why": "",
        "cohort": "",
        "fingerprint": clean(asked.call),
    }


def server_line(waiting: Approval) -> Json:
    """The same with what lines of items have in their columns, where everything is one table."""
    row = server_row(waiting)
    about = {"from": {"address": ""}, "subject": ""}
    return {**row, "proposal": {"text": row["text"]}, "message": about}


def server_lines(waiting: Approval, *, now: float | None = None) -> list[str]:
    """The same for a person: what is asked, who asks, then all that the server shows."""
    asked = waiting.asked
    left = max(0.0, waiting.created_at + OPEN_S - (time() if now is None else now))
    first, _, rest = asked.shown.partition("\n")
    about = " · ".join(map(one_line, (asked.tool, asked.account, f"asked by {asked.server}")))
    return [
        f"⏳ {one_line(first)}",
        f"   {waiting.approval_id[:8]}  confirmation · {about} · waits {left / 3600:.0f} more hours",
        *(f"   {line}".rstrip() for line in visible_block(rest).split("\n") if rest),
    ]


def server_outcome_row(answered: AnsweredServer) -> Json:
    """One answer to a server's question, as those to items."""
    return {
        "id": answered.approval.approval_id,
        "state": CALL_STATES[answered.approval.state],
        "result": answered.result,
        "reason": clean(answered.reason),
        "message_id": "",
        "actions": [],
    }


def server_outcome_line(answered: AnsweredServer) -> str:
    """One answer that counted, for a person."""
    first = answered.approval.asked.shown.partition("\n")[0]
    return f"{answered.approval.approval_id[:8]}  {answered.result}: {one_line(first)}"
