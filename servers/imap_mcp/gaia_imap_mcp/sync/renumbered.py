"""Folders whose messages have other numbers at every look, and when they are looked at again. Entry: `Renumbered`.

Another UIDVALIDITY means that all messages have to be read anew (RFC 9051 §2.3.1.1). Some servers do that once, when
they are moved; one that does it every time would have us read its mail without end.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

FORGIVEN = 1
FIRST_REST_S = 60.0
LONGEST_REST_S = 3600.0


class Renumbered:
    """Of one account; `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: dict[str, int] = {}
        self._until: dict[str, float] = {}

    def note(self, name: str, *, anew: bool) -> None:
        """A folder was looked at and had other numbers than the last time, or the same."""
        if not anew:
            self.forget(name)
            return
        times = self._times[name] = self._times.get(name, 0) + 1
        if times > FORGIVEN:
            rest = min(FIRST_REST_S * 2 ** min(times - FORGIVEN - 1, 10), LONGEST_REST_S)
            self._until[name] = self._clock() + rest

    def is_resting(self, name: str) -> bool:
        """Whether it is too early to look at a folder again."""
        return self._until.get(name, float("-inf")) > self._clock()

    def forget(self, name: str) -> None:
        """The folder is well again, or gone."""
        self._times.pop(name, None)
        self._until.pop(name, None)
