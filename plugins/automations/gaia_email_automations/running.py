"""Execute a run by its rows in the ledger: each call takes it one step further. Entry: `advance`.

After a crash at any point, the next call continues from the rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email.mailbox.ref import MailboxRef
from gaia_email_automations.definition import AutomationDefinition, AutomationStep, all_steps
from gaia_email_automations.engine import ACTOR, AutomationEngine
from gaia_email_automations.stepping import (
    OVER,
    StepPlace,
    StepTaken,
    end_step,
    failure_of,
    new_step,
    outputs_of,
    take_step,
)
from gaia_email_automations.store import AutomationRunStatus, AutomationStore, StoredAutomationRun, StoredStep
from gaia_email_registry.errors import NotFound

FAILURE_STEP_S = 60.0
"""Seconds for a failure step, since the time of the run itself may be over."""

ENDED = ("succeeded", "failed", "cancelled", "timed_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAdvanced:
    """The state of a run, and the seconds to wait before it is advanced again."""

    status: AutomationRunStatus
    seconds: float = 0.0

    @property
    def goes_on(self) -> bool:
        """True if there is more to do now."""
        return self.status == "running"


def advance(engine: AutomationEngine, run_id: str) -> RunAdvanced:
    """Take a run one step further.

    Raises:
        NotFound: There is no such run.
        MailError: The ledger cannot be used.
    """
    run, steps = _read(engine, run_id)
    if run.status in ENDED:
        return RunAdvanced(status=run.status)
    brakes = engine.brakes(run)
    if reason := brakes.explain_hold() if run.started_at is None else brakes.explain_halt():
        return finish(engine.ledger, run, "cancelled", error=reason)
    if run.status != "running":
        run = _started(engine, run)
    definition = msgspec.convert(run.definition, AutomationDefinition)
    failing = run.failed_step_id is not None
    todo = _todo(definition, steps, failing=failing)
    if todo is None:
        if failing:
            return finish(engine.ledger, run, failure_of(run, steps), error=run.error)
        return finish(engine.ledger, run, "succeeded", output=outputs_of(run, steps))
    position, step = todo
    seconds = _seconds(engine, run, definition, step, failing=failing)
    at = StepPlace(
        run=run,
        step=step,
        position=position,
        execution=definition.execution,
        place=MailboxRef.from_json(run.place),
        owner=tuple(str(address) for address in run.place.get("owner", ())),
        seconds=seconds,
    )
    if seconds <= 0:
        return _timed_out(engine, at)
    return _after(engine, at, asyncio.run(take_step(engine, at, steps)))


def _after(engine: AutomationEngine, at: StepPlace, taken: StepTaken) -> RunAdvanced:
    run = at.run
    if taken.state == "waiting":
        with engine.ledger.write() as tx:
            AutomationStore.of(engine.ledger).change_run(tx, run.run_id, status="waiting")
        return RunAdvanced(status="waiting")
    if taken.state == "over" and run.failed_step_id is None:
        _, steps = _read(engine, run.run_id)
        row = next(one for one in steps if one.step_id == at.step.step_id)
        if row.state in ("failed", "timed_out"):
            _failed(engine, run, row.step_id, row.error)
    return RunAdvanced(status="running", seconds=taken.seconds)


def finish(
    ledger: Ledger,
    run: StoredAutomationRun,
    status: AutomationRunStatus,
    *,
    error: str = "",
    output: dict[str, Any] | None = None,
) -> RunAdvanced:
    """End a run, once, with an event that may set off other automations."""
    with ledger.write() as tx:
        now = AutomationStore.of(ledger).run(tx, run.run_id)
        if now is not None and now.status in ENDED:
            return RunAdvanced(status=now.status)
        AutomationStore.of(ledger).change_run(
            tx,
            run.run_id,
            status=status,
            error=error,
            output=output or {},
            finished_at=float(ledger.clock()),
        )
        ledger.events.append(tx, run_event(run, status))
    return RunAdvanced(status=status)


def run_event(run: StoredAutomationRun, what: str) -> NewLedgerEvent:
    """Return the event for a run's start or end; it contains no text from mail."""
    payload = {
        "automation_id": run.automation_id,
        "name": run.definition["name"],
        "version": run.version,
        "trigger_type": run.trigger_type,
    }
    return NewLedgerEvent(
        kind=f"automation.run.{what}",
        actor=ACTOR,
        account_id=run.account_id,
        run_id=run.run_id,
        payload=payload,
    )


def _read(engine: AutomationEngine, run_id: str) -> tuple[StoredAutomationRun, list[StoredStep]]:
    store = AutomationStore.of(engine.ledger)
    with engine.ledger.read() as tx:
        run = store.run(tx, run_id)
        if run is None:
            raise NotFound(f"There is no run {run_id[:60]!r} of an automation.", argument="run_id")
        return run, store.steps(tx, run_id)


def _started(engine: AutomationEngine, run: StoredAutomationRun) -> StoredAutomationRun:
    """Mark a run as running, at its start or after waiting; the time spent waiting does not count."""
    now = float(engine.ledger.clock())
    with engine.ledger.write() as tx:
        begun = "started_at" if run.started_at is None else "resumed_at"
        AutomationStore.of(engine.ledger).change_run(tx, run.run_id, status="running", **{begun: now})
        if run.started_at is None:
            engine.ledger.events.append(tx, run_event(run, "started"))
    return _read(engine, run.run_id)[0]


def _failed(engine: AutomationEngine, run: StoredAutomationRun, step_id: str, error: str) -> None:
    with engine.ledger.write() as tx:
        AutomationStore.of(engine.ledger).change_run(tx, run.run_id, failed_step_id=step_id, error=error)


def _todo(
    definition: AutomationDefinition, steps: Sequence[StoredStep], *, failing: bool
) -> tuple[int, AutomationStep] | None:
    """Return the next step that is not over, with its position; a failure step once one has failed."""
    over = {one.step_id for one in steps if one.state in OVER}
    for position, placed in enumerate(all_steps(definition)):
        if placed.on_failure is failing and placed.step.step_id not in over:
            return position, placed.step
    return None


def _seconds(
    engine: AutomationEngine,
    run: StoredAutomationRun,
    definition: AutomationDefinition,
    step: AutomationStep,
    *,
    failing: bool,
) -> float:
    """Return the seconds the step may take: its own limit, or what is left of the run's."""
    if failing:
        return step.timeout_seconds or FAILURE_STEP_S
    begun = run.resumed_at or run.started_at or run.created_at
    left = begun + definition.execution.timeout_seconds - engine.ledger.clock()
    return min(left, step.timeout_seconds or left)


def _timed_out(engine: AutomationEngine, at: StepPlace) -> RunAdvanced:
    """End the step because the run's time is over."""
    said = "The run took longer than it may."
    taken = end_step(engine, new_step(engine, at, {}), "timed_out", said)
    return _after(engine, at, taken)
