"""A question: what is shown, and a digest of all that the answer is about. Entry: `ApprovalQuestion`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_mail_mcp import convention

WHOLE = 200_000
"""Characters that are shown of each text of a mail, where there is room; the rest is counted."""

IN_A_FORM = 8_000
"""Characters of a question that a client's form is given at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalQuestion:
    """`text` is shown; `content` is a digest of what is too long to show but must not change either.

    `brief` is the same with less of long texts, where there is little room; empty where its beginning does.
    """

    text: str
    brief: str = ""
    content: str = ""

    @property
    def short(self) -> str:
        """What fits into a form, with every effect that does."""
        told = self.brief or self.text
        more = len(told) - IN_A_FORM
        return told if more <= 0 else f"{told[:IN_A_FORM]}\n[{more:,} more characters]"

    def because(self, reason: str) -> ApprovalQuestion:
        """With a sentence below it."""
        return replace(self, text=f"{self.text}\n\n{reason}", brief=f"{self.short}\n\n{reason}")

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
