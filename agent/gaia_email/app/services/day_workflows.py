"""Daily runs as DBOS workflows. Importing this module imports DBOS, so only `runs.kinds` refers to it."""

from __future__ import annotations

from dbos import DBOS

from gaia_email.app.services import chasing, meeting_prep
from gaia_email.app.services.brief_run import keep_brief
from gaia_email.runs import workflows
from gaia_email.runs.job import Job, RunResult


@DBOS.step(name="brief")
def make_brief(job_json: workflows.JobJson) -> RunResult:
    """Make the brief and keep it; the step stores only an id and a boolean."""
    return keep_brief(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="brief")
def brief(job_json: workflows.JobJson) -> RunResult:
    """Make a scheduled brief."""
    return make_brief(job_json)


@DBOS.step(name="chase")
def put_up(job_json: workflows.JobJson) -> RunResult:
    """Raise reminders and withdraw answered ones; the step stores only counts."""
    return chasing.chase(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="chase")
def chase(job_json: workflows.JobJson) -> RunResult:
    """Make scheduled reminders."""
    return put_up(job_json)


@DBOS.step(name="prep")
def put_up_notes(job_json: workflows.JobJson) -> RunResult:
    """Raise notes about meetings that start soon; the step stores only a count."""
    return meeting_prep.tell_of_meetings(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="prep")
def prep(job_json: workflows.JobJson) -> RunResult:
    """Make scheduled notes about meetings."""
    return put_up_notes(job_json)
