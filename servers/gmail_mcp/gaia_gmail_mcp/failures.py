"""Google's error responses as `MailError`, and whether to retry. Entry: `GmailRefusal`."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from gaia_email_registry.errors import (
    BadArgument,
    MailError,
    NeedsApproval,
    NeedsAuth,
    NotFound,
    ProviderError,
    RateLimited,
)
from gaia_gmail_mcp.credentials import CONNECT
from gaia_mail_mcp.web.json_files import is_object

THROTTLED = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"})
DAILY = frozenset({"dailyLimitExceeded", "dailyLimitExceededUnreg"})
NO_SCOPE = frozenset({"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"})

_RETRY_AFTER = re.compile(r"[Rr]etry after (\d{4}-\d\d-\d\dT[\d:.]+Z)")
_REASON = re.compile(rb'"reason"\s*:\s*"([A-Za-z_]{1,60})"')
"""Matches the reason of an error: old errors have it in `errors`, new ones in `details`."""
_MAX_MESSAGE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class GmailRefusal:
    """An unsuccessful response."""

    status: int
    reason: str
    message: str
    retry_after_s: float | None = None

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str], body: bytes, now: float) -> GmailRefusal:
        """Parse a response; any body is accepted."""
        reason, message = _detail(body)
        return cls(
            status=status,
            reason=reason,
            message=message,
            retry_after_s=_wait(headers.get("retry-after", ""), message, now),
        )

    @property
    def throttled(self) -> bool:
        """True if there were too many requests; the call was not carried out."""
        return self.status == 429 or (self.status == 403 and self.reason in THROTTLED)

    @property
    def transient(self) -> bool:
        """True if the same call may succeed later; it may also have been carried out already."""
        return self.status in (408, 500, 502, 503, 504)

    @property
    def unauthenticated(self) -> bool:
        """True if the access token is invalid or has expired."""
        return self.status == 401

    def error(self, *, uncertain: bool = False, service: str = "Gmail") -> MailError:
        """Return the error to raise; `uncertain` if something may or may not have been sent or created."""
        if self.throttled:
            return RateLimited(
                f"{service} asks for fewer requests; it was tried again for a while. Wait a little and repeat.",
                retry_after_s=self.retry_after_s or 60.0,
            )
        if self.status == 403:
            return self._forbidden(service)
        if self.status == 401:
            return NeedsAuth("Google does not accept this login any more.", hint=f"Run: {CONNECT}")
        if self.status in (404, 410):
            return NotFound(f"{service} does not have what this call names (any more).")
        if self.status == 412:
            return BadArgument("It was changed meanwhile; look at it again and repeat.")
        if self.status in (400, 409, 413):
            return BadArgument(f"{service} refused this: {self.message or 'no reason given'}")
        if uncertain:
            return ProviderError(
                f"{service} failed ({self.status}) and nobody knows whether it was done; look before repeating it."
            )
        return ProviderError(f"{service} is not working right now ({self.status}); try again later.")

    def _forbidden(self, service: str) -> MailError:
        if self.reason in DAILY:
            return RateLimited(
                f"This project's daily {service} quota is used up; it is renewed at midnight Pacific time.",
                retry_after_s=86_400.0,
            )
        if self.reason in NO_SCOPE or "scope" in self.message:
            return NeedsApproval(
                "This login does not allow that: its scopes do not cover it.",
                hint=f"Connect again with more: {CONNECT} --help says which scopes there are.",
            )
        return ProviderError(f"Google refuses this account or project: {self.message or self.reason}")


def _detail(body: bytes) -> tuple[str, str]:
    """Return the reason and message in Google's error JSON, or empty strings."""
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return "", ""
    error = _member(parsed, "error")
    message = _member(error, "message")
    text = message if isinstance(message, str) else ""
    text = "".join(letter if letter.isprintable() else " " for letter in text)[:_MAX_MESSAGE]
    found = _REASON.search(body)
    return found[1].decode("ascii") if found is not None else "", text


def _member(value: object, name: str) -> object:
    return value.get(name) if is_object(value) else None


def _wait(header: str, message: str, now: float) -> float | None:
    """Return the seconds to wait: from Retry-After (number or date), or the time in Gmail's error message."""
    header = header.strip()
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        if header:
            return max(parsedate_to_datetime(header).timestamp() - now, 0.0)
        if found := _RETRY_AFTER.search(message):
            return max(dt.datetime.fromisoformat(found[1]).timestamp() - now, 0.0)
    except (ValueError, OverflowError, TypeError):
        return None
    return None
