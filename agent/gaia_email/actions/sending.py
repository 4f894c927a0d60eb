"""Sends a mail of the user's own words, once, as it was shown to them. Entry points: `OutgoingMail`, `send_mail`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import MAYBE_SENT
from gaia_email.actions.answering import SENDING
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.kinds import SEND
from gaia_email.actions.writing import send_as_written
from gaia_email.ledger import ActionOutcome, NewAction
from gaia_email.policy.calls import ToolCall
from gaia_email.policy.gate import Consent, Pass
from gaia_email.policy.question import CallFacts, CallQuestion, question
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound, ProviderError

WHY = "You agreed to it."


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """What is to be sent, as plain text; `to` are mailboxes as a header writes them (RFC 5322, 3.4)."""

    to: tuple[str, ...]
    subject: str
    body: str

    @property
    def exact(self) -> Mapping[str, object]:
        """All of it, as what a person's yes is bound to."""
        return {"to": list(self.to), "subject": self.subject, "body": self.body}

    def question(self, account: str, facts: CallFacts) -> CallQuestion:
        """What the gate will ask before it is sent from that account.

        Raises:
            BadArgument: It is none that can be sent.
        """
        return question(self.call(account), facts)

    def call(self, account: str) -> ToolCall:
        """The one call that sends it.

        Raises:
            BadArgument: It is none that can be sent.
        """
        return send_as_written(account, self.to, self.subject, self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """A mail that went out: its action, and the id of the copy that the mailbox keeps; empty where it keeps none."""

    action_id: str
    message_id: str


async def send_mail(session: AccountSession, mail: OutgoingMail, facts: CallFacts) -> SentMail:
    """Send it, after the gate has asked; it is written down before, and never sent a second time.

    Raises:
        BadArgument: The mailbox cannot send.
        NeedsApproval: The user did not agree, or the agent is stopped; nothing was sent.
        MailError: The server did not take it, or nobody knows whether it did.
    """
    if not await session.writer.can_send():
        raise BadArgument(
            f"No mail can be sent from {session.account[:200]} here.",
            hint="a connected account that sends does: gaia email connect.",
        )
    if reason := session.brakes.halted():
        raise NeedsApproval(reason)
    given = await session.gate.ask(mail.call(session.account), Consent(by="user", why=WHY), facts)
    if not isinstance(given, Pass):
        given.raised()
    new = NewAction(
        account_id=session.account,
        message_id="",
        action_type=SEND,
        payload={**mail.exact, "sender": ""},
        why=WHY,
        user_confirmed=True,
    )
    planned = record(session, [new])
    session.note(SENDING, {"action_id": planned[0].action_id})
    try:
        result = await session.writer.write(given)
    except (BadArgument, NotFound, NeedsApproval) as error:
        give_up(session, planned, error.message)
        raise
    except MailError as error:
        give_up(session, planned, f"{error.message} {MAYBE_SENT}")
        raise ProviderError(f"{error.message} {MAYBE_SENT}") from None
    write_down(session, [ActionOutcome(action_id=planned[0].action_id)])
    return SentMail(action_id=planned[0].action_id, message_id=next(iter(result["ids"]), ""))
