"""The settings: what is set is shown, a form saves it and is taken back, what does not fit is said beside its field."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.accounts.connect_files import connect_files
from tests.pages_web.pages import MARK, ME, Pages, PersonsPages

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


PARTS = ("agent", "levels", "people", "labels", "voice", "schedule", "models", "data")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_shown(person: Pages, part: str) -> None:
    page = person.get(f"settings?part={part}")
    assert f'id="part-{part}"' in page and MARK not in page


def test_single_letters_as_keys_are_switched_off_for_every_page_and_on_again(person: Pages) -> None:
    assert 'data-keys="off"' not in person.get("frame")
    note = person.post("save", {"setting": "switch_setting", "/page_keys": "off"})
    assert 'data-keys="off"' in person.get("frame")
    undone(person, note)
    assert 'data-keys="off"' not in person.get("frame")


def test_the_agent_is_paused_and_sent_on_a_journey_and_both_are_taken_back(person: Pages) -> None:
    note = person.post("save", {"setting": "pause"})
    assert "the agent changes nothing" in person.get("frame")
    undone(person, note)
    assert "All email processing local" in person.get("frame")
    note = person.post("save", {"setting": "travel", "/until": "2099-01-31", **FORM})
    assert "2099" in person.get("settings?part=agent")
    undone(person, note)
    assert "2099" not in person.get("settings?part=agent")
    assert 'class="wrong"' in person.post("save", {"setting": "travel", "/until": "2001-01-31", **FORM})


def test_accounts_are_switched_off_and_on(tmp_path: Path) -> None:
    pages = PersonsPages(tmp_path)
    asyncio.run(connect_files("maildir", pages.source.path, [ME], pages.app.environ))
    person = pages.person(sample=False)
    account = person.client.get("/v1/email/status").json()["accounts"][0]["id"]
    note = person.post("save", {"setting": "disable", "/account": account})
    assert "Switch on" in person.get("settings?part=agent")
    undone(person, note)
    assert not any(not one["enabled"] for one in person.client.get("/v1/email/status").json()["accounts"])


def test_how_long_things_are_kept_is_set_and_taken_back(person: Pages) -> None:
    note = person.post("save", {"setting": "retention", "/retention_days": "30", **FORM})
    assert 'value="30"' in person.get("settings?part=data")
    undone(person, note)
    assert 'value="90"' in person.get("settings?part=data")
    assert "at most" in person.post("save", {"setting": "retention", "/retention_days": "9999999", **FORM})


def test_what_the_environment_sets_is_shown_and_not_changed(tmp_path: Path) -> None:
    environ = {**App().environ, "GAIA_EMAIL_RETENTION_DAYS": "7"}
    person = PersonsPages(tmp_path, app=App(environ=environ)).person()
    page = person.get("settings?part=data")
    assert "GAIA_EMAIL_RETENTION_DAYS" in page and 'name="/retention_days"' not in page
    answer = person.post("save", {"setting": "retention", "/retention_days": "30", **FORM})
    assert "GAIA_EMAIL_RETENTION_DAYS sets this" in answer


def test_quiet_hours_are_set_and_taken_back(person: Pages) -> None:
    fields = {"/start": "22:00", "/end": "07:00", "/zone": "Europe/Berlin"}
    note = person.post("save", {"setting": "quiet_hours", **fields, **FORM})
    assert "22:00 – 07:00" in person.get("settings?part=schedule")
    undone(person, note)
    assert "22:00 –" not in person.get("settings?part=schedule")
    wrong = person.post("save", {"setting": "quiet_hours", **fields, "/zone": "Nowhere", **FORM})
    assert 'class="wrong"' in wrong and 'value="22:00"' in wrong


def test_a_schedule_comes_and_goes(person: Pages) -> None:
    fields = {"/kind": "brief", "/cron": "0 7 * * *", "/zone": "Europe/Berlin", "/name": "mornings"}
    note = person.post("save", {"setting": "add_schedule", **fields, **FORM})
    assert "mornings" in person.get("settings?part=schedule")
    undone(person, note)
    assert "mornings" not in person.get("settings?part=schedule")
    wrong = person.post("save", {"setting": "add_schedule", **fields, "/cron": "often", **FORM})
    assert 'class="wrong"' in wrong and 'value="often"' in wrong


def test_what_mail_shows_of_people_and_voice_is_counted_when_it_is_looked_at(person: Pages) -> None:
    assert "hx-get" in person.get("settings?part=voice")
    assert "of your mails" in person.get("learned?about=voice")
    assert "Nobody yet" in person.get("learned?about=people")


def test_models_are_shown_with_what_is_missing_and_chosen_by_a_person(person: Pages) -> None:
    page = person.get("settings?part=models")
    assert "No model server answers" in page
    assert "answers" in person.post("save", {"setting": "use_model", "/name": "qwen3"}, 404)
    person.post("save", {"setting": "distrust_model", "/name": MARK}, 404)


def test_only_a_person_changes_settings(tmp_path: Path) -> None:
    pages = PersonsPages(tmp_path)
    person = pages.person()
    bearer = pages.app.home.joinpath("email", "agent-http-token").read_text().strip()
    headers = {"authorization": f"Bearer {bearer}"}
    del person.client.headers["cookie"], person.client.headers["x-gaia-key"]
    for path, method in (("settings", "PUT"), ("models/trust", "POST"), ("models/use", "POST")):
        asked = {"page_keys": "off"} if path == "settings" else {"name": "m"}
        answer = person.client.request(method, f"/v1/email/{path}", json=asked, headers=headers)
        assert answer.status_code == 403, answer.text


def test_a_purge_says_what_goes_and_takes_a_typed_word(person: Pages) -> None:
    person.post("archive", {"of": person.thread("Thanks")})
    shown = person.post("purge", {"extent": "everything", "account": ""})
    assert "This would be deleted" in shown and "cannot be undone" in shown
    wrong = person.post("purge", {"extent": "everything", "account": "", "sure": "yes"})
    assert 'aria-invalid="true"' in wrong and person.client.get("/v1/email/actions").json()["total"] == 1
    assert "Deleted" in person.post("purge", {"extent": "everything", "account": "", "sure": " Delete "})
    assert person.client.get("/v1/email/actions").json()["total"] == 0
    person.post("purge", {"extent": "nothing"}, 422)
