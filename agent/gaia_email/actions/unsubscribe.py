"""Leaves a mailing list by one click (RFC 8058), with the server's own tool. Entry points: `unsubscribe`, `newest_of`.

It cannot be undone and leaves no trace in the mailbox. So it always asks (unless the user opted in at L5) and is
never repeated after a crash, and its outcome is an event of its own with the severity `warning`.
"""

from __future__ import annotations

from dataclasses import dataclass

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.call_facts import ask_gate
from gaia_email.actions.kinds import UNSUBSCRIBE
from gaia_email.actions.writing import leave_list
from gaia_email.ledger import ActionOutcome, LoggedAction, NewAction
from gaia_email.policy.gate import Consent, Pass
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, MailError, NotFound

TRIED = 5
"""Number of a sender's newest messages that are checked for one-click unsubscribe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftList:
    """A list that was left: the message that named it, and its server's answer."""

    action: LoggedAction
    summary: Summary
    host: str
    status: int


async def newest_of(session: AccountSession, sender: str) -> Summary:
    """Return the sender's newest message with one-click unsubscribe.

    Raises:
        BadArgument: The sender is not an address.
        NotFound: There is no mail from the sender, or none with one-click unsubscribe.
    """
    address = sender.strip().lower()
    if "@" not in address or any(char.isspace() or char in "\"'()" for char in address):
        raise BadArgument(f"{sender[:80]!r} is not a sender's address.", argument="sender")
    page = await session.mail.list_emails(query=f"from:{address}", limit=50)
    theirs = [found for found in page["emails"] if found["from"]["address"].lower() == address]
    if not theirs:  # the address of a discussion list, through which others write
        by_list = await session.mail.list_emails(query=f"list:{address}", limit=50)
        theirs = by_list["emails"]
    if not theirs:
        raise NotFound(f"There is no mail from {address[:80]} here.", argument="sender")
    newest = {found["id"]: found for found in theirs[:TRIED]}
    for email in (await session.mail.read_emails(list(newest), format="full"))["emails"]:
        headers = {name.lower(): values for name, values in email.get("headers", {}).items()}
        if "list-unsubscribe-post" in headers and "list-unsubscribe" in headers:
            return newest[email["id"]]
    raise NotFound(
        f"The newest mail from {address[:80]} offers no one-click unsubscribe (RFC 8058).",
        hint="look for a link in the mail itself and follow it only if you trust the sender.",
    )


async def unsubscribe(
    session: AccountSession,
    summary: Summary,
    consent: Consent,
    *,
    run_id: str | None = None,
    session_id: str | None = None,
) -> LeftList:
    """Unsubscribe from the list of a message.

    Raises:
        NeedsApproval: The user did not agree or has not answered yet; nothing was sent.
        BadArgument: The server does not support it, or the message's offer cannot be trusted.
        MailError: The list's server refused it, or the outcome is unknown.
    """
    if not await session.writer.can_leave_lists():
        raise BadArgument(
            f"Lists cannot be left by one click from {session.account[:200]}; follow the link in the mail "
            "itself if you trust its sender."
        )
    call = leave_list(session.account, summary["id"])
    given = await ask_gate(session, call, consent)
    if not isinstance(given, Pass):
        given.raise_error()
    return await leave(session, summary, given, consent, run_id=run_id, session_id=session_id)


async def leave(
    session: AccountSession,
    summary: Summary,
    given: Pass,
    consent: Consent,
    *,
    run_id: str | None = None,
    session_id: str | None = None,
) -> LeftList:
    """Unsubscribe from a list with a pass of the gate for exactly that.

    Raises:
        MailError: The list's server refused it, or the outcome is unknown.
    """
    new = NewAction(
        account_id=session.account,
        message_id=summary["id"],
        action_type=UNSUBSCRIBE,
        payload={"sender": summary["from"]["address"], "subject": summary["subject"]},
        run_id=run_id,
        session_id=session_id,
        level=f"L{consent.level}" if consent.by == "level" else None,
        why=consent.why,
        user_confirmed=not consent.opted_in,
    )
    planned = record(session, [new])
    try:
        answer = await session.writer.leave_list(given)
    except MailError as error:
        give_up(session, planned, error.message)
        _note(session, planned[0], {"outcome": "failed", "error": error.message})
        raise
    done = write_down(session, [ActionOutcome(action_id=planned[0].action_id)]).done[0]
    _note(session, done, {"outcome": "accepted", "host": answer["host"], "status": answer["status"]})
    return LeftList(action=done, summary=summary, host=answer["host"], status=answer["status"])


def _note(session: AccountSession, action: LoggedAction, outcome: dict[str, object]) -> None:
    payload = {"severity": "warning", "sender": action.action_payload.get("sender"), **outcome}
    session.note("list.left", {**payload, "action_id": action.action_id}, run_id=action.run_id)
