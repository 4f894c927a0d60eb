"""Runs of automations on a Maildir, executed by DBOS; what it keeps holds no word of mail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.operations.acting import UndoInput, undo
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.services.answers import approve
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import NewLedgerEvent
from gaia_email.runs.engine import client
from gaia_email.runs.files import runs_file
from gaia_email.runs.history import cancel, runs, schedules
from gaia_email.runs.host import execute, until_over
from gaia_email_automations import slack
from gaia_email_automations.hosting import look_once
from gaia_email_automations.queueing import SCHEDULE, queue_of_run, take_up, workflow_id
from gaia_email_automations.store import AutomationStore, StoredAutomationRun
from gaia_email_automations.use_cases import (
    run_by_hand,
    run_named,
    save_automation,
    switch_automation,
    try_on_past,
)
from tests.origins import PERSON
from tests.plugins.automations.samples import definition, tell
from tests.runs.mailbox import ME, SECRET, Box

FIND = {
    "step_id": "find",
    "action": "search_emails",
    "config": {"query": f"subject:{SECRET}"},
    "output_as": "found",
}
TELL = tell(text="{{ steps.found.emails | length }}: {{ (steps.found.emails | first).subject }}")
ARCHIVE = {
    "step_id": "archive",
    "action": "archive_email",
    "config": {"ids": ["{{ (steps.found.emails | first).id }}"]},
}


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    made = Box(tmp_path)
    made.fill(3)
    return made


def saved(box: Box, *plan: dict[str, Any], **more: Any) -> str:
    source = SourceSpec(kind="maildir", path=box.place.path, user=(ME,))
    made = save_automation(
        App(environ=box.environ), source, definition(*plan, **more), flows=(), automation_id="", actor="cli"
    )
    return made.automation.automation_id


def executed(box: Box, run: StoredAutomationRun) -> StoredAutomationRun:
    with client(box.environ) as using:
        until_over(using, workflow_id(run), box.environ)
    return run_named(App(environ=box.environ), run.run_id).run


@pytest.mark.timeout(180)
def test_a_run_is_executed_and_waits_for_a_person_without_a_worker(box: Box) -> None:
    app = App(environ=box.environ)
    found = run_by_hand(app, saved(box, FIND, TELL, ARCHIVE), {}, wait=True)
    run = found.run
    assert (run.status, run.error) == ("waiting", "")
    assert [step.state for step in found.steps] == ["succeeded", "succeeded", "waiting"]
    assert found.steps[1].config["text"].startswith(f"3: {SECRET}")
    assert SECRET.encode() not in runs_file(box.environ).read_bytes()
    confirmation = found.steps[2].confirmation_id or ""
    (answer,) = approve(app, [confirmation], interface="cli")
    assert (answer.result, "gaia email worker" in answer.reason) == ("later", True)
    assert box.actions() == []
    with app.ledger() as ledger:
        look_once(box.environ, ledger)
    run = executed(box, run_named(app, run.run_id).run)
    assert (run.status, run.turn) == ("succeeded", 1)
    (action,) = box.actions()
    assert (action.action_type, action.state, action.run_id) == ("archive_email", "applied", run.run_id)
    assert {one.kind for one in runs(box.environ)} == {"automation"}
    assert box.kinds()["automation.run.succeeded"] == 1


@pytest.mark.timeout(180)
def test_what_a_run_did_is_taken_back_by_its_id(box: Box) -> None:
    app = App(environ=box.environ)
    source = SourceSpec(kind="maildir", path=box.place.path, user=(ME,))
    plan, flows = definition(FIND, ARCHIVE, TELL), ["id of archive ← steps.found.emails"]
    made = save_automation(app, source, plan, flows=flows, automation_id="", actor="cli")
    run = run_by_hand(app, made.automation.automation_id, {}, wait=True).run
    assert run.status == "succeeded"
    asked = UndoInput(id=run.run_id)
    undone = undo.run(app, OperationCall(asked=asked, origin=PERSON, by_person=True, sources=[source]))
    assert {one["type"] for one in undone["taken_back"]} == {"archive_email", "notification"}
    assert undone["kept"] == []
    with app.ledger() as ledger, ledger.read() as tx:
        assert ledger.pending.select(tx) == []


@pytest.mark.timeout(180)
def test_a_run_that_the_engine_has_lost_is_taken_up_and_a_cancelled_one_ends(box: Box) -> None:
    app = App(environ=box.environ)
    id_ = saved(box, FIND, TELL, execution={"concurrency": "queue"})
    lost = run_by_hand(app, id_, {}, wait=False).run
    cancelled = run_by_hand(app, id_, {}, wait=False).run
    cancel(box.environ, cancelled.run_id)
    with app.ledger() as ledger:
        with ledger.write() as tx:
            AutomationStore.of(ledger).change_run(tx, cancelled.run_id, status="running")
        take_up(box.environ, ledger)
    assert run_named(app, cancelled.run_id).run.status == "cancelled"
    for path in runs_file(box.environ).parent.glob("runs.db*"):
        path.unlink()
    with app.ledger() as ledger:
        with ledger.write() as tx:
            AutomationStore.of(ledger).change_run(
                tx, lost.run_id, status="running", started_at=ledger.clock()
            )
        assert take_up(box.environ, ledger) == 1
        look_once(box.environ, ledger)
    assert executed(box, run_named(app, lost.run_id).run).status == "succeeded"


def test_schedules_of_triggers_are_dboss_and_no_others(box: Box) -> None:
    id_ = saved(box, triggers=[{"type": "schedule", "cron": "0 7 * * *", "timezone": "Europe/Berlin"}])
    with client(box.environ) as using:
        (made,) = using.list_schedules()
    assert str(made["schedule_name"]).startswith(SCHEDULE)
    assert (made["schedule"], made["cron_timezone"]) == ("0 7 * * *", "Europe/Berlin")
    assert schedules(box.environ) == []
    switch_automation(App(environ=box.environ), id_, "paused", actor="cli")
    with client(box.environ) as using:
        assert list(using.list_schedules()) == []


def test_a_try_on_the_past_says_what_would_have_fired_and_calls_nothing(box: Box) -> None:
    app = App(environ=box.environ)
    event = {"type": "event", "event_type": "message.triaged", "filters": {"subject": {"contains": "offers"}}}
    id_ = saved(
        box,
        tell(text="{{ trigger.subject }}"),
        tell("later", "{{ trigger.missing }}"),
        triggers=[event, {"type": "schedule", "cron": "0 7 * * *"}],
    )
    with app.ledger() as ledger:
        with ledger.write() as tx:
            for subject in ("offers", "others"):
                kind = "message.triaged"
                account = box.place.name
                ledger.events.append(tx, NewLedgerEvent(kind=kind, account_id=account, subject=subject))
        before = box.kinds()
        _, fired = try_on_past(app, id_, ledger.clock() - 3 * 86_400)
    assert [one.trigger for one in fired] == ["schedule"] * 3 + ["event"]
    assert fired[-1].configs["tell"] == {"text": "offers"}
    assert "missing" in fired[-1].unknown["later"]
    assert box.kinds() == before


def test_a_longer_plan_waits_in_another_queue(box: Box) -> None:
    app = App(environ=box.environ)
    brief = {"step_id": "brief", "action": "brief_generation"}
    for plan, queue in (([tell()], "automations-short"), ([brief], "automations-medium")):
        run = run_by_hand(app, saved(box, *plan, name=queue), {}, wait=False).run
        assert queue_of_run(run) == queue


@pytest.mark.timeout(180)
def test_a_triage_sets_off_what_asks_for_the_mail_it_judged(box: Box) -> None:
    app = App(environ=box.environ)
    event = {
        "type": "event",
        "event_type": "message.triaged",
        "filters": {"payload.bucket": {"equals": "low_priority"}, "subject": {"regex": "offers [01],"}},
    }
    saved(box, tell(text="{{ trigger.subject }}"), triggers=[event], execution={"concurrency": "queue"})
    execute(box.job("r1"), environ=box.environ)
    with app.ledger() as ledger:
        look_once(box.environ, ledger)
        with ledger.read() as tx:
            pending = AutomationStore.of(ledger).runs(tx)
    texts = {executed(box, run).trigger_payload["subject"].split(",")[0] for run in pending}
    assert texts == {f"{SECRET} offers 0", f"{SECRET} offers 1"}


@pytest.mark.timeout(180)
def test_a_digest_is_made_and_posted_where_its_flow_was_saved(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, posts = App(environ=box.environ), list[str]()

    async def posted(address: str, text: str) -> tuple[int, float]:
        posts.append(text)
        return 200, 0.0

    monkeypatch.setattr(slack, "_posted", posted)
    monkeypatch.setenv("GAIA_VAULT", "file")
    environ = {**box.environ, "GAIA_VAULT": "file"}
    with app.ledger() as ledger:
        slack.keep_webhook(ledger, environ, "team", "https://hooks.example/secret")
    brief = {
        "step_id": "brief",
        "action": "brief_generation",
        "config": {"kind": "morning"},
        "output_as": "brief",
    }
    post = {
        "step_id": "post",
        "action": "slack_post",
        "config": {"webhook": "team", "text": "{{ steps.brief.text }}"},
    }
    asked = run_by_hand(App(environ=environ), saved(box, brief, post), {}, wait=True)
    assert asked.run.status == "failed" and "text of post ← steps.brief.text" in asked.run.error
    source = SourceSpec(kind="maildir", path=box.place.path, user=(ME,))
    allowed = save_automation(
        app,
        source,
        definition(brief, post, name="Digest"),
        flows=["text of post ← steps.brief.text"],
        automation_id="",
        actor="cli",
    )
    done = run_by_hand(App(environ=environ), allowed.automation.automation_id, {}, wait=True)
    assert (done.run.status, len(posts)) == ("succeeded", 1)
    assert "hooks.example" not in str(done)
