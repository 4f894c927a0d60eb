"""The document of a whole conversation, summarized. Entry: `ThreadDocument`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.document import Count, FromAddress, Version, Warning_

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary


class HeadRow(FromAddress):
    """A message as it appears in a listing."""

    id: str
    subject: str
    date: str | None


class ThreadMessageRow(HeadRow):
    """A message of the conversation: whether the user wrote it, its warnings, and one line of content."""

    own: bool
    warnings: list[Warning_]
    line: str


class AskedRow(TypedDict):
    """A task that a message assigns, its owner and deadline."""

    id: str
    text: str
    owner: str
    due: str | None


class ThreadDocument(HeadRow):
    """A conversation, oldest first, identified by the message requested; `read` of `total` messages were read.

    `last_word` is `you` or an address.
    """

    schema_version: Version
    messages: list[ThreadMessageRow]
    asked: list[AskedRow]
    last_word: str | None
    total: Count
    read: Count


def head_row(summary: Summary) -> HeadRow:
    """Return a message as it appears in a listing."""
    from gaia_email.document import clean

    sender = summary["from"]
    return {
        "id": summary["id"],
        "from": {"name": clean(sender["name"]), "address": clean(sender["address"])},
        "subject": clean(summary["subject"]),
        "date": summary["date"] or None,
    }
