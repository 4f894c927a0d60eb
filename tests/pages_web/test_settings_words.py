"""In the pseudo-language no word of the settings, the automations and the activity is left unmarked."""

from __future__ import annotations

import json

import pytest

from tests.pages_web.pages import Pages
from tests.pages_web.test_languages import foreign as foreign
from tests.pages_web.test_languages import unmarked

PARTS = ("agent", "levels", "people", "voice", "schedule", "models", "data")
DEFINITION = {
    "schema_version": 1,
    "name": "я",
    "plan": [{"step_id": "я", "action": "notification", "config": {"text": "я"}}],
}


@pytest.mark.parametrize("part", PARTS)
def test_no_word_of_a_part_of_the_settings_is_left_unmarked(foreign: Pages, part: str) -> None:
    assert sorted(set(unmarked(foreign.get(f"settings?part={part}")))) == []


@pytest.mark.parametrize(
    "page", ["automations", "automation_edit", "activity", "learned?about=voice", "learned"]
)
def test_no_word_of_a_page_is_left_unmarked(foreign: Pages, page: str) -> None:
    assert sorted(set(unmarked(foreign.get(page)))) == []


def test_no_word_of_an_answer_is_left_unmarked(foreign: Pages) -> None:
    assert unmarked(foreign.post("level", {"/cohort": "newsletters", "/level": "2"})) == []
    assert unmarked(foreign.post("save", {"setting": "switch_setting", "/page_keys": "off"})) == []
    assert unmarked(foreign.post("purge", {"extent": "everything", "account": ""})) == []
    assert unmarked(foreign.post("automation_check", {"definition": json.dumps(DEFINITION)})) == []
