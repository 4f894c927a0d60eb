"""The documents of `runs` and `schedule`. Entry points: `runs_document`, `schedules_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from gaia_email.document import Count, OneOf, Time, Version, at_if_known, clean
from gaia_email.runs.kinds import kind_names

if TYPE_CHECKING:
    from gaia_email.runs.history import Schedule
    from gaia_email.runs.status import RunStatus

RunKind = Annotated[str, OneOf(kind_names())]


class RunRow(TypedDict):
    """One run, and what came of it."""

    id: str
    kind: RunKind
    mailbox: str
    state: Annotated[
        str, OneOf(("queued", "waking", "running", "waiting", "completed", "failed", "cancelled"))
    ]
    scheduled: bool
    created_at: Time | None
    started_at: Time | None
    finished_at: Time | None
    messages: Count | None
    actions: Count | None
    asked: Count | None
    reason: str


class RunsDocument(TypedDict):
    """What `runs` prints."""

    schema_version: Version
    shown: Count
    runs: list[RunRow]


class ScheduleRow(TypedDict):
    """What is run by the clock, and when."""

    name: str
    kind: RunKind
    mailbox: str
    cron: str
    zone: str
    overlap: Annotated[str, OneOf(("drop", "queue", "parallel"))]
    active: bool
    last_fired_at: str | None


class SchedulesDocument(TypedDict):
    """What `schedule` prints."""

    schema_version: Version
    schedules: list[ScheduleRow]


RUNS_DOCUMENTS: dict[str, object] = {"runs": RunsDocument, "schedule": SchedulesDocument}


def runs_document(flights: Sequence[RunStatus]) -> RunsDocument:
    """Runs, in the order given."""
    return {"schema_version": 1, "shown": len(flights), "runs": [_run(flight) for flight in flights]}


def schedules_document(found: Sequence[Schedule]) -> SchedulesDocument:
    """Schedules, in the order given."""
    return {"schema_version": 1, "schedules": [_schedule(one) for one in found]}


def _run(flight: RunStatus) -> RunRow:
    return {
        "id": flight.run_id,
        "kind": flight.kind,
        "mailbox": clean(flight.place),
        "state": flight.state,
        "scheduled": flight.scheduled,
        "created_at": at_if_known(flight.created_at),
        "started_at": at_if_known(flight.started_at),
        "finished_at": at_if_known(flight.finished_at),
        "messages": flight.messages,
        "actions": flight.actions,
        "asked": flight.asked,
        "reason": clean(flight.reason),
    }


def _schedule(one: Schedule) -> ScheduleRow:
    return {
        "name": clean(one.name),
        "kind": one.kind,
        "mailbox": clean(one.place),
        "cron": one.cron,
        "zone": one.zone,
        "overlap": one.overlap,
        "active": one.active,
        "last_fired_at": one.last_fired_at,
    }
