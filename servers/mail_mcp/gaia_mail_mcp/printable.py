"""Text of strangers as one harmless line: the one definition of what is escaped. Entry: `one_line`."""

from __future__ import annotations


def one_line(text: str) -> str:
    """`text` without line ends and other control characters, so that a header cannot add lines of its own."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else " " for character in text)
