"""The runs as DBOS workflows. Importing this imports DBOS, so only `engine.py` does. `kinds.py` names them.

A step that fails is tried again by DBOS where that may help; one that a crash cut short is begun again at the next
start. What a step answered is kept, so a run that is resumed goes on after the last one that did.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from dbos import DBOS, SetEnqueueOptions, SetWorkflowID, error

from gaia_email.actions.account_session import AccountBusy
from gaia_email.runs import steps
from gaia_email.runs.job import Job, RunResult, as_object
from gaia_email.runs.kinds import checked, job_kind
from gaia_email.runs.queues import SHARED, queue_of
from gaia_email_registry.errors import NeedsApproval, ProviderError, RateLimited

JobJson = dict[str, object]
"""A job as JSON."""

ROUNDS, WAIT_S = 200, 240.0
"""How often a watch waits before it goes on as a new run (so that none grows for ever), and seconds each time."""

watched: dict[str, steps.RunHooks] = {}
"""What the interface of this very program wants to see of a run, by its id."""

environ: Mapping[str, str] = {}
"""The environment of the program that executes runs; set as it begins to."""

tell: Callable[[str], None] | None = None
"""Takes a sentence for the user of a program that stays; None in one that ends with the run it is there for."""


def _passes(problem: BaseException) -> bool:
    """Whether it may be better in a while: the server or the network, another program on the account.

    Where an interface waits for the run, its person is told at once instead.
    """
    return DBOS.workflow_id not in watched and isinstance(problem, (ProviderError, RateLimited, AccountBusy))


_tried_again = partial(
    DBOS.step,
    retries_allowed=True,
    interval_seconds=1,
    max_attempts=5,
    backoff_rate=3,
    should_retry=_passes,
)


def _held(work: Callable[[], RunResult]) -> RunResult:
    """The answer of a step; what may not start is no failure but an answer."""
    try:
        return work()
    except NeedsApproval as refused:
        return {"held": refused.message}


@_tried_again(name="plan")
def plan(job_json: JobJson) -> RunResult:
    """Settle, fetch, judge, and write down what is to be done."""
    job = Job.from_json(job_json)
    return _held(lambda: asyncio.run(steps.plan(job, hooks=watched.get(job.run_id), environ=environ)))


@_tried_again(name="apply")
def apply_some(job_json: JobJson) -> RunResult:
    """Do a batch of what is written down."""
    job = Job.from_json(job_json)
    return asyncio.run(steps.apply_some(job, hooks=watched.get(job.run_id), environ=environ))


@_tried_again(name="finish")
def finish(job_json: JobJson) -> RunResult:
    """Note the end, and what is told."""
    return asyncio.run(steps.finish(Job.from_json(job_json), environ=environ))


@_tried_again(name="wake")
def wake_due(job_json: JobJson) -> RunResult:
    """Bring back what was snoozed until now."""
    return _held(lambda: asyncio.run(steps.wake(Job.from_json(job_json), environ=environ)))


@DBOS.step(name="wait")
def wait_for_mail(job_json: JobJson) -> RunResult:
    """Wait until the mailbox changes, or answers again."""
    job = Job.from_json(job_json)
    return asyncio.run(steps.wait_for_mail(job, seconds=WAIT_S, tell=tell or steps.nobody, environ=environ))


@DBOS.step(name="may_start")
def may_start(job_json: JobJson) -> RunResult:
    """Whether switches and quiet hours let a run start."""
    return {"held": steps.held(Job.from_json(job_json), environ=environ)}


@DBOS.step(name="is_busy")
def is_busy(queue: str) -> bool:
    """Whether a run of the queue waits or is under way."""
    return bool(
        DBOS.list_workflows(queue_name=queue, status=["ENQUEUED", "PENDING"], load_input=False, limit=1)
    )


@DBOS.workflow(name="triage")
def triage(job_json: JobJson) -> RunResult:
    """A triage that acts."""
    told = plan(job_json)
    if told.get("held") or not told["messages"]:
        return told
    while told["actions"]:
        done = apply_some(job_json)
        if done["halted"]:
            return told | {"halted": done["halted"]} | finish(job_json)
        if not done["left"]:
            break
    return told | finish(job_json)


@DBOS.workflow(name="wake")
def wake(job_json: JobJson) -> RunResult:
    """Snoozed messages whose time has come."""
    return wake_due(job_json)


@DBOS.workflow(name="watch")
def watch(job_json: JobJson) -> RunResult:
    """Triages and wakes whenever the mailbox changes, and every few minutes.

    Taken up by a program that ends with another run, it is over; the next worker that watches begins another.
    """
    if tell is None:
        return {"rounds": 0}
    job = Job.from_json(job_json)
    rounds = 0
    for number in range(ROUNDS):
        rounds = number
        waited = wait_for_mail(job_json)
        held = may_start(job_json)["held"]
        if held and number:
            continue
        if waited["changed"] or not number:
            _begin(Job.to_json(_child(job, "triage", number)), "queue")
        _begin(Job.to_json(_child(job, "wake", number)), "queue")
    _begin(Job.to_json(_child(job, "watch", rounds)), "parallel")
    return {"rounds": rounds}


@DBOS.workflow(name="scheduled")
def scheduled(at: datetime, context: dict[str, object]) -> RunResult:
    """What a schedule starts: the run itself, on the account's queue, unless something holds it."""
    run: JobJson = as_object(context["job"]) | {"run_id": f"{DBOS.workflow_id}-run"}
    held = may_start(run)["held"]
    if held:
        return {"held": held}
    return _begin(run, str(context["overlap"]))


def _child(job: Job, kind: str, number: int) -> Job:
    return Job.from_json(job.to_json() | {"kind": kind, "run_id": f"{DBOS.workflow_id}-{kind}-{number}"})


def _begin(job_json: JobJson, overlap: str) -> RunResult:
    job = checked(Job.from_json(job_json))
    queue = SHARED if overlap == "parallel" else queue_of(job.place)
    only = f"{job.kind}:{job.place.key}" if overlap == "drop" else None
    if only and is_busy(queue):
        return {"dropped": job.run_id}
    try:
        with SetWorkflowID(job.run_id), SetEnqueueOptions(deduplication_id=only):
            DBOS.enqueue_workflow(queue, job_kind(job.kind).load(), job.to_json())
    except error.DBOSQueueDeduplicatedError:
        return {"dropped": job.run_id}
    return {"run_id": job.run_id}
