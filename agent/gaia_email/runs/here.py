"""Executes a run in this program without the engine; only the ledger makes it durable. Entry point: `run_here`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Protocol

from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.kinds import check_job, job_kind
from gaia_email.runs.steps import RunHooks, apply_some, finish, plan, wake
from gaia_email_registry.errors import BadArgument


class RunWithoutEngine(Protocol):
    """The function named by `JobKind.here`, which does a whole job and returns its result."""

    def __call__(self, job: Job, *, hooks: RunHooks | None, environ: Mapping[str, str]) -> RunResult:
        """Do the job and call the hooks."""
        ...


def run_here(job: Job, *, hooks: RunHooks | None = None, environ: Mapping[str, str]) -> RunResult:
    """Execute the whole run; if it is interrupted, the next run settles it.

    Raises:
        BadArgument: This kind of run needs the engine, or the arguments are invalid.
        MailError: A step failed.
    """
    job, kind = check_job(job), job_kind(job.kind)
    if not kind.here:
        raise BadArgument(f"Without the database of runs {kind.title} cannot run.", argument="kind")
    work: RunWithoutEngine = resolve_name(kind.here)
    return work(job, hooks=hooks, environ=environ)


def triage(job: Job, *, hooks: RunHooks | None, environ: Mapping[str, str]) -> RunResult:
    """Execute the steps of a triage in order."""
    told = asyncio.run(plan(job, hooks=hooks, environ=environ))
    while told["actions"]:
        done = asyncio.run(apply_some(job, hooks=hooks, environ=environ))
        if done["halted"] or not done["left"]:
            break
    return told | asyncio.run(finish(job, environ=environ))


def wake_snoozed(job: Job, *, hooks: RunHooks | None, environ: Mapping[str, str]) -> RunResult:
    """Bring back messages whose snooze has ended."""
    return asyncio.run(wake(job, environ=environ))
