"""A question: what is shown, and a digest of all that the answer is about. Entry: `Question`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gaia_mail_mcp import convention

WHOLE = 500_000
"""Characters of a text that are shown at least; a longer one is counted from there on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` is shown; `content` is a digest of what is too long to show but must not change either."""

    text: str
    content: str = ""

    @property
    def digest(self) -> str:
        """Of everything; another state of the mailbox makes another one."""
        return digest((self.text.encode(), self.content.encode()))


def digest(parts: Iterable[bytes]) -> str:
    """Of all parts, told apart by their lengths."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def listed(values: Sequence[str]) -> str:
    """Each on one line, without what steers a terminal."""
    return ", ".join(convention.one_line(value) for value in values)


def printable(text: str) -> str:
    """Line ends stay, other control characters go; each line stands behind a bar, so that none passes for ours."""
    return "\n".join(f"│ {convention.one_line(line)}" for line in text.splitlines())
