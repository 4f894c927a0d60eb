"""A mail of the user's own words: what is asked, and sending. Entries: `outgoing_question`, `send_outgoing`."""

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
    """What a person is asked before it goes, with every word of it.

    Raises:
        BadArgument: It is none that can be sent.
        NotFound: There is no such account.
    """
    return sending_question(account_of(app, source), outgoing_call_question(app, source, mail), mail.body)


def outgoing_call_question(app: App, source: SourceSpec, mail: OutgoingMail) -> CallQuestion:
    """The same as the gate has it, with its parts by themselves.

    Raises:
        BadArgument: It is none that can be sent.
        NotFound: There is no such account.
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
    """What would be asked of a mail to these people, while the rest of it is not written yet."""
    return outgoing_call_question(app, source, OutgoingMail(to=to, cc=cc, bcc=bcc, subject="", body=""))


def send_outgoing(
    app: App, source: SourceSpec, mail: OutgoingMail, shown: str, *, origin: RequestOrigin
) -> SentMail:
    """Send it, because a person agreed to `shown`; where the gate would ask anything else, nothing is sent.

    Raises:
        BadArgument: The mailbox cannot send.
        NeedsApproval: It is not what was shown, or the agent is stopped; nothing was sent.
        MailError: The server did not take it, or nobody knows whether it did.
    """
    from gaia_email.app.services.acting import with_account_session

    account = account_of(app, source)

    async def send(session: AccountSession) -> SentMail:
        return await send_mail(session, mail, _facts(app, source, account))

    prompt = _AgreedPrompt(account, mail, shown)
    return with_account_session(app, source, send, prompt=prompt, origin=origin)


@dataclass(frozen=True, slots=True)
class _AgreedPrompt:
    """Gives the gate the yes of a person, to exactly the question that they were shown."""

    account: str
    mail: OutgoingMail
    shown: str

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Yes where that is the question."""
        return "yes" if sending_question(self.account, asked, self.mail.body) == self.shown else "no"


def _facts(app: App, source: SourceSpec, account: str) -> CallFacts:
    return CallFacts(own=frozenset((*owner_of(app, source), *addresses_in(account))))
