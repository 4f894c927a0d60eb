"""Runs of automations and their Slack webhooks, for programs that list all work. Entries: `ACTIVITIES`, `CHANNELS`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gaia_email.document import Timestamp
from gaia_email.runs.activities import PluginActivities, PluginChannels
from gaia_email.runs.status import RunStatus
from gaia_email_automations.slack import SLACK_POSTED, WEBHOOK_KEPT, webhooks_kept
from gaia_email_automations.store import AutomationStore

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger

STATES = {
    "automation.run.pending": "queued",
    "automation.run.started": "running",
    "automation.run.waiting": "waiting",
    "automation.run.succeeded": "completed",
    "automation.run.failed": "failed",
    "automation.run.timed_out": "failed",
    "automation.run.cancelled": "cancelled",
}
"""States of runs by event; an event's kind ends in the run's status, except `started`."""


def newest_runs(ledger: Ledger, tx: Connection, limit: int) -> Iterator[RunStatus]:
    """Yield the newest runs of automations."""
    for one in AutomationStore.of(ledger).runs(tx, limit=limit):
        yield RunStatus(
            id=one.run_id,
            kind="automation",
            mailbox=one.account_id,
            state=STATES.get(f"automation.run.{one.status}", "running"),
            created_at=Timestamp(one.created_at),
            started_at=Timestamp.if_known(one.started_at),
            finished_at=Timestamp.if_known(one.finished_at),
            scheduled=one.trigger_type != "manual",
            reason=one.error,
        )


ACTIVITIES = PluginActivities(
    run_kind="automation", events="automation.run.*", states=STATES, newest=newest_runs
)
CHANNELS = PluginChannels(
    platform="slack",
    title="Slack webhook",
    names=webhooks_kept,
    action_type="slack_post",
    posted=SLACK_POSTED,
    added=WEBHOOK_KEPT,
)
