"""Runs by the engine: one of an account at a time, cancelled, held, scheduled, and no mail in its database."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from dbos import DBOSClient
from msgspec import structs

from gaia_email.actions.account_session import locked_account
from gaia_email.ledger import open_ledger
from gaia_email.ledger.policy_store import PolicyStore
from gaia_email.mailbox.client import MailClient
from gaia_email.policy.switches import QuietHours, Switches
from gaia_email.runs import steps, workflows
from gaia_email.runs.engine import POLLING_S, STAYING_POLLING_S, client, executing, launch_engine, register
from gaia_email.runs.files import runs_file
from gaia_email.runs.history import add_schedule, cancel, cancel_all, remove_schedule, runs, schedules
from gaia_email.runs.host import execute
from gaia_email.runs.job import RunResult
from gaia_email.runs.queues import SHARED, queue_of
from gaia_email_registry.contract.wire import WaitResult
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from tests.runs.mailbox import SECRET, Box

pytestmark = pytest.mark.timeout(90)


def switched(box: Box, **what: float) -> None:
    with open_ledger(environ=box.environ) as ledger, ledger.write() as tx:
        store = PolicyStore(ledger)
        over = store.read(tx)
        store.save_switches(tx, structs.replace(Switches(), **what), over, change={"what": "test"})


def until(true: Callable[[], bool], seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        threading.Event().wait(0.05)


def test_a_run_does_its_work_and_its_database_holds_no_word_of_the_mail(box: Box) -> None:
    box.fill(6)
    told = execute(box.job("r1"), environ=os.environ)
    assert (told["messages"], told["actions"], told["applied"]) == (6, 6, 6)
    (flight,) = runs(box.environ)
    assert (flight.id, flight.state, flight.actions) == ("r1", "completed", 6)
    path = runs_file(box.environ)
    assert oct(path.stat().st_mode)[-3:] == "600"
    with sqlite3.connect(path) as database:
        kept = "\n".join(database.iterdump())
    database.close()
    assert '"messages":6' in kept
    assert SECRET not in kept
    assert "news.example" not in kept
    assert "gASV" not in kept  # how a pickle begins in base64


def test_two_triages_of_an_account_at_once_run_one_after_the_other(box: Box) -> None:
    box.fill(6)
    told: dict[str, RunResult] = {}

    def triage(run_id: str) -> None:
        told[run_id] = execute(box.job(run_id), environ=os.environ)

    threads = [threading.Thread(target=triage, args=(run_id,)) for run_id in ("r1", "r2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(str(one["actions"]) for one in told.values()) == ["0", "6"]
    assert len(runs(box.environ)) == 2
    turns = box.turns()  # DBOS writes down a run's end a moment after the next may begin
    assert turns
    assert len(turns) == len(set(turns))
    assert box.kinds()["action.applied"] == 9


def test_a_cancelled_run_makes_no_further_effect_and_is_not_taken_up_again(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.fill(8)
    monkeypatch.setattr(steps, "AT_ONCE", 4)

    def acting(done: int, total: int) -> None:
        cancel(box.environ, "r1")

    told = execute(box.job("r1"), hooks=steps.RunHooks(acting=acting), environ=os.environ)
    assert told == {"halted": steps.BY_USER}
    assert [flight.state for flight in runs(box.environ)] == ["cancelled"]
    assert (
        execute(box.job("r2"), environ=os.environ)["actions"] == 4
    )  # asked for anew, what was left is judged anew
    states = [action.state for action in box.actions() if action.run_id == "r1"]
    assert (states.count("applied"), states.count("failed"), len(states)) == (4, 4, 8)
    with pytest.raises(NotFound, match="ended already"):
        cancel(box.environ, "r1")


def test_the_stop_switch_ends_a_run_between_two_effects(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.fill(8)
    monkeypatch.setattr(steps, "AT_ONCE", 4)
    told = execute(
        box.job("r1"),
        hooks=steps.RunHooks(acting=lambda done, total: switched(box, stopped_at=time.time())),
        environ=os.environ,
    )
    assert "stopped" in str(told["halted"])
    assert [flight.state for flight in runs(box.environ)] == ["cancelled"]
    assert [action.state for action in box.actions()].count("applied") == 4
    assert "stopped" in str(execute(box.job("r2"), environ=os.environ)["held"])


def test_what_is_paused_does_not_start(box: Box) -> None:
    box.fill(1)
    switched(box, paused_at=time.time() - 1)
    assert "paused" in str(execute(box.job("r1"), environ=os.environ)["held"])
    assert not box.actions()
    assert runs(box.environ)[0].reason.startswith("The agent is paused")


def test_a_schedule_is_kept_listed_and_removed(box: Box) -> None:
    box.fill(1)
    job = box.job("", scheduled=True)
    made = add_schedule(box.environ, "morning", job, cron="0 7 * * *", zone="Europe/Berlin", overlap="drop")
    assert (made.zone, made.cron, made.active) == ("Europe/Berlin", "0 7 * * *", True)
    assert schedules(box.environ) == [made]
    for cron, zone, overlap in (
        ("0 25 * * *", "UTC", "drop"),
        ("0 7 * *", "UTC", "drop"),
        ("* * * * * *", "UTC", "drop"),
        ("0 7 * * *", "Mars/North", "drop"),
        ("0 7 * * *", "UTC", "parallel"),
    ):
        with pytest.raises(BadArgument):
            add_schedule(box.environ, "other", job, cron=cron, zone=zone, overlap=overlap)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(BadArgument, match="remove it first"):
        add_schedule(box.environ, "morning", job, cron="0 7 * * *", zone="UTC", overlap="drop")
    remove_schedule(box.environ, "morning")
    with pytest.raises(NotFound):
        remove_schedule(box.environ, "morning")


def test_what_a_schedule_starts_runs_obeys_quiet_hours_and_drops_what_would_pile_up(box: Box) -> None:
    box.fill(3)
    job = box.job("", scheduled=True)
    add_schedule(box.environ, "morning", job, cron="0 7 1 1 *", zone="Europe/Berlin", overlap="drop")
    with executing(box.environ) as here, client(box.environ) as using:
        assert here
        with launch_engine(box.environ):
            # So that the first is under way when the second comes.
            with locked_account(box.home, box.place.name):
                for count in (1, 2):
                    using.trigger_schedule("morning")
                    until(lambda count=count: scheduled(using) == count)  # type: ignore[misc]
            until(lambda: [flight.state for flight in runs(box.environ)] == ["completed"])
            outcomes = [one.output for one in using.list_workflows(name="scheduled")]
            assert sorted("dropped" if "dropped" in one else "ran" for one in outcomes if one) == [
                "dropped",
                "ran",
            ]
            _quiet(box)
            using.trigger_schedule("morning")
            until(lambda: scheduled(using) == 3)
    assert len(runs(box.environ)) == 1
    assert runs(box.environ)[0].scheduled
    assert {action.autonomy_level for action in box.actions()} == {"L5"}


def scheduled(using: DBOSClient) -> int:
    return len(using.list_workflows(name="scheduled", status="SUCCESS"))


def _quiet(box: Box) -> None:
    hours = QuietHours.parse("00:00", "23:59", "UTC")
    with open_ledger(environ=box.environ) as ledger, ledger.write() as tx:
        store = PolicyStore(ledger)
        over = store.read(tx)
        store.save_policy(tx, replace(over.policy, quiet_hours=hours), over, change={"what": "test"})


def test_a_stop_cancels_what_waits(box: Box) -> None:
    box.fill(1)
    with client(box.environ) as using:
        register(using, box.place)
        options = {"workflow_name": "triage", "queue_name": queue_of(box.place), "workflow_id": "r1"}
        using.enqueue(options, box.job("r1").to_json())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert [flight.state for flight in runs(box.environ)] == ["queued"]
    assert cancel_all(box.environ) == 1
    assert [flight.state for flight in runs(box.environ)] == ["cancelled"]


def test_a_broken_database_of_runs_is_said_to_be_one(box: Box) -> None:
    path = runs_file(box.environ)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(ProviderError, match=r"runs\.db cannot be used"):
        execute(box.job("r1"), environ=os.environ)


def test_reading_runs_makes_no_database(box: Box) -> None:
    assert runs(box.environ) == []
    assert schedules(box.environ) == []
    assert cancel_all(box.environ) == 0
    assert not runs_file(box.environ).exists()


def test_a_watch_triages_what_arrives_and_goes_on_as_a_run_of_its_own(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.fill(2)
    monkeypatch.setattr(workflows, "ROUNDS", 1)
    monkeypatch.setattr(workflows, "WAIT_S", 0.2)
    with executing(box.environ) as here, client(box.environ) as using:
        assert here
        register(using, box.place)
        options = {"workflow_name": "watch", "queue_name": SHARED, "workflow_id": "w"}
        using.enqueue(options, box.job("w", "watch", scheduled=True).to_json())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        with launch_engine(box.environ, tell=print):
            until(lambda: any(one.state == "completed" and one.kind == "triage" for one in runs(box.environ)))
            until(lambda: sum(one.kind == "watch" for one in runs(box.environ)) >= 2)
            cancel_all(box.environ)
    assert {action.state for action in box.actions()} == {"applied"}
    assert len(box.actions()) == 2
    found = runs(box.environ)
    assert {one.state for one in found if one.id == "w"} == {"completed"}


def test_a_watch_that_a_dead_worker_left_is_not_taken_up_by_who_only_runs_a_triage(box: Box) -> None:
    box.fill(1)
    with executing(box.environ) as here, client(box.environ) as using:
        assert here
        register(using, box.place)
        options = {"workflow_name": "watch", "queue_name": SHARED, "workflow_id": "w"}
        using.enqueue(options, box.job("w", "watch", scheduled=True).to_json())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        with launch_engine(box.environ):
            until(lambda: using.retrieve_workflow("w").get_status().status == "SUCCESS")
    assert not box.actions()


def test_a_worker_looks_at_its_queues_now_and_then_and_who_waits_for_a_run_all_the_time(box: Box) -> None:
    with executing(box.environ) as here, client(box.environ) as using:
        assert here
        register(using, box.place)

        def intervals() -> set[float]:
            found = [using.retrieve_queue(name) for name in (SHARED, queue_of(box.place))]
            return {queue.polling_interval_sec for queue in found if queue is not None}

        with launch_engine(box.environ, tell=print):
            assert intervals() == {STAYING_POLLING_S}
        with launch_engine(box.environ):
            assert intervals() == {POLLING_S}


def test_a_mailbox_that_is_away_is_waited_for_said_once_and_looked_at_anew(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.fill(1)
    failures = 3

    async def away(self: MailClient, cursor: str, *, timeout_s: float) -> WaitResult:
        nonlocal failures
        if failures:
            failures -= 1
            raise ProviderError("The server is away.")
        return {"changed": False, "cursor_hint": cursor}

    monkeypatch.setattr(MailClient, "wait_for_changes", away)
    monkeypatch.setattr("gaia_email.triage.watch.FIRST_PAUSE_S", 0.0)
    said: list[str] = []
    waited = steps.wait_for_mail(box.job("r1", "watch"), seconds=0.0, tell=said.append, environ=box.environ)
    assert asyncio.run(waited)["changed"], "mail may have come while nobody could look"
    assert [sentence.split(": ", 1)[1] for sentence in said] == [
        "The server is away. Trying again until it answers.",
        "the mailbox answers again.",
    ]


@pytest.mark.parametrize("news", [False, True])
def test_a_server_that_always_says_something_changed_starts_no_run_and_rests_until_something_has(
    box: Box, monkeypatch: pytest.MonkeyPatch, *, news: bool
) -> None:
    box.fill(2)

    async def at_once(self: MailClient, cursor: str, *, timeout_s: float) -> WaitResult:
        if news:
            box.fill(1, start=2)
        return {"changed": True, "cursor_hint": cursor}

    monkeypatch.setattr(MailClient, "wait_for_changes", at_once)
    monkeypatch.setattr(steps, "REST_S", 0.2)
    began = time.monotonic()
    told = asyncio.run(steps.wait_for_mail(box.job("r1", "watch"), seconds=60, environ=box.environ))
    assert told["changed"] is news
    assert news or time.monotonic() - began >= 0.2
