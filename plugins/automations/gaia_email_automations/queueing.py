"""Move runs and schedules from the ledger into DBOS. Entries: `queue_pending`, `sync_schedules`.

There is a queue for each duration class. It executes one run of an automation at a time; runs that may overlap are
limited only by `AT_ONCE`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from dbos import DBOSClient, error

from gaia_email.ledger import Ledger
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.runs.engine import POLLING_S, client
from gaia_email.runs.host import UNDER_WAY
from gaia_email.runs.job import Job
from gaia_email.runs.steps import BY_USER
from gaia_email_automations.actions import action_named
from gaia_email_automations.definition import AutomationDefinition, all_steps
from gaia_email_automations.engine import origin_of
from gaia_email_automations.running import finish
from gaia_email_automations.store import AutomationStore, StoredAutomationRun

QUEUES = (("automations-short", 10.0), ("automations-medium", 300.0), ("automations-long", float("inf")))
"""Queues, each with the most seconds that its plans are expected to take."""

AT_ONCE = 4
"""Maximum number of runs of a queue that are executed at the same time."""

SCHEDULE = "automation:"
"""Prefix of the names of trigger schedules."""


def workflow_id(run: StoredAutomationRun) -> str:
    """Return the id of the run's newest workflow; it gets another one each time it continues after waiting."""
    return run.run_id if not run.turn else f"{run.run_id}.{run.turn}"


def job_of(run: StoredAutomationRun) -> Job:
    """Return the run as a DBOS job."""
    return Job(
        kind="automation",
        run_id=workflow_id(run),
        place=MailboxRef.from_json(run.place),
        origin=origin_of(run),
        owner=tuple(str(address) for address in run.place.get("owner", ())),
        scheduled=run.trigger_type != "manual",
        arguments={"automation_run": run.run_id},
    )


def queue_of_run(run: StoredAutomationRun) -> str:
    """Return the queue for the run's expected duration, including its failure steps."""
    definition = msgspec.convert(run.definition, AutomationDefinition)
    seconds = sum(
        capability.expected_duration_seconds
        for placed in all_steps(definition)
        for capability in action_named(placed.step.action).capabilities
    )
    return next(name for name, most in QUEUES if seconds < most)


def queue_pending(environ: Mapping[str, str], ledger: Ledger) -> int:
    """Queue every pending run that is not queued yet; return the number of pending runs."""
    with ledger.read() as tx:
        pending = AutomationStore.of(ledger).runs(tx, statuses=("pending",))
    if pending:
        with client(environ) as using:
            _register(using)
            for run in reversed(pending):
                _enqueue(using, run)
    return len(pending)


def _register(using: DBOSClient) -> None:
    for name, _ in QUEUES:
        if using.retrieve_queue(name) is None:
            using.register_queue(
                name, global_concurrency=AT_ONCE, partition_concurrency=1, polling_interval_sec=POLLING_S
            )


def _enqueue(using: DBOSClient, run: StoredAutomationRun) -> None:
    execution = run.definition.get("execution", {})
    parallel = execution.get("concurrency") == "allow_parallel"
    using.enqueue(
        {
            "workflow_name": "automation",
            "queue_name": queue_of_run(run),
            "workflow_id": workflow_id(run),
            "workflow_id_reuse_policy": "return-existing",
            "queue_partition_key": run.run_id if parallel else run.automation_id,
        },
        job_of(run).to_json(),
    )


def take_up(environ: Mapping[str, str], ledger: Ledger) -> int:
    """Queue runs again that have no active workflow, and end cancelled ones; return the number queued."""
    with ledger.read() as tx:
        running = AutomationStore.of(ledger).runs(tx, statuses=("running", "pending"))
    taken = 0
    if not running:
        return taken
    with client(environ) as using:
        for run in running:
            found = using.list_workflows(workflow_ids=[workflow_id(run)], load_input=False)
            state = found[0].status if found else ""
            if state == "CANCELLED":
                finish(ledger, run, "cancelled", error=BY_USER)
            elif state not in UNDER_WAY and (found or run.status == "running"):
                go_on(ledger, run)
                taken += 1
    return taken


def go_on(ledger: Ledger, run: StoredAutomationRun) -> None:
    """Have a run queued again, under its next workflow."""
    with ledger.write() as tx:
        AutomationStore.of(ledger).change_run(tx, run.run_id, status="pending", turn=run.turn + 1)


def sync_schedules(environ: Mapping[str, str], ledger: Ledger) -> None:
    """Make DBOS's schedules match the schedule triggers that are switched on."""
    with ledger.read() as tx:
        wanted = {
            f"{SCHEDULE}{one.trigger_id}": one
            for one in AutomationStore.of(ledger).live_triggers(tx, "schedule")
        }
    with client(environ) as using:
        there = {
            str(one["schedule_name"])
            for one in using.list_schedules()
            if str(one["schedule_name"]).startswith(SCHEDULE)
        }
        for name in there - wanted.keys():
            using.delete_schedule(name)
        for name in wanted.keys() - there:
            trigger = wanted[name]
            try:
                using.create_schedule(
                    schedule_name=name,
                    workflow_name="automation_tick",
                    schedule=str(trigger.config["cron"]),
                    context={"trigger_id": trigger.trigger_id},
                    cron_timezone=str(trigger.config.get("timezone", "UTC")),
                )
            except error.DBOSException:
                continue  # another program made it at the same moment
