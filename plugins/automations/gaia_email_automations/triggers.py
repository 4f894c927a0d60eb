"""Set automations off: from the event log, the clock, and answers that runs wait for. Entry: `look`.

The event log is read from each event trigger's cursor. A cursor moves once everything before it is dispatched, and
dispatching twice gives one run. Events older than a week are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from gaia_email.ledger import Ledger, LedgerEvent, NewLedgerEvent
from gaia_email_automations.dispatching import AutomationFiring, dispatch
from gaia_email_automations.engine import ACTOR
from gaia_email_automations.inputs import iso
from gaia_email_automations.matching import TriggerIndex, event_payload, subscription_of
from gaia_email_automations.store import AutomationStore, StoredAutomationRun, StoredTrigger
from gaia_email_registry.errors import NeedsApproval

PAGE = 500
OLDEST_S = 7 * 86_400.0
LATE_S = 60.0
"""Seconds after which a time counts as missed."""


@dataclass(slots=True)
class TriggersSeen:
    """The number of events read and of runs set off."""

    events: int = 0
    fired: int = 0


@dataclass(slots=True)
class KeptTriggers:
    """Event triggers cached by one program, reloaded when the live ones change."""

    ids: list[str] = field(default_factory=list[str])
    triggers: dict[str, StoredTrigger] = field(default_factory=dict[str, StoredTrigger])
    index: TriggerIndex = field(default_factory=lambda: TriggerIndex(()))

    def refresh(self, ledger: Ledger) -> None:
        """Load the live triggers, if they have changed."""
        with ledger.read() as tx:
            ids = AutomationStore.of(ledger).live_trigger_ids(tx, "event")
            if ids == self.ids:
                return
            found = AutomationStore.of(ledger).live_triggers(tx, "event")
        self.ids, self.triggers = ids, {one.trigger_id: one for one in found}
        self.index = TriggerIndex(map(subscription_of, found))


def look(ledger: Ledger, kept: KeptTriggers | None = None) -> TriggersSeen:
    """Dispatch new events to event triggers, page by page, until the log is read.

    Args:
        ledger: Open for writing.
        kept: This program's cached triggers.

    Raises:
        MailError: The ledger cannot be used.
    """
    seen = TriggersSeen()
    with ledger.read() as tx:
        position = AutomationStore.of(ledger).least_cursor(tx)
        last = ledger.events.last(tx)
    if position is None or position >= last:
        return seen
    known = kept or KeptTriggers()
    known.refresh(ledger)
    while True:
        with ledger.read() as tx:
            page = ledger.events.page(tx, max(position, 0), limit=PAGE)
            if position < page.pruned:
                position = page.pruned
                page = ledger.events.page(tx, position, limit=PAGE)
        for event in page.events:
            seen.events += 1
            seen.fired += _dispatch_event(ledger, event, known)
        with ledger.write() as tx:
            AutomationStore.of(ledger).move_cursors(tx, page.reached)
        if page.reached >= page.last:
            _warn(ledger, known.index)
            return seen
        position = page.reached


def _dispatch_event(ledger: Ledger, event: LedgerEvent, known: KeptTriggers) -> int:
    """Dispatch an event, and return the number of automations that it set off."""
    if event.at < ledger.clock() - OLDEST_S:
        return 0
    payload = event_payload(event)
    fired = 0
    for trigger_id in known.index.matching(payload):
        trigger = known.triggers[trigger_id]
        if event.seq <= trigger.cursor:
            continue
        firing = AutomationFiring(
            trigger=trigger,
            type="event",
            payload=payload,
            key=f"event {event.seq} {event.hash[:16]}",
            chain=_chain(ledger, event),
        )
        try:
            fired += dispatch(ledger, trigger.automation_id, firing).is_new
        except NeedsApproval:
            continue  # switched off meanwhile
    return fired


def _chain(ledger: Ledger, event: LedgerEvent) -> tuple[str, ...]:
    """Return the automations whose runs led to an event; empty if it belongs to no automation run."""
    if event.run_id is None:
        return ()
    with ledger.read() as tx:
        run = AutomationStore.of(ledger).run(tx, event.run_id)
    return () if run is None else tuple(run.chain)


def _warn(ledger: Ledger, index: TriggerIndex) -> None:
    """Record filters that are invalid or compare different kinds."""
    unlike, index.unlike = index.unlike, {}
    for trigger_id, count in unlike.items():
        _note(ledger, trigger_id, {"unlike": count})
    broken, index.broken = index.broken, {}
    for trigger_id, why in broken.items():
        _note(ledger, trigger_id, {"broken": why})


def _note(ledger: Ledger, trigger_id: str, payload: dict[str, Any]) -> None:
    event = NewLedgerEvent(
        kind="automation.filter.warned", actor=ACTOR, payload={"trigger_id": trigger_id, **payload}
    )
    with ledger.write() as tx:
        ledger.events.append(tx, event)


def fire_schedule(ledger: Ledger, trigger_id: str, scheduled_for: datetime) -> StoredAutomationRun | None:
    """Create the run for a time of a schedule; None if it is switched off or deleted."""
    with ledger.read() as tx:
        trigger = AutomationStore.of(ledger).trigger(tx, trigger_id)
    if trigger is None:
        return None
    due = scheduled_for.astimezone(UTC).replace(second=0, microsecond=0)
    last = trigger.last_fired_at
    firing = AutomationFiring(
        trigger=trigger,
        type="schedule",
        payload={
            "fired_at": iso(ledger.clock()),
            "scheduled_for": due.isoformat(),
            "last_fired_at": None if last is None else iso(last),
        },
        key=f"at {_once_a_day(trigger, due) or due.isoformat()}",
    )
    try:
        return dispatch(ledger, trigger.automation_id, firing).run
    except NeedsApproval:
        return None


def _once_a_day(trigger: StoredTrigger, due: datetime) -> str:
    """Return the local time of a schedule with fixed hours, to run once if clocks are set back; empty for others."""
    if "*" in str(trigger.config["cron"]).split()[1]:
        return ""
    zone = str(trigger.config.get("timezone", "UTC"))
    return f"{due.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M} {zone}"


def fire_missed(ledger: Ledger) -> int:
    """Run each schedule once that missed times and is set to catch up; return the number of runs."""
    now = ledger.clock()
    with ledger.read() as tx:
        triggers = AutomationStore.of(ledger).triggers(tx, type="schedule")
        since = {one.automation_id: one.updated_at for one in AutomationStore.of(ledger).all(tx)}
    fired = 0
    for one in triggers:
        if one.config.get("missed") != "once" or not one.enabled:
            continue
        due = last_due(str(one.config["cron"]), str(one.config.get("timezone", "UTC")), now - LATE_S)
        if due.timestamp() > max(one.last_fired_at or 0.0, since.get(one.automation_id, now)):
            fired += fire_schedule(ledger, one.trigger_id, due) is not None
    return fired


def last_due(cron: str, zone: str, before: float) -> datetime:
    """Return the last time of a cron line up to an instant, in the zone's local time across clock changes."""
    from croniter import croniter

    start = datetime.fromtimestamp(before, ZoneInfo(zone))
    found: datetime = croniter(cron, start).get_prev(datetime)
    return found


def answered_runs(ledger: Ledger) -> Sequence[StoredAutomationRun]:
    """Return waiting runs whose question is answered or has expired."""
    found: list[StoredAutomationRun] = []
    with ledger.read() as tx:
        for run in AutomationStore.of(ledger).runs(tx, statuses=("waiting",)):
            steps = [
                one for one in AutomationStore.of(ledger).steps(tx, run.run_id) if one.state == "waiting"
            ]
            asked = [ledger.approvals(tx).get(one.confirmation_id) for one in steps if one.confirmation_id]
            is_open = [
                one is not None and one.state == "open" and not one.is_over(ledger.clock()) for one in asked
            ]
            if not any(is_open):
                found.append(run)
    return found
