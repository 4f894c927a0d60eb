"""Connections that are being made while a page looks on: the login, then the first sync. Entry: `ConnectionAttempts`.

They are held in memory alone, by the program that makes them; nothing of a login is in them.
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
"""Attempts that are remembered; the oldest is forgotten first."""

MOST_TOLD = 50


@dataclass(slots=True, kw_only=True)
class ConnectionAttempt:
    """One of them.

    Attributes:
        account: Its address, as far as it is known.
        url: The provider's page; empty before it is known, and where there is none.
        told: What the login said, a line each.
        done: Messages that were looked at.
        total: Of how many; below 0 while that is not known.
        numbers: What the first sync found, by name.
        problem: Why it failed; empty where it did not.
        hint: What helps.
        shown: Set once there is something to see: the page of the provider, or an end.
        cancel: Ends it; nothing where it cannot be ended.
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
        """Whether nothing more will come of it."""
        return self.state in ("done", "failed", "cancelled")

    def say(self, line: str) -> None:
        """Take a line of the login; one that is an address of the web is the provider's page."""
        if line.startswith(("https://", "http://")):
            self.url = line
            self.shown.set()
        elif len(self.told) < MOST_TOLD:
            self.told.append(line)
            if "enter the code" in line:
                self.shown.set()

    def fail(self, error: MailError) -> None:
        """Note why nothing came of it."""
        self.state, self.problem, self.hint = "failed", error.message, error.hint or ""


class ConnectionAttempts:
    """All of a program, by their ids."""

    def __init__(self) -> None:
        self._known: dict[str, ConnectionAttempt] = {}

    def begin(self, attempt: ConnectionAttempt, work: Callable[[ConnectionAttempt], None]) -> None:
        """Do the work in a thread of its own, which notes in the attempt what comes of it and raises nothing."""

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
        """The attempt of that id; None where none is remembered."""
        return self._known.get(id_)
