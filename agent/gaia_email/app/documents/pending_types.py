"""The document types of the Agent Inbox. Entry points: `PENDING_DOCUMENTS`, `ItemRow`, `ConfirmationRow`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from gaia_email.app.documents.origins import OriginRow
from gaia_email.document import Count, FromAddressOrNone, Level, OneOf, Stated, Time, Version
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

SaidBucket = Annotated[str, OneOf(BUCKETS)]
"""A bucket that a correction names, as the ledger stores it."""
PendingRowState = Literal["open", "answered", "closed", "declined", "review", "done", "cancelled"]
"""State names of the control protocol."""


class AboutRow(FromAddressOrNone):
    """The message that an item is about."""

    id: str
    thread_id: str
    subject: str
    date: str | None


class PendingProposalRow(TypedDict):
    """The effect of approving an item; `people` are the authors of the messages, for an item about several threads."""

    doing: Literal["archive", "label", "confirm", "tell"]
    bucket: Bucket
    labels: list[str]
    level: Level
    messages: list[str]
    fingerprint: str
    people: str
    text: str


class ItemRow(TypedDict):
    """One item with its proposal, confidence, reason and source message."""

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
    """A person to whom a call would write."""

    field: str
    name: str
    address: str
    standing: str
    only_in_text: bool
    never_written: bool
    disguise: bool


class ConfirmationRow(TypedDict):
    """One question of the gate or of a mail server: the exact call, as it was shown when it was requested."""

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
    """The number of pending items, by type."""

    confirmation: Count
    question: Count
    review: Count
    notify: Count


class PendingDocument(TypedDict):
    """The document of `pending`."""

    schema_version: Version
    total: Count
    shown: Count
    waiting: WaitingCounts
    confirmations: list[ConfirmationRow]
    items: list[ItemRow]


class OutcomeRow(TypedDict):
    """One answer: the item, whether it took effect, the reason if not, and the resulting actions."""

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
    """The document of `approve` and `reject`, and of undoing a rejection."""

    schema_version: Version
    answered: Count
    items: list[OutcomeRow]


class CorrectDocument(TypedDict):
    """The document of `correct`: the old bucket, the corrected one, and the sender's cohort."""

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
"""Document types by command."""
