"""The documents of a mail that is being written. Entry: `outgoing_document`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.app.documents.pending_types import RecipientRow
from gaia_email.document import Count, Level, Time, Version, clean

if TYPE_CHECKING:
    from gaia_email.actions.sending import OutgoingMail
    from gaia_email.policy.question import CallQuestion

MailKindName = Literal["new", "reply", "reply_all", "forward"]


class WrittenRow(TypedDict):
    """A mail as the user writes it; `quote` says whether what is answered stands below."""

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
    """How a text was made: by what, in how many seconds, from how many messages, and what of it has to be checked."""

    by: str
    tier: Literal["T0", "T3"]
    seconds: float
    stands_on: Count
    voice_messages: Count
    questions_left_out: Count
    to_check: list[str]
    withheld: Count


class BegunDocument(WrittenRow):
    """What `compose` answers; `made` is null for what was not made but only begun."""

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
    """What a person is asked before a mail goes, with every word of it; a yes names it by `agreed`."""

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
    """A mail that went out."""

    schema_version: Version
    account: str
    action_id: str
    message_id: str
    to: list[str]
    subject: str


class KeptDraftDocument(TypedDict):
    """A draft that the mailbox keeps."""

    schema_version: Version
    account: str
    action_id: str


class KeptRow(WrittenRow):
    """A text that is kept on this machine."""

    id: str
    at: Time
    discarded: bool


class KeptTextDocument(KeptRow):
    """One text that is kept, whom it would go to, and what stands in the way of that yet."""

    schema_version: Version
    recipients: list[RecipientRow]
    dry_run: str
    problem: str


class KeptTextsDocument(TypedDict):
    """All texts that are kept, the newest first."""

    schema_version: Version
    texts: list[KeptRow]


class DictatedDocument(TypedDict):
    """What was said, as a model of this machine wrote it down."""

    schema_version: Version
    text: str
    by: str


class RewordDocument(TypedDict):
    """Words as the model puts them, how many of its sentences were left out, and which are to be checked.

    A sentence with a link or an address that the user never gave is left out and to be checked.
    """

    schema_version: Version
    text: str
    withheld: Count
    to_check: list[str]
    by: str


def outgoing_document(
    account: str, mail: OutgoingMail, asked: CallQuestion, question: str, agreed: str
) -> OutgoingDocument:
    """What a person is asked before the mail goes."""
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
