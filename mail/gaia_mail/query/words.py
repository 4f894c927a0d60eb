"""Word matching for mail search: `fold` removes case and accents, `phrase` finds words in folded text.

Words are runs of letters and digits. Scripts written without spaces (Chinese, Japanese, Korean, Thai) have no visible
word boundaries, so a term matches inside a run. `indexable` and `index_words` do the same for a full-text index.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u00ad\u200b-\u200f\u2060\ufeff]+"
)
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SPACED_WORD = rf"[^\W_{_UNSPACED}]"
_WORD = re.compile(rf"[{_UNSPACED}]+|{_SPACED_WORD}+")
_GAP = r"[\W_]"
_MAX_GAP = 60
"""Non-word characters allowed between two words of a phrase: a quoted line break, a dash, a rule."""

Finder = Callable[[str], bool]
"""Predicate on folded text."""


def fold(text: str) -> str:
    """Return `text` in lower case without accents, in one normal form: `Café` equals `CAFE` (NFKD, casefold)."""
    if text.isascii():
        return text.lower()
    stripped = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", stripped).casefold()


@lru_cache(maxsize=512)
def phrase(text: str) -> Finder:
    """Return a finder for the words of `text`, adjacent and whole. Text without words is matched verbatim.

    ASCII punctuation alone matches everything, because Gmail ignores it; symbols such as emoji are searched for.
    """
    folded = fold(text)
    words = _WORD.findall(folded)
    if not words:
        symbol = folded.strip()
        return _everything if symbol.isascii() else lambda target: symbol in target
    first = max(words, key=len)
    if all(_is_unspaced_word(word) for word in words) and len(words) == 1:
        return lambda target: first in target
    search = re.compile(_pattern(words)).search
    return lambda target: first in target and search(target) is not None


_UNSPACED_CHARACTER = re.compile(f"([{_UNSPACED}])")
_INDEXED = re.compile(
    r"[a-z0-9\u00df-\u024f\u0370-\u052f]+|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]"
)
"""Words that every full-text index tokenizes as words; for unspaced scripts, single characters."""


def indexable(text: str) -> str:
    """Return the text for a full-text index: folded, with characters of unspaced scripts separated."""
    folded = fold(text)
    return folded if folded.isascii() else _UNSPACED_CHARACTER.sub(r" \1 ", folded)


def index_words(text: str) -> list[str] | None:
    """Return the words that an index of `indexable` text must contain, in order, for `phrase(text)` to match.

    Returns None if an index does not help: there are no words, or an index may split them differently.
    """
    words = _WORD.findall(indexable(text))
    return words if words and all(_INDEXED.fullmatch(word) for word in words) else None


def near(left: str, right: str, distance: int) -> Finder:
    """Return a finder for both phrases with at most `distance` words between them, in either order."""
    one, other = _WORD.findall(fold(left)), _WORD.findall(fold(right))

    def find(target: str) -> bool:
        if not (phrase(left)(target) and phrase(right)(target)):
            return False
        words = _WORD.findall(target)
        return _within(_spans(words, one), _spans(words, other), distance)

    return find


@lru_cache(maxsize=64)
def opening(text: str) -> Finder:
    """Return a finder for `text` not preceded by a word: `youtu.be/` in `//youtu.be/2`, not in `myyoutu.be/2`."""
    search = re.compile(rf"(?<!{_SPACED_WORD}){re.escape(text)}").search
    return lambda target: text in target and search(target) is not None


def _everything(target: str) -> bool:
    return True


def _is_unspaced_word(word: str) -> bool:
    return _WORD.fullmatch(word) is not None and re.match(f"[{_UNSPACED}]", word) is not None


def _pattern(words: list[str]) -> str:
    """Return a pattern that takes linear time: gaps are bounded and cannot overlap the adjacent words."""
    pieces: list[str] = []
    for number, word in enumerate(words):
        unspaced = _is_unspaced_word(word)
        if number:
            fewest = 0 if unspaced or _is_unspaced_word(words[number - 1]) else 1
            pieces.append(f"{_GAP}{{{fewest},{_MAX_GAP}}}")
        elif not unspaced:
            pieces.append(f"(?<!{_SPACED_WORD})")
        pieces.append(re.escape(word))
    if not _is_unspaced_word(words[-1]):
        pieces.append(f"(?!{_SPACED_WORD})")
    return "".join(pieces)


def _spans(words: list[str], wanted: list[str]) -> list[tuple[int, int]]:
    count = len(wanted)
    if not count:
        return []
    return [
        (start, start + count)
        for start in range(len(words) - count + 1)
        if words[start] == wanted[0] and words[start : start + count] == wanted
    ]


def _within(ones: list[tuple[int, int]], others: list[tuple[int, int]], distance: int) -> bool:
    """Sweep once over both sorted lists; comparing neighbours is enough to find the nearest pair."""
    marks = sorted([(start, end, 0) for start, end in ones] + [(start, end, 1) for start, end in others])
    last: dict[int, int] = {}
    for start, end, side in marks:
        before = last.get(1 - side)
        if before is not None and start - before <= distance:
            return True
        last[side] = end
    return False
