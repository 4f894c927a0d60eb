"""`automations`: what is printed, what takes a person, and the example of the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.interfaces.cli import person
from tests.cli.printed import Run, document
from tests.runs.mailbox import ME, Box

PAGE = Path(__file__).resolve().parents[3] / "docs" / "automations.md"


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    made = Box(tmp_path)
    made.fill(3)
    return made


def scripts_say_nothing(app: App) -> bool:
    return False


def example(folder: Path) -> Path:
    """The definition of the page, in a file."""
    (text,) = re.findall(r"```json\n(\{\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    path = folder / "invoices.json"
    path.write_text(text, encoding="utf-8")
    return path


def added(run: Run, box: Box, file: Path, *more: str) -> Any:
    words = ("automations", "add", str(file), "--maildir", box.place.path, "--user", ME, *more)
    return document(run, "automation", *words)


def test_what_a_step_can_do_is_listed_with_its_schema(run: Run, box: Box) -> None:
    listed = document(run, "automation-actions", "automations", "actions")
    actions = {one["name"]: one for one in listed["actions"]}
    assert {"search_emails", "agent_task", "slack_post", "notification"} <= actions.keys()
    assert actions["send_email"]["side_effects"] == ["EXTERNAL_WRITE", "USER_VISIBLE"]
    assert "prompt" in actions["agent_task"]["config_schema"]["required"]
    told = run("automations", "actions")
    assert "agent_task" in told.out


def test_the_example_of_the_page_is_checked_saved_run_and_explained(run: Run, box: Box) -> None:
    file = example(box.home)
    checked = document(run, "automation-check", "automations", "check", str(file))
    line = "condition of draft ← steps.found.emails"
    assert (checked["is_valid"], checked["errors"], checked["flows"]) == (True, [], [line])
    assert line in PAGE.read_text(encoding="utf-8")
    saved = added(run, box, file, "--flow", line)
    assert saved["automation"]["triggers"][0]["says"] == "It runs Monday to Friday at 07:00 (Europe/Berlin)."
    listed = document(run, "automations", "automations", "list")
    assert [one["name"] for one in listed["automations"]] == ["Invoices"]
    found = document(
        run, "automation-run", "automations", "run", "Invoices", "--input", "query=subject:offers"
    )
    assert found["run"]["status"] == "succeeded", found
    assert [(step["step_id"], step["state"]) for step in found["steps"]] == [
        ("find", "succeeded"),
        ("draft", "succeeded"),
        ("tell", "succeeded"),
    ]
    history = run("automations", "history", found["run"]["id"][:8])
    assert "find\tsearch_emails\tsucceeded" in history.out
    assert found["run"]["why"] == "You ran it by hand."
    runs = document(run, "automation-runs", "automations", "runs", "--automation", "Invoices")
    assert runs["runs"][0]["id"] == found["run"]["id"]
    again = document(run, "automation-run", "automations", "retry", found["run"]["id"][:8])
    assert again["run"]["id"] != found["run"]["id"] and again["run"]["status"] == "succeeded"
    assert again["inputs"] == found["inputs"] == {"query": "subject:offers"}
    assert again["run"]["why"] == f"You ran {found['run']['id'][:8]} once more."
    tried = document(run, "automation-test", "automations", "test", "Invoices", "--past", "14d")
    assert {one["trigger"] for one in tried["firings"]} == {"schedule"}
    assert (
        document(run, "automation", "automations", "disable", "Invoices")["automation"]["status"] == "paused"
    )
    assert (
        document(run, "automation", "automations", "enable", "Invoices")["automation"]["status"] == "active"
    )
    assert added(run, box, file, "--replaces", "Invoices")["automation"]["version"] == 2
    removed = document(run, "automation-removed", "automations", "remove", "Invoices")
    assert removed["name"] == "Invoices"
    assert run("automations", "list").code == 0


def test_errors_are_told_at_their_places_and_nothing_is_saved(run: Run, box: Box) -> None:
    file = box.home / "wrong.json"
    file.write_text(
        json.dumps({"schema_version": 1, "name": "x", "plan": [{"step_id": "A", "action": "fly"}]})
    )
    result = run("automations", "check", str(file))
    assert result.code == 1 and "/plan/0/step_id" in result.out
    result = run("automations", "add", str(file), "--maildir", box.place.path, "--user", ME)
    assert result.code != 0 and "/plan/0/step_id" in result.err
    file.write_text("[]")
    assert run("automations", "check", str(file)).code == 2


def test_saving_running_and_tokens_take_a_person(run: Run, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    file = example(box.home)
    added(run, box, file)
    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_nothing)
    assert run("automations", "add", str(file), "--maildir", box.place.path, "--user", ME).code == 5
    for words in (
        ("run", "Invoices"),
        ("retry", "0"),
        ("token", "Invoices"),
        ("remove", "Invoices"),
        ("enable", "Invoices"),
    ):
        assert run("automations", *words).code == 5, words
    assert run("automations", "disable", "Invoices").code == 0


def test_words_of_strangers_are_shown_before_it_is_saved(run: Run, box: Box) -> None:
    file = box.home / "reply.json"
    draft = {"to": ["{{ trigger.sender }}"], "subject": "s", "body": "b"}
    definition = {
        "schema_version": 1,
        "name": "Reply",
        "triggers": [{"type": "event", "event_type": "message.triaged"}, {"type": "webhook"}],
        "plan": [{"step_id": "draft", "action": "draft_email", "config": draft}],
    }
    file.write_text(json.dumps(definition))
    line = "recipient of draft ← trigger.sender"
    assert document(run, "automation-check", "automations", "check", str(file))["flows"] == [line]
    asked = added(run, box, file)
    assert (asked["allowed_flows"], asked["asked_flows"]) == ([], [line])
    allowed = added(run, box, file, "--replaces", "Reply", "--flow", line)
    assert (allowed["allowed_flows"], allowed["asked_flows"]) == ([line], [])
    token = document(run, "automation-token", "automations", "token", "Reply")
    assert token["token"].startswith("gaw_") and token["path"].endswith("/fire")
    assert token["token"] not in run("automations", "show", "Reply", "--json").out
