"""One step of a run, taken repeatedly until it is over. Entry: `take_step`.

```
when ─▶ rendered, kept ─▶ budget ─▶ carried out ─▶ succeeded | waiting | again | failed | timed_out
```
A step's configuration is stored before it has any effect, so that a repetition does the same.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal

from gaia_email.actions.account_session import AccountBusy
from gaia_email.actions.one_call import UnclearEnd
from gaia_email.app.json_values import flat_texts, is_list
from gaia_email.mailbox.ref import MailboxRef
from gaia_email_automations.actions import ActionType, action_named
from gaia_email_automations.bounded_schemas import need_fitting
from gaia_email_automations.definition import AutomationStep, RunExecution, written_steps
from gaia_email_automations.engine import AutomationEngine, StepHandler, StepWaits, StepWork, backoff_s
from gaia_email_automations.flows import step_flows
from gaia_email_automations.inputs import RUN_FIELDS
from gaia_email_automations.server_tools import action_here
from gaia_email_automations.store import AutomationStepState, AutomationStore, StoredAutomationRun, StoredStep
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, ProviderError, RateLimited

if TYPE_CHECKING:
    from sqlalchemy import Connection

OVER: tuple[AutomationStepState, ...] = ("succeeded", "skipped", "failed", "timed_out")
BUSY_S = 2.0
"""Seconds until a step is retried if another program is acting on its mailbox."""

TIMED_OUT = "It took longer than it may; what it began is looked for before anything is done again."


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTaken:
    """The state of a step: over, waiting for a user, or to be taken again in some seconds."""

    state: Literal["over", "waiting", "again"]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlace:
    """A step in its run.

    Attributes:
        run: The run.
        step: The step.
        position: Its number among all steps.
        execution: The execution settings.
        place: The mailbox.
        owner: The user's addresses.
        seconds: Seconds that it may take.
    """

    run: StoredAutomationRun
    step: AutomationStep
    position: int
    execution: RunExecution
    place: MailboxRef
    owner: tuple[str, ...]
    seconds: float


async def take_step(engine: AutomationEngine, at: StepPlace, earlier: Sequence[StoredStep]) -> StepTaken:
    """Take the step, or continue it; its row records the outcome.

    Args:
        engine: The engine.
        at: The step.
        earlier: The steps of the run that have begun.
    """
    stored = next((one for one in earlier if one.step_id == at.step.step_id), None)
    if stored is not None and stored.state in OVER:
        return StepTaken(state="over")
    kind = action_named(at.step.action)
    if stored is None:
        try:
            kind = action_here(engine.ledger, at.step.action)
            config = _rendered(engine, at, kind, earlier)
        except (BadArgument, NeedsApproval) as error:
            return end_step(engine, new_step(engine, at, {}), "failed", error.message)
        stored = new_step(engine, at, config or {})
        if config is None:
            return end_step(engine, stored, "skipped", "")
    cost = sum(one.cost_estimate for one in kind.capabilities)
    if said := _over_budget(engine, at, kind.calls, 0, cost):
        return end_step(engine, stored, "failed", said)
    stored = replace(stored, state="running")
    _put(engine, stored)
    return await _carried_out(engine, at, kind, stored)


async def _carried_out(
    engine: AutomationEngine, at: StepPlace, kind: ActionType, stored: StoredStep
) -> StepTaken:
    handler: StepHandler = resolve_name(kind.handler)
    work = _work(engine, at, kind, stored)
    with engine.ledger.write() as tx:
        AutomationStore.of(engine.ledger).count_use(tx, at.run.run_id, calls=kind.calls)
    try:
        output = await asyncio.wait_for(handler(work), at.seconds)
    except TimeoutError:
        return end_step(engine, _again(engine, stored), "timed_out", TIMED_OUT)
    except MailError as error:
        return _after_error(engine, at, _again(engine, stored), error)
    except Exception as error:  # a defect of this program; its message may quote mail
        said = f"Something went wrong inside ({type(error).__name__})."
        return end_step(engine, _again(engine, stored), "failed", said)
    stored = replace(_again(engine, stored), state="running")
    if isinstance(output, StepWaits):
        _put(engine, replace(stored, state="waiting", confirmation_id=output.confirmation_id))
        return StepTaken(state="waiting")
    contract = kind.action.output_contract
    try:
        if contract != "dynamic":
            need_fitting(contract, output, "The answer is not what the action promises: ")
    except BadArgument as error:
        return end_step(engine, stored, "failed", error.message, output)
    return end_step(engine, stored, "succeeded", "", output)


def _after_error(engine: AutomationEngine, at: StepPlace, stored: StoredStep, error: MailError) -> StepTaken:
    """Handle a failed attempt: retry if that may help and the author wants it."""
    if isinstance(error, AccountBusy):
        return StepTaken(state="again", seconds=BUSY_S)
    passes = isinstance(error, ProviderError | RateLimited) and not isinstance(error, UnclearEnd)
    retries = at.execution.max_retries if at.step.max_retries is None else at.step.max_retries
    if not passes or stored.attempts > retries:
        return end_step(engine, stored, "failed", error.message)
    _put(engine, replace(stored, attempts=stored.attempts + 1, error=error.message))
    pause = backoff_s(at.execution.retry_backoff, stored.attempts, engine.chance())
    return StepTaken(state="again", seconds=max(pause, error.retry_after_s or 0.0))


def context_of(run: StoredAutomationRun, earlier: Sequence[StoredStep]) -> dict[str, Any]:
    """Return the values for the templates of a run's next step."""
    about: dict[str, Any] = {name: read(run) for name, read in RUN_FIELDS.items()}
    if run.failed_step_id is not None:
        about |= {
            "failed_step_id": run.failed_step_id,
            "error": {"message": run.error, "kind": failure_of(run, earlier), "step_id": run.failed_step_id},
        }
    return {
        "inputs": run.inputs,
        "trigger": run.trigger_payload,
        "run": about,
        "steps": outputs_of(run, earlier),
    }


def failure_of(run: StoredAutomationRun, begun: Sequence[StoredStep]) -> Literal["failed", "timed_out"]:
    """Return how a run failed: as its failed step did."""
    failed = next((one for one in begun if one.step_id == run.failed_step_id), None)
    return "timed_out" if failed is not None and failed.state == "timed_out" else "failed"


def outputs_of(run: StoredAutomationRun, begun: Sequence[StoredStep]) -> dict[str, Any]:
    """Return the outputs of the steps that succeeded, by the names in the definition."""
    by_step = {one.step_id: one.output.get("value") for one in begun if one.state == "succeeded"}
    return {
        step["output_as"]: by_step[step["step_id"]]
        for _, step in written_steps(run.definition)
        if step.get("output_as") and step["step_id"] in by_step
    }


def _rendered(
    engine: AutomationEngine, at: StepPlace, kind: ActionType, earlier: Sequence[StoredStep]
) -> dict[str, Any] | None:
    """Return the configuration of the step; None if its condition does not hold.

    Raises:
        BadArgument: A template fails, or its result does not fit.
    """
    context = context_of(at.run, earlier)
    if at.step.when is not None and not engine.renderer.condition(at.step.when, context):
        return None
    rendered = engine.renderer.config(at.step.config, context)
    properties: Mapping[str, Any] = kind.action.config_schema.get("properties", {})
    config = {name: _typed(value, properties.get(name, {})) for name, value in rendered.items()}
    need_fitting(kind.action.config_schema, config, f"The configuration of {at.step.step_id} does not fit: ")
    return config


def _typed(value: object, schema: Mapping[str, Any]) -> object:
    """Parse a template's text as JSON for a field that is not a text."""
    kinds: object = schema.get("type")
    if not isinstance(value, str) or kinds in (None, "string") or (is_list(kinds) and "string" in kinds):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return [value] if kinds == "array" else value


def _over_budget(engine: AutomationEngine, at: StepPlace, calls: int, tokens: int, usd: float = 0.0) -> str:
    """Return why the run may not use that much more, by its current usage in the ledger; empty if it may."""
    with engine.ledger.read() as tx:
        run = AutomationStore.of(engine.ledger).run(tx, at.run.run_id) or at.run
    budget = at.execution.budget
    used_s = engine.ledger.clock() - (run.resumed_at or run.started_at or run.created_at)
    for name, used, most in (
        ("calls", run.calls + calls, budget.calls),
        ("tokens", run.tokens + tokens, budget.tokens),
        ("seconds", used_s, budget.seconds),
        ("usd", run.usd + usd, budget.usd),
    ):
        if most is not None and used > most:
            return f"The budget of {most:g} {name} is used up."
    return ""


def _work(engine: AutomationEngine, at: StepPlace, kind: ActionType, stored: StoredStep) -> StepWork:
    flows = list(step_flows(at.step, at.run.tainted))
    strangers = [text for flow in flows for text in flat_texts(stored.config.get(flow.field))]
    ledger = engine.ledger

    def keep(tx: Connection, output: object) -> None:
        done = replace(
            stored, state="succeeded", output={"value": output}, finished_at=engine.ledger.clock(), error=""
        )
        AutomationStore.of(ledger).put_step(tx, done)

    def note(tx: Connection, progress: Mapping[str, Any]) -> None:
        AutomationStore.of(ledger).put_step(tx, replace(stored, output={"progress": dict(progress)}))

    def spend(calls: int, tokens: int) -> None:
        with ledger.write() as tx:
            AutomationStore.of(ledger).count_use(tx, at.run.run_id, calls=calls, tokens=tokens)

    return StepWork(
        engine=engine,
        run=at.run,
        step=at.step,
        config=stored.config,
        place=at.place,
        owner=at.owner,
        asks=tuple(flow.line for flow in flows if flow.line not in at.run.flows),
        from_strangers=frozenset(text.lower() for text in strangers),
        confirmation_id=stored.confirmation_id or "",
        keep=keep,
        progress=stored.output.get("progress", {}),
        note=note,
        over_budget=lambda calls, tokens: _over_budget(engine, at, calls, tokens),
        spend=spend,
    )


def new_step(engine: AutomationEngine, at: StepPlace, config: dict[str, Any]) -> StoredStep:
    """Return the row of a step that begins now."""
    return StoredStep(
        run_id=at.run.run_id,
        step_id=at.step.step_id,
        account_id=at.run.account_id,
        position=at.position,
        state="running",
        config=config,
        started_at=engine.ledger.clock(),
    )


def end_step(
    engine: AutomationEngine,
    stored: StoredStep,
    state: AutomationStepState,
    error: str,
    output: object = None,
) -> StepTaken:
    """Store a step's outcome."""
    ended = replace(
        stored,
        state=state,
        error=error,
        output={**stored.output, **({} if output is None else {"value": output})},
        finished_at=engine.ledger.clock(),
    )
    _put(engine, ended)
    return StepTaken(state="over")


def _again(engine: AutomationEngine, stored: StoredStep) -> StoredStep:
    """Return the step's row, with the progress stored by the attempt."""
    with engine.ledger.read() as tx:
        rows = AutomationStore.of(engine.ledger).steps(tx, stored.run_id)
    return next((one for one in rows if one.step_id == stored.step_id), stored)


def _put(engine: AutomationEngine, step: StoredStep) -> None:
    with engine.ledger.write() as tx:
        AutomationStore.of(engine.ledger).put_step(tx, step)
