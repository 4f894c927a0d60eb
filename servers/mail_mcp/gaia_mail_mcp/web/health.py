"""What a server can tell about how its provider treats it: throttling, errors. Entry: `Health`."""

from __future__ import annotations

import datetime as dt
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

KEPT = 5
_RECENT_S = 3600.0


@dataclass(slots=True, kw_only=True)
class Health:
    """Counts of this process; nothing of a message's content."""

    service: str
    """As people call it."""
    clock: Callable[[], float] = time.time
    throttled: deque[float] = field(default_factory=lambda: deque[float](maxlen=1000))
    """When a call was refused because of too many, as seconds since the epoch."""
    failures: deque[str] = field(default_factory=lambda: deque[str](maxlen=KEPT))
    last_sync: str | None = None

    def throttle(self) -> None:
        """A call was refused because of too many."""
        self.throttled.append(self.clock())

    def fail(self, message: str) -> None:
        """A call failed in the end."""
        self.failures.append(f"{self._shown(self.clock())}: {message}")

    def synced(self) -> None:
        """The mailbox was followed up to now."""
        self.last_sync = self._shown(self.clock())

    def errors(self) -> tuple[str, ...]:
        """For `server_status`: throttling of the last hour first."""
        recent = [instant for instant in self.throttled if instant > self.clock() - _RECENT_S]
        if not recent:
            return tuple(self.failures)
        times = "once" if len(recent) == 1 else f"{len(recent)} times"
        return (
            f"{self.service} throttled this server {times} in the last hour, last at {self._shown(recent[-1])}.",
            *self.failures,
        )

    def _shown(self, instant: float) -> str:
        return dt.datetime.fromtimestamp(instant, dt.UTC).isoformat(timespec="seconds")
