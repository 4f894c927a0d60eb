"""A question: the text to show, and a digest of everything the answer covers. Entry: `ApprovalQuestion`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_mail_mcp import convention

WHOLE = 200_000
"""Maximum characters shown of each text of a mail, if there is room; the rest is counted."""

IN_A_FORM = 8_000
"""Maximum characters of a question in a client's form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalQuestion:
    """A question; `content` is a digest of what is too long to show but must not change.

    `text` is shown. `brief` shortens long texts for small spaces; if it is empty, the beginning of `text` is used.
    """

    text: str
    brief: str = ""
    content: str = ""

    @property
    def short(self) -> str:
        """The text for a form, with every effect that fits."""
        told = self.brief or self.text
        more = len(told) - IN_A_FORM
        return told if more <= 0 else f"{told[:IN_A_FORM]}\n[{more:,} more characters]"

    def because(self, reason: str) -> ApprovalQuestion:
        """Return the question with a sentence below it."""
        return replace(self, text=f"{self.text}\n\n{reason}", brief=f"{self.short}\n\n{reason}")

    @property
    def digest(self) -> str:
        """A digest of the whole question; any change of the mailbox state it shows changes it."""
        return digest((self.text.encode(), self.content.encode()))


def digest(parts: Iterable[bytes]) -> str:
    """Return a digest of all parts and their lengths."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def join_values(values: Sequence[str]) -> str:
    """Join the values, each on one line and without control characters."""
    return ", ".join(convention.one_line(value) for value in values)


def printable(text: str) -> str:
    """Keep line ends and remove other control characters; a bar before each line marks it as foreign text."""
    return "\n".join(f"│ {convention.one_line(line)}" for line in text.splitlines())
