"""Confirms and sends mail written by the user. Entries: `outgoing_question`, `send_outgoing`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.actions.sending import OutgoingMail, SentMail, send_mail
from gaia_email.app.services.opening import account_of, owner_of
from gaia_email.app.services.questions import sending_question
from gaia_email.policy.question import CallFacts
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.app import App
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.policy.gate import PromptAnswer
    from gaia_email.policy.question import CallQuestion


def outgoing_question(app: App, source: SourceSpec, mail: OutgoingMail) -> str:
    """Return the confirmation question for a mail, with its full text.

    Raises:
        BadArgument: The mail cannot be sent.
        NotFound: The account does not exist.
    """
    return sending_question(account_of(app, source), outgoing_call_question(app, source, mail), mail.body)


def outgoing_call_question(app: App, source: SourceSpec, mail: OutgoingMail) -> CallQuestion:
    """Return the gate's question for a mail, in its separate parts.

    Raises:
        BadArgument: The mail cannot be sent.
        NotFound: The account does not exist.
    """
    account = account_of(app, source)
    return mail.question(account, _facts(app, source, account))


def mail_question(
    app: App,
    source: SourceSpec,
    to: tuple[str, ...],
    cc: tuple[str, ...] = (),
    bcc: tuple[str, ...] = (),
) -> CallQuestion:
    """Return the question for a mail to these people whose text is not written yet."""
    return outgoing_call_question(app, source, OutgoingMail(to=to, cc=cc, bcc=bcc, subject="", body=""))


def send_outgoing(
    app: App, source: SourceSpec, mail: OutgoingMail, shown: str, *, origin: RequestOrigin
) -> SentMail:
    """Send the mail after the user agreed to `shown`; if the gate would ask anything else, nothing is sent.

    Raises:
        BadArgument: The mailbox cannot send.
        NeedsApproval: The mail differs from what was shown, or the agent is stopped; nothing was sent.
        MailError: The server rejected it, or it is unknown whether it was sent.
    """
    from gaia_email.app.services.acting import with_account_session

    account = account_of(app, source)

    async def send(session: AccountSession) -> SentMail:
        return await send_mail(session, mail, _facts(app, source, account))

    prompt = _AgreedPrompt(account, mail, shown)
    return with_account_session(app, source, send, prompt=prompt, origin=origin)


@dataclass(frozen=True, slots=True)
class _AgreedPrompt:
    """Passes the user's approval to the gate, for exactly the question that they saw."""

    account: str
    mail: OutgoingMail
    shown: str

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Return "yes" if the question is the one that the user saw."""
        return "yes" if sending_question(self.account, asked, self.mail.body) == self.shown else "no"


def _facts(app: App, source: SourceSpec, account: str) -> CallFacts:
    return CallFacts(own=frozenset((*owner_of(app, source), *addresses_in(account))))
