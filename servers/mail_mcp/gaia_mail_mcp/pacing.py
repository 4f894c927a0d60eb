"""Rate limits for calls to a provider, and waits between retries. Entries: `TokenBucket`, `Backoff`.

A bucket counts in the provider's own units and is shared by all processes that use the account, through a small file. A
caller reserves its units at once and then waits for its turn, so that the lock is never held while waiting and callers
keep their order.
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
        """Do nothing: on Windows, processes share a balance without a lock."""

else:
    import fcntl

    def _lock(descriptor: int, *, hold: bool) -> None:
        """Acquire the lock, waiting if needed, or release it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX if hold else fcntl.LOCK_UN)


_OPEN_S = 1.0
"""Seconds for which a balance file stays open: it may have been removed and created again meanwhile."""

_WIDTH = 80
"""Length of a balance in a file: fixed, so that writing always overwrites the old content."""

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[object]]


_LONGEST_S = 3600.0
"""A balance with a debt of more seconds than this is damaged; older uses are forgotten."""


class Balance(Protocol):
    """Storage for the units left in a bucket."""

    __slots__ = ()

    def take(self, units: float, *, rate: float, burst: float, now: float) -> float:
        """Refill up to `now`, take `units`, and return what is left; negative for a debt."""
        ...


@dataclass(slots=True)
class OwnBalance(Balance):
    """A balance of this process alone."""

    left: float | None = None
    at: float = 0.0

    @override
    def take(self, units: float, *, rate: float, burst: float, now: float) -> float:
        self.left = _refill(self.left, self.at, rate=rate, burst=burst, now=now) - units
        self.at = now
        return self.left


@dataclass(slots=True, eq=False)
class SharedBalance(Balance):
    """A balance in a file that is locked during changes; unreadable content counts as full. For a single thread."""

    path: Path
    elapsed: Clock = time.monotonic
    _descriptor: int = -1
    _process: int = 0
    """Process that opened the file: a fork would share its lock."""
    _until: float = 0.0
    """Time at which to reopen the file."""

    @override
    def take(self, units: float, *, rate: float, burst: float, now: float) -> float:
        """Take units; `now` is wall-clock time, the only clock that processes share."""
        descriptor = self._open_file()
        _lock(descriptor, hold=True)
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            content = os.read(descriptor, _WIDTH + 1)
            left, at = _read_balance(content)
            if left is not None and left < -rate * _LONGEST_S:
                left = None
            left = _refill(left, at, rate=rate, burst=burst, now=now) - units
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

    def _open_file(self) -> int:
        """Return the file, kept open for a while because opening takes as long as everything else here."""
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


def _refill(left: float | None, at: float, *, rate: float, burst: float, now: float) -> float:
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
    """Up to `burst` units at once, then `rate` units a second, in the order of the callers.

    Over any `burst / (limit - rate)` seconds, the average is at most `limit` units a second.
    """

    rate: float
    burst: float
    balance: Balance = field(default_factory=OwnBalance)
    clock: Clock = time.time
    sleep: Sleep = asyncio.sleep
    _taken: deque[tuple[float, float]] = field(default_factory=deque[tuple[float, float]])

    async def take(self, units: float) -> float:
        """Wait until `units` may be used; return the seconds waited."""
        now = self.clock()
        left = self.balance.take(units, rate=self.rate, burst=self.burst, now=now)
        self._forget(now)
        self._taken.append((now, units))
        delay = max(-left, 0.0) / self.rate
        if delay:
            await self.sleep(delay)
        return delay

    def units_used(self, window_s: float) -> float:
        """Return the units that this process has used in the last `window_s` seconds."""
        now = self.clock()
        return sum(units for at, units in self._taken if now - window_s < at <= now)

    def _forget(self, now: float) -> None:
        """Forget uses from long ago, and uses after `now` from before the clock was set back."""
        while self._taken and not now - _LONGEST_S < self._taken[0][0] <= now:
            self._taken.popleft()


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Waits between retries of a refused call, computed by `pause_s`.

    `tries` includes the first call. A wait requested by the provider is respected, unless it exceeds `patience_s`.
    """

    first_s: float = 1.0
    longest_s: float = 32.0
    tries: int = 6
    patience_s: float = 64.0
    jitter: Callable[[], float] = random.random

    def delay(self, attempt: int, retry_after_s: float | None) -> float | None:
        """Return the seconds to wait after failed try number `attempt` (from 1); None to give up."""
        if attempt >= self.tries or (retry_after_s or 0.0) > self.patience_s:
            return None
        pause = pause_s(attempt, first_s=self.first_s, longest_s=self.longest_s, jitter=self.jitter)
        return max(pause, retry_after_s or 0.0)
