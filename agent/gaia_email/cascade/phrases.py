"""Finds many phrases in one text quickly: `Phrasebook`.

A message is searched for more than a thousand phrases. Trying each is too slow and one giant alternation is
slower still, so every phrase is filed under its rarest word: one look at the words of the text names the few
phrases that can be in it at all, and only these are searched for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

Table = Mapping[str, Mapping[str, str]]
"""Feature → language → phrases, separated by `;`. The language is for the reader only."""

_WORD = re.compile(r"[^\W_]+")
_SPACE_BYTES = bytes(32 if code < 128 and not chr(code).isalnum() else code for code in range(256))
_MARKS = "“”„‘‚«»–—…•·→|©¿¡‹›"
_UNSPACED = "\u3040"
"""From here on scripts put no spaces between words (Japanese, Chinese)."""

_SPACES = {code: " " for code in range(128) if not chr(code).isalnum()}


def fold(text: str) -> str:
    """Lower case, straight apostrophes, spaces for white space; positions are the same as in `text`."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    if not lowered.isascii():
        lowered = lowered.replace("’", "'").replace("\xa0", " ").replace("\u202f", " ")
    return lowered.replace("\n", " ").replace("\t", " ").replace("\r", " ")


def words_of(folded: str) -> set[str]:
    """The different words of a folded text; for looking things up, not for iterating over."""
    if folded.isascii():
        return set(folded.translate(_SPACES).split())
    for mark in _MARKS:
        if mark in folded:
            folded = folded.replace(mark, " ")
    return set(folded.encode("utf-8", "replace").translate(_SPACE_BYTES).decode("utf-8", "replace").split())


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


class Phrasebook:
    """Phrases filed by feature; build once, search often."""

    def __init__(self, tables: Iterable[Table]) -> None:
        unspaced: list[tuple[str, str]] = []
        rows: list[tuple[str, str, list[str]]] = []
        for table in tables:
            for feature, languages in table.items():
                for phrase in _phrases(languages.values()):
                    if phrase[0] >= _UNSPACED:
                        unspaced.append((feature, phrase))
                    else:
                        rows.append((feature, phrase, _WORD.findall(phrase)))
        uses = Counter(word for _, _, words in rows for word in words)
        single: dict[str, list[str]] = {}
        filed: dict[str, list[tuple[str, str, frozenset[str]]]] = {}
        for feature, phrase, words in rows:
            if phrase == words[0]:
                single.setdefault(phrase, []).append(feature)
            else:
                anchor = min(words, key=lambda word: (uses[word], -len(word), word))
                filed.setdefault(anchor, []).append((feature, phrase, frozenset(words)))
        self._single = single
        self._filed = filed
        self._unspaced = tuple(unspaced)
        self._words = frozenset(single) | frozenset(filed)

    def search(self, folded: str, words: set[str]) -> dict[str, tuple[str, ...]]:
        """The phrases of each feature that stand in `folded`; features without any are missing."""
        found: dict[str, list[str]] = {}
        for word in self._words & words:
            for feature in self._single.get(word, ()):
                found.setdefault(feature, []).append(word)
            for feature, phrase, needed in self._filed.get(word, ()):
                if needed <= words and phrase in folded and locate(folded, phrase) >= 0:
                    found.setdefault(feature, []).append(phrase)
        if not folded.isascii():
            for feature, phrase in self._unspaced:
                if phrase in folded:
                    found.setdefault(feature, []).append(phrase)
        return {feature: tuple(sorted(found[feature])) for feature in sorted(found)}


def _phrases(groups: Iterable[str]) -> list[str]:
    phrases = {" ".join(phrase.split()): None for group in groups for phrase in group.split(";")}
    return [phrase for phrase in phrases if phrase]
