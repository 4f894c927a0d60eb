"""The kinds of run: one table, which schedules, listings, schemas and who runs them read. Entry: `job_kind`.

A package that has work for runs adds a row to `JOB_KINDS`. What runs it is named by its address, `module:function`,
since importing it imports DBOS.
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
        name: As it is kept, listed and scheduled; also the name of its workflow.
        title: What it is, for a sentence: `a triage`.
        check: Takes the arguments that were given and answers those to keep, or raises `BadArgument`.
        workflow: The address of the DBOS workflow of that name, which takes a job as JSON.
        here: The address of what does the same without the engine (`here.py`); empty where nothing does.
        parallel: Whether two of a mailbox may run at once.
        endless: It goes on until it is cancelled, so no schedule starts it and nobody waits for its end.
        scheduled: Whether a schedule of `gaia email schedule` may start it.
        needs_yes: A schedule of it takes a person's yes where no triage has acted on the mailbox yet.
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
        """The workflow; DBOS knows it from then on."""
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
    """Their names, in the order of the table; only of those that a schedule may start, where that is asked."""
    return tuple(kind.name for kind in JOB_KINDS if kind.scheduled or not scheduled)


def job_kind(name: str) -> JobKind:
    """The kind of that name.

    Raises:
        BadArgument: There is none.
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


def checked(job: Job) -> Job:
    """The job with its arguments as they are kept.

    Raises:
        BadArgument: Its kind is none, or does not take these arguments.
    """
    return replace(job, arguments=job_kind(job.kind).check(job.arguments))
