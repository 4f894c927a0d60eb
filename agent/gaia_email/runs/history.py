"""Past, current, waiting and scheduled runs. Entry points: `runs`, `schedules`, `add_schedule`, `cancel`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbos import DBOSClient, WorkflowStatus, error

from gaia_email.document import Timestamp
from gaia_email.runs.engine import client, register
from gaia_email.runs.files import has_runs
from gaia_email.runs.host import UNDER_WAY, cancel_run
from gaia_email.runs.job import Job, as_object
from gaia_email.runs.kinds import check_job, job_kind, kind_names
from gaia_email.runs.queues import OverlapRule
from gaia_email.runs.status import RunStatus, Schedule
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict

STATES: Mapping[str, str] = {
    "ENQUEUED": "queued",
    "DELAYED": "queued",
    "PENDING": "running",
    "SUCCESS": "completed",
    "ERROR": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
    "CANCELLED": "cancelled",
}
"""Run states by DBOS workflow state; a run that was held or halted counts as cancelled."""


def runs(environ: Mapping[str, str], *, limit: int = 50) -> list[RunStatus]:
    """Return the latest runs, newest first.

    Raises:
        ProviderError: The database cannot be used.
    """
    if not has_runs(environ):
        return []
    with client(environ) as using:
        return [
            _flight(status)
            for status in using.list_workflows(name=list(kind_names()), sort_desc=True, limit=limit)
        ]


def cancel(environ: Mapping[str, str], run_id: str) -> None:
    """Cancel a run, by its ID or an unambiguous ID prefix.

    Raises:
        NotFound: No such run is queued or running.
        ProviderError: The database cannot be used.
    """
    if not has_runs(environ):
        raise NotFound("Nothing was run yet.", argument="id")
    with client(environ) as using:
        found = using.list_workflows(
            workflow_id_prefix=run_id, status=list(UNDER_WAY), name=list(kind_names()), limit=2
        )
        cancel_run(using, found[0].workflow_id if len(found) == 1 else run_id, environ)


def cancel_all(environ: Mapping[str, str]) -> int:
    """Cancel every queued or running job after a stop; none is resumed. Returns their number.

    Raises:
        ProviderError: The database cannot be used.
    """
    if not has_runs(environ):
        return 0
    with client(environ) as using:
        found = using.list_workflows(status=list(UNDER_WAY), load_input=False)
        ids = [status.workflow_id for status in found if status.name in (*kind_names(), "scheduled")]
        using.cancel_workflows(ids)
    return len(ids)


def schedules(environ: Mapping[str, str]) -> list[Schedule]:
    """Return every schedule.

    Raises:
        ProviderError: The database cannot be used.
    """
    if not has_runs(environ):
        return []
    with client(environ) as using:
        return [_schedule(dict(kept)) for kept in using.list_schedules() if "job" in (kept["context"] or {})]


def add_schedule(
    environ: Mapping[str, str], name: str, job: Job, *, cron: str, zone: str, overlap: OverlapRule
) -> Schedule:
    """Schedule a recurring run, for the program that executes runs then (`gaia email worker`).

    Raises:
        StateConflict: There is a schedule with this name.
        BadArgument: The cron line or the zone is invalid, or this kind of run cannot be scheduled, does not accept
            these arguments or must not run in parallel.
        ProviderError: The database cannot be used.
    """
    job, kind = check_job(job), job_kind(job.kind)
    if not kind.scheduled:
        why = "never ends" if kind.endless else "has triggers of its own"
        raise BadArgument(f"{kind.title.capitalize()} {why}, so it cannot be scheduled.", argument="kind")
    if not kind.parallel and overlap == "parallel":
        raise BadArgument(
            f"{kind.title.capitalize()} cannot run twice at once on an account; choose drop or queue.",
            argument="overlap",
        )
    if len(cron.split()) != 5:
        raise BadArgument(
            f"{cron[:60]!r} is not a cron line of five fields, such as '0 7 * * *'.", argument="cron"
        )
    with client(environ) as using:
        register(using, job.place)
        if using.get_schedule(name) is not None:
            raise StateConflict(f"There is a schedule {name[:60]!r}; remove it first.", argument="name")
        context = {"job": job.to_json(), "overlap": overlap}
        try:
            using.create_schedule(
                schedule_name=name,
                workflow_name="scheduled",
                schedule=cron,
                context=context,
                cron_timezone=zone,
            )
        except error.DBOSException:
            raise BadArgument(
                f"{cron[:60]!r} in {zone[:60]!r} cannot be a schedule.",
                argument="cron",
                hint="gaia email schedule add --cron '0 7 * * *' --zone Europe/Berlin triage",
            ) from None
        return _schedule(dict(_schedule_of(using, name)))


def remove_schedule(environ: Mapping[str, str], name: str) -> None:
    """Delete a schedule; runs that it has started continue.

    Raises:
        NotFound: There is no schedule with this name.
        ProviderError: The database cannot be used.
    """
    if has_runs(environ):
        with client(environ) as using:
            if using.get_schedule(name) is not None:
                using.delete_schedule(name)
                return
    raise NotFound(f"There is no schedule {name[:60]!r}.", argument="name", hint="gaia email schedule list")


def _schedule_of(using: DBOSClient, name: str) -> Mapping[str, Any]:
    found = using.get_schedule(name)
    assert found is not None
    return found


def _schedule(kept: Mapping[str, Any]) -> Schedule:
    context = kept["context"]
    job = Job.from_json(context["job"])
    return Schedule(
        name=str(kept["schedule_name"]),
        kind=job.kind,
        mailbox=job.place.name,
        cron=str(kept["schedule"]),
        zone=str(kept["cron_timezone"] or "UTC"),
        overlap=str(context["overlap"]),
        active=kept["status"] == "ACTIVE",
        last_fired_at=kept["last_fired_at"],
    )


def _flight(status: WorkflowStatus) -> RunStatus:
    job = Job.from_json(as_object(status.input["args"][0] if status.input else {}))
    told = as_object(status.output)
    reason = str(told.get("held") or told.get("halted") or "")
    if status.error is not None:
        reason = str(getattr(status.error, "message", status.error))
    return RunStatus(
        id=status.workflow_id,
        kind=job.kind,
        mailbox=job.place.name,
        state="cancelled" if told.get("held") or told.get("halted") else STATES[status.status],
        created_at=_seconds(status.created_at),
        started_at=_seconds(status.dequeued_at),
        finished_at=_seconds(status.completed_at),
        scheduled=job.scheduled,
        messages=_count(told.get("messages")),
        actions=_count(told.get("actions")),
        asked=_count(told.get("asked")),
        reason=reason,
    )


def _seconds(milliseconds: int | None) -> Timestamp | None:
    return None if milliseconds is None else Timestamp(milliseconds / 1000)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
