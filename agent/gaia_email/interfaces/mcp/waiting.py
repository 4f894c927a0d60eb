"""What waits for the user, as this server lists and shows it. Entries: `listed`, `asked_about`."""

from __future__ import annotations

from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.actions.pending.server_questions import asked_by_servers
from gaia_email.app import App
from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.origins import origin_text
from gaia_email.app.documents.pending import call_row, item_origin, proposal_text
from gaia_email.app.documents.server_questions import server_row
from gaia_email.app.documents.short import plain
from gaia_email.app.services.agent_inbox import (
    PendingItem,
    StoredConfirmation,
    agent_inbox,
    has_agent_inbox,
    server_inbox,
)
from gaia_email.app.services.answers import split, to_answer
from gaia_email.interfaces.cli.pending_lines import confirmation_lines
from gaia_email.interfaces.mcp.served_mailbox import INTERFACE

SHOWN = 10
"""Messages that a question names; the rest is counted."""


def listed(app: App, limit: int) -> Json:
    """What waits, oldest first."""
    rows: list[Json] = []
    for one in asked_by_servers(environ=app.environ):
        text = plain(one.asked.shown.partition("\n")[0])
        origin = origin_text(one.asked.origin)
        rows.append({"id": one.approval_id, "type": "confirmation", "text": text, "origin": origin})
    if has_agent_inbox(app):
        with agent_inbox(app, interface=INTERFACE) as waiting:
            for call in waiting.questions.waiting():
                text = plain(confirmation_lines(call_row(call))[0])
                origin = origin_text(call.origin)
                rows.append(
                    {"id": call.confirmation_id, "type": "confirmation", "text": text, "origin": origin}
                )
            rows += [_row(item) for item in waiting.inbox.list_pending()]
    return {"total": len(rows), "shown": min(limit, len(rows)), "items": rows[:limit]}


def _row(item: PendingItem) -> Json:
    proposal = PendingProposal.of(item)
    return {
        "id": item.item_id,
        "type": item.type,
        "cohort": item.cohort or None,
        "text": plain(proposal_text(proposal)),
        "messages": [
            {"id": one.message_id, "from": plain(one.address, 120), "subject": plain(one.subject, 160)}
            for one in proposal.targets[:SHOWN]
        ],
        "message_count": len(proposal.targets),
        "why": plain(item.why),
        "origin": item_origin(item)["text"],
    }


def asked_about(app: App, given: str, *, yes: bool) -> tuple[str, str]:
    """The whole id of what waits, and the question for the person: made from what would be done, by code.

    Raises:
        NotFound: Nothing that waits has the id.
        MailError: The ledger cannot be read.
    """
    verb = "Approve this?" if yes else "Do nothing of this?"
    asked, _ = split(app, server_inbox(app, interface=INTERFACE), [given])
    if asked:
        return asked[0].approval_id, "\n".join(
            [verb, *confirmation_lines(server_row(asked[0]), now=asked[0].created_at)]
        )
    with agent_inbox(app, interface=INTERFACE) as waiting:
        found = to_answer(waiting, given)
        if isinstance(found, StoredConfirmation):
            lines = confirmation_lines(call_row(found), now=found.expires_at)
            return found.confirmation_id, "\n".join([verb, *lines])
        return found.item_id, _item_question(found, verb)


def _item_question(item: PendingItem, verb: str) -> str:
    proposal = PendingProposal.of(item)
    lines = [f"{verb} {proposal_text(proposal)}"]
    lines += [
        f"  {plain(one.name, 60)} <{plain(one.address, 120)}> · {plain(one.subject, 160)}"
        for one in proposal.targets[:SHOWN]
    ]
    if len(proposal.targets) > SHOWN:
        lines.append(f"  and {len(proposal.targets) - SHOWN:,} more")
    if item.why:
        lines.append(f"  why: {plain(item.why)}")
    lines.append(f"  {item_origin(item)['text']}")
    return "\n".join(lines)
