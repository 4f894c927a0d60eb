"""Saves the user's text as a draft in the mailbox. Entries: `keep_reply`, `keep_draft`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.call_facts import ask_gate
from gaia_email.actions.kinds import DRAFT
from gaia_email.actions.sending import OutgoingMail
from gaia_email.actions.writing import REPLY, reply_as_draft
from gaia_email.ledger import ActionOutcome, NewAction
from gaia_email.policy.gate import Consent, Pass
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound


async def keep_reply(
    session: AccountSession, summary: Summary, body: str, *, session_id: str | None = None
) -> str:
    """Save a reply as a draft at the user's request; it is not sent. Returns the action's ID.

    Raises:
        BadArgument: The mailbox does not support drafts.
        NeedsApproval: The gate refused it.
        MailError: The server did not save it. If the outcome is unknown, the action stays planned.
    """
    call = reply_as_draft(session.account, summary["id"], body)
    payload = {"body": body, "sender": summary["from"]["address"], "subject": summary["subject"]}
    return await _keep(session, call, summary["id"], payload, session_id)


async def keep_draft(session: AccountSession, mail: OutgoingMail, *, session_id: str | None = None) -> str:
    """Save a mail written by the user as a draft; otherwise like `keep_reply`.

    Raises:
        MailError: As in `keep_reply`.
    """
    payload = {**mail.exact, "sender": ", ".join(mail.to)}
    return await _keep(session, mail.draft(session.account), mail.about, payload, session_id)


async def _keep(
    session: AccountSession,
    call: ToolCall,
    message_id: str,
    payload: Mapping[str, object],
    session_id: str | None,
) -> str:
    if not await session.writer.can(REPLY):
        raise BadArgument(
            f"{session.account[:200]} keeps no drafts here.", hint="copy the text into your own mail program."
        )
    given = await ask_gate(session, call, Consent(by="user", why="You asked for a draft."))
    if not isinstance(given, Pass):
        given.raise_error()
    new = NewAction(
        account_id=session.account,
        message_id=message_id,
        action_type=DRAFT,
        payload=payload,
        session_id=session_id,
        why="You asked for a draft.",
        user_confirmed=True,
    )
    planned = record(session, [new])
    try:
        await session.writer.write(given)
    except (BadArgument, NotFound, NeedsApproval) as error:
        give_up(session, planned, error.message)
        raise
    write_down(session, [ActionOutcome(action_id=planned[0].action_id)])
    return planned[0].action_id
