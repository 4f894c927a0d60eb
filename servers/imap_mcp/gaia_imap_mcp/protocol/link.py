"""Keeps one connection to the server: opened on demand, and again after a loss. Entry: `HeldConnection`.

A server that does not answer, or repeatedly exceeds its response bounds, is left alone for a pause that grows with
each failure; meanwhile calls fail at once with the last error. A refused password is not retried, because some servers
lock accounts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

from gaia_email_registry.backoff import pause_s
from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError
from gaia_imap_mcp.protocol.connection import Connection, connect, now
from gaia_imap_mcp.protocol.errors import ConnectionDropped, ExcessiveResponse
from gaia_imap_mcp.protocol.opening import Opening
from gaia_imap_mcp.settings import ImapSettings, LoginSecret

T = TypeVar("T")

FIRST_PAUSE_S = 1.0
LONGEST_AWAY_S, LONGEST_EXCESSIVE_S = 4.0, 120.0
"""The longest pauses: while the server cannot be reached (so that its return is noticed within five seconds), and
after repeated excessive responses."""
EXCESSES = 3
"""Excessive responses in a row that are tolerated before the server is left alone."""

STALE_S, PROBE_S = 15.0, 5.0
"""A connection that was idle for `STALE_S` is probed before use, and replaced if it does not answer within
`PROBE_S`."""


class HeldConnection:
    """The connection of an account's worker thread."""

    def __init__(
        self,
        settings: ImapSettings,
        *,
        opener: Callable[[ImapSettings], Connection] = connect,
        clock: Callable[[], float] = now,
    ) -> None:
        self.settings = settings
        self._opening = Opening(opener)
        self._clock = clock
        self._connection: Connection | None = None
        self._failures = 0
        self._excesses = 0
        self._not_before = 0.0
        self._failure: MailError | None = None
        self._refused_secret = b""
        self._spelled: dict[str, bytes] = {}
        self.beside: dict[str, str] = {}
        """See `Connection.beside`; as of the last folder listing."""

    @property
    def is_open(self) -> bool:
        """True if there is a connection, as far as is known."""
        return self._connection is not None and not self._connection.closed

    @property
    def pause_s(self) -> float:
        """Seconds to wait after a failure before trying again."""
        return max(self._not_before - self._clock(), FIRST_PAUSE_S)

    def connection(self) -> Connection:
        """Return a logged-in connection.

        Raises:
            NeedsAuth: The login was refused, now or earlier with the same secret.
            ProviderError: The server cannot be reached, or could not a moment ago.
        """
        current = self._connection
        if current is not None and not current.closed and self._alive(current):
            return current
        self._connection = None
        if self._failure is not None and self._clock() < self._not_before:
            raise self._failure.with_traceback(None)
        self._check_secret()
        try:
            self._connection = self._opening.open(self.settings)
        except NeedsAuth as error:
            self._remember_secret()
            self._failure = error
            raise
        except ProviderError as error:
            self._note_failure(error)
            raise
        self._connection.spelled, self._connection.beside = self._spelled, self.beside
        if self._excesses <= EXCESSES:
            self._failures = 0
        self._failure = None
        return self._connection

    def attempt(self, use: Callable[[Connection], T]) -> T:
        """Call `use` with the connection, and again with a new one if it breaks; `use` must be repeatable."""
        fresh = not self.is_open
        try:
            return self._use(use)
        except ConnectionDropped:
            if fresh:
                raise
        return self._use(use)

    def close(self) -> None:
        """Log out; safe to call twice."""
        if self._connection is not None:
            self._connection.close()

    def abort(self) -> None:
        """Close the connection at once and open no other; may be called from another thread."""
        self._opening.end()
        if self._connection is not None:
            self._connection.abort()

    def _use(self, use: Callable[[Connection], T]) -> T:
        connection = self.connection()
        try:
            result = use(connection)
        except ExcessiveResponse as error:
            self._excesses += 1
            if self._excesses > EXCESSES:
                self._note_failure(error)
            raise
        self._excesses = 0
        return result

    def _alive(self, connection: Connection) -> bool:
        """Return True if the connection was used lately or answers: one a router has dropped still looks open."""
        if self._clock() - connection.last_used < STALE_S:
            return True
        try:
            connection.probe(PROBE_S)
        except ProviderError:
            connection.abort()
            return False
        return True

    def _note_failure(self, error: MailError) -> None:
        self._failures += 1
        longest = LONGEST_EXCESSIVE_S if isinstance(error, ExcessiveResponse) else LONGEST_AWAY_S
        pause = pause_s(self._failures, first_s=FIRST_PAUSE_S, longest_s=longest)
        self._not_before = self._clock() + pause
        self._failure = error

    def _check_secret(self) -> None:
        """Reread a refused password, and raise the last failure unless it has changed."""
        if self._refused_secret and self._failure is not None:
            if _fingerprint(self.settings.secret(True)) == self._refused_secret:
                raise self._failure.with_traceback(None)
            self._refused_secret = b""

    def _remember_secret(self) -> None:
        secret = self.settings.secret(False)
        if secret.kind == "password":
            self._refused_secret = _fingerprint(secret)


def _fingerprint(secret: LoginSecret) -> bytes:
    return hashlib.blake2b(secret.value.encode("utf-8", "replace")).digest()
