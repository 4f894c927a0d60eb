"""The kinds of run: a table used by schedules, listings, schemas and executors. Entry: `job_kind`.

A package with work for runs adds a row to `JOB_KINDS`. The code is referenced as `module:function`, since importing
it imports DBOS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from gaia_email.runs.arguments import (
    Arguments,
    automation_arguments,
    brief_arguments,
    no_arguments,
    triage_arguments,
)
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.runs.job import Job, RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """A kind of run.

    Attributes:
        name: Name in storage, listings and schedules, and of its workflow.
        title: Its name in a sentence: `a triage`.
        check: Returns the arguments to store, or raises `BadArgument`.
        workflow: The DBOS workflow with this name, as `module:function`; it takes a job as JSON.
        here: The same without the engine (`here.py`); empty if there is none.
        parallel: True if two runs of a mailbox may overlap.
        endless: True if it runs until cancelled; no schedule starts it, and no caller waits for it.
        scheduled: True if `gaia email schedule` may start it.
        needs_yes: True if scheduling it requires approval while no triage has acted on the mailbox yet.
    """

    name: str
    title: str
    check: Callable[[Arguments], Arguments]
    workflow: str
    here: str = ""
    parallel: bool = False
    endless: bool = False
    needs_yes: bool = False
    scheduled: bool = True

    def load(self) -> Callable[[dict[str, object]], RunResult]:
        """Import the workflow, which registers it with DBOS."""
        found: Callable[[dict[str, object]], RunResult] = resolve_name(self.workflow)
        return found


JOB_KINDS: tuple[JobKind, ...] = (
    JobKind(
        name="triage",
        title="a triage",
        check=triage_arguments,
        workflow="gaia_email.runs.workflows:triage",
        here="gaia_email.runs.here:triage",
        needs_yes=True,
    ),
    JobKind(
        name="wake",
        title="the waking of snoozed messages",
        check=no_arguments,
        workflow="gaia_email.runs.workflows:wake",
        here="gaia_email.runs.here:wake_snoozed",
        parallel=True,
    ),
    JobKind(
        name="brief",
        title="a brief",
        check=brief_arguments,
        workflow="gaia_email.app.services.day_workflows:brief",
        here="gaia_email.app.services.brief_run:keep_brief",
        parallel=True,
    ),
    JobKind(
        name="chase",
        title="reminders of what others owe",
        check=no_arguments,
        workflow="gaia_email.app.services.day_workflows:chase",
        here="gaia_email.app.services.chasing:chase",
        parallel=True,
    ),
    JobKind(
        name="prep",
        title="notes before meetings",
        check=no_arguments,
        workflow="gaia_email.app.services.day_workflows:prep",
        here="gaia_email.app.services.meeting_prep:tell_of_meetings",
        parallel=True,
    ),
    JobKind(
        name="watch",
        title="a watch",
        check=no_arguments,
        workflow="gaia_email.runs.workflows:watch",
        endless=True,
        scheduled=False,
    ),
    JobKind(
        name="automation",
        title="an automation",
        check=automation_arguments,
        workflow="gaia_email.automations.workflows:automation",
        parallel=True,
        scheduled=False,
    ),
)


def kind_names(*, scheduled: bool = False) -> tuple[str, ...]:
    """Return the names in the order of the table, or only those that can be scheduled."""
    return tuple(kind.name for kind in JOB_KINDS if kind.scheduled or not scheduled)


def job_kind(name: str) -> JobKind:
    """Return the kind with this name.

    Raises:
        BadArgument: There is no such kind.
    """
    for kind in JOB_KINDS:
        if kind.name == name:
            return kind
    *others, last = kind_names()
    raise BadArgument(
        f"{name[:40]!r} is not a kind of run; runs are {', '.join(others)} and {last}.",
        argument="kind",
        hint="a newer program may have kept it: gaia --version",
    )


def check_job(job: Job) -> Job:
    """Return the job with its arguments in their stored form.

    Raises:
        BadArgument: The kind or its arguments are invalid.
    """
    return replace(job, arguments=job_kind(job.kind).check(job.arguments))
