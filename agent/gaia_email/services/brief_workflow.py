"""The brief as a DBOS workflow. Importing this imports DBOS, so only `runs.kinds` names it. Entry: `brief`."""

from __future__ import annotations

from dbos import DBOS

from gaia_email.runs import workflows
from gaia_email.runs.job import Job, RunResult
from gaia_email.services.brief_run import keep_brief


@DBOS.step(name="brief")
def make(job_json: workflows.JobJson) -> RunResult:
    """Make the brief and keep it; ids and yes or no are all that is kept of the step."""
    return keep_brief(Job.from_json(job_json), environ=workflows.environ)


@DBOS.workflow(name="brief")
def brief(job_json: workflows.JobJson) -> RunResult:
    """A brief by the clock."""
    return make(job_json)
