"""The runs as DBOS workflows, named by `kinds.py`. Importing this imports DBOS, so only `engine.py` does.

DBOS retries a failed step if that may help; a step interrupted by a crash restarts at the next start. Results of
steps are stored, so a resumed run continues after the last completed step.
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
from gaia_email.runs.kinds import check_job, job_kind
from gaia_email.runs.queues import SHARED, queue_of
from gaia_email_registry.errors import NeedsApproval, ProviderError, RateLimited

JobJson = dict[str, object]
"""A job as JSON."""

ROUNDS, WAIT_S = 200, 240.0
"""Waits before a watch continues as a new run (so that none grows forever), and seconds per wait."""

watched: dict[str, steps.RunHooks] = {}
"""Hooks of this program's interface, by run ID."""

environ: Mapping[str, str] = {}
"""The environment of the program that executes runs, set when it starts."""

tell: Callable[[str], None] | None = None
"""Shows a sentence to the user in a program that stays; None in one that ends with its run."""


def _passes(problem: BaseException) -> bool:
    """Return True if a retry may help: server, network, or another program on the account.

    If an interface is waiting for the run, the error is shown to its user at once instead.
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
    """Return the result of a step; a run that may not start is a result, not a failure."""
    try:
        return work()
    except NeedsApproval as refused:
        return {"held": refused.message}


@_tried_again(name="plan")
def plan(job_json: JobJson) -> RunResult:
    """Settle earlier runs, fetch, judge, and record the plan."""
    job = Job.from_json(job_json)
    return _held(lambda: asyncio.run(steps.plan(job, hooks=watched.get(job.run_id), environ=environ)))


@_tried_again(name="apply")
def apply_some(job_json: JobJson) -> RunResult:
    """Carry out a batch of planned actions."""
    job = Job.from_json(job_json)
    return asyncio.run(steps.apply_some(job, hooks=watched.get(job.run_id), environ=environ))


@_tried_again(name="finish")
def finish(job_json: JobJson) -> RunResult:
    """Record the end and report it to the user."""
    return asyncio.run(steps.finish(Job.from_json(job_json), environ=environ))


@_tried_again(name="wake")
def wake_due(job_json: JobJson) -> RunResult:
    """Bring back messages whose snooze has ended."""
    return _held(lambda: asyncio.run(steps.wake(Job.from_json(job_json), environ=environ)))


@DBOS.step(name="wait")
def wait_for_mail(job_json: JobJson) -> RunResult:
    """Wait until the mailbox changes, or is reachable again."""
    job = Job.from_json(job_json)
    return asyncio.run(steps.wait_for_mail(job, seconds=WAIT_S, tell=tell or steps.nobody, environ=environ))


@DBOS.step(name="may_start")
def may_start(job_json: JobJson) -> RunResult:
    """Return why switches or quiet hours hold the run, as `held`; empty if they do not."""
    return {"held": steps.explain_hold(Job.from_json(job_json), environ=environ)}


@DBOS.step(name="is_busy")
def is_busy(queue: str) -> bool:
    """Return True if the queue has a waiting or active run."""
    return bool(
        DBOS.list_workflows(queue_name=queue, status=["ENQUEUED", "PENDING"], load_input=False, limit=1)
    )


@DBOS.workflow(name="triage")
def triage(job_json: JobJson) -> RunResult:
    """Triage a mailbox and carry out the actions."""
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
    """Bring back messages whose snooze has ended."""
    return wake_due(job_json)


@DBOS.workflow(name="watch")
def watch(job_json: JobJson) -> RunResult:
    """Start triages and wakes whenever the mailbox changes, and every few minutes.

    In a program that ends with another run, it returns at once; the next worker that watches starts a new one.
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
def start_scheduled(at: datetime, context: dict[str, object]) -> RunResult:
    """Start a scheduled run on the account's queue, unless it is held."""
    run: JobJson = as_object(context["job"]) | {"run_id": f"{DBOS.workflow_id}-run"}
    held = may_start(run)["held"]
    if held:
        return {"held": held}
    return _begin(run, str(context["overlap"]))


def _child(job: Job, kind: str, number: int) -> Job:
    return Job.from_json(job.to_json() | {"kind": kind, "run_id": f"{DBOS.workflow_id}-{kind}-{number}"})


def _begin(job_json: JobJson, overlap: str) -> RunResult:
    job = check_job(Job.from_json(job_json))
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
