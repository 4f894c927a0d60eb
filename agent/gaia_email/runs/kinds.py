"""The kinds of run: a table used by schedules, listings, schemas and executors. Entry: `job_kind`.

A package with work for runs adds a row to `JOB_KINDS`; a plug-in names its own rows (`Plugin.run_kinds`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_email.plugins import load_parts
from gaia_email.runs.arguments import (
    brief_arguments,
    no_arguments,
    triage_arguments,
)
from gaia_email.runs.job_kind import JobKind
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.runs.job import Job


_OWN: tuple[JobKind, ...] = (
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
)

JOB_KINDS: tuple[JobKind, ...] = (*_OWN, *(kind for kinds in load_parts("run_kinds") for kind in kinds))


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
