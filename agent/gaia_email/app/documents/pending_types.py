"""The types of what the Agent Inbox prints. Entry points: `PENDING_DOCUMENTS`, `ItemRow`, `ConfirmationRow`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from gaia_email.app.documents.origins import OriginRow
from gaia_email.cascade.verdict import BUCKETS, Bucket
from gaia_email.document import Count, FromAddressOrNone, Level, OneOf, Stated, Time, Version

SaidBucket = Annotated[str, OneOf(BUCKETS)]
"""A bucket as the ledger keeps what somebody said."""
PendingRowState = Literal["open", "answered", "closed", "declined", "review", "done", "cancelled"]
"""States by the names of the control protocol."""


class AboutRow(FromAddressOrNone):
    """The message that an item is about."""

    id: str
    thread_id: str
    subject: str
    date: str | None


class PendingProposalRow(TypedDict):
    """What approving an item does; `people` are who wrote the messages of an item about several threads."""

    doing: Literal["archive", "label", "confirm", "tell"]
    bucket: Bucket
    labels: list[str]
    level: Level
    messages: list[str]
    fingerprint: str
    people: str
    text: str


class ItemRow(TypedDict):
    """One item with its proposal, the confidence, why, and its source message."""

    id: str
    type: Literal["notify", "question", "review"]
    state: PendingRowState
    account: str
    created_at: Time
    expires_at: Time | None
    run_id: str | None
    cohort: str
    confidence: Stated | None
    why: str
    asked: str
    origin: OriginRow
    message: AboutRow
    proposal: PendingProposalRow


class RecipientRow(TypedDict):
    """Somebody whom a call would write to."""

    field: str
    name: str
    address: str
    standing: str
    only_in_text: bool
    never_written: bool
    disguise: bool


class ConfirmationRow(TypedDict):
    """One question of the gate, or of a mail server: exactly the call, as it was shown when it was asked."""

    id: str
    type: Literal["confirmation"]
    state: PendingRowState
    server: str
    account: str
    created_at: Time
    expires_at: Time
    tool: str
    risk: Literal["read", "write", "destructive"]
    text: str
    recipients: list[RecipientRow]
    subject: str
    body: str
    html_text: str
    hidden: list[str]
    files: list[str]
    messages: list[str]
    senders: list[str]
    details: list[str]
    why: str
    cohort: str
    fingerprint: str
    origin: OriginRow


class WaitingCounts(TypedDict):
    """How much waits, by type."""

    confirmation: Count
    question: Count
    review: Count
    notify: Count


class PendingDocument(TypedDict):
    """What `pending` prints."""

    schema_version: Version
    total: Count
    shown: Count
    waiting: WaitingCounts
    confirmations: list[ConfirmationRow]
    items: list[ItemRow]


class OutcomeRow(TypedDict):
    """One answer: to what, whether it counted, why not, and the actions it led to."""

    id: str
    type: Literal["confirmation", "notify", "question", "review"]
    text: str
    counts: bool
    state: PendingRowState
    result: Literal[
        "approved", "rejected", "seen", "taken", "changed", "refused", "failed", "later", "reopened"
    ]
    reason: str
    message_id: str
    actions: list[str]


class AnswersDocument(TypedDict):
    """What `approve` and `reject` print, and what a rejection that was taken back is answered with."""

    schema_version: Version
    answered: Count
    items: list[OutcomeRow]


class CorrectDocument(TypedDict):
    """What `correct` prints: what the message was, what it is said to be, and the cohort of its sender."""

    schema_version: Version
    id: str
    account: str
    number: Count
    retracted: bool
    was: SaidBucket | None
    bucket: SaidBucket | None
    cohort: str


PENDING_DOCUMENTS: dict[str, object] = {
    "pending": PendingDocument,
    "approve": AnswersDocument,
    "reject": AnswersDocument,
    "correct": CorrectDocument,
}
"""By command."""
