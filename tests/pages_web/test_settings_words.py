"""In the pseudo-language no word of the settings and the activity is left unmarked."""

from __future__ import annotations

import pytest

from tests.pages_web.pages import Pages
from tests.pages_web.test_languages import foreign as foreign
from tests.pages_web.test_languages import unmarked

PARTS = ("agent", "levels", "people", "voice", "schedule", "models", "data")


@pytest.mark.parametrize("part", PARTS)
def test_no_word_of_a_part_of_the_settings_is_left_unmarked(foreign: Pages, part: str) -> None:
    assert sorted(set(unmarked(foreign.get(f"settings?part={part}")))) == []


@pytest.mark.parametrize("page", ["activity", "learned?about=voice", "learned"])
def test_no_word_of_a_page_is_left_unmarked(foreign: Pages, page: str) -> None:
    assert sorted(set(unmarked(foreign.get(page)))) == []


def test_no_word_of_an_answer_is_left_unmarked(foreign: Pages) -> None:
    assert unmarked(foreign.post("level", {"/cohort": "newsletters", "/level": "2"})) == []
    assert unmarked(foreign.post("save", {"setting": "switch_setting", "/page_keys": "off"})) == []
    assert unmarked(foreign.post("purge", {"extent": "everything", "account": ""})) == []
