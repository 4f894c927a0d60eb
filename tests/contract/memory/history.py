"""What has happened to a mailbox, and the cursors into it. Entry: `History`.

A cursor is `mailbox:position`: the caller knows everything before that position. While the first listing is
being paged it is `mailbox:position:when:number`: the listing is of the messages that were there at
`position`, and goes on after the message with that key.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

EventKind = Literal["added", "changed", "removed"]

FOREIGN = "the cursor is not one of this mailbox"
TOO_OLD = "the cursor is older than what this mailbox remembers"

_CURSOR = re.compile(
    r"([0-9a-f]{16}):(\d{1,15})(?::(-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?):(-?\d{1,15}))?", re.ASCII
)


class MemoryEvent(NamedTuple):
    """Something that happened to a message."""

    kind: EventKind
    id: str


class MemoryCursor(NamedTuple):
    """What a caller knows; `after` is where it is in the first listing, None when it is through."""

    position: int
    after: tuple[float, int] | None = None


class History:
    """The latest `size` events, each at its position; positions count from 0 and are never used again."""

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._dropped = 0
        self._events: list[MemoryEvent] = []

    @property
    def end(self) -> int:
        """The position of the next event."""
        return self._dropped + len(self._events)

    def add(self, kind: EventKind, id_: str) -> None:
        """Note an event; the oldest ones are forgotten when there are too many."""
        self._events.append(MemoryEvent(kind, id_))
        if len(self._events) > self._size:
            surplus = len(self._events) - self._size // 2
            del self._events[:surplus]
            self._dropped += surplus

    def since(self, position: int, limit: int) -> tuple[dict[str, MemoryEvent], int]:
        """The first event of each of up to `limit` messages from `position` on, and the position reached.

        All events of those messages up to the position reached are covered.
        """
        first: dict[str, MemoryEvent] = {}
        for index in range(position - self._dropped, len(self._events)):
            event = self._events[index]
            if event.id not in first:
                if len(first) >= limit:
                    return first, self._dropped + index
                first[event.id] = event
        return first, self.end

    def write(self, cursor: MemoryCursor) -> str:
        """The text of a cursor."""
        if cursor.after is None:
            return f"{self._name}:{cursor.position}"
        return f"{self._name}:{cursor.position}:{cursor.after[0]!r}:{cursor.after[1]}"

    def read(self, text: str) -> MemoryCursor | str:
        """The cursor of a text, or in words why it is of no use any more."""
        match = _CURSOR.fullmatch(text)
        if match is None or match[1] != self._name or int(match[2]) > self.end:
            return FOREIGN
        if int(match[2]) < self._dropped:
            return TOO_OLD
        after = (float(match[3]), int(match[4])) if match[3] else None
        return MemoryCursor(position=int(match[2]), after=after)
