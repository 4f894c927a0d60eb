"""The words of a message that extraction knows. Entry: `heard_in`.

Splitting a text into words costs more than most finders do. So one pass over the text finds all known words,
and only the finders that know one of them are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation

from gaia_understanding.prepare.extract.date_forms import forms_for, languages_for
from gaia_understanding.prepare.extract.first_names import FIRST_NAMES
from gaia_understanding.prepare.extract.itinerary import TRAVEL_WORDS
from gaia_understanding.prepare.extract.meeting import MEETING_WORDS
from gaia_understanding.prepare.extract.money import CURRENCY_WORDS
from gaia_understanding.prepare.extract.money_words import CURRENCY_NAMES, NUMBER_WORDS
from gaia_understanding.prepare.extract.people import TITLES
from gaia_understanding.prepare.extract.request_index import english

_NUMBER = itemgetter(0)
_LONG_WORD = 20
"""The average bytes of a word from which a text has no spaces and is sooner split than searched."""


class KnownWords(NamedTuple):
    """The words of a text that are known.

    Attributes:
        known: Each of them once.
        calling: Those that trigger rules for requests, in order, each with the position of its byte.
    """

    known: frozenset[str]
    calling: list[tuple[int, str]]


class _Vocabulary(NamedTuple):
    """Words, the first `calling` of which trigger rules for requests, and the function that finds them."""

    words: tuple[str, ...]
    calling: int
    find: Callable[..., list[tuple[int, int, int]]]


def heard_in(spaced: bytes, language: str, others: frozenset[str] = frozenset()) -> KnownWords:
    """Return the known words of a text, and those of the `others` in it; `spaced` is the spelling of `Spellings`."""
    words, calling, find = _vocabulary(language, others)
    if not calling and spaced.count(b" ") * _LONG_WORD < len(spaced):
        return KnownWords(
            known=_set(language, others).intersection(spaced.decode("utf-8", "surrogatepass").split()),
            calling=[],
        )
    hits = find(b" %b " % spaced, overlapping=True)
    numbers = set(map(_NUMBER, hits))
    return KnownWords(
        known=frozenset(map(words.__getitem__, numbers)),
        calling=[(start, words[number]) for number, start, _ in hits if number < calling],
    )


@cache
def _set(language: str, others: frozenset[str]) -> frozenset[str]:
    return frozenset(_vocabulary(language, others).words)


@cache
def _vocabulary(language: str, others: frozenset[str]) -> _Vocabulary:
    calling = frozenset(english().anywhere) if language == "en" else frozenset[str]()
    known = set(others | FIRST_NAMES | TITLES | TRAVEL_WORDS | MEETING_WORDS | CURRENCY_WORDS)
    known |= CURRENCY_NAMES | NUMBER_WORDS
    for code in languages_for(language):
        forms = forms_for(code)
        known.update(forms.triggers, forms.months, forms.closers)
        for _, tokens in forms.phrases:
            known.update(tokens)
    words = (*calling, *(known - calling))
    # The quicker kind takes some megabytes: those are spent on the language of most mailboxes.
    kind = Implementation.DFA if language == "en" else Implementation.ContiguousNFA
    octets = [b" %b " % word.encode() for word in words]
    return _Vocabulary(
        words=words,
        calling=len(calling),
        find=BytesAhoCorasick(octets, implementation=kind).find_matches_as_indexes,
    )
