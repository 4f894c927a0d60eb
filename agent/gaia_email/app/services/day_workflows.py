"""The runs of the day as DBOS workflows. Importing this imports DBOS, so only `runs.kinds` names it."""

from __future__ import annotations

from dbos import DBOS

from gaia_email.app.services import chasing, meeting_prep
from gaia_email.app.services.brief_run import keep_brief
from gaia_email.runs import workflows
from gaia_email.runs.job import Job, RunResult


@DBOS.step(name="brief")
def make_brief(job_json: workflows.JobJson) -> RunResult:
    """Make the brief and keep it; an id and yes or no are all that is kept of the step."""
    return keep_brief(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="brief")
def brief(job_json: workflows.JobJson) -> RunResult:
    """A brief by the clock."""
    return make_brief(job_json)


@DBOS.step(name="chase")
def put_up(job_json: workflows.JobJson) -> RunResult:
    """Put reminders up and take answered ones back; counts are all that is kept of the step."""
    return chasing.chase(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="chase")
def chase(job_json: workflows.JobJson) -> RunResult:
    """Reminders by the clock."""
    return put_up(job_json)


@DBOS.step(name="prep")
def put_up_notes(job_json: workflows.JobJson) -> RunResult:
    """Put up notes of meetings that begin soon; a count is all that is kept of the step."""
    return meeting_prep.tell_of_meetings(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="prep")
def prep(job_json: workflows.JobJson) -> RunResult:
    """Notes before meetings by the clock."""
    return put_up_notes(job_json)
