"""Slows down reading of folders whose UIDVALIDITY keeps changing. Entry: `Renumbered`.

A new UIDVALIDITY means that all messages have to be read again (RFC 9051 §2.3.1.1). Some servers change it once, when
they are moved; with one that changes it every time, reading would never end.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

FORGIVEN = 1
FIRST_REST_S = 60.0
LONGEST_REST_S = 3600.0


class Renumbered:
    """The renumbered folders of one account; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: dict[str, int] = {}
        self._until: dict[str, float] = {}

    def note(self, name: str, *, anew: bool) -> None:
        """Record that a folder was opened; `anew` is True if its UIDs have changed."""
        if not anew:
            self.forget(name)
            return
        times = self._times[name] = self._times.get(name, 0) + 1
        if times > FORGIVEN:
            rest = min(FIRST_REST_S * 2 ** min(times - FORGIVEN - 1, 10), LONGEST_REST_S)
            self._until[name] = self._clock() + rest

    def is_resting(self, name: str) -> bool:
        """Return True if it is too early to read a folder again."""
        return self._until.get(name, float("-inf")) > self._clock()

    def forget(self, name: str) -> None:
        """Forget a folder that is stable again or gone."""
        self._times.pop(name, None)
        self._until.pop(name, None)
