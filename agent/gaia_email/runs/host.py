"""Executes a run and waits for it, here or in the program that already executes runs. Entry point: `execute`."""

from __future__ import annotations

import time
from collections.abc import Mapping

from dbos import DBOSClient

from gaia_email.ledger import open_ledger
from gaia_email.runs import kinds, steps, workflows
from gaia_email.runs.engine import client, executing, launch_engine, register
from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.kinds import check_job
from gaia_email.runs.queues import queue_of
from gaia_email_registry.errors import NotFound

LOOK_S = 0.1
LINGER_S = 60.0
"""Maximum seconds to wait for other resumed runs to end, before they are left for the next start."""

UNDER_WAY = ("ENQUEUED", "DELAYED", "PENDING")


def execute(job: Job, *, hooks: steps.RunHooks | None = None, environ: Mapping[str, str]) -> RunResult:
    """Execute a run after the account's earlier ones, and return its result.

    A run left unfinished by a program that died is resumed on the way. Ctrl-C cancels the run before its next effect.

    Args:
        job: The run.
        hooks: Callbacks for progress, used if this program executes the run.
        environ: Environment with the URLs of the databases.

    Raises:
        BadArgument: The kind of run or its arguments are invalid.
        MailError: The run failed, or its database cannot be used and nothing was started.
    """
    job = check_job(job)
    workflows.watched[job.run_id] = hooks or steps.RunHooks()
    try:
        with client(environ) as using:
            register(using, job.place)
            using.enqueue(
                {"workflow_name": job.kind, "queue_name": queue_of(job.place), "workflow_id": job.run_id},
                job.to_json(),
            )
            try:
                until_over(using, job.run_id, environ)
            except KeyboardInterrupt:
                cancel_run(using, job.run_id, environ)
                raise
            return _answer(using, job.run_id)
    finally:
        del workflows.watched[job.run_id]


def until_over(using: DBOSClient, run_id: str, environ: Mapping[str, str]) -> None:
    """Wait until a run is over; execute runs here unless another program does.

    Raises:
        ProviderError: The runs database cannot be used.
    """
    while _under_way(using, run_id):
        with executing(environ) as here:
            if here:
                with launch_engine(environ):
                    while _under_way(using, run_id):
                        time.sleep(LOOK_S)
                    _let_others_end(using)
                return
        time.sleep(LOOK_S)


def _under_way(using: DBOSClient, run_id: str) -> bool:
    return using.retrieve_workflow(run_id).get_status().status in UNDER_WAY


def _let_others_end(using: DBOSClient) -> None:
    until = time.monotonic() + LINGER_S
    names = [kind.name for kind in kinds.JOB_KINDS if not kind.endless]
    while time.monotonic() < until and using.list_workflows(
        status="PENDING", name=names, load_input=False, limit=1
    ):
        time.sleep(LOOK_S)


def _answer(using: DBOSClient, run_id: str) -> RunResult:
    status = using.retrieve_workflow(run_id).get_status()
    if status.error is not None:
        raise status.error
    if status.status != "SUCCESS":
        return {"halted": steps.BY_USER}
    assert isinstance(status.output, dict)
    return status.output  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def cancel_run(using: DBOSClient, run_id: str, environ: Mapping[str, str]) -> None:
    """Cancel a run: its next effect is not made, it is not resumed, and its questions are void.

    Raises:
        NotFound: There is no such run, or it is over.
    """
    found = using.list_workflows(workflow_ids=[run_id], load_input=False)
    if not found or found[0].status not in UNDER_WAY:
        over = " has ended already." if found else " is not known."
        raise NotFound(f"The run {run_id[:60]!r}{over}", argument="id", hint="gaia email runs lists them.")
    with open_ledger(environ=environ) as ledger:
        steps.cancel(ledger, run_id, actor="user")
    using.cancel_workflow(run_id)
