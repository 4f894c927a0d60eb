"""What a run of an automation did is taken back like anything else, and what cannot be says so."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gaia_email.actions.undo import UndoOutcome, chosen_actions, undo
from gaia_email.ledger import Selection
from gaia_email_automations import slack
from gaia_email_automations.store import StoredAutomationRun
from tests.plugins.automations.bench import PLACE, AutomationBench
from tests.plugins.automations.samples import definition, tell

MAIL = {"to": ["ann@acme.example"], "subject": "The draft", "body": "b"}
DRAFT = {"step_id": "draft", "action": "draft_email", "config": MAIL}


def archive(*ids: str) -> dict[str, Any]:
    return {"step_id": "archive", "action": "archive_email", "config": {"ids": list(ids)}}


def taken_back(bench: AutomationBench, run: StoredAutomationRun) -> UndoOutcome:
    async def go() -> UndoOutcome:
        async with bench.engine.open_account(PLACE) as session:
            return await undo(session, chosen_actions(session, Selection(run_id=run.run_id)))

    return asyncio.run(go())


def test_drafts_labels_archives_and_notifications_are_taken_back(bench: AutomationBench) -> None:
    message = bench.put("Invoice")
    label = {"step_id": "label", "action": "create_label", "config": {"name": "Automated"}}
    run = bench.result(definition(label, archive(message), DRAFT, tell()))
    assert run.status == "succeeded" and bench.subjects("DRAFT") == ["The draft"]
    found = taken_back(bench, run)
    assert {one.action.action_type: one.reason for one in found.kept}.keys() <= {"create_label"}
    assert bench.subjects("INBOX") == ["Invoice"] and bench.subjects("DRAFT") == []
    with bench.ledger.read() as tx:
        assert bench.ledger.pending.select(tx) == []
        done = bench.ledger.actions.select(tx, Selection(run_id=run.run_id))
    assert {one.action_type for one in done if one.state == "reversed"} >= {
        "archive_email",
        "draft_email",
        "notification",
    }


def test_what_its_owner_changed_since_is_left_alone(bench: AutomationBench) -> None:
    kept, changed = bench.put("Kept"), bench.put("Changed")
    run = bench.result(definition(archive(kept, changed)))
    store = bench.box._store  # pyright: ignore[reportPrivateUsage]
    message = store.messages[changed]
    store.set_state(message, message.state.relabel(add=("INBOX",), remove=()))
    before = bench.subjects("INBOX")
    taken_back(bench, run)
    assert (before, bench.subjects("INBOX")) == (["Changed"], ["Changed", "Kept"])


def test_a_post_and_a_tool_of_another_server_say_that_they_cannot_be(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def posted(address: str, text: str) -> tuple[int, float]:
        return 200, 0.0

    monkeypatch.setattr(slack, "_posted", posted)
    slack.keep_webhook(bench.ledger, bench.environ, "team", "https://hooks.example/x")
    bench.approve_tool("sheet", "add_row")
    run = bench.result(
        definition(
            {"step_id": "post", "action": "slack_post", "config": {"webhook": "team", "text": "Hello"}},
            {"step_id": "add", "action": "sheet.add_row", "config": {"row": "one"}},
        )
    )
    reasons = {one.action.action_type: one.reason for one in taken_back(bench, run).kept}
    assert reasons["slack_post"].startswith("A post stays in Slack")
    assert reasons["sheet.add_row"].startswith("What a tool of another server did")
