"""The piece of a message's text in which the words looked for stand. Entry points: `Excerpts`, `words_of`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gaia_mail.query.nodes import And, Near, Node, Not, Or, Query, Text
from gaia_mail.query.words import fold, index_words

BEFORE, LENGTH = 60, 200
"""Characters before the first word found, and of the whole excerpt."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """One line of the text, and where in it the words are: pairs of start and end."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def words_of(query: Query) -> frozenset[str]:
    """The folded words a query looks for in texts; what is excluded and what is asked of headers is not among them."""
    found: set[str] = set()

    def walk(node: Node) -> None:
        match node:
            case And() | Or():
                for part in node.parts:
                    walk(part)
            case Text():
                found.update(index_words(node.value) or ())
            case Near():
                walk(node.left)
                walk(node.right)
            case Not():
                pass
            case _:
                pass

    if query.root is not None:
        walk(query.root)
    return frozenset(found)


class Excerpts:
    """Makes the excerpts of one search."""

    def __init__(self, words: frozenset[str]) -> None:
        self._words = words
        spelled = (way for word in words for way in (word, word.capitalize(), word.upper()))
        self._spellings = tuple(dict.fromkeys(spelled))
        self._characters = tuple(word for word in words if len(word) == 1 and not word.isascii())

    def of(self, text: str, snippet: str, headers: Callable[[], str] = str) -> Excerpt:
        """The text around the first of the words, on one line; `snippet` where none of them is in the text.

        Words that are in the `headers` are not looked for in the text under other accents, which takes long.
        """
        if not self._words:
            return Excerpt(text=snippet)
        position = self._first(text, headers)
        if position is None:
            return Excerpt(text=snippet, marks=self._marks(snippet))
        start = max(0, position - BEFORE)
        if start:
            space = text.find(" ", start, position)
            start = space + 1 if space >= 0 else start
        line = " ".join(text[start : start + 2 * LENGTH].split())
        cut = line[:LENGTH].rstrip() + "…" if len(line) > LENGTH else line
        shown = f"…{cut}" if start else cut
        return Excerpt(text=shown, marks=self._marks(shown))

    def _first(self, text: str, headers: Callable[[], str]) -> int | None:
        """Where the first of the words stands as they are mostly written; else as they are ever written.

        The former is fast, for it changes nothing in the text.
        """
        found = _first(text, self._spellings)
        if found is None:
            lower = text.lower()
            found = _first(lower, self._words) if len(lower) == len(text) else None
        if found is not None:
            return found
        if text.isascii() or self._in(headers()) or not self._in(text):
            return None
        return next((token.start() for token in _WORD.finditer(text) if self._is_one(token.group())), None)

    def _marks(self, text: str) -> tuple[tuple[int, int], ...]:
        lower = text.lower()
        if len(lower) == len(text):
            found = [span for word in self._words for span in _spans(lower, word)]
            found.sort()
            if found or text.isascii() or text.replace("…", "").isascii():
                return tuple(found)
        if not self._in(text):
            return ()
        return tuple(token.span() for token in _WORD.finditer(text) if self._is_one(token.group()))

    def _in(self, text: str) -> bool:
        folded = fold(text)
        return any(word in folded for word in self._words)

    def _is_one(self, token: str) -> bool:
        """Whether a run of letters is one of the words, or holds one that is a character of an unspaced script."""
        folded = fold(token)
        return folded in self._words or any(character in folded for character in self._characters)


def _first(text: str, words: Iterable[str]) -> int | None:
    """Where the first of the words stands by itself; the others are looked for before it only."""
    first = None
    for word in words:
        place = text.find(word, 0, first)
        while place >= 0:
            end = place + len(word)
            if not text[place - 1 : place].isalnum() and not text[end : end + 1].isalnum():
                first = place
                break
            place = text.find(word, end, first)
    return first


def _spans(text: str, word: str) -> list[tuple[int, int]]:
    """Where the word stands by itself."""
    found: list[tuple[int, int]] = []
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not text[place - 1 : place].isalnum() and not text[end : end + 1].isalnum():
            found.append((place, end))
        place = text.find(word, end)
    return found
