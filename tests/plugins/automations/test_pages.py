"""Automations on the pages: written by form or as JSON, checked as one types, tried, switched, run, explained."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from gaia_email.interfaces.web.forms.form import form_of, posted_form
from gaia_email_automations.actions import action_types
from gaia_email_automations.interfaces.web.definition_form import NEW_DEFINITION, definition_schema
from gaia_email_automations.validating import read_definition
from tests.pages_web.pages import MARK, Pages, PersonsPages
from tests.pages_web.test_forms import as_posted, html_of

WATCH: dict[str, Any] = {
    "schema_version": 1,
    "name": "Tell me",
    "goal": "Say what came.",
    "inputs": {"schema": {"type": "object", "properties": {"who": {"type": "string", "minLength": 2}}}},
    "triggers": [
        {"type": "schedule", "cron": "0 7 * * *", "timezone": "Europe/Berlin"},
        {"type": "event", "event_type": "mail.arrived", "filters": {"sender": {"contains": "@"}}},
    ],
    "plan": [
        {"step_id": "tell", "action": "notification", "config": {"text": "{{ inputs.who }}"}},
        {"step_id": "read", "action": "mark_read", "config": {"ids": "{{ trigger.ids }}"}, "max_retries": 2},
        {"step_id": "put", "action": "archive_email", "when": "inputs.who", "config": {"ids": ["a", "b"]}},
    ],
    "execution": {"timeout_seconds": 60, "budget": {"calls": 3}},
}
SIMPLE: dict[str, Any] = {
    "schema_version": 1,
    "name": "Hello",
    "plan": [{"step_id": "tell", "action": "notification", "config": {"text": f"Hello {MARK}"}}],
}


@pytest.fixture
def person(tmp_path: Path) -> Pages:
    return PersonsPages(tmp_path).person()


def saved(person: Pages, definition: dict[str, Any]) -> str:
    answer = person.client.post("/ui/automation_save", data={"definition": json.dumps(definition)})
    assert answer.status_code == 200 and "Automation saved" in answer.text, answer.text
    return unescape(answer.headers["x-gaia-go"]).rpartition("=")[2]


def test_a_definition_goes_through_the_form_and_back_unchanged() -> None:
    html = html_of(form_of(definition_schema(), WATCH, name="automation", post="automation_save"))
    sent = posted_form(definition_schema(), as_posted(html), checked=False)
    assert sent.value == WATCH and not sent.errors


@pytest.mark.parametrize("action", action_types())
def test_each_action_has_its_fields_and_its_step_is_read_back(action: str) -> None:
    step: dict[str, Any] = {"step_id": "one", "action": action, "config": {}}
    definition = {**NEW_DEFINITION, "name": "x", "plan": [step]}
    html = html_of(form_of(definition_schema(), definition, name="automation", post="automation_save"))
    for name in action_types()[action].action.config_schema.get("properties", {}):
        assert f'name="/plan/0/config/{name}' in html, name
    sent = posted_form(definition_schema(), as_posted(html), checked=False)
    plan = sent.value["plan"]
    assert (plan[0]["step_id"], plan[0]["action"]) == ("one", action)


def test_one_is_written_by_form_with_what_is_wrong_beside_its_field(person: Pages) -> None:
    page = person.get("automation_edit")
    fields = as_posted(page)
    again = person.post("automation_save", fields)
    assert 'aria-invalid="true"' in again and 'class="wrong"' in again
    more = person.post("automation_save", {**fields, "~do": ["add:/plan"]})
    assert 'name="/plan/1/step_id"' in more and 'value="step_2"' in more
    fields |= {"/name": ["Hello"], "/plan/0/config/text": ["Good morning."]}
    note = person.post("automation_save", fields)
    assert "Automation saved" in note
    assert "Hello" in person.get("automations")


def test_it_is_checked_as_one_types(person: Pages) -> None:
    fields = as_posted(person.get("automation_edit"))
    assert "this is wrong" in person.post("automation_check", fields)
    fields |= {"/name": ["Hello"], "/plan/0/config/text": ["Good morning."]}
    assert "It can be saved." in person.post("automation_check", fields)
    wrong = person.post("automation_check", {"definition": '{"schema_version": 1,'})
    assert "This is no JSON" in wrong
    assert "is missing" in person.post("automation_check", {"definition": "{}"})


def test_form_and_json_are_two_views_of_what_is_not_saved_yet(person: Pages) -> None:
    fields = as_posted(person.get("automation_edit"))
    fields |= {"/name": ["Half written"], "~do": ["show:json"]}
    text = person.post("automation_save", fields)
    written = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", text, re.DOTALL)
    assert written
    definition = json.loads(unescape(written[1]))
    assert definition["name"] == "Half written"
    form = person.post("automation_save", {"definition": unescape(written[1]), "~do": "show:form"})
    assert 'name="/name"' in form and "Half written" in form
    kept = person.post("automation_save", {"definition": "{ oops", "~do": "show:form"})
    assert "{ oops" in kept and "This is no JSON" in kept
    assert "There is no automation" not in person.get("automations")


def test_a_saved_one_is_shown_changed_switched_tried_and_removed(person: Pages) -> None:
    name = saved(person, WATCH)
    page = person.get(f"automation?id={name}")
    assert "Tell me" in page and "mail.arrived" in page and "Run it now" in page and 'name="/who"' in page
    assert "It would have run" in person.post("automation_try", {"id": name, "past": "3d"})
    note = person.post("automation_switch", {"id": name, "what": "disable"})
    assert "Switched off" in note and 'value="enable"' in note
    assert "paused" in person.get("automations")
    assert 'value="Tell me"' in person.get(f"automation_edit?id={name}")
    changed = {"definition": json.dumps({**WATCH, "name": "Told"}), "replaces": name}
    assert "Automation saved" in person.post("automation_save", changed)
    listed = person.get("automations")
    assert "Told" in listed and "Tell me" not in listed
    person.post("automation_switch", {"id": name, "what": "remove"})
    person.get(f"automation?id={name}", 404)
    person.post("automation_switch", {"id": name, "what": "explode"}, 422)


def test_a_run_by_hand_takes_its_inputs_by_form_and_is_told_step_by_step(person: Pages) -> None:
    name = saved(person, {**SIMPLE, "inputs": WATCH["inputs"]})
    wrong = person.post("automation_start", {"id": name, "/who": "x"})
    assert 'aria-invalid="true"' in wrong and 'value="x"' in wrong
    answer = person.client.post("/ui/automation_start", data={"id": name, "/who": f"Ann {MARK}"})
    assert "The run has begun" in answer.text
    run = person.get(answer.headers["x-gaia-go"])
    assert "You ran it by hand." in run and "Ann &lt;script&gt;" in run and MARK not in run
    assert "was not begun" in run or "Step by step" in run
    assert "Hello" in person.get("automations")
    assert "Runs of automations" in person.get("activity") and MARK not in person.get("activity")


def test_strangers_text_in_a_definition_stays_text(person: Pages) -> None:
    name = saved(person, {**SIMPLE, "name": f"n {MARK}", "goal": MARK})
    for page in ("automations", f"automation?id={name}", f"automation_edit?id={name}"):
        assert MARK not in person.get(page)


def test_words_of_strangers_that_decide_are_named_before_it_is_saved(person: Pages) -> None:
    definition = {**WATCH, "inputs": {"schema": {"type": "object", "properties": {"ids": {"type": "array"}}}}}
    definition["triggers"] = [
        {"type": "event", "event_type": "mail.arrived", "inputs": {"ids": "$.message_id"}}
    ]
    definition["plan"] = [
        {"step_id": "put", "action": "archive_email", "config": {"ids": ["{{ inputs.ids }}"]}}
    ]
    found = read_definition(definition)
    assert found.definition is not None, found.errors
    page = person.post("automation_check", {"definition": json.dumps(definition)})
    flow = re.search(r'name="flow" form="form-automation" value="([^"]+)"', page)
    assert flow
    person.post("automation_save", {"definition": json.dumps(definition), "flow": unescape(flow[1])})
    listed = person.client.get("/v1/automations").json()["automations"][0]["id"]
    assert "Allowed when it was saved" in person.get(f"automation?id={listed}")


def test_what_happens_after_a_failure_is_on_the_page_before_saving_and_after(person: Pages) -> None:
    mail = {"to": ["eve@evil.example"], "subject": "s", "body": "b"}
    step = {"step_id": "tidy", "action": "send_email", "config": mail}
    definition = {**NEW_DEFINITION, "name": "Elsewhere", "execution": {"on_failure": [step]}}
    definition["plan"] = [{"step_id": "tell", "action": "notification", "config": {"text": "x"}}]
    sentence = "If a step fails, tidy: send_email ("
    sent = {"definition": json.dumps(definition), "account": ""}
    checked = unescape(person.client.post("/ui/automation_check", data=sent).text)
    assert sentence in checked and "It writes to eve@evil.example." in checked
    saved = person.client.post("/ui/automation_save", data=sent)
    assert "Automation saved" in saved.text, saved.text
    assert sentence in unescape(person.client.get(f"/ui/{saved.headers['x-gaia-go']}").text)
