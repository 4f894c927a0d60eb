"""How the emulator can be told to fail. Entry: `Faults`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from tests.gmail.emulator.http import Response

STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


class ApiError(Exception):
    """An error answer of Google's."""

    def __init__(self, status: int, message: str, reason: str = "", retry_after: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.reason = reason or {400: "invalidArgument", 404: "notFound"}.get(status, "backendError")
        self.retry_after = retry_after

    def response(self) -> Response:
        """As Google writes it."""
        detail = {"message": self.message, "domain": "global", "reason": self.reason}
        error = {
            "code": self.status,
            "message": self.message,
            "errors": [detail],
            "status": STATUS.get(self.status, "UNKNOWN"),
        }
        headers = {"Retry-After": self.retry_after} if self.retry_after else {}
        return Response(status=self.status, headers=headers, body=json.dumps({"error": error}).encode())


@dataclass(kw_only=True)
class Fault:
    """What happens to the next `times` calls of `method` (empty: of any) after `skip` of them passed."""

    method: str = ""
    times: int = 1
    skip: int = 0
    error: ApiError | None = None
    answer: Response | None = None
    """What is answered instead, though the call was done."""
    cut: bool = False
    drip_s: float = 0.0


@dataclass(kw_only=True)
class Faults:
    """Faults waiting to happen, in order."""

    waiting: list[Fault] = field(default_factory=list[Fault])

    def add(self, fault: Fault) -> None:
        """Plan one."""
        self.waiting.append(fault)

    def next(self, method: str) -> Fault | None:
        """The fault of this call, if any."""
        for fault in self.waiting:
            if fault.method and fault.method != method:
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            fault.times -= 1
            if not fault.times:
                self.waiting.remove(fault)
            return fault
        return None


def rate_limited(retry_after: str = "") -> ApiError:
    """429, as Gmail answers too many calls at once."""
    return ApiError(429, "Too many concurrent requests for user.", "rateLimitExceeded", retry_after)


def user_rate_limited() -> ApiError:
    """403, as Gmail answers a user's spent quota."""
    return ApiError(403, "User-rate limit exceeded. Retry later.", "userRateLimitExceeded")


def daily_limit() -> ApiError:
    """403 until tomorrow."""
    return ApiError(403, "Daily Limit Exceeded.", "dailyLimitExceeded")


def no_scope() -> ApiError:
    """403, the login does not allow it."""
    return ApiError(403, "Request had insufficient authentication scopes.", "insufficientPermissions")


def unauthenticated() -> ApiError:
    """401, the token is no good."""
    return ApiError(401, "Request had invalid authentication credentials.", "authError")
