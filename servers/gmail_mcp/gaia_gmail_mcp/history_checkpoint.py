"""Where an account's history stood when Gmail last said, and what this process has changed since. Entry: `Moment`.

A change of many messages is told together with that place: what it really did is read from Gmail's history when it is
taken back (`since.py`), so nothing has to be read before it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

RECENT_S = 120.0
"""Seconds for which the place counts as right before a change: what somebody else does to the same labels of the same
messages in between cannot be told from the change. After that Gmail is asked first, for 1 unit."""

MOST = 100
"""Changes remembered; after more Gmail is asked first."""

Delta = tuple[frozenset[str], frozenset[str]]
"""Label ids to add, and to remove."""

_NEVER = float("-inf")


@dataclass(slots=True, kw_only=True, eq=False)
class Own:
    """A change of ours; `ended` is None while it runs, `sure` False when nobody knows whether it was made."""

    ids: frozenset[str]
    delta: Delta
    ended: float | None = None
    sure: bool = False

    def labels_after(self, message_id: str) -> dict[str, bool]:
        """Which labels the message has, or has not, after it."""
        if message_id not in self.ids:
            return {}
        add, remove = self.delta
        return {**dict.fromkeys(remove, False), **dict.fromkeys(add, True)}


@dataclass(slots=True, kw_only=True)
class Moment:
    """`history` is a history id; times are the event loop's, in seconds."""

    history: str = ""
    _asked: float = _NEVER
    _own: list[Own] = field(default_factory=list[Own])

    def told(self, history: str, asked: float) -> None:
        """Gmail said where its history stands, asked at that time; changes that had ended by then are in it."""
        if history and asked >= self._asked:
            self.history, self._asked = history, asked
            self._own = [own for own in self._own if own.ended is None or own.ended >= asked]

    def begin(self, ids: Collection[str], delta: Delta) -> Own:
        """A change of ours begins."""
        own = Own(ids=frozenset(ids), delta=delta)
        self._own.append(own)
        if len(self._own) > MOST:
            del self._own[0]
            self._asked = _NEVER
        return own

    def serves(self, ids: Collection[str], delta: Delta, now: float) -> bool:
        """Whether the history from here on tells what such a change does: it is recent, and we changed none of it."""
        labels = delta[0] | delta[1]
        return now - self._asked <= RECENT_S and not any(
            labels & (own.delta[0] | own.delta[1]) and not own.ids.isdisjoint(ids) for own in self._own
        )

    def effects(self, ids: Sequence[str], delta: Delta, now: float) -> dict[str, Delta] | None:
        """What such a change does to messages of which we set all those labels just before; None for others."""
        recent = [
            own for own in self._own if own.sure and own.ended is not None and now - own.ended <= RECENT_S
        ]
        if not recent or len(recent) < len(self._own):
            return None
        add, remove = delta
        found: dict[str, Delta] = {}
        for message_id in ids:
            has: dict[str, bool] = {}
            for own in recent:
                has.update(own.labels_after(message_id))
            if not has.keys() >= add | remove:
                return None
            found[message_id] = (
                frozenset(label for label in add if not has[label]),
                frozenset(label for label in remove if has[label]),
            )
        return found
