"""Turn a trigger's firing into a run: inputs, budget, idempotency, snapshot. Entry: `dispatch`.

A run is stored in one transaction: of two programs that dispatch the same time, event or request, one creates the run
and the other receives it. The executing program finds it `pending` in the ledger and queues it.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from gaia_email.ledger import Ledger
from gaia_email_automations.actions import action_named
from gaia_email_automations.definition import AutomationDefinition, all_steps
from gaia_email_automations.inputs import ResolvedInputs, iso, resolved_inputs
from gaia_email_automations.running import run_event
from gaia_email_automations.store import (
    UNDER_WAY,
    AutomationStore,
    StoredAutomation,
    StoredAutomationRun,
    StoredTrigger,
    StoredVersion,
)
from gaia_email_registry.errors import BadArgument, NeedsApproval

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_DEEP = 8
"""Maximum number of runs in a chain in which each sets off the next."""

RETRY_OF = "retry_of"
"""The payload field of a repeated run that names the earlier run."""

KEYS_HOLD_S = 86_400.0
"""Seconds for which the same idempotency key returns the same run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationFiring:
    """The cause of a run.

    Attributes:
        trigger: The trigger; None if a user runs it by hand.
        type: The type of the trigger, or `manual`.
        payload: The trigger's payload.
        given: Inputs from the user who runs it.
        key: Equal for the same firing; empty if each is distinct.
        keys_hold_s: Seconds for which the key returns the same run; None for as long as it is stored.
        chain: Ids of the automations whose runs led here, first one first.
    """

    trigger: StoredTrigger | None = None
    type: str = "manual"
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    key: str = ""
    keys_hold_s: float | None = None
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchedRun:
    """The run of a firing; `is_new` is True if this firing created it."""

    run: StoredAutomationRun
    is_new: bool = True


def dispatch(ledger: Ledger, automation_id: str, firing: AutomationFiring) -> DispatchedRun:
    """Return the run of a firing, creating it if new; one that may not begin is stored as over, with the reason.

    Raises:
        NeedsApproval: The automation or the trigger is switched off.
        NotFound: There is no such automation.
        MailError: The ledger cannot be written.
    """
    while (found := _dispatched(ledger, _prepared(ledger, automation_id, firing), firing)) is None:
        continue  # a new version was saved meanwhile
    return found


def _prepared(ledger: Ledger, automation_id: str, firing: AutomationFiring) -> StoredAutomationRun:
    """Return the run by its definition. Untrusted input is parsed here, outside any transaction."""
    with ledger.read() as tx:
        automation = AutomationStore.of(ledger).find(tx, automation_id)
        trigger = firing.trigger and AutomationStore.of(ledger).trigger(tx, firing.trigger.trigger_id)
        version = AutomationStore.of(ledger).version(tx, automation.automation_id, automation.version)
    _need_on(automation, firing, trigger)
    return run_of(automation, version, replace(firing, trigger=trigger), float(ledger.clock()))


def _dispatched(ledger: Ledger, run: StoredAutomationRun, firing: AutomationFiring) -> DispatchedRun | None:
    """Store the run of a firing; None if its automation has another version by now."""
    with ledger.write() as tx:
        automation = AutomationStore.of(ledger).find(tx, run.automation_id)
        trigger = firing.trigger and AutomationStore.of(ledger).trigger(tx, firing.trigger.trigger_id)
        _need_on(automation, firing, trigger)
        if automation.version != run.version:
            return None
        trigger_id = trigger.trigger_id if trigger else automation.automation_id
        if firing.key:
            hold = firing.keys_hold_s
            since = None if hold is None else ledger.clock() - hold
            known = AutomationStore.of(ledger).run_of_key(tx, trigger_id, firing.key, since=since)
            found = known and AutomationStore.of(ledger).run(tx, known)
            if found:
                return DispatchedRun(run=found, is_new=False)
        run = _unless_dropped(ledger, tx, automation, run)
        chained = _chained(ledger, tx, automation, firing.chain)
        if chained:
            run = replace(run, status="failed", error=chained, finished_at=run.created_at)
        AutomationStore.of(ledger).add_run(tx, run)
        if firing.key:
            AutomationStore.of(ledger).keep_key(tx, trigger_id, firing.key, run)
        if trigger is not None:
            now = float(ledger.clock())
            AutomationStore.of(ledger).change_trigger(tx, trigger.trigger_id, last_fired_at=now)
        if run.status != "pending" and not chained:  # the event would continue the chain that was just ended
            ledger.events.append(tx, run_event(run, run.status))
    return DispatchedRun(run=run)


def _need_on(automation: StoredAutomation, firing: AutomationFiring, trigger: StoredTrigger | None) -> None:
    if firing.trigger is None:
        return
    if automation.status != "active" or trigger is None or not trigger.enabled:
        raise NeedsApproval(
            f"The automation {automation.name!r} or its trigger is switched off.",
            hint="gaia email automations enable",
        )


def _unless_dropped(
    ledger: Ledger, tx: Connection, automation: StoredAutomation, run: StoredAutomationRun
) -> StoredAutomationRun:
    if run.status != "pending":
        return run
    version = AutomationStore.of(ledger).version(tx, automation.automation_id, automation.version)
    dropped = _dropped(ledger, tx, automation, version)
    over = replace(run, status="cancelled", error=dropped, finished_at=run.created_at)
    return over if dropped else run


def run_of(
    automation: StoredAutomation, version: StoredVersion, firing: AutomationFiring, at: float
) -> StoredAutomationRun:
    """Return the run of a firing as its definition determines it; `failed` if it may not begin."""
    definition = msgspec.convert(version.definition, AutomationDefinition)
    trigger = firing.trigger
    last = None if trigger is None else trigger.last_fired_at
    runtime = {
        "$last_fired_at": None if last is None else iso(last),
        "$creator": automation.created_by,
        "$account_default": automation.account_id,
    }
    paths: Mapping[str, str] = trigger.config.get("inputs", {}) if trigger else {}
    inputs, error = ResolvedInputs(values=dict(firing.given)), ""
    try:
        inputs = resolved_inputs(definition, firing.payload, paths=paths, given=firing.given, runtime=runtime)
    except BadArgument as refused:
        error = refused.message
    error = error or _too_expensive(definition)
    return StoredAutomationRun(
        run_id=str(uuid.uuid4()),
        automation_id=automation.automation_id,
        account_id=automation.account_id,
        version=automation.version,
        trigger_id=trigger.trigger_id if trigger else None,
        trigger_type=firing.type,
        status="failed" if error else "pending",
        place=automation.place,
        created_by=automation.created_by,
        definition=version.definition,
        flows=version.flows,
        trigger_payload=dict(firing.payload),
        inputs=inputs.values,
        tainted=list(inputs.tainted),
        chain=[*firing.chain, automation.automation_id],
        created_at=at,
        error=error,
        finished_at=at if error else None,
    )


def _too_expensive(definition: AutomationDefinition) -> str:
    """Return why the plan must exceed its budget, as far as known in advance; empty if it need not."""
    certain = [one.step for one in all_steps(definition) if not one.on_failure and one.step.when is None]
    kinds = [action_named(step.action) for step in certain]
    calls = sum(kind.calls for kind in kinds)
    usd = sum(one.cost_estimate for kind in kinds for one in kind.capabilities)
    budget = definition.execution.budget
    for name, used, most in (("calls", calls, budget.calls), ("usd", usd, budget.usd)):
        if most is not None and used > most:
            return f"The plan takes at least {used:g} {name}, and the budget is {most:g}."
    return ""


def _chained(ledger: Ledger, tx: Connection, automation: StoredAutomation, chain: tuple[str, ...]) -> str:
    """Return why a run set off by another may not begin: a cycle, or too long a chain; empty if it may."""
    if automation.automation_id in chain:
        names = {one.automation_id: one.name for one in AutomationStore.of(ledger).all(tx)}
        last = names.get(chain[-1], chain[-1])
        return f"{last!r} and {automation.name!r} would set one another off for ever."
    if len(chain) >= MOST_DEEP:
        return f"At most {MOST_DEEP} automations set one another off in a row."
    return ""


def _dropped(ledger: Ledger, tx: Connection, automation: StoredAutomation, version: StoredVersion) -> str:
    execution = msgspec.convert(version.definition, AutomationDefinition).execution
    if execution.concurrency != "drop_if_running":
        return ""
    running = AutomationStore.of(ledger).runs(
        tx, automation_id=automation.automation_id, statuses=UNDER_WAY, limit=1
    )
    return f"The run {running[0].run_id[:8]} was under way, so this one was left out." if running else ""
