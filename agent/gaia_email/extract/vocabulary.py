"""The words of a message, and those of them that extraction knows. Entry: `known_in`.

Taking a text apart into words costs more than most finders do. So it is done once for all sentences, and the
finders are asked only where a word stands that some finder knows.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from gaia_email.extract.date_forms import forms_for, languages_for
from gaia_email.extract.first_names import FIRST_NAMES
from gaia_email.extract.itinerary import TRAVEL_WORDS
from gaia_email.extract.meeting import MEETING_WORDS
from gaia_email.extract.money import CURRENCY_WORDS
from gaia_email.extract.money_words import CURRENCY_NAMES, NUMBER_WORDS
from gaia_email.extract.people import TITLES
from gaia_email.extract.request_index import english
from gaia_email.extract.sentences import DEFAULT_LIMIT
from gaia_email.extract.view import tokens_of


@cache
def _vocabulary(language: str, others: frozenset[str]) -> frozenset[str]:
    known = set(others | FIRST_NAMES | TITLES | TRAVEL_WORDS | MEETING_WORDS | CURRENCY_WORDS)
    known |= CURRENCY_NAMES | NUMBER_WORDS
    if language == "en":
        known.update(english().triggers)
    for code in languages_for(language):
        forms = forms_for(code)
        known.update(forms.triggers, forms.months, forms.closers)
        for _, tokens in forms.phrases:
            known.update(tokens)
    return frozenset(known)


def known_in(
    text: str, words: list[list[str]], language: str, others: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The known words of a text, those of the `others` in it, and perhaps more; `words` are its sentences'."""
    if len(words) >= DEFAULT_LIMIT:
        return tokens_of(text)
    return _vocabulary(language, others).intersection(chain.from_iterable(words))
