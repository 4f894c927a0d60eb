"""`automations propose` and what follows: drafts are shown, changed, and saved by a person alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gaia_email.app.documents.layouts.filled_card import fill_layout
from gaia_email.interfaces.cli import person
from gaia_email_automations.cards import BEFORE_SAVING
from tests.cli.printed import Run, document
from tests.plugins.automations.test_command import scripts_say_nothing
from tests.runs.mailbox import ME, Box

WORDS = "when a newsletter arrives, label it Offers and tell bob"


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    made = Box(tmp_path)
    made.fill(1)
    return made


def named(box: Box) -> tuple[str, ...]:
    return ("--maildir", box.place.path, "--user", ME)


def test_a_sentence_is_proposed_refined_and_saved(run: Run, box: Box) -> None:
    draft = document(run, "automation-draft", "automations", "propose", WORDS)
    assert (draft["missing"], draft["is_complete"], draft["by"]) == (["recipient"], False, "grammar")
    assert len(draft["checks"]) == 7
    assert draft["flows"] == ["id of put ← trigger.message_id", "id of put ← steps.label.label.id"]
    refused = run("automations", "save", draft["id"], *named(box))
    assert refused.code != 0 and "bob" in refused.err and "--set recipient=VALUE" in refused.err
    changed = document(
        run,
        "automation-draft",
        "automations",
        "refine",
        draft["id"],
        "call it Offers",
        "--set",
        "recipient=bob@x.example",
    )
    assert changed["changes"] == [{"op": "replace", "path": "/name", "value": "Offers"}]
    assert changed["is_complete"]
    saved = document(
        run, "automation", "automations", "save", draft["id"], "--flow", draft["flows"][0], *named(box)
    )
    assert saved["automation"]["name"] == "Offers"
    assert (saved["allowed_flows"], saved["asked_flows"]) == (draft["flows"][:1], draft["flows"][1:])
    assert run("automations", "draft", draft["id"]).code != 0


def test_saving_a_draft_takes_a_person(run: Run, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = document(run, "automation-draft", "automations", "propose", "--starter", "vip_alert")
    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_nothing)
    assert run("automations", "save", draft["id"], *named(box)).code == 5
    assert document(run, "automations", "automations", "list")["automations"] == []
    assert [one["id"] for one in document(run, "automation-drafts", "automations", "drafts")["drafts"]] == [
        draft["id"]
    ]


def test_a_definition_goes_from_machine_to_machine(run: Run, box: Box) -> None:
    draft = document(run, "automation-draft", "automations", "propose", "--starter", "vip_alert")
    document(run, "automation", "automations", "save", draft["id"], *named(box))
    exported = run("automations", "export", "VIP alert")
    file = box.home / "vip.json"
    definition = json.loads(exported.out)
    definition["name"] = "VIPs"
    file.write_text(json.dumps(definition))
    difference = document(run, "automation-diff", "automations", "diff", "VIP alert", str(file))
    assert difference["changes"] == [{"op": "replace", "path": "/name", "value": "VIPs"}]
    imported = document(run, "automation-draft", "automations", "import", str(file))
    assert imported["by"] == "file" and imported["flows"]
    saved = document(
        run, "automation", "automations", "save", imported["id"], "--replaces", "VIP alert", *named(box)
    )
    assert (saved["automation"]["name"], saved["automation"]["version"]) == ("VIPs", 2)
    assert document(run, "automation-diff", "automations", "diff", "VIPs")["changes"] == difference["changes"]
    assert run("automations", "diff", "VIPs", "--version", "7").code != 0


def test_a_patch_from_a_file_is_applied_or_refused_whole(run: Run, box: Box) -> None:
    draft = document(run, "automation-draft", "automations", "propose", "--starter", "vip_alert")
    file = box.home / "patch.json"
    file.write_text(json.dumps([{"op": "remove", "path": "/plan/0"}]))
    changed = document(run, "automation-draft", "automations", "refine", draft["id"], "--patch", str(file))
    assert [step["step_id"] for step in changed["definition"]["plan"]] == ["tell"]
    file.write_text(json.dumps([{"op": "remove", "path": "/plan/7"}]))
    assert run("automations", "refine", draft["id"], "--patch", str(file)).code == 2


def test_starters_say_what_they_ask(run: Run) -> None:
    found = document(run, "automation-starters", "automations", "starters")["starters"]
    assert len(found) == 12
    assert next(one for one in found if one["name"] == "invoice_note")["asks"] == [
        "Which label?",
        "Who is told of invoices?",
    ]


def test_what_happens_after_a_failure_is_shown_before_the_question(
    run: Run, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = box.home / "elsewhere.json"
    mail = {"to": ["eve@evil.example"], "subject": "s", "body": "b"}
    definition = {
        "schema_version": 1,
        "name": "Elsewhere",
        "plan": [{"step_id": "look", "action": "read_email", "config": {"messageId": "none"}}],
        "execution": {"on_failure": [{"step_id": "tidy", "action": "send_email", "config": mail}]},
    }
    file.write_text(json.dumps(definition))
    sentence = "If a step fails, tidy: send_email ("
    check = document(run, "automation-check", "automations", "check", str(file))
    draft = document(run, "automation-draft", "automations", "import", str(file))
    for found in (check, draft):
        lines = "\n".join(fill_layout(BEFORE_SAVING, found, {"allowed": ()}).text_lines())
        assert sentence in lines and "It writes to eve@evil.example." in lines
    with monkeypatch.context() as patched:
        patched.setattr(person, "scripts_may_answer", scripts_say_nothing)
        for words in (("add", str(file)), ("save", draft["id"])):
            refused = run("automations", *words, *named(box))
            assert refused.code == 5
            assert sentence in refused.err and "It writes to eve@evil.example." in refused.err
    saved = document(run, "automation", "automations", "add", str(file), *named(box))
    assert any(sentence in one for one in saved["steps"])
