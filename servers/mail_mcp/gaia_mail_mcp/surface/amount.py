"""Limits the size of one result: messages are read until it is full, and the rest is listed. Entry: `read_within`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gaia_mail_mcp.mailbox import Mailbox, StoredMessage

Item = TypeVar("Item")

MOST_SHOWN = 1_000_000
"""Most characters of text and HTML in a result; a longer message is cut, and is alone in its result."""

MOST_RAW = 32_000_000
"""Most bytes of raw messages in a result; a larger message is alone in its result."""

MOST_SUMMARIES = 2_000

_FIRST = 50
_MOST = 500
_IN_MEMORY = 64_000_000
"""Bytes of messages to read at once, estimated from the previous ones."""


async def read_within(
    mailbox: Mailbox,
    ids: Sequence[str],
    made: Callable[[StoredMessage], tuple[Item, int]],
    most: int,
    *,
    most_of_one: int | None = None,
) -> tuple[list[Item], list[str]]:
    """Make items from the messages in `ids` that exist, in order and each once, until `most` is reached.

    Args:
        mailbox: The mailbox.
        ids: Message ids.
        made: Returns the item of a message, and its size in the result.
        most: Largest total size; the first item is accepted whatever its size.
        most_of_one: Most bytes to read of each message; None for all.

    Returns:
        The items, and the ids that were not read or did not fit.
    """
    ids = list(dict.fromkeys(ids))
    items: list[Item] = []
    used = size = seen = start = 0
    count = _FIRST
    while start < len(ids):
        chunk = ids[start : start + count]
        for stored in await mailbox.read(chunk, raw=True, most=most_of_one):
            item, amount = made(stored)
            if items and used + amount > most:
                return items, ids[ids.index(stored.summary["id"], start) :]
            items.append(item)
            used += amount
            seen += 1
            size += len(stored.raw or b"")
        start += len(chunk)
        count = max(1, min(_IN_MEMORY * max(seen, 1) // max(size, 1), _MOST))
    return items, []
