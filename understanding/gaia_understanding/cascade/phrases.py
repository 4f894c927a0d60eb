"""Find many phrases in one text quickly. Entry: `Phrasebook`.

A message is searched for more than four thousand phrases. Trying each is too slow and one giant alternation
is slower still; an Aho-Corasick automaton finds all of them in one pass over the text. To find whole words
only, it is given the text with spaces for all punctuation, and phrases with a space on either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.prepare.extract.spelling import Spellings
from gaia_understanding.prepare.extract.spelling import fold as fold

Table = Mapping[str, Mapping[str, str]]
"""Feature → language → phrases, separated by `;`. The language only helps people who read the table."""

_GARBAGE = lazy_pattern("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
_WORD = lazy_pattern(r"[^\W_]+")
_SPACE_BYTES = bytes(32 if code < 128 and not chr(code).isalnum() else code for code in range(256))
STOP, QUESTION = b".", b"?"
"""The tokens for the end of a sentence and of a question (see `text_of`)."""
_STOP_BYTES = bytes(
    63 if chr(code) == "?" else 46 if chr(code) in ".!" else space for code, space in enumerate(_SPACE_BYTES)
)
_SPACE_ALL_BUT_ASCII = bytes(32 if code >= 128 else _SPACE_BYTES[code] for code in range(256))
_MARKS = frozenset("“”„‘‚«»–—…•·→|©¿¡‹›")
NO_LETTERS = _MARKS | {"’", "\u00a0", "\u202f"}
"""Non-ASCII characters that separate words; the last three are replaced when a text is folded."""
_SURROGATE_LEAD = b"\xed"
"""The first byte of a lone surrogate, and of some Hangul."""
_UNSPACED = "\u3040"
"""From this character on, scripts put no spaces between words (Japanese, Chinese)."""


def tokens_of(folded: str, limit: int = -1, wide: frozenset[str] = _MARKS) -> list[bytes]:
    """Return the first `limit` words of a folded text as UTF-8, which is the quickest to cut; all if it is negative.

    `wide` holds at least the marks beyond ASCII that the text contains, if the caller knows them.
    """
    tokens = _encode(folded, wide).translate(_SPACE_BYTES).split(None, limit)
    return tokens if limit < 0 else tokens[:limit]


def text_of(folded: str, limit: int, wide: frozenset[str] = _MARKS) -> list[bytes]:
    """Return the words like `tokens_of`, with `STOP` after a sentence and `QUESTION` after a question; both count."""
    marked = _encode(folded, wide).translate(_STOP_BYTES)
    return marked.replace(STOP, b" . ").replace(QUESTION, b" ? ").split(None, limit)[:limit]


def _encode(folded: str, wide: frozenset[str]) -> bytes:
    if not folded.isascii():
        for mark in _MARKS & wide:
            if mark in folded:
                folded = folded.replace(mark, " ")
    return folded.encode("utf-8", "replace")


def locate(folded: str, phrase: str, start: int = 0) -> int:
    """Return the position of `phrase` in `folded` as whole words, or -1."""
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
    """Return True if this is binary taken for text: it has control or replacement characters."""
    return not text.isascii() and _GARBAGE.search(text) is not None


_SHORT_WORD = 3
_COMMON = wordset(
    "away come down each ever from give good have here into just like made make more most much need only open over "
    "pass para pour some take that them then they this walk what when will with whole would your"
)


def _is_common(word: str) -> bool:
    """Return True if most texts contain the word, so that a phrase is better found by another of its words."""
    return len(word) <= _SHORT_WORD or word in _COMMON


class Wordlist:
    """A few phrases to find in one sentence after another, as whole words."""

    def __init__(self, text: str) -> None:
        """`text` holds the phrases, separated by `;`. They are indexed at the first search."""
        self._text = text
        self._filed: dict[bytes, list[str]] = {}
        self._unspaced: tuple[str, ...] = ()
        self._words: frozenset[bytes] = frozenset()

    def positions(self, folded: str) -> list[int]:
        """Return the first position of each phrase that a folded text contains, in ascending order."""
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

    def words(self) -> frozenset[bytes]:
        """Return words of which every text with a phrase of this list has one, except in scripts without spaces."""
        if not self._filed:
            self._file()
        return self._words

    def _file(self) -> None:
        phrases = _phrases([self._text])
        rows = [(phrase, _WORD.findall(phrase)) for phrase in phrases if phrase[0] < _UNSPACED]
        uses = Counter(word for _, words in rows for word in words)
        for phrase, words in rows:
            rarest = min(words, key=lambda word: (_is_common(word), uses[word], -len(word), word))
            self._filed.setdefault(rarest.encode(), []).append(phrase)
        self._unspaced = tuple(phrase for phrase in phrases if phrase[0] >= _UNSPACED)
        self._words = frozenset(self._filed)


def positions(folded: str, phrases: Iterable[str]) -> list[int]:
    """Return the first position of each of a few `phrases` that `folded` contains, in the order of `phrases`."""
    return [at for phrase in filter(folded.__contains__, phrases) if (at := locate(folded, phrase)) >= 0]


def ideographs(text: str) -> int:
    """Count the kana and Chinese characters."""
    if text.isascii() or max(text) < _UNSPACED:
        return 0
    return sum("\u3040" <= char <= "\u9fff" for char in text)


class _Filed(NamedTuple):
    """A phrase of a feature; it begins `ahead` bytes after a hit's start, or None if the hit needs no check."""

    feature: str
    phrase: str
    written: bytes
    ahead: int | None


class Phrasebook:
    """Phrases indexed by feature; build once, search often."""

    def __init__(self, tables: Iterable[Table], *, small: bool = False) -> None:
        """A `small` book (some hundred phrases) is searched twice as fast; a large one would take megabytes."""
        filed: dict[bytes, list[_Filed]] = {}
        for table in tables:
            for feature, languages in table.items():
                for phrase in _phrases(languages.values()):
                    pattern, ahead = _pattern(phrase)
                    filed.setdefault(pattern, []).append(_Filed(feature, phrase, phrase.encode(), ahead))
        self._filed = list(filed.values())
        kind = Implementation.DFA if small else Implementation.ContiguousNFA
        self._find = BytesAhoCorasick(list(filed), implementation=kind).find_matches_as_indexes

    def search(self, text: Spellings) -> dict[str, tuple[str, ...]]:
        """Return the phrases of each feature that a folded text contains; features without any are missing."""
        raw = b" %b " % text.folded_bytes()
        if _SURROGATE_LEAD in raw:
            raw = raw.decode("utf-8", "surrogatepass").encode("utf-8", "replace")
        found: dict[str, list[str]] = {}
        filed, settled = self._filed, set[int]()
        for number, start, _ in self._find(_space_out(raw, text.wide), overlapping=True):
            if number in settled:
                continue
            settled.add(number)
            for feature, phrase, written, ahead in filed[number]:
                if ahead is not None and not raw.startswith(written, start + ahead):
                    settled.discard(number)
                elif feature not in found:
                    found[feature] = [phrase]
                elif phrase not in found[feature]:
                    found[feature].append(phrase)
        return {feature: tuple(sorted(found[feature])) for feature in sorted(found)}


def _space_out(raw: bytes, wide: frozenset[str]) -> bytes:
    """Return a folded UTF-8 text with spaces for punctuation, at the same length; `wide` has all of its non-ASCII."""
    if wide <= NO_LETTERS:
        return raw.translate(_SPACE_ALL_BUT_ASCII)
    spaced = raw.translate(_SPACE_BYTES)
    for mark in _MARKS & wide:
        octets = mark.encode()
        spaced = spaced.replace(octets, b" " * len(octets))
    return spaced


def _pattern(phrase: str) -> tuple[bytes, int | None]:
    """Return the bytes to find in a spaced text, and `_Filed.ahead`."""
    if phrase[0] >= _UNSPACED:
        return phrase.encode(), None
    left, right = phrase[0].isalnum(), phrase[-1].isalnum()
    pattern = b" " * left + _space_out(phrase.encode(), frozenset(phrase)) + b" " * right
    return pattern, None if phrase.isalnum() else int(left)


def _phrases(groups: Iterable[str]) -> list[str]:
    phrases = {" ".join(phrase.split()): None for group in groups for phrase in group.split(";")}
    return [phrase for phrase in phrases if phrase]
