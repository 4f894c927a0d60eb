"""The documents of `draft` and `remember`. Entry points: `TALK_DOCUMENTS`, `DraftRow`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from gaia_email.app.documents.mail_types import OtherMessage
from gaia_email.document import Count, Version, Warning_


class VoiceRow(TypedDict):
    """What was counted of the user's own mail."""

    messages: Count
    greeting: str
    formal: bool


class DraftRow(TypedDict):
    """A reply that was made: whom it goes to, its text, what it takes up, and what it stands on.

    `no_reply` is a sentence if nobody would read it; `others` are the other messages of the conversation.
    `to_check` are a model's sentences with something that the conversation does not hold; `withheld` counts those that
    promised something or held a link.
    """

    id: str
    to: str
    cc: str
    subject: str
    no_reply: str
    body: str
    questions: list[str]
    questions_left_out: Count
    to_finish: bool
    voice: VoiceRow
    warnings: list[Warning_]
    others: list[OtherMessage]
    to_check: list[str]
    withheld: Count
    by: str


class DraftDocument(DraftRow):
    """What `draft` prints."""

    schema_version: Version
    saved: bool


class SentenceRow(TypedDict):
    """A sentence that the user asked to remember, by its number, and in which interface they said it."""

    n: Count
    text: str
    said_in: str


class RememberDocument(TypedDict):
    """What `remember` prints."""

    schema_version: Version
    sentences: list[SentenceRow]


def remember_document(known: Sequence[tuple[str, str]]) -> RememberDocument:
    """What `remember` prints, from the sentences in their order, each with the interface it was said in."""
    rows: list[SentenceRow] = [
        {"n": number, "text": text, "said_in": interface} for number, (text, interface) in enumerate(known, 1)
    ]
    return {"schema_version": 1, "sentences": rows}


TALK_DOCUMENTS: dict[str, object] = {"draft": DraftDocument, "remember": RememberDocument}
