"""Keeps a reply as a draft in the mailbox, for the user to finish and send. Entry point: `keep_reply`."""

from __future__ import annotations

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.kinds import DRAFT
from gaia_email.actions.writing import REPLY, reply_as_draft
from gaia_email.ledger import ActionOutcome, NewAction
from gaia_email.policy.gate import Consent, Pass
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound


async def keep_reply(
    session: AccountSession, summary: Summary, body: str, *, session_id: str | None = None
) -> str:
    """Keep a reply that the user asked for; the id of the action. It goes to nobody.

    Raises:
        BadArgument: The mailbox keeps no drafts.
        NeedsApproval: The gate did not give leave.
        MailError: The server did not keep it. Where it does not say that nothing was done, the action stays planned.
    """
    if not await session.writer.can(REPLY):
        raise BadArgument(
            f"{session.account[:200]} keeps no drafts here.", hint="copy the text into your own mail program."
        )
    call = reply_as_draft(session.account, summary["id"], body)
    given = await session.gate.ask(call, Consent(by="user", why="You asked for a draft."))
    if not isinstance(given, Pass):
        given.raised()
    new = NewAction(
        account_id=session.account,
        message_id=summary["id"],
        action_type=DRAFT,
        payload={"body": body, "sender": summary["from"]["address"], "subject": summary["subject"]},
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
