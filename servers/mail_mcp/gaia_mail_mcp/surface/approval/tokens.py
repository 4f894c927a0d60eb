"""Approve what you saw: single-use, expiring tokens bound to the exact call. Entry: `QuestionTokens`."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

VALID_S = 600.0
"""Seconds that a confirmation can be given after it was asked for."""

MAX_PENDING = 200
"""Unanswered confirmations kept; the oldest is forgotten first."""


@dataclass(slots=True, kw_only=True)
class QuestionTokens:
    """The questions that were asked and not answered yet, by token."""

    clock: Callable[[], float] = monotonic
    _pending: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])

    def ask(self, fingerprint: str) -> str:
        """A new token for that call."""
        while len(self._pending) >= MAX_PENDING:
            del self._pending[next(iter(self._pending))]
        token = secrets.token_urlsafe(18)
        self._pending[token] = (fingerprint, self.clock() + VALID_S)
        return token

    def redeem(self, token: str, fingerprint: str) -> bool:
        """Whether `token` was asked for that very call and is still valid; it is spent either way."""
        expected, until = self._pending.pop(token, ("", 0.0))
        return expected == fingerprint and self.clock() <= until
