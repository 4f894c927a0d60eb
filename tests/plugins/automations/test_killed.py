"""Whatever dies in a run, and whenever: nothing is done twice, nothing is lost, and the history says how it ended."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from gaia_email.actions.one_call import CallAnswer
from gaia_email.actions.reconcile import UNKNOWN
from gaia_email.actions.writing import MailWriter
from gaia_email.ledger import Ledger
from gaia_email.models.client import ModelQuestion
from gaia_email.policy.gate import Pass
from gaia_email_automations import slack
from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.running import advance
from tests.plugins.automations.bench import AutomationBench
from tests.plugins.automations.samples import definition, tell

POINTS = 200
"""More than there are moments at which the plan below can be killed."""

QUICK, MANY = 20, 60


class Killed(BaseException):
    """The program ends here."""


class Reaper:
    """Kills at the moment of that number, counted over everything that is written or asked of a server."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.seen = 0

    def moment(self) -> None:
        self.seen += 1
        if self.seen == self.at:
            raise Killed

    def over(self, ledger: Ledger) -> None:
        """Have the ledger's transactions be moments, before and after each."""
        real = ledger.write

        @contextmanager
        def write() -> Generator[Connection, None, None]:
            self.moment()
            with real() as tx:
                yield tx
            self.moment()

        ledger.write = write  # type: ignore[method-assign]


def plan(message: str) -> dict[str, Any]:
    mail = {"to": ["ann@acme.example"], "subject": "The draft", "body": "b"}
    return definition(
        {"step_id": "label", "action": "create_label", "config": {"name": "Automated"}, "output_as": "label"},
        {"step_id": "archive", "action": "archive_email", "config": {"ids": [message]}},
        {"step_id": "draft", "action": "draft_email", "config": mail},
        {"step_id": "task", "action": "agent_task", "config": {"prompt": "Draft.", "tools": ["draft_email"]}},
        {"step_id": "post", "action": "slack_post", "config": {"webhook": "team", "text": "Hello"}},
        {"step_id": "add", "action": "sheet.add_row", "config": {"row": "one"}},
        {"step_id": "send", "action": "send_email", "config": {**mail, "subject": "The mail"}},
        tell("tell", "All done."),
        execution={"max_retries": 3, "retry_backoff": "none", "on_failure": [tell("told", "Failed.")]},
    )


def said(question: ModelQuestion) -> dict[str, Any]:
    """What the model of the task says: one draft, and then that it is done."""
    if "answer of draft_email" in question.user:
        return {"answer": {"text": "Done."}}
    mail = {"to": ["ann@acme.example"], "subject": "Of the task", "body": "b"}
    return {"name": "draft_email", "arguments": mail}


def killed_at(
    at: int, home: Path, renderer: TemplateRenderer, monkeypatch: pytest.MonkeyPatch
) -> tuple[AutomationBench, str, list[str], bool]:
    """The bench after a run that was killed at a moment and taken up again; and whether that moment came."""
    bench, posts, reaper = AutomationBench(home, renderer), list[str](), Reaper(0)
    bench.approve_tool("sheet", "add_row")
    slack.keep_webhook(bench.ledger, bench.environ, "team", "https://hooks.example/x")
    flows = ["recipient of task by draft_email ← its model"]
    run = bench.fire(bench.save(plan(bench.put("Invoice")), flows)).run
    bench.model.says = [said] * 50
    real = MailWriter.call

    async def call(self: MailWriter, given: Pass) -> CallAnswer:
        reaper.moment()
        answer = await real(self, given)
        reaper.moment()
        return answer

    async def posted(address: str, text: str) -> tuple[int, float]:
        reaper.moment()
        posts.append(text)
        reaper.moment()
        return 200, 0.0

    called = AutomationBench._called  # pyright: ignore[reportPrivateUsage]

    async def called_at(given: Pass) -> Mapping[str, Any]:
        reaper.moment()
        answer = await called(bench, given)
        reaper.moment()
        return answer

    monkeypatch.setattr(MailWriter, "call", call)
    bench.engine = replace(bench.engine, call_server=called_at)
    monkeypatch.setattr(slack, "_posted", posted)
    reaper.at = at
    reaper.over(bench.ledger)
    with suppress(BaseException):  # the kill, alone or in a group of those who waited for it
        to_the_end(bench, run.run_id)
    was_killed = reaper.seen >= at
    reaper.at = 0
    again = AutomationBench(home, renderer, bench.box)
    again.called = bench.called
    again.model = bench.model
    again.now = bench.now
    to_the_end(again, run.run_id)
    bench.ledger.close()
    return again, run.run_id, posts, was_killed


def to_the_end(bench: AutomationBench, run_id: str) -> None:
    for _ in range(100):
        told = advance(bench.engine, run_id)
        if told.status == "waiting" and bench.questions():
            bench.answer(yes=True)
        elif told.status not in ("running", "waiting"):
            return
    raise AssertionError("the run has no end")


def check(bench: AutomationBench, run_id: str, posts: list[str]) -> None:
    run = bench.run(run_id)
    done = {
        "label": [one["name"] for one in bench.box._labels.all()].count("Automated"),  # pyright: ignore[reportPrivateUsage]
        "archive": int(not bench.subjects("INBOX")),
        "draft": bench.subjects("DRAFT").count("The draft"),
        "task": bench.subjects("DRAFT").count("Of the task"),
        "post": len(posts),
        "add": len(bench.called),
        "send": bench.subjects("SENT").count("The mail"),
    }
    assert max(done.values()) <= 1, done
    steps = bench.steps(run)
    if run.status == "succeeded":
        assert set(done.values()) == {1}, done
        assert {one.state for one in steps.values()} == {"succeeded"}
    else:
        assert (run.status, run.error) == ("failed", UNKNOWN)
        assert run.failed_step_id in ("post", "add", "send")
        assert steps["told"].state == "succeeded"
        before = list(done)[: list(done).index(run.failed_step_id)]
        assert all(done[name] == 1 for name in before)
    assert "planned" not in bench.states()
    assert bench.kinds()[f"automation.run.{run.status}"] == 1
    bench.ledger.close()


@pytest.mark.parametrize("number", range(QUICK))
def test_a_run_that_is_killed_is_taken_up_and_does_nothing_twice(
    number: int, tmp_path: Path, renderer: TemplateRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = 1 + number * POINTS // QUICK
    bench, run_id, posts, _ = killed_at(at, tmp_path, renderer, monkeypatch)
    check(bench, run_id, posts)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(MANY))
def test_kills_at_any_moment(
    number: int, tmp_path: Path, renderer: TemplateRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = random.Random(number).randrange(1, POINTS)
    bench, run_id, posts, _ = killed_at(at, tmp_path, renderer, monkeypatch)
    check(bench, run_id, posts)


def test_the_moments_reach_to_the_end_of_the_plan(
    tmp_path: Path, renderer: TemplateRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, *_, was_killed = killed_at(10_000, tmp_path, renderer, monkeypatch)
    late.ledger.close()
    assert not was_killed
    bench, run_id, posts, was_killed = killed_at(1, tmp_path / "other", renderer, monkeypatch)
    assert was_killed
    check(bench, run_id, posts)
