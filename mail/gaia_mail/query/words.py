"""Words as a mail search sees them: `fold` takes case and accents away, `phrase` finds words in folded text.

Words are runs of letters and digits. Scripts written without spaces (Chinese, Japanese, Korean, Thai) have
no word boundary that could be seen, so there a term matches inside a run. `indexable` and `index_words` are the same
for a full-text index.
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
"""Non-word characters that may stand between two words of a phrase: a quoted line break, a dash, a rule."""

Finder = Callable[[str], bool]
"""Says whether a folded text has what was looked for."""


def fold(text: str) -> str:
    """Lower case without accents, in one normal form, so that `Café` is `CAFE` (NFKD, casefold)."""
    if text.isascii():
        return text.lower()
    stripped = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", stripped).casefold()


@lru_cache(maxsize=512)
def phrase(text: str) -> Finder:
    """Finds the words of `text`, in a row and whole. Text without a word is looked for as it stands.

    Punctuation alone finds everything, because Gmail ignores it; symbols such as emoji are looked for.
    """
    folded = fold(text)
    words = _WORD.findall(folded)
    if not words:
        symbol = folded.strip()
        return _everything if symbol.isascii() else lambda target: symbol in target
    first = max(words, key=len)
    if all(_is_unspaced(word) for word in words) and len(words) == 1:
        return lambda target: first in target
    search = re.compile(_pattern(words)).search
    return lambda target: first in target and search(target) is not None


_UNSPACED_CHARACTER = re.compile(f"([{_UNSPACED}])")
_INDEXED = re.compile(
    r"[a-z0-9\u00df-\u024f\u0370-\u052f]+|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]"
)
"""Words of which every full-text index knows that they are words; of unspaced scripts, single characters."""


def indexable(text: str) -> str:
    """The text as a full-text index takes it: folded, and characters of unspaced scripts each apart."""
    folded = fold(text)
    return folded if folded.isascii() else _UNSPACED_CHARACTER.sub(r" \1 ", folded)


def index_words(text: str) -> list[str] | None:
    """The words an index that was given `indexable` text holds where `phrase(text)` finds something, in order.

    None where an index is no help: without words, or with ones that an index may split otherwise.
    """
    words = _WORD.findall(indexable(text))
    return words if words and all(_INDEXED.fullmatch(word) for word in words) else None


def near(left: str, right: str, distance: int) -> Finder:
    """Finds both phrases with at most `distance` words between them, whichever comes first."""
    one, other = _WORD.findall(fold(left)), _WORD.findall(fold(right))

    def find(target: str) -> bool:
        if not (phrase(left)(target) and phrase(right)(target)):
            return False
        words = _WORD.findall(target)
        return _within(_spans(words, one), _spans(words, other), distance)

    return find


@lru_cache(maxsize=64)
def opening(text: str) -> Finder:
    """Finds the folded `text` where no word runs into it: `youtu.be/` in `//youtu.be/2` but not in `myyoutu.be/2`."""
    search = re.compile(rf"(?<!{_SPACED_WORD}){re.escape(text)}").search
    return lambda target: text in target and search(target) is not None


def _everything(target: str) -> bool:
    return True


def _is_unspaced(word: str) -> bool:
    return _WORD.fullmatch(word) is not None and re.match(f"[{_UNSPACED}]", word) is not None


def _pattern(words: list[str]) -> str:
    """Linear in the target: a gap is bounded and cannot overlap with the words around it."""
    pieces: list[str] = []
    for number, word in enumerate(words):
        unspaced = _is_unspaced(word)
        if number:
            fewest = 0 if unspaced or _is_unspaced(words[number - 1]) else 1
            pieces.append(f"{_GAP}{{{fewest},{_MAX_GAP}}}")
        elif not unspaced:
            pieces.append(f"(?<!{_SPACED_WORD})")
        pieces.append(re.escape(word))
    if not _is_unspaced(words[-1]):
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
    """One sweep over both sorted lists; comparing only neighbours is enough to find the nearest pair."""
    marks = sorted([(start, end, 0) for start, end in ones] + [(start, end, 1) for start, end in others])
    last: dict[int, int] = {}
    for start, end, side in marks:
        before = last.get(1 - side)
        if before is not None and start - before <= distance:
            return True
        last[side] = end
    return False
