"""Runs of automations as DBOS workflows. Importing this imports DBOS, so only `runs.kinds` and `queueing.py` name it.

The inputs and results of workflows are ids, states and seconds; everything else is in the ledger.
"""

from __future__ import annotations

from datetime import datetime

from dbos import DBOS

from gaia_email.runs import workflows
from gaia_email.runs.job import Job, RunResult


@DBOS.step(name="automation_advance")
def advance_run(run_id: str) -> RunResult:
    """Take a run one step further."""
    from gaia_email_automations.hosting import opened_engine
    from gaia_email_automations.running import advance

    with opened_engine(workflows.environ) as engine:
        told = advance(engine, run_id)
    return {"status": told.status, "milliseconds": round(told.seconds * 1000), "goes_on": told.goes_on}


@DBOS.workflow(name="automation")
def automation(job_json: workflows.JobJson) -> RunResult:
    """Execute a run until it is over or waits for a user."""
    run_id = str(Job.from_json(job_json).arguments["automation_run"])
    while True:
        told = advance_run(run_id)
        if not told["goes_on"]:
            held = told["status"] == "cancelled"
            return {"status": told["status"], **({"held": "It was held back or cancelled."} if held else {})}
        if told["milliseconds"]:
            DBOS.sleep(int(str(told["milliseconds"])) / 1000)


@DBOS.step(name="automation_fire")
def fire(trigger_id: str, at: datetime) -> RunResult:
    """Create and queue the run for a time of a schedule; safe to repeat."""
    from gaia_email.ledger import open_ledger
    from gaia_email_automations.queueing import queue_pending
    from gaia_email_automations.triggers import fire_schedule

    with open_ledger(environ=workflows.environ) as ledger:
        run = fire_schedule(ledger, trigger_id, at)
        queue_pending(workflows.environ, ledger)
    return {"run_id": None if run is None else run.run_id}


@DBOS.workflow(name="automation_tick")
def automation_tick(at: datetime, context: dict[str, object]) -> RunResult:
    """Run what a schedule of an automation starts."""
    return fire(str(context["trigger_id"]), at)
