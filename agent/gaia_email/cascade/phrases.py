"""Finds many phrases in one text quickly: `Phrasebook`.

A message is searched for more than a thousand phrases. Trying each is too slow and one giant alternation is
slower still, so every phrase is filed under its rarest pair of neighbouring words: one look at the pairs of the
text names the few phrases that can be in it at all, and only these are searched for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

from gaia_email.extract.view import lowered
from gaia_mail_mcp.mime.lazy import lazy_pattern

Table = Mapping[str, Mapping[str, str]]
"""Feature → language → phrases, separated by `;`. The language is for the reader only."""

_GARBAGE = lazy_pattern("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
_WORD = lazy_pattern(r"[^\W_]+")
_SPACE_BYTES = bytes(32 if code < 128 and not chr(code).isalnum() else code for code in range(256))
_ASCII = bytes(range(128))
_MARKS = frozenset("“”„‘‚«»–—…•·→|©¿¡‹›")
_UNSPACED = "\u3040"
"""From here on scripts put no spaces between words (Japanese, Chinese)."""


def fold(text: str) -> str:
    """Lower case, straight apostrophes, spaces for white space; positions are the same as in `text`."""
    lower = text.lower() if text.isascii() else lowered(text)
    if not lower.isascii():
        lower = lower.replace("’", "'").replace("\xa0", " ").replace("\u202f", " ")
    return lower.replace("\n", " ").replace("\t", " ").replace("\r", " ")


def tokens_of(folded: str) -> list[bytes]:
    """The words of a folded text in order, as UTF-8, which is the quickest to cut."""
    if not folded.isascii():
        for mark in _MARKS:
            if mark in folded:
                folded = folded.replace(mark, " ")
    return folded.encode("utf-8", "replace").translate(_SPACE_BYTES).split()


def locate(folded: str, phrase: str, start: int = 0) -> int:
    """Where `phrase` stands in `folded` as whole words, or -1."""
    if not phrase or phrase[0] >= _UNSPACED:
        return folded.find(phrase, start)
    first_alnum, last_alnum = phrase[0].isalnum(), phrase[-1].isalnum()
    size = len(phrase)
    position = folded.find(phrase, start)
    while position >= 0:
        end = position + size
        left_free = not (first_alnum and position and folded[position - 1].isalnum())
        if left_free and not (last_alnum and end < len(folded) and folded[end].isalnum()):
            return position
        position = folded.find(phrase, position + 1)
    return -1


def is_garbled(text: str) -> bool:
    """Whether this is bytes taken for text: it has control characters, or stand-ins for what was unreadable."""
    return not text.isascii() and _GARBAGE.search(text) is not None


class Wordlist:
    """A few phrases that one sentence after another is searched for, as whole words."""

    def __init__(self, text: str) -> None:
        """`text` holds the phrases, separated by `;`. They are filed when they are first looked for."""
        self._text = text
        self._filed: dict[bytes, list[str]] = {}
        self._unspaced: tuple[str, ...] = ()
        self._words: frozenset[bytes] = frozenset()

    def positions(self, folded: str) -> list[int]:
        """Where those phrases stand that are in a folded text, each at its first place, in ascending order."""
        if not self._filed:
            self._file()
        found = [
            at
            for word in self._words.intersection(tokens_of(folded))
            for phrase in self._filed[word]
            if (at := locate(folded, phrase)) >= 0
        ]
        if self._unspaced and not folded.isascii():
            found.extend(at for phrase in self._unspaced if (at := folded.find(phrase)) >= 0)
        found.sort()
        return found

    def _file(self) -> None:
        phrases = _phrases([self._text])
        rows = [(phrase, _WORD.findall(phrase)) for phrase in phrases if phrase[0] < _UNSPACED]
        uses = Counter(word for _, words in rows for word in words)
        for phrase, words in rows:
            rarest = min(words, key=lambda word: (uses[word], -len(word), word))
            self._filed.setdefault(rarest.encode(), []).append(phrase)
        self._unspaced = tuple(phrase for phrase in phrases if phrase[0] >= _UNSPACED)
        self._words = frozenset(self._filed)


def positions(folded: str, phrases: Iterable[str]) -> list[int]:
    """Where those of a few `phrases` stand that are in `folded`, each at its first place, in their own order."""
    return [at for phrase in filter(folded.__contains__, phrases) if (at := locate(folded, phrase)) >= 0]


def ideographs(text: str) -> int:
    """How many characters are kana or Chinese characters."""
    if text.isascii() or max(text) < _UNSPACED:
        return 0
    return sum("\u3040" <= char <= "\u9fff" for char in text)


class _Filed(NamedTuple):
    """A phrase of a feature; `back` is how far before a hit it begins, None where a hit needs no second look."""

    feature: str
    phrase: str
    back: int | None


class Phrasebook:
    """Phrases filed by feature; build once, search often."""

    def __init__(self, tables: Iterable[Table]) -> None:
        filed: dict[str, list[_Filed]] = {}
        for table in tables:
            for feature, languages in table.items():
                for phrase in _phrases(languages.values()):
                    pattern, back = _pattern(phrase)
                    filed.setdefault(pattern, []).append(_Filed(feature, phrase, back))
        self._filed = list(filed.values())
        self._automaton = AhoCorasick(list(filed), implementation=Implementation.ContiguousNFA)

    def search(self, folded: str) -> dict[str, tuple[str, ...]]:
        """The phrases of each feature that stand in `folded`; features without any are missing."""
        found: dict[str, set[str]] = {}
        filed = self._filed
        for number, start, _ in self._automaton.find_matches_as_indexes(_spaced(folded), overlapping=True):
            for feature, phrase, back in filed[number]:
                if back is None or folded.startswith(phrase, start - back):
                    found.setdefault(feature, set()).add(phrase)
        return {feature: tuple(sorted(found[feature])) for feature in sorted(found)}


def _spaced(folded: str) -> str:
    """A folded text with spaces for its punctuation and one space around it."""
    raw = f" {folded} ".encode("utf-8", "replace")
    spaced = raw.translate(_SPACE_BYTES).decode("utf-8")
    if not folded.isascii():
        for mark in _MARKS.intersection(raw.translate(None, _ASCII).decode("utf-8")):
            spaced = spaced.replace(mark, " ")
    return spaced


def _pattern(phrase: str) -> tuple[str, int | None]:
    """What a phrase looks like in a spaced text, and `_Filed.back`."""
    if phrase[0] >= _UNSPACED:
        return phrase, None
    left, right = phrase[0].isalnum(), phrase[-1].isalnum()
    spaced = _spaced(phrase)
    pattern = spaced[1 - left : len(spaced) - 1 + right]
    return pattern, None if phrase.isalnum() else 1 - left


def _phrases(groups: Iterable[str]) -> list[str]:
    phrases = {" ".join(phrase.split()): None for group in groups for phrase in group.split(";")}
    return [phrase for phrase in phrases if phrase]
