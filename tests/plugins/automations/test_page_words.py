"""In the pseudo-language no word of the pages of automations is left unmarked."""

from __future__ import annotations

import json

import pytest

from tests.pages_web.pages import Pages
from tests.pages_web.test_languages import foreign as foreign
from tests.pages_web.test_languages import unmarked

DEFINITION = {
    "schema_version": 1,
    "name": "я",
    "plan": [{"step_id": "я", "action": "notification", "config": {"text": "я"}}],
}


@pytest.mark.parametrize("page", ["automations", "automation_edit"])
def test_no_word_of_a_page_is_left_unmarked(foreign: Pages, page: str) -> None:
    assert unmarked(foreign.get(page)) == []


def test_no_word_of_an_answer_is_left_unmarked(foreign: Pages) -> None:
    assert unmarked(foreign.post("automation_check", {"definition": json.dumps(DEFINITION)})) == []
