"""Amounts written in words: `two hundred dollars`, `dos millones de euros`. Entry: `written_amounts`."""

from __future__ import annotations

from collections.abc import Iterator

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.wordlists import words

MONEY = WordTable("gaia_understanding.prepare.extract", "money.txt")


def read_codes(title: str) -> dict[str, str]:
    """Return the names of a section with their codes; a code is empty if it depends on the context."""
    return {name: code for name, _, code in (phrase.partition(" ") for phrase in MONEY.phrases(title))}


def _numbers(title: str) -> dict[str, int]:
    rows = [phrase.split() for phrase in MONEY.phrases(title)]
    return {word: int(number) for number, *words_of_it in rows for word in words_of_it}


_VALUES = _numbers("numbers")
_FACTORS = _numbers("factors")
NUMBER_WORDS = frozenset(_VALUES) - words("a an un une una uno um uma een ein eine once") | frozenset(
    _FACTORS
)
_CURRENCIES = read_codes("currencies")
CURRENCY_NAMES = frozenset(_CURRENCIES)
_CURRENCY = lazy_pattern(
    r"(?<![\w€$£])(?:" + "|".join(sorted(_CURRENCIES, key=len, reverse=True)) + r")(?!\w)"
)
_WORD = lazy_pattern(r"[^\W\d_]+")
_BEFORE = 60
_BETWEEN = words("and und et y e en de d di us")
_ARTICLES = words("a an un une una uno um uma een ein eine")


def written_amounts(lower: str) -> Iterator[tuple[int, int, int, str]]:
    """Yield start, end, value and currency of every amount in words of a text in lower case, in order."""
    for match in _CURRENCY.finditer(lower):
        head = lower[max(0, match.start() - _BEFORE) : match.start()]
        offset = match.start() - len(head)
        found: list[tuple[int, str]] = []
        reached = len(head)
        for word in reversed(list(_WORD.finditer(head))):
            gap = head[word.end() : reached]
            if gap.strip("-' ’\n") or (
                word[0] not in _VALUES and word[0] not in _FACTORS and word[0] not in _BETWEEN
            ):
                break
            found.append((word.start(), word[0]))
            reached = word.start()
        while found and found[-1][1] in _BETWEEN:
            found.pop()
        value = _value([word for _, word in reversed(found)])
        if value and not head[: found[-1][0]].rstrip()[-1:].isdigit():
            yield offset + found[-1][0], match.end(), value, _CURRENCIES[match[0]]


def _value(spelled: list[str]) -> int:
    """Return the number that these words say; 0 for none, or for an article alone."""
    if not spelled or not any(word in NUMBER_WORDS for word in spelled):
        return 0
    total = part = 0
    for word in spelled:
        if word in _BETWEEN:
            continue
        factor = _FACTORS.get(word)
        if factor is None:
            part += _VALUES[word]
        elif factor == 100:
            part = max(part, 1) * factor
        else:
            total, part = total + max(part, 1) * factor, 0
    return total + part
