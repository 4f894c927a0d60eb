"""A run in this program without the engine: as durable as the ledger is. Entry point: `run_here`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Protocol

from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.kinds import checked, job_kind
from gaia_email.runs.steps import RunHooks, apply_some, finish, plan, wake
from gaia_email_registry.errors import BadArgument


class RunWithoutEngine(Protocol):
    """What `JobKind.here` names: does all of a job, and answers what it came to."""

    def __call__(self, job: Job, *, hooks: RunHooks | None, environ: Mapping[str, str]) -> RunResult:
        """Do it, telling the hooks."""
        ...


def run_here(job: Job, *, hooks: RunHooks | None = None, environ: Mapping[str, str]) -> RunResult:
    """The whole run; what is cut short the next one settles.

    Raises:
        BadArgument: This kind of run needs the engine, or does not take these arguments.
        MailError: As the steps.
    """
    job, kind = checked(job), job_kind(job.kind)
    if not kind.here:
        raise BadArgument(f"Without the database of runs {kind.title} cannot run.", argument="kind")
    work: RunWithoutEngine = resolve_name(kind.here)
    return work(job, hooks=hooks, environ=environ)


def triage(job: Job, *, hooks: RunHooks | None, environ: Mapping[str, str]) -> RunResult:
    """The steps of a triage, one after the other."""
    told = asyncio.run(plan(job, hooks=hooks, environ=environ))
    while told["actions"]:
        done = asyncio.run(apply_some(job, hooks=hooks, environ=environ))
        if done["halted"] or not done["left"]:
            break
    return told | asyncio.run(finish(job, environ=environ))


def wake_snoozed(job: Job, *, hooks: RunHooks | None, environ: Mapping[str, str]) -> RunResult:
    """Bring back what was snoozed until now."""
    return asyncio.run(wake(job, environ=environ))
