"""Log of unsubscribe attempts, in a private file of the account. Entry: `UnsubscribeLog`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

from gaia_email_registry.private_file import lock_file, write_private

MOST = 500
"""Most entries kept; the oldest is removed first."""


class UnsubscribeAttempt(TypedDict):
    """One attempt. List URLs contain secrets of the subscriber, so only their host is stored."""

    at: str
    message_id: str
    list_id: str
    host: str
    outcome: str


class UnsubscribeLog:
    """Appends entries while other processes are locked out."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, entry: UnsubscribeAttempt) -> None:
        """Append an entry.

        Raises:
            OSError: The file cannot be written.
        """
        with lock_file(self._path):
            lines = [*self._lines(), json.dumps(entry, ensure_ascii=True)]
            write_private(self._path, ("\n".join(lines[-MOST:]) + "\n").encode("ascii"))

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return []
