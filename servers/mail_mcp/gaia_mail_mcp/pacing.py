"""How fast a provider may be asked, and how long to wait when it refuses. Entries: `TokenBucket`, `Backoff`.

A bucket counts in the provider's own units and is shared by every process that uses the same account, through
a small file: whoever comes reserves its units at once and then waits for its turn, so nobody holds the lock
while waiting and nobody is overtaken.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from typing_extensions import override

from gaia_email_registry.backoff import pause_s
from gaia_email_registry.paths import ensure_private_directory

if sys.platform == "win32":

    def _lock(descriptor: int, *, hold: bool) -> None:
        """Nothing: here processes share a balance without a lock."""

else:
    import fcntl

    def _lock(descriptor: int, *, hold: bool) -> None:
        """Wait for it and hold it, or let it go."""
        fcntl.flock(descriptor, fcntl.LOCK_EX if hold else fcntl.LOCK_UN)


_OPEN_S = 1.0
"""Seconds for which the file of a balance stays open: it may have been put away and made anew meanwhile."""

_WIDTH = 80
"""Bytes of a balance in a file: always as many, so that what is written covers what was there."""

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[object]]


_LONGEST_S = 3600.0
"""A balance that owes more than this long is damaged, and what was taken longer ago is of no interest."""


class Balance(Protocol):
    """Where a bucket keeps what is left in it."""

    __slots__ = ()

    def take(self, units: float, *, rate: float, burst: float, now: float) -> float:
        """Fill up to `now`, take `units`, and answer what is left; negative when it is owed."""
        ...


@dataclass(slots=True)
class OwnBalance(Balance):
    """A balance that only this process knows."""

    left: float | None = None
    at: float = 0.0

    @override
    def take(self, units: float, *, rate: float, burst: float, now: float) -> float:
        self.left = _filled(self.left, self.at, rate=rate, burst=burst, now=now) - units
        self.at = now
        return self.left


@dataclass(slots=True, eq=False)
class SharedBalance(Balance):
    """A balance in a file, locked while it is changed; unreadable content counts as a full bucket. For one thread."""

    path: Path
    elapsed: Clock = time.monotonic
    _descriptor: int = -1
    _process: int = 0
    """Who opened it: one that was forked would share its lock."""
    _until: float = 0.0
    """When to open it again."""

    @override
    def take(self, units: float, *, rate: float, burst: float, now: float) -> float:
        """`now` is wall-clock time, the only one that processes share."""
        descriptor = self._opened()
        _lock(descriptor, hold=True)
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            content = os.read(descriptor, _WIDTH + 1)
            left, at = _read_balance(content)
            if left is not None and left < -rate * _LONGEST_S:
                left = None
            left = _filled(left, at, rate=rate, burst=burst, now=now) - units
            if len(content) > _WIDTH:
                os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, json.dumps([left, now]).ljust(_WIDTH).encode())
        finally:
            _lock(descriptor, hold=False)
        return left

    def __del__(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def _opened(self) -> int:
        """The file, open for a while: opening it takes as long as all that is done with it."""
        now = self.elapsed()
        if self._descriptor >= 0:
            if now < self._until and self._process == os.getpid():
                return self._descriptor
            os.close(self._descriptor)
            self._descriptor = -1
        try:
            self._descriptor = _open(self.path)
        except FileNotFoundError:
            ensure_private_directory(self.path.parent)
            self._descriptor = _open(self.path)
        self._process, self._until = os.getpid(), now + _OPEN_S
        return self._descriptor


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _filled(left: float | None, at: float, *, rate: float, burst: float, now: float) -> float:
    if left is None:
        return burst
    return min(left + max(now - at, 0.0) * rate, burst)


def _read_balance(content: bytes) -> tuple[float | None, float]:
    try:
        left, at = json.loads(content)
        if math.isfinite(left) and math.isfinite(at):
            return float(left), float(at)
    except (ValueError, TypeError, OverflowError):
        pass
    return None, 0.0


@dataclass(slots=True, kw_only=True)
class TokenBucket:
    """`burst` units at once, then `rate` a second; takers are served in the order they come.

    Over any `burst / (limit - rate)` seconds it gives no more than `limit` a second.
    """

    rate: float
    burst: float
    balance: Balance = field(default_factory=OwnBalance)
    clock: Clock = time.time
    sleep: Sleep = asyncio.sleep
    _taken: deque[tuple[float, float]] = field(default_factory=deque[tuple[float, float]])

    async def take(self, units: float) -> float:
        """Wait until `units` may be spent; the seconds waited."""
        now = self.clock()
        left = self.balance.take(units, rate=self.rate, burst=self.burst, now=now)
        self._forget(now)
        self._taken.append((now, units))
        delay = max(-left, 0.0) / self.rate
        if delay:
            await self.sleep(delay)
        return delay

    def used(self, window_s: float) -> float:
        """Units this process has taken in the last `window_s` seconds."""
        now = self.clock()
        return sum(units for at, units in self._taken if now - window_s < at <= now)

    def _forget(self, now: float) -> None:
        """What was taken long ago, or after `now` by a clock that has been put back."""
        while self._taken and not now - _LONGEST_S < self._taken[0][0] <= now:
            self._taken.popleft()


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """When to try again what a provider has refused: the pauses of `pause_s`.

    `tries` counts the first one. A provider that names a time is obeyed, unless it is longer than `patience_s`.
    """

    first_s: float = 1.0
    longest_s: float = 32.0
    tries: int = 6
    patience_s: float = 64.0
    jitter: Callable[[], float] = random.random

    def delay(self, attempt: int, retry_after_s: float | None) -> float | None:
        """Seconds to wait after the failed try number `attempt` (from 1), or None to give up."""
        if attempt >= self.tries or (retry_after_s or 0.0) > self.patience_s:
            return None
        pause = pause_s(attempt, first_s=self.first_s, longest_s=self.longest_s, jitter=self.jitter)
        return max(pause, retry_after_s or 0.0)
