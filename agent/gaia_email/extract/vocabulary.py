"""The words extraction knows, and where they stand in a message. Entries: `known_in`, `tokens_in`.

Taking a text apart into words costs more than most finders do. So it is done once for all sentences, and
only words that some finder asks for are kept.
"""

from __future__ import annotations

from functools import cache, lru_cache

from gaia_email.extract.date_forms import forms_for, languages_for
from gaia_email.extract.first_names import FIRST_NAMES
from gaia_email.extract.itinerary import TRAVEL_WORDS
from gaia_email.extract.meeting import MEETING_WORDS
from gaia_email.extract.money import CURRENCY_WORDS
from gaia_email.extract.money_words import CURRENCY_NAMES, NUMBER_WORDS
from gaia_email.extract.people import TITLES
from gaia_email.extract.request_index import english
from gaia_email.extract.sentences import DEFAULT_LIMIT
from gaia_email.extract.view import spaced, tokens_of

_END = "\0"
"""Stands between sentences that are looked at together."""


@cache
def _vocabulary(language: str) -> frozenset[str]:
    known = set(FIRST_NAMES | TITLES | TRAVEL_WORDS | MEETING_WORDS | CURRENCY_WORDS)
    known |= CURRENCY_NAMES | NUMBER_WORDS
    if language == "en":
        known.update(english().triggers)
    for code in languages_for(language):
        forms = forms_for(code)
        known.update(forms.triggers, forms.months, forms.closers)
        for _, tokens in forms.phrases:
            known.update(tokens)
    return frozenset(known)


@lru_cache(maxsize=4)
def known_in(sentences: tuple[str, ...], language: str) -> tuple[frozenset[str], ...]:
    """For each sentence the known words in it. Remembered for the last messages."""
    if not sentences:
        return ()
    known = _vocabulary(language).intersection
    text = _END.join(sentences)
    if text.count(_END) >= len(sentences):
        text = _END.join([sentence.replace(_END, " ") for sentence in sentences])
    return tuple([known(part.split()) for part in spaced(text).split(_END)])


def tokens_in(text: str, sentences: tuple[str, ...], language: str) -> frozenset[str]:
    """The known words of a whole text, of which `sentences` are the first ones."""
    if len(sentences) >= DEFAULT_LIMIT:
        return tokens_of(text)
    return frozenset[str]().union(*known_in(sentences, language))
