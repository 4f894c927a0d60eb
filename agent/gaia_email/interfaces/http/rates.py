"""Rate limits of requests. Entry point: `HttpRates`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gaia_email.interfaces.http.refusal import HttpRefusal

MOST = 4096
"""Maximum number of counts; the least recently used are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRate:
    """A burst of requests at once, and a sustained rate per second."""

    at_once: int
    per_s: float


USUAL = HttpRate(at_once=300, per_s=100.0)
"""Rate of a route that the table does not list."""

FAILED = HttpRate(at_once=20, per_s=0.5)
"""Rate of requests with an invalid token or key, all callers together."""


class HttpRates:
    """Request counts by caller and route."""

    def __init__(
        self,
        routes: Mapping[str, HttpRate],
        *,
        usual: HttpRate = USUAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with every count at zero.

        Args:
            routes: Rates by prefix of method and path (`POST /v1/email/query`); the longest match applies.
            usual: The rate of all other routes, counted together.
            clock: Monotonic clock in seconds.
        """
        self._routes = sorted(routes.items(), key=lambda route: -len(route[0]))
        self._usual = usual
        self._clock = clock
        self._counts: dict[tuple[str, str], tuple[float, float]] = {}

    def take(self, who: str, method: str, path: str) -> None:
        """Count a request.

        Raises:
            HttpRefusal: There were too many: 429, with `Retry-After`.
        """
        asked = f"{method} {path}"
        for route, rate in self._routes:
            if asked.startswith(route):
                self._take(who, route, rate)
                return
        self._take(who, "", self._usual)

    def count_failure(self) -> None:
        """Count a request without valid credentials.

        Raises:
            HttpRefusal: There were too many.
        """
        self._take("", "failed", FAILED)

    def _take(self, who: str, route: str, rate: HttpRate) -> None:
        now = self._clock()
        left, at = self._counts.pop((who, route), (float(rate.at_once), now))
        left = min(float(rate.at_once), left + (now - at) * rate.per_s)
        refused = left < 1
        self._counts[(who, route)] = (left if refused else left - 1, now)
        if len(self._counts) > MOST:
            del self._counts[next(iter(self._counts))]
        if refused:
            wait_s = max(1, round((1 - left) / rate.per_s + 0.5))
            raise HttpRefusal(
                429,
                "rate_limited",
                "Too many requests in a short time.",
                hint=f"try again in {wait_s} s.",
                headers={"retry-after": str(wait_s)},
            )
