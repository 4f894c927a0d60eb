"""Sends a mail written by the user, once and exactly as shown. Entry points: `OutgoingMail`, `send_mail`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import MAYBE_SENT
from gaia_email.actions.answering import SENDING
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.call_facts import AskedBy, ask_gate
from gaia_email.actions.kinds import SEND
from gaia_email.actions.writing import draft_as_written, forward_as_written, send_as_written
from gaia_email.ledger import ActionOutcome, NewAction
from gaia_email.policy.gate import Consent, Pass
from gaia_email.policy.question import CallFacts, CallQuestion, question
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound, ProviderError

WHY = "You agreed to it."


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """A mail to be sent as plain text; people are mailboxes in header syntax (RFC 5322, 3.4).

    Attributes:
        about: ID of the message it answers or forwards; empty for none.
        in_reply_to: The answered message's ID in the mailbox, or its Message-ID.
        thread_id: The conversation of an answer.
        sender: The From address, if the mailbox does not know its own.
        forwards: True to include the message `about` with all its files.
    """

    to: tuple[str, ...]
    subject: str
    body: str
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    about: str = ""
    in_reply_to: str = ""
    thread_id: str = ""
    sender: str = ""
    forwards: bool = False

    @property
    def exact(self) -> Mapping[str, object]:
        """All parts of the mail, which the user's approval is bound to."""
        more = {
            "from": self.sender,
            "cc": list(self.cc),
            "bcc": list(self.bcc),
            "about": self.about,
            "forwards": self.forwards,
        }
        named = {"to": list(self.to), "subject": self.subject, "body": self.body}
        return {**named, **{name: value for name, value in more.items() if value}}

    def question(self, account: str, facts: CallFacts) -> CallQuestion:
        """Return the question that the gate will ask before sending.

        Raises:
            BadArgument: The mail cannot be sent.
        """
        return question(self.call(account), self.facts(facts))

    def facts(self, known: CallFacts) -> CallFacts:
        """Return the facts of its call; a forward's arguments lack the subject and the forwarded message."""
        if not self.forwards:
            return known
        return replace(known, subject=self.subject, messages=(self.subject,))

    def call(self, account: str) -> ToolCall:
        """Return the call that sends the mail.

        Raises:
            BadArgument: The mail cannot be sent.
        """
        if self.forwards:
            return forward_as_written(account, self.about, self.to, self.body)
        return send_as_written(account, self.to, self.subject, self.body, **self._headers)

    def draft(self, account: str) -> ToolCall:
        """Return the call that saves the mail as a draft.

        Raises:
            BadArgument: The mail cannot be saved.
        """
        if self.forwards:
            return forward_as_written(account, self.about, self.to, self.body, draft=True)
        return draft_as_written(account, self.to, self.subject, self.body, **self._headers)

    @property
    def _headers(self) -> Mapping[str, Sequence[str] | str]:
        named: Mapping[str, Sequence[str] | str] = {
            "cc": self.cc,
            "bcc": self.bcc,
            "inReplyTo": self.in_reply_to,
            "threadId": self.thread_id,
            "from": self.sender,
        }
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """A sent mail: its action, and the ID of the mailbox's copy (empty if there is none)."""

    action_id: str
    message_id: str


async def send_mail(session: AccountSession, mail: OutgoingMail, facts: CallFacts) -> SentMail:
    """Send the mail after the gate has asked; it is recorded before and never sent twice.

    Raises:
        BadArgument: The mailbox cannot send.
        NeedsApproval: The user did not agree, or the agent is stopped; nothing was sent.
        MailError: The server refused it, or the outcome is unknown.
    """
    if not await session.writer.can_send():
        raise BadArgument(
            f"No mail can be sent from {session.account[:200]} here.",
            hint="a connected account that sends does: gaia email connect.",
        )
    if reason := session.brakes.explain_halt():
        raise NeedsApproval(reason)
    consent = Consent(by="user", why=WHY)
    by = AskedBy(own=facts.own, in_text=facts.in_text)
    given = await ask_gate(session, mail.call(session.account), consent, by=by)
    if not isinstance(given, Pass):
        given.raise_error()
    new = NewAction(
        account_id=session.account,
        message_id=mail.about,
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
