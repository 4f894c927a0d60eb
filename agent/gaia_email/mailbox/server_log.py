"""Keep the last lines of an MCP server's standard error, without secrets. Entries: `ServerLog`, `last_lines`.

They go into a separate file, so that they do not mix with a command's output and can be read later.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from gaia_email_registry.paths import home
from gaia_email_registry.private_file import write_private
from gaia_email_registry.servers import TOKEN, looks_secret

LINES = 200
LONGEST_LINE = 2_000
HIDDEN = "•••"

_EVERY_S = 1.0
_UNFINISHED = 16_384
_SHORTEST_SECRET = 6
"""Minimum length of a secret that is hidden wherever it occurs; shorter ones would hide half of the log."""

_SAID_TO_BE = re.compile(
    r"(?i)((?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|authorization)\w*[\"']?\s*[:=]\s*"
    r"(?:(?:bearer|basic|token)\s+)?|\bbearer\s+)([\"']?)[^\s\"',;]+"
)


def log_file(name: str, environ: Mapping[str, str]) -> Path:
    """Return the path of a server's log."""
    return home(environ) / "email" / "server-logs" / f"{name}.log"


def last_lines(name: str, environ: Mapping[str, str]) -> list[str]:
    """Return the last lines that a server wrote; none if it never did."""
    try:
        text = log_file(name, environ).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return text.splitlines()[-LINES:]


def known_secrets(environ: Mapping[str, str]) -> list[str]:
    """Return the secrets in this program's environment."""
    return [value for name, value in environ.items() if looks_secret(name)]


def without_secrets(line: str, secrets: Iterable[str] = ()) -> str:
    """Return the line with known and likely secrets hidden."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            line = line.replace(secret, HIDDEN)
    return _SAID_TO_BE.sub(rf"\1{HIDDEN}", TOKEN.sub(HIDDEN, line))


class ServerLog:
    """The last lines of one server, also written to a file while it runs.

    Args:
        path: The file; None for none.
        secrets: Texts to hide; each line of a multi-line secret is hidden separately.
    """

    def __init__(self, path: Path | None, secrets: Iterable[str] = ()) -> None:
        self._path = path
        self._secrets = sorted(
            {part for secret in secrets for part in secret.splitlines()}, key=len, reverse=True
        )
        self._lines: deque[str] = deque(maxlen=LINES)
        self._rest = b""
        self._saved = 0.0

    @property
    def last(self) -> str:
        """The last line that is not blank, or an empty text."""
        return next((line for line in reversed(self._lines) if line.strip()), "")

    def feed(self, chunk: bytes) -> None:
        """Add output."""
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        self._rest = self._rest[:_UNFINISHED]
        for line in whole[-LINES:]:
            self._keep(line)
        if whole and time.monotonic() - self._saved > _EVERY_S:
            self._save()

    def close(self) -> None:
        """Store the rest after the program has ended."""
        if self._rest:
            self._keep(self._rest)
        self._rest = b""
        self._save()

    def _keep(self, line: bytes) -> None:
        text = line[:_UNFINISHED].decode("utf-8", "replace").rstrip("\r")
        self._lines.append(without_secrets(text, self._secrets)[:LONGEST_LINE])

    def _save(self) -> None:
        self._saved = time.monotonic()
        if self._path is None:
            return
        with suppress(OSError):  # a failing log must not prevent reading mail
            if self._lines:
                write_private(self._path, ("\n".join(self._lines) + "\n").encode("utf-8", "replace"))
            elif self._path.exists():
                os.unlink(self._path)
