"""The tables in `data/`: each can be read and says nothing twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gaia_email_registry.tables import read_lines
from gaia_understanding.cascade import lexicon
from gaia_understanding.cascade.phrases import fold
from gaia_understanding.cascade.sender.brands import brands
from gaia_understanding.cascade.sender.confusables import skeleton
from gaia_understanding.cascade.tables import wordset

DATA = Path(lexicon.__file__).parents[1] / "data"
LANGUAGES = wordset("en de fr es it pt nl ja zh pl ru uk cs sv da tr ro any other")


def phrases(text: str) -> list[str]:
    return [" ".join(one.split()) for one in text.split(";") if one.strip()]


@pytest.mark.parametrize("name", lexicon.NAMES)
def test_a_word_list_is_folded_and_says_nothing_twice(name: str) -> None:
    table = lexicon.table(name)
    assert table
    for feature, languages in table.items():
        assert languages, feature
        for language, text in languages.items():
            assert language in LANGUAGES, (feature, language)
            twice = [one for one, count in Counter(phrases(text)).items() if count > 1]
            assert not twice, (feature, language, twice)
            unfolded = [one for one in phrases(text) if fold(one) != one]
            assert not unfolded, (feature, language, unfolded)


def test_every_list_in_the_folder_is_filed() -> None:
    assert {path.stem for path in (DATA / "lexicon").iterdir()} == set(lexicon.NAMES)


def test_no_feature_is_in_two_lists() -> None:
    count = Counter(feature for name in lexicon.NAMES for feature in lexicon.table(name))
    assert not [feature for feature, number in count.items() if number > 1]


def test_what_announces_planned_work_is_among_what_needs_no_hurry() -> None:
    calm = {one for text in lexicon.table("tone")["no_hurry"].values() for one in phrases(text)}
    assert lexicon.planned_work() and lexicon.planned_work() <= calm


def test_every_brand_has_a_domain_of_its_own() -> None:
    for brand in brands().values():
        assert brand.domains and all("." in domain for domain in brand.domains), brand.name


def test_a_letter_looks_like_one_other_at_most() -> None:
    seen: Counter[str] = Counter()
    for line in read_lines("gaia_understanding.cascade", "confusables.txt"):
        letter, _, others = line.partition(" ")
        assert len(letter) == 1 and letter.isascii()
        seen.update(set(others))
    assert not [letter for letter, count in seen.items() if count > 1]
    assert skeleton("pаypal") == skeleton("paypal")
