"""Word lists written as running text, and patterns. Entries: `wordset`, `word_list`, `phrase_list`, `Pattern`.

A list of a hundred words is read more easily as text than as a hundred quoted strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


def wordset(text: str) -> frozenset[str]:
    """The words of `text`, separated by white space."""
    return frozenset(text.split())


def word_list(text: str) -> tuple[str, ...]:
    """The words of `text` in order."""
    return tuple(text.split())


def phrase_list(text: str) -> tuple[str, ...]:
    """The phrases of `text` in order, separated by `;`."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(";") if phrase.strip())


class Pattern:
    """A regular expression that is compiled when it is first used, so that start-up does not pay for it.

    The methods are those of `re.Pattern`, and as quick: after the first use they are the compiled pattern's own.
    """

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags

    def search(self, text: str, position: int = 0) -> re.Match[str] | None:
        """See `re.Pattern.search`."""
        return self._compile().search(text, position)

    def match(self, text: str, position: int = 0) -> re.Match[str] | None:
        """See `re.Pattern.match`."""
        return self._compile().match(text, position)

    def fullmatch(self, text: str, position: int = 0) -> re.Match[str] | None:
        """See `re.Pattern.fullmatch`."""
        return self._compile().fullmatch(text, position)

    def finditer(self, text: str, position: int = 0) -> Iterator[re.Match[str]]:
        """See `re.Pattern.finditer`."""
        return self._compile().finditer(text, position)

    def findall(self, text: str) -> list[str]:
        """See `re.Pattern.findall`; for patterns without groups."""
        return self._compile().findall(text)

    def split(self, text: str, most: int = 0) -> list[str]:
        """See `re.Pattern.split`; for patterns without groups."""
        return self._compile().split(text, most)

    def sub(self, replacement: str, text: str, most: int = 0) -> str:
        """See `re.Pattern.sub`."""
        return self._compile().sub(replacement, text, most)

    def _compile(self) -> re.Pattern[str]:
        compiled = re.compile(self._text, self._flags)
        for name in ("search", "match", "fullmatch", "finditer", "findall", "split", "sub"):
            setattr(self, name, getattr(compiled, name))
        return compiled
