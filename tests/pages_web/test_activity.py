"""The activity: runs in one line each, filtered by what was done, with whose mail, and on which day."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.pages_web.pages import MARK, Pages, PersonsPages


@pytest.fixture
def person(tmp_path: Path) -> Pages:
    person = PersonsPages(tmp_path).person()
    person.post("archive", {"of": person.thread("Thanks")})
    person.post("snooze", {"of": person.thread("sign the contract"), "until": "3d"})
    person.post("archive", {"of": person.thread("Please answer")})
    return person


def test_what_was_done_is_filtered_by_type_and_by_whose_mail_it_was(person: Pages) -> None:
    assert all(word in person.get("activity") for word in ("Thanks", "sign the contract", "Please answer"))
    snoozed = person.get("activity?type=snooze")
    assert "sign the contract" in snoozed and "Thanks" not in snoozed
    about = person.get("activity?about=THANKS")
    assert "Thanks" in about and "sign the contract" not in about
    assert "Nothing was done." in person.get("activity?about=100%25_")


def test_a_day_shows_what_was_done_on_it(person: Pages) -> None:
    today = datetime.now().astimezone().date()
    assert "Thanks" in person.get(f"activity?day={today}")
    assert "Nothing was done." in person.get(f"activity?day={today - timedelta(days=1)}")
    assert "a date such as" in person.get("activity?day=someday", 422)


def test_a_run_is_one_line_with_its_counts_and_is_taken_back_as_one(person: Pages) -> None:
    person.client.put("/v1/email/policy", json={"cohort": "newsletters", "level": 5})
    person.post("triage", {})
    page = person.get("activity")
    summary = re.search(r"<summary><h2>A run, \d+ actions</h2>(.*?)</summary>", page, re.DOTALL)
    assert summary and re.search(r"· [a-z ]+ \d", summary[1])
    run = re.search(r'name="run" value="([^"]+)"', page)
    assert run
    assert "Taken back" in person.post("undo", {"run": run[1]})


def test_strangers_text_and_what_is_typed_stay_text(person: Pages) -> None:
    page = person.get(f"activity?about={MARK}")
    assert MARK not in page and "&lt;script&gt;" in page
    assert MARK not in person.get("activity")
