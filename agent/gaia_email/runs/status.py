"""Runs and schedules as shown to users and other programs. Entries: `RunStatus`, `Schedule`."""

from __future__ import annotations

from typing import Annotated

from gaia_email.document import Count, Document, OneOf, Timestamp
from gaia_email.runs.kinds import kind_names
from gaia_email.runs.queues import OVERLAPS

KindOfRun = Annotated[str, OneOf(kind_names())]


class RunStatus(Document, frozen=True, kw_only=True):
    """A run and its results; counts are None until they are known."""

    id: str
    kind: KindOfRun
    mailbox: str
    state: Annotated[
        str, OneOf(("queued", "waking", "running", "waiting", "completed", "failed", "cancelled"))
    ]
    scheduled: bool
    created_at: Timestamp | None
    started_at: Timestamp | None
    finished_at: Timestamp | None
    messages: Count | None = None
    actions: Count | None = None
    asked: Count | None = None
    reason: str = ""


class RunList(Document, frozen=True, kw_only=True):
    """Runs, newest first."""

    shown: Count
    runs: list[RunStatus]


class Schedule(Document, frozen=True, kw_only=True):
    """A recurring run; `cron` has five fields, in the time zone `zone`."""

    name: str
    kind: KindOfRun
    mailbox: str
    cron: str
    zone: str
    overlap: Annotated[str, OneOf(OVERLAPS)]
    active: bool
    last_fired_at: str | None


class ScheduleList(Document, frozen=True, kw_only=True):
    """Recurring runs."""

    schedules: list[Schedule]
