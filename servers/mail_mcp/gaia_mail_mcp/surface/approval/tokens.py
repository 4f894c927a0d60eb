"""Single-use, expiring tokens bound to the exact call that the user saw. Entry: `QuestionTokens`."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

VALID_S = 600.0
"""Seconds after the question during which a confirmation can be given."""

MAX_PENDING = 200
"""Maximum number of unanswered confirmations; the oldest is dropped first."""


@dataclass(slots=True, kw_only=True)
class QuestionTokens:
    """Unanswered questions by token."""

    clock: Callable[[], float] = monotonic
    _pending: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])

    def ask(self, fingerprint: str) -> str:
        """Return a new token for a call."""
        while len(self._pending) >= MAX_PENDING:
            del self._pending[next(iter(self._pending))]
        token = secrets.token_urlsafe(18)
        self._pending[token] = (fingerprint, self.clock() + VALID_S)
        return token

    def redeem(self, token: str, fingerprint: str) -> bool:
        """Return True if the token is valid for exactly this call; it is spent in any case."""
        expected, until = self._pending.pop(token, ("", 0.0))
        return expected == fingerprint and self.clock() <= until
