"""The table of the kinds of run: what follows it, and that what an older program kept still reads."""

from __future__ import annotations

import json
import os

import pytest
from dbos import DBOS

from gaia_email.app.documents.schemas import schema
from gaia_email.interfaces.cli.commands.schedule import add
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.runs import kinds, workflows
from gaia_email.runs.arguments import Arguments, TriageArguments
from gaia_email.runs.engine import client, register
from gaia_email.runs.here import run_here
from gaia_email.runs.history import add_schedule, runs, schedules
from gaia_email.runs.host import execute
from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.job_kind import JobKind
from gaia_email.runs.kinds import JOB_KINDS, check_job, job_kind, kind_names
from gaia_email.runs.queues import queue_of
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import UNKNOWN
from tests.origins import PERSON
from tests.runs.mailbox import ME, Box

pytestmark = pytest.mark.timeout(90)


def counted_to(arguments: Arguments) -> Arguments:
    if not isinstance(arguments.get("to"), int):
        raise BadArgument("to is a number.", argument="to")
    return arguments


@DBOS.workflow(name="count")
def count(job_json: dict[str, object]) -> RunResult:
    job = Job.from_json(job_json)
    return {"messages": int(str(job.arguments["to"]))}


COUNT = JobKind(
    name="count", title="a count", check=counted_to, workflow="tests.runs.test_kinds:count", parallel=True
)


def older(box: Box, kind: str, **changed: object) -> dict[str, object]:
    """A job as the program kept it before kinds had arguments of their own."""
    kept = (
        '{"kind": "triage", "run_id": "r1", "place": PLACE, "owner": ["me@example.org"], "since": null, '
        '"again": false, "scheduled": false}'
    )
    return json.loads(kept.replace("PLACE", json.dumps(box.place.to_json()))) | {"kind": kind} | changed


@pytest.mark.parametrize("kind", JOB_KINDS, ids=lambda kind: kind.name)
def test_what_runs_a_kind_is_there_under_its_name(kind: JobKind) -> None:
    assert kind.load().__qualname__ == kind.name
    if kind.workflow.startswith("gaia_email.runs."):
        assert kind.load() is getattr(workflows, kind.name)
    assert bool(kind.here) is kind.scheduled


@pytest.mark.parametrize("kind", ["triage", "wake", "watch"])
def test_what_an_older_program_kept_is_read_checked_and_kept_as_it_reads_it(box: Box, kind: str) -> None:
    job = check_job(Job.from_json(older(box, kind)))
    assert job == Job(kind=kind, run_id="r1", place=box.place, owner=(ME,), origin=UNKNOWN)
    if kind == "triage":
        job = check_job(Job.from_json(older(box, kind, since=1.5, again=True, scheduled=True)))
        assert TriageArguments.of(job.arguments) == TriageArguments(since=1.5, again=True)
    kept = {name: value for name, value in job.to_json().items() if name != "origin"}
    assert kept.items() <= older(box, kind, since=1.5, again=True, scheduled=job.scheduled).items()
    assert Job.from_json(job.to_json()) == job


def test_a_run_that_an_older_program_asked_for_is_executed_and_listed(box: Box) -> None:
    box.fill(2)
    with client(box.environ) as using:
        register(using, box.place)
        options = {"workflow_name": "triage", "queue_name": queue_of(box.place), "workflow_id": "r1"}
        using.enqueue(options, older(box, "triage"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    execute(box.job("r2"), environ=os.environ)
    assert {(one.id, one.kind, one.state) for one in runs(box.environ)} == {
        ("r1", "triage", "completed"),
        ("r2", "triage", "completed"),
    }


def test_a_kind_that_a_package_adds_is_run_scheduled_and_listed(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "JOB_KINDS", (*JOB_KINDS, COUNT))
    job = Job(kind="count", run_id="c1", place=box.place, arguments={"to": 3}, origin=PERSON)
    assert execute(job, environ=os.environ) == {"messages": 3}
    assert [(one.kind, one.messages, one.state) for one in runs(box.environ)] == [("count", 3, "completed")]
    made = add_schedule(box.environ, "counting", job, cron="0 7 * * *", zone="UTC", overlap="parallel")
    assert schedules(box.environ) == [made]
    with pytest.raises(BadArgument, match="Without the database of runs a count"):
        run_here(job, environ=box.environ)
    with pytest.raises(BadArgument, match="to is a number"):
        execute(Job(kind="count", run_id="c2", place=box.place, origin=PERSON), environ=os.environ)
    assert len(runs(box.environ)) == 1, "what was refused was not begun"


def test_a_kind_that_is_not_known_here_is_listed_and_not_run(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(kind="count", run_id="", place=box.place, arguments={"to": 3}, origin=PERSON)
    with monkeypatch.context() as newer:
        newer.setattr(kinds, "JOB_KINDS", (*JOB_KINDS, COUNT))
        add_schedule(box.environ, "counting", job, cron="0 7 * * *", zone="UTC", overlap="drop")
    assert [one.kind for one in schedules(box.environ)] == ["count"]
    for refused in (lambda: execute(job, environ=os.environ), lambda: run_here(job, environ=box.environ)):
        with pytest.raises(
            BadArgument,
            match="'count' is not a kind of run; runs are triage, wake, brief, chase, prep",
        ):
            refused()


@pytest.mark.parametrize(
    ("kind", "arguments", "said"),
    [
        ("triage", {"since": "yesterday"}, "epoch seconds"),
        ("triage", {"since": True}, "epoch seconds"),
        ("triage", {"again": 1}, "since and again"),
        ("triage", {"body": "words"}, "body. .* since and again"),
        ("wake", {"since": 1.0}, "since. .* none"),
        ("watch", {"since": 0.0}, "since. .* none"),
    ],
)
def test_arguments_that_a_kind_does_not_take_are_refused(
    kind: str, arguments: dict[str, object], said: str
) -> None:
    job = Job(
        kind=kind, run_id="r", place=MailboxRef(kind="maildir", path="/m"), arguments=arguments, origin=PERSON
    )
    with pytest.raises(BadArgument, match=said):
        check_job(job)


def test_no_schedule_starts_what_has_no_end_nor_two_at_once_of_what_runs_alone(box: Box) -> None:
    for kind, overlap, said in (
        ("watch", "drop", "A watch never ends"),
        ("triage", "parallel", "cannot run twice at once"),
    ):
        with pytest.raises(BadArgument, match=said):
            add_schedule(
                box.environ,
                "x",
                box.job("", kind),
                cron="0 7 * * *",
                zone="UTC",
                overlap=overlap,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            )
    assert not schedules(box.environ)


def test_command_and_schemas_name_the_kinds_of_the_table() -> None:
    (kind,) = (parameter for parameter in add.params if parameter.name == "kind")
    assert kind.metavar == "|".join(kind_names(scheduled=True)) == "triage|wake|brief|chase|prep"
    assert json.dumps(list(kind_names())) in json.dumps(schema("runs"))
    assert json.dumps(list(kind_names())) in json.dumps(schema("schedule"))
    assert job_kind("wake").parallel
