"""The settings: what is set is shown, a form saves it and is taken back, what does not fit is said beside its field."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.pages_web.pages import MARK, Pages, PersonsPages

FORM = {"made": "form"}


@pytest.fixture
def person(tmp_path: Path) -> Pages:
    return PersonsPages(tmp_path).person()


def undone(person: Pages, note: str) -> str:
    """Press the button of a note."""
    path = re.search(r'hx-post="ui/(\w+)"', note)
    assert path, note
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', note):
        fields.setdefault(unescape(name), []).append(unescape(value))
    return person.post(path[1], fields)


def level_of(person: Pages, cohort: str) -> int:
    rows = person.client.get("/v1/email/policy").json()["cohorts"]
    return next(one["level"] for one in rows if one["name"] == cohort)


def test_a_level_is_tried_on_past_mail_saved_and_taken_back(person: Pages) -> None:
    person.get("inbox")
    tried = person.post("level", {"/cohort": "newsletters", "/level": "2"})
    assert "Of 5 messages" in tried and level_of(person, "newsletters") == 5
    note = person.post("save", {"setting": "set_level", "/cohort": "newsletters", "/level": "2"})
    assert "Level changed" in note and level_of(person, "newsletters") == 2
    undone(person, note)
    assert level_of(person, "newsletters") == 5


def test_the_sixth_level_is_shown_and_refused_with_its_reason(person: Pages) -> None:
    assert "L6 fully delegated" in person.get("settings?part=levels")
    assert "somebody has to answer" in person.post("level", {"/cohort": "vip", "/level": "6"})
    answer = person.post("save", {"setting": "set_level", "/cohort": "vip", "/level": "6"}, 422)
    assert "somebody has to answer" in answer and level_of(person, "vip") == 2


def test_a_vip_is_added_and_removed_and_a_wrong_address_is_said_beside_its_field(person: Pages) -> None:
    note = person.post("save", {"setting": "add_vip", "/address": "ann@example.com", **FORM})
    assert "ann@example.com" in person.get("settings?part=people")
    undone(person, note)
    assert "ann@example.com" not in person.get("settings?part=people")
    again = person.post("save", {"setting": "add_vip", "/address": MARK, **FORM})
    assert 'aria-invalid="true"' in again and "data-edited" in again and "<script" not in again
    assert "&lt;script&gt;" in again, "what was typed is kept"
    missing = person.post("save", {"setting": "protect", "/kind": "sender", "/value": "", **FORM})
    assert 'class="wrong"' in missing


def test_a_cohort_of_ones_own_comes_and_goes_with_its_rules(person: Pages) -> None:
    fields = {
        "/name": "bills",
        "/rules": "subject:invoice\ndomain:bank.example",
        "/level": "3",
        "/before": "social",
    }
    note = person.post("save", {"setting": "add_cohort", **fields, **FORM})
    assert "Cohort added" in note and level_of(person, "bills") == 3
    gone = person.post("save", {"setting": "remove_cohort", "/name": "bills"})
    assert "subject:invoice" not in person.get("settings?part=levels")
    undone(person, gone)
    rows = person.client.get("/v1/email/policy").json()["cohorts"]
    names = [one["name"] for one in rows]
    assert names.index("bills") == names.index("social") - 1 and level_of(person, "bills") == 3
    wrong = person.post(
        "save", {"setting": "add_cohort", **fields, "/name": "new", "/rules": "colour:red", **FORM}
    )
    assert 'class="wrong"' in wrong and "colour" in wrong


def test_switches_and_numbers_of_the_policy_are_set_and_taken_back(person: Pages) -> None:
    def policy(name: str) -> object:
        return person.client.get("/v1/email/policy").json()[name]

    note = person.post("save", {"setting": "switch_policy", "/behaviour": "off"})
    assert policy("behaviour") is False
    undone(person, note)
    assert policy("behaviour") is True
    note = person.post("save", {"setting": "set_policy", "/unsure_below": "70", **FORM})
    assert policy("unsure_below") == 0.7
    undone(person, note)
    assert policy("unsure_below") == 0.6
    assert "at most 100" in person.post("save", {"setting": "set_policy", "/unsure_below": "700", **FORM})


def test_where_disputed_mail_belongs_is_set_and_taken_back(person: Pages) -> None:
    note = person.post("save", {"setting": "convention", "/name": "bills", "/value": "urgent"})
    row = next(one for one in person.get("settings?part=levels").split("<form ") if 'value="bills"' in one)
    assert '<option value="urgent" selected>' in row
    undone(person, note)
    rows = person.client.get("/v1/email/policy").json()["conventions"]
    assert {one["set_to"] for one in rows if one["name"] == "bills"} == {"as-judged"}


def test_what_is_protected_is_shown_and_let_go(person: Pages) -> None:
    note = person.post("save", {"setting": "protect", "/kind": "label", "/value": f"Family {MARK}", **FORM})
    page = person.get("settings?part=people")
    assert "Family &lt;script&gt;" in page and MARK not in page
    undone(person, note)
    assert "Family" not in person.get("settings?part=people")


def test_there_is_no_other_part_and_no_other_form(person: Pages) -> None:
    person.get("settings?part=nowhere", 404)
    person.post("save", {"setting": "triage"}, 422)
    person.post("level", {"/cohort": "vip", "/level": "many"}, 422)
