"""The document of a whole conversation in short. Entry: `ThreadDocument`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.document import Count, FromAddress, Version, Warning_

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary


class HeadRow(FromAddress):
    """A message as a listing names it."""

    id: str
    subject: str
    date: str | None


class ThreadMessageRow(HeadRow):
    """A message of the conversation: whether it is the user's own, what it looks like, and what it says in a line."""

    own: bool
    warnings: list[Warning_]
    line: str


class AskedRow(TypedDict):
    """Something that a message asks, of whom and by when."""

    id: str
    text: str
    owner: str
    due: str | None


class ThreadDocument(HeadRow):
    """A conversation, oldest first, by the message it was asked for; of `total` messages `read` were read.

    `last_word` is `you` or an address.
    """

    schema_version: Version
    messages: list[ThreadMessageRow]
    asked: list[AskedRow]
    last_word: str | None
    total: Count
    read: Count


def head_row(summary: Summary) -> HeadRow:
    """A message as a listing names it."""
    from gaia_email.document import clean

    sender = summary["from"]
    return {
        "id": summary["id"],
        "from": {"name": clean(sender["name"]), "address": clean(sender["address"])},
        "subject": clean(summary["subject"]),
        "date": summary["date"] or None,
    }
