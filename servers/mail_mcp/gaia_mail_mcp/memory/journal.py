"""What happened to which message, told from any cursor on. Entry: `Journal`.

Every change gets the next number. A message is told by its latest number only, as with IMAP's CONDSTORE
(RFC 7162), so the journal grows with the mailbox and with removals, not with the number of changes.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

_CURSOR = re.compile(r"([0-9a-f]{1,32})\.(\d{1,15})\.(\d{1,15})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a caller stands: it knows all up to `base`, and of what came later the part up to `told`."""

    base: int
    told: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One page: ids by what happened to them, and where the caller stands after it."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    position: Position
    more: bool


@dataclass(slots=True, kw_only=True)
class _Mark:
    created: int
    latest: int


class Journal:
    """Numbers changes and answers what is new since a position.

    Args:
        name: Hexadecimal; cursors of a journal with another name are not ours.
        keep: Removals that are remembered; older positions are answered with a reset.
    """

    def __init__(self, name: str, *, keep: int) -> None:
        self._name = name
        self._marks: dict[str, _Mark] = {}
        self._gone: deque[tuple[int, int, str]] = deque()
        self._keep = keep
        self._forgotten = 0
        self.latest = 0

    def add(self, id_: str) -> None:
        """A message came."""
        self.latest += 1
        self._marks[id_] = _Mark(created=self.latest, latest=self.latest)

    def change(self, id_: str) -> None:
        """A message got other labels."""
        self.latest += 1
        self._marks[id_].latest = self.latest

    def remove(self, id_: str) -> None:
        """A message went for good."""
        self.latest += 1
        self._gone.append((self.latest, self._marks.pop(id_).created, id_))
        while len(self._gone) > self._keep:
            self._forgotten = self._gone.popleft()[0]

    def forget(self) -> None:
        """Forget all that happened, as a provider does after some days: every older cursor is reset."""
        self._gone.clear()
        self._forgotten = self.latest

    def cursor(self, position: Position) -> str:
        """The position as text."""
        return f"{self._name}.{position.base}.{position.told}"

    def position(self, cursor: str) -> Position | str:
        """The position a cursor stands for, or a sentence saying why it is of no use any more."""
        found = _CURSOR.fullmatch(cursor)
        if found is None:
            return "this is not a cursor of sync_emails"
        base, told = int(found[2]), int(found[3])
        if found[1] != self._name or not base <= told <= self.latest:
            return "this cursor is of another mailbox or of an earlier run"
        if told < self._forgotten:
            return "this cursor is so old that what happened since is no longer known"
        return Position(base=base, told=told)

    def since(self, position: Position, limit: int) -> Told:
        """At most `limit` ids, in order of their latest change.

        While a caller pages, a message that changes again can be told a second time, as added again.
        """
        told = position.told
        news = [(mark.latest, mark.created, id_) for id_, mark in self._marks.items() if mark.latest > told]
        news += [(number, created, id_) for number, created, id_ in self._gone if number > told >= created]
        news.sort()
        page = news[: max(limit, 1)]
        more = len(page) < len(news)
        reached = page[-1][0] if more else self.latest
        return Told(
            added=tuple(i for _, created, i in page if i in self._marks and created > position.base),
            changed=tuple(i for _, created, i in page if i in self._marks and created <= position.base),
            removed=tuple(id_ for _, _, id_ in page if id_ not in self._marks),
            position=Position(base=position.base if more else reached, told=reached),
            more=more,
        )
