"""Documents for a mail that is being written. Entry: `outgoing_document`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.app.documents.pending_types import RecipientRow
from gaia_email.document import Count, Level, Time, Version, clean

if TYPE_CHECKING:
    from gaia_email.actions.sending import OutgoingMail
    from gaia_email.policy.question import CallQuestion

MailKindName = Literal["new", "reply", "reply_all", "forward"]


class WrittenRow(TypedDict):
    """A mail as the user writes it; `quote` is true if the original is quoted below."""

    kind: MailKindName
    message_id: str
    account: str
    to: list[str]
    cc: list[str]
    bcc: list[str]
    subject: str
    body: str
    quote: bool


class MadeRow(TypedDict):
    """The provenance of a generated text: its author, time taken, messages used, and sentences to check."""

    by: str
    tier: Literal["T0", "T3"]
    seconds: float
    stands_on: Count
    voice_messages: Count
    questions_left_out: Count
    to_check: list[str]
    withheld: Count


class BegunDocument(WrittenRow):
    """The document of `compose`; `made` is null if the mail was only started, not generated."""

    schema_version: Version
    level: Level
    quoted: str
    made: MadeRow | None
    sign_off: str
    endings: list[str]
    chips: list[str]
    model: str
    transcriber: str
    recipients: list[RecipientRow]
    dry_run: str
    warnings: list[str]


class OutgoingDocument(TypedDict):
    """The confirmation question before a mail is sent, with its full text; an approval refers to it by `agreed`."""

    schema_version: Version
    account: str
    recipients: list[RecipientRow]
    subject: str
    body: str
    forwards: bool
    dry_run: str
    question: str
    agreed: str


class SentDocument(TypedDict):
    """A mail that was sent."""

    schema_version: Version
    account: str
    action_id: str
    message_id: str
    to: list[str]
    subject: str


class KeptDraftDocument(TypedDict):
    """A draft saved in the mailbox."""

    schema_version: Version
    account: str
    action_id: str


class KeptRow(WrittenRow):
    """A text saved on this machine."""

    id: str
    at: Time
    discarded: bool


class KeptTextDocument(KeptRow):
    """A text saved on this machine, its recipients, and what still prevents sending it."""

    schema_version: Version
    recipients: list[RecipientRow]
    dry_run: str
    problem: str


class KeptTextsDocument(TypedDict):
    """All texts saved on this machine, newest first."""

    schema_version: Version
    texts: list[KeptRow]


class DictatedDocument(TypedDict):
    """Speech transcribed by a model on this machine."""

    schema_version: Version
    text: str
    by: str


class RewordDocument(TypedDict):
    """A text reworded by a model, with the number of sentences left out and the sentences to check.

    A sentence with a link or an address that the user never gave is left out and listed for checking.
    """

    schema_version: Version
    text: str
    withheld: Count
    to_check: list[str]
    by: str


def outgoing_document(
    account: str, mail: OutgoingMail, asked: CallQuestion, question: str, agreed: str
) -> OutgoingDocument:
    """Return the confirmation question for a mail."""
    from gaia_email.app.documents.pending import person_row

    return {
        "schema_version": 1,
        "account": clean(account),
        "recipients": [person_row(one) for one in asked.recipients],
        "subject": clean(mail.subject),
        "body": clean(mail.body),
        "forwards": mail.forwards,
        "dry_run": asked.dry_run,
        "question": question,
        "agreed": agreed,
    }
