"""What sets automations off: once each, in order, and never for ever."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from typing import Any

import pytest

from gaia_email_automations.dispatching import KEYS_HOLD_S, MOST_DEEP
from gaia_email_automations.saving import SavedBy, save
from gaia_email_automations.store import AutomationStore, StoredAutomation, StoredTrigger
from gaia_email_automations.triggers import (
    KeptTriggers,
    answered_runs,
    fire_missed,
    fire_schedule,
    last_due,
    look,
)
from gaia_email_registry.errors import NeedsApproval
from tests.plugins.automations.bench import ME, PLACE, AutomationBench
from tests.plugins.automations.samples import definition, tell

EVENT = {
    "type": "event",
    "event_type": "message.triaged",
    "filters": {"payload.bucket": {"equals": "urgent"}},
}


def trigger(bench: AutomationBench, saved: StoredAutomation, position: int = 0) -> StoredTrigger:
    with bench.ledger.read() as tx:
        return AutomationStore.of(bench.ledger).triggers(tx, automation_id=saved.automation_id)[position]


def test_an_event_sets_off_what_asks_for_it_once(bench: AutomationBench) -> None:
    bench.event(payload={"bucket": "urgent"})  # from before it was saved
    bench.save(
        definition(
            tell(text="{{ trigger.subject }} {{ inputs.score }}"),
            inputs={"schema": {"properties": {"score": {"type": "number"}}}},
            triggers=[{**EVENT, "inputs": {"score": "$.payload.score"}}],
        )
    )
    assert look(bench.ledger).fired == 0
    bench.event(payload={"bucket": "urgent", "score": 0.9}, subject="Now!", message_id="m1")
    bench.event(payload={"bucket": "informational"})
    bench.event(payload={"bucket": "urgent"}, account="you@example.org")
    assert look(bench.ledger).fired == 1
    assert look(bench.ledger).fired == 0
    (run,) = bench.runs()
    assert (run.trigger_type, run.tainted, run.inputs) == ("event", ["score"], {"score": 0.9})
    assert bench.steps(bench.finished(run))["tell"].config == {"text": "Now! 0.9"}


def test_a_look_that_is_cut_short_fires_nothing_twice(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.save(definition(triggers=[EVENT], execution={"concurrency": "allow_parallel"}))
    for _ in range(3):
        bench.event(payload={"bucket": "urgent"})

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(AutomationStore, "move_cursors", cut)
        look(bench.ledger)
    assert look(bench.ledger).fired == 0
    assert len(bench.runs()) == 3


def test_events_of_more_than_a_week_ago_and_pruned_ones_are_passed_over(bench: AutomationBench) -> None:
    bench.save(definition(triggers=[EVENT]))
    bench.event(payload={"bucket": "urgent"})
    bench.now += dt.timedelta(days=8)
    assert (look(bench.ledger).fired, bench.runs()) == (0, [])
    bench.event(payload={"bucket": "urgent"})
    with bench.ledger.write() as tx:
        bench.ledger.events.prune(tx, bench.now.timestamp() + 1)
    assert look(bench.ledger).fired == 0
    bench.event(payload={"bucket": "urgent"})
    assert look(bench.ledger).fired == 1


def test_what_is_switched_off_is_not_set_off_and_misses_what_happens(bench: AutomationBench) -> None:
    saved = bench.save(definition(triggers=[EVENT]))
    with bench.ledger.write() as tx:
        AutomationStore.of(bench.ledger).set_status(tx, saved.automation_id, "paused")
    bench.event(payload={"bucket": "urgent"})
    assert look(bench.ledger).fired == 0
    with bench.ledger.write() as tx:
        AutomationStore.of(bench.ledger).set_status(tx, saved.automation_id, "active")
    assert look(bench.ledger).fired == 0
    disabled = bench.save(definition(name="Off", triggers=[{**EVENT, "enabled": False}]))
    bench.event(payload={"bucket": "urgent"})
    assert look(bench.ledger).fired == 1
    with pytest.raises(NeedsApproval):
        bench.fire(disabled, trigger=trigger(bench, disabled), type="event")


def test_nothing_of_an_old_version_fires_again(bench: AutomationBench) -> None:
    saved = bench.save(definition(triggers=[EVENT]))
    old = trigger(bench, saved)
    by = SavedBy(account_id=ME, place=PLACE, owner=(ME,), actor="cli")
    save(bench.ledger, definition(tell(text="new")), by, automation_id=saved.automation_id)
    bench.event(payload={"bucket": "urgent"})
    assert look(bench.ledger).fired == 0
    assert fire_schedule(bench.ledger, old.trigger_id, bench.now) is None


def test_a_chain_goes_eight_deep_and_none_goes_round(bench: AutomationBench) -> None:
    def after(name: str, before: str) -> dict[str, Any]:
        condition = {"payload.name": {"equals": before}}
        event = {"type": "event", "event_type": "automation.run.succeeded", "filters": condition}
        return definition(name=name, triggers=[event])

    for number in range(1, MOST_DEEP + 3):
        bench.save(after(f"a{number}", f"a{number - 1}"))
    first = bench.save(after("a0", f"a{MOST_DEEP + 2}"))
    bench.finished(bench.fire(first).run)
    for _ in range(20):
        look(bench.ledger)
        for run in bench.runs():
            if run.status == "pending":
                bench.finished(run)
    assert Counter(run.status for run in bench.runs()) == {"succeeded": MOST_DEEP, "failed": 1}
    assert [run.error for run in bench.runs() if "in a row" in run.error]

    self_made = bench.save(
        definition(name="self", triggers=[{"type": "event", "event_type": "automation.run.*"}])
    )
    run = bench.fire(self_made).run
    bench.finished(run)
    for _ in range(5):
        look(bench.ledger)
    refused = [one for one in bench.runs() if len(one.chain) == 2 and one.chain[0] == one.chain[1]]
    assert refused and all("'self' and 'self'" in one.error for one in refused)
    assert len(refused) == 2  # for its start and its end, whose refusals set nothing off


@pytest.mark.parametrize(
    ("concurrency", "statuses"),
    [
        ("drop_if_running", ["pending", "cancelled"]),
        ("queue", ["pending", "pending"]),
        ("allow_parallel", ["pending", "pending"]),
    ],
)
def test_a_second_firing_in_each_concurrency(
    bench: AutomationBench, concurrency: str, statuses: list[str]
) -> None:
    saved = bench.save(definition(execution={"concurrency": concurrency}))
    bench.fire(saved)
    bench.fire(saved)
    assert sorted(run.status for run in bench.runs()) == sorted(statuses)


def test_a_key_gives_the_same_run_for_a_day(bench: AutomationBench) -> None:
    saved = bench.save(definition(triggers=[{"type": "webhook"}]))
    hook = trigger(bench, saved)

    def fired() -> tuple[str, bool]:
        made = bench.fire(saved, trigger=hook, type="webhook", key="k", keys_hold_s=KEYS_HOLD_S)
        return made.run.run_id, made.is_new

    first, _ = fired()
    bench.finished(bench.run(first))
    assert fired() == (first, False)
    bench.now += dt.timedelta(seconds=KEYS_HOLD_S + 1)
    assert fired()[1]


def test_inputs_that_do_not_fit_end_the_run_with_their_place(bench: AutomationBench) -> None:
    saved = bench.save(
        definition(
            inputs={"schema": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}},
            triggers=[{"type": "webhook", "inputs": {"n": "$.n"}}],
        )
    )
    run = bench.fire(saved, trigger=trigger(bench, saved), type="webhook", payload={"n": "x"}).run
    assert run.status == "failed" and "/n" in run.error
    run = bench.fire(saved, given={"n": 1, "m": 2}).run
    assert run.status == "failed" and "'m'" in run.error


def test_a_time_of_a_schedule_gives_one_run_however_often_it_is_told(bench: AutomationBench) -> None:
    saved = bench.save(
        definition(
            tell(text="{{ trigger.scheduled_for }} {{ inputs.since }}"),
            inputs={"schema": {"properties": {"since": {"default": "$last_fired_at"}}}},
            triggers=[{"type": "schedule", "cron": "0 7 * * *"}],
            execution={"concurrency": "allow_parallel"},
        )
    )
    schedule = trigger(bench, saved)
    at = bench.now.replace(hour=7)
    first = fire_schedule(bench.ledger, schedule.trigger_id, at)
    assert first is not None
    assert fire_schedule(bench.ledger, schedule.trigger_id, at + dt.timedelta(seconds=3)) == first
    bench.now -= dt.timedelta(hours=2)  # a clock that is set back makes no second one
    assert fire_schedule(bench.ledger, schedule.trigger_id, at) == first
    second = fire_schedule(bench.ledger, schedule.trigger_id, at + dt.timedelta(days=1))
    assert second is not None and second.run_id != first.run_id
    text = bench.steps(bench.finished(second))["tell"].config["text"]
    assert text == "2026-04-01T07:00:00+00:00 2026-03-31T12:00:00+00:00"


def test_missed_times_are_made_up_once_or_not_at_all(bench: AutomationBench) -> None:
    for missed in ("once", "skip"):
        bench.save(
            definition(name=missed, triggers=[{"type": "schedule", "cron": "0 * * * *", "missed": missed}])
        )
    assert fire_missed(bench.ledger) == 0
    bench.now += dt.timedelta(hours=5, minutes=30)
    assert fire_missed(bench.ledger) == 1
    assert fire_missed(bench.ledger) == 0
    (run,) = bench.runs()
    assert run.trigger_payload["scheduled_for"] == "2026-03-31T17:00:00+00:00"


@pytest.mark.parametrize(
    ("cron", "at", "fired"),
    [
        ("30 2 * * *", ["2026-10-25T00:30", "2026-10-25T01:30"], ["2026-10-25T00:30"]),  # 02:30 comes twice
        ("0 * * * *", ["2026-10-25T00:00", "2026-10-25T01:00"], ["2026-10-25T00:00", "2026-10-25T01:00"]),
        ("30 2 * * *", ["2026-03-29T01:00", "2026-03-30T00:30"], ["2026-03-29T01:00", "2026-03-30T00:30"]),
    ],
)
def test_fixed_hours_fire_once_on_both_sides_of_a_change_of_clocks(
    bench: AutomationBench, cron: str, at: list[str], fired: list[str]
) -> None:
    berlin = {"type": "schedule", "cron": cron, "timezone": "Europe/Berlin"}
    saved = bench.save(definition(triggers=[berlin], execution={"concurrency": "allow_parallel"}))
    for time in at:
        bench.now = dt.datetime.fromisoformat(f"{time}+00:00")
        due = last_due(cron, "Europe/Berlin", bench.now.timestamp() + 1)
        assert due.timestamp() == bench.now.timestamp()
        fire_schedule(bench.ledger, trigger(bench, saved).trigger_id, bench.now)
    assert [run.trigger_payload["scheduled_for"] for run in bench.runs()] == [
        f"{one}:00+00:00" for one in fired
    ]


def test_a_clock_that_is_set_back_fires_nothing_again_and_loses_no_event(bench: AutomationBench) -> None:
    bench.save(
        definition(name="daily", triggers=[{"type": "schedule", "cron": "0 7 * * *", "missed": "once"}])
    )
    bench.save(definition(name="event", triggers=[EVENT]))
    bench.now += dt.timedelta(days=1)
    bench.event(payload={"bucket": "urgent"})
    assert (fire_missed(bench.ledger), look(bench.ledger).fired) == (1, 1)
    for run in bench.runs():
        bench.finished(run)
    bench.now -= dt.timedelta(hours=12)
    assert (fire_missed(bench.ledger), look(bench.ledger).fired) == (0, 0)
    bench.event(payload={"bucket": "urgent"})
    assert look(bench.ledger).fired == 1


def test_triggers_are_read_anew_only_once_others_are_live(bench: AutomationBench) -> None:
    kept = KeptTriggers()
    first = bench.save(definition(name="first", triggers=[EVENT], execution={"concurrency": "queue"}))

    def fired() -> tuple[int, int]:
        bench.event(payload={"bucket": "urgent"})
        return look(bench.ledger, kept).fired, id(kept.index)

    count, index = fired()
    assert (count, fired()) == (1, (1, index))
    by = SavedBy(account_id=ME, place=PLACE, owner=(ME,), actor="cli")
    save(bench.ledger, definition(name="first"), by, automation_id=first.automation_id)
    assert fired()[0] == 0
    second = bench.save(definition(name="second", triggers=[EVENT], execution={"concurrency": "queue"}))
    count, changed = fired()
    assert count == 1 and changed != index
    with bench.ledger.write() as tx:
        AutomationStore.of(bench.ledger).set_status(tx, second.automation_id, "paused")
    assert fired()[0] == 0


def test_a_broken_filter_is_noted_once_and_disturbs_no_other(bench: AutomationBench) -> None:
    saved = bench.save(definition(name="bad", triggers=[EVENT]))
    bench.save(definition(name="good", triggers=[EVENT]))
    with bench.ledger.write() as tx:
        bad = {**EVENT, "filters": {"subject": {"regex": "("}}}
        stored = AutomationStore.of(bench.ledger).triggers(tx, automation_id=saved.automation_id)[0]
        AutomationStore.of(bench.ledger).change_trigger(tx, stored.trigger_id, config=json.dumps(bad))
    kept = KeptTriggers()
    bench.event(payload={"bucket": "urgent"})
    assert look(bench.ledger, kept).fired == 1
    for _ in range(3):
        look(bench.ledger, kept)
    assert bench.kinds()["automation.filter.warned"] == 1


def test_what_is_gone_when_its_event_is_looked_at_fails_with_that_sentence(bench: AutomationBench) -> None:
    read = {"step_id": "read", "action": "read_email", "config": {"messageId": "{{ trigger.message_id }}"}}
    bench.save(definition(read, triggers=[EVENT]))
    message = bench.put("Invoice")
    bench.event(payload={"bucket": "urgent"}, message_id=message)
    look(bench.ledger)
    del bench.box._store.messages[message]  # pyright: ignore[reportPrivateUsage]
    (run,) = bench.runs()
    run = bench.finished(run)
    assert run.status == "failed" and run.failed_step_id == "read" and message in run.error


def test_a_question_whose_time_is_over_ends_its_run(bench: AutomationBench) -> None:
    send = {"to": ["a@acme.example"], "subject": "s", "body": "b"}
    run = bench.result(definition({"step_id": "send", "action": "send_email", "config": send}))
    assert run.status == "waiting" and answered_runs(bench.ledger) == []
    bench.now += dt.timedelta(days=2)
    assert [one.run_id for one in answered_runs(bench.ledger)] == [run.run_id]
    assert bench.finished(run).status == "failed"
