"""How much one answer may hold: messages are read until it is full, the rest is named. Entry: `read_within`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gaia_mail_mcp.mailbox import Mailbox, StoredMessage

Item = TypeVar("Item")

MOST_SHOWN = 1_000_000
"""Characters of text and HTML in an answer that shows messages; a longer message stands in it alone, cut."""

MOST_RAW = 32_000_000
"""Bytes of raw messages in an answer; one that is larger stands in it alone."""

MOST_SUMMARIES = 2_000

_FIRST = 50
_MOST = 500
_IN_MEMORY = 64_000_000
"""Bytes of messages that are read at once, going by those before."""


async def read_within(
    mailbox: Mailbox,
    ids: Sequence[str],
    made: Callable[[StoredMessage], tuple[Item, int]],
    most: int,
    *,
    most_of_one: int | None = None,
) -> tuple[list[Item], list[str]]:
    """What `made` makes of those of `ids` that exist, in their order and once, until `most` is reached.

    Args:
        mailbox: Where they are.
        ids: Message ids.
        made: Makes an item of a message, and says how much of the answer it takes.
        most: How much there may be; the first item is taken whatever its size.
        most_of_one: Bytes of a message that are read at most; None for all.

    Returns:
        The items, and the ids that were not looked at or did not fit.
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
