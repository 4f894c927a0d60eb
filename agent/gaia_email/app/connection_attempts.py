"""Account connections in progress while a page waits: the login, then the first sync. Entry: `ConnectionAttempts`.

They exist only in the memory of the program that makes them and contain no login data.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from gaia_email_registry.errors import MailError

ConnectionWay = Literal["google", "microsoft", "password", "unknown"]
"""Way to log in: a page of the provider, a password over IMAP, or none because its servers are unknown."""
AttemptState = Literal["signing_in", "syncing", "done", "failed", "cancelled"]

MOST = 20
"""Maximum number of attempts in memory; the oldest is dropped first."""

MOST_TOLD = 50


@dataclass(slots=True, kw_only=True)
class ConnectionAttempt:
    """One connection attempt.

    Attributes:
        account: Its address, as far as known.
        url: The provider's page; empty until known, or if there is none.
        told: The login's messages, one per line.
        done: The number of messages processed.
        total: The total number of messages; below 0 while unknown.
        numbers: The counts of the first sync, by name.
        problem: The error; empty if it did not fail.
        hint: The remedy for the error.
        shown: Set once there is something to show: the provider's page, or the end.
        cancel: Cancels the attempt; does nothing if that is impossible.
    """

    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: AttemptState = "signing_in"
    account: str = ""
    url: str = ""
    told: list[str] = field(default_factory=list[str])
    done: int = 0
    total: int = -1
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    problem: str = ""
    hint: str = ""
    shown: threading.Event = field(default_factory=threading.Event)
    cancel: Callable[[], None] = lambda: None

    @property
    def is_over(self) -> bool:
        """True if the attempt has ended."""
        return self.state in ("done", "failed", "cancelled")

    def say(self, line: str) -> None:
        """Accept a line from the login; a web address is the provider's page."""
        if line.startswith(("https://", "http://")):
            self.url = line
            self.shown.set()
        elif len(self.told) < MOST_TOLD:
            self.told.append(line)
            if "enter the code" in line:
                self.shown.set()

    def fail(self, error: MailError) -> None:
        """Record the error with which the attempt ended."""
        self.state, self.problem, self.hint = "failed", error.message, error.hint or ""


class ConnectionAttempts:
    """All connection attempts of a program, by id."""

    def __init__(self) -> None:
        self._known: dict[str, ConnectionAttempt] = {}

    def begin(self, attempt: ConnectionAttempt, work: Callable[[ConnectionAttempt], None]) -> None:
        """Run the work in a thread of its own; the work records its result in the attempt and raises nothing."""

        def run() -> None:
            try:
                work(attempt)
            finally:
                attempt.shown.set()

        for known in list(self._known)[: -(MOST - 1)]:
            self._known.pop(known).cancel()
        self._known[attempt.id] = attempt
        threading.Thread(target=run, daemon=True, name=f"connection {attempt.id}").start()

    def get(self, id_: str) -> ConnectionAttempt | None:
        """Return the attempt with that id, or None if it is not in memory."""
        return self._known.get(id_)
