"""Documents for automations: saved definitions, and runs with the reason for each step.

Entries: `describe_automation`, `list_automations`, `describe_run`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import msgspec

from gaia_email.app.json_schemas import PlacedError
from gaia_email.document import Count, Document, OneOf, Timestamp
from gaia_email_automations.authoring.describing import AutomationCheck, checks_of, step_sentences, summary_of
from gaia_email_automations.definition import SIDE_EFFECTS, AutomationDefinition, all_steps
from gaia_email_automations.dispatching import RETRY_OF
from gaia_email_automations.flows import flows_of
from gaia_email_automations.task_tools import log_of
from gaia_email_automations.wording import trigger_words

if TYPE_CHECKING:
    from gaia_email_automations.actions import ActionType
    from gaia_email_automations.details import AutomationDetails, RunDetails, TriedFiring
    from gaia_email_automations.store import StoredAutomationRun, StoredStep, StoredTrigger
    from gaia_email_automations.validating import CheckedDefinition

RunStatusName = Annotated[
    str, OneOf(("pending", "running", "waiting", "succeeded", "failed", "cancelled", "timed_out"))
]
StepStateName = Annotated[str, OneOf(("running", "waiting", "succeeded", "skipped", "failed", "timed_out"))]


SideEffectName = Annotated[str, OneOf(SIDE_EFFECTS)]


class TriggerSummary(Document, frozen=True, kw_only=True):
    """A trigger; `says` describes it in one sentence."""

    id: str
    type: str
    says: str
    enabled: bool
    has_token: bool
    last_fired_at: Timestamp | None


class AutomationSummary(Document, frozen=True, kw_only=True):
    """An automation in a list."""

    id: str
    name: str
    description: str
    account: str
    status: Annotated[str, OneOf(("active", "paused", "archived"))]
    version: Count
    triggers: list[TriggerSummary]
    runs: dict[str, Count]
    updated_at: Timestamp


class AutomationList(Document, frozen=True, kw_only=True):
    """The document of `automations list`."""

    automations: list[AutomationSummary]


class AutomationProgram(Document, frozen=True, kw_only=True):
    """The document of `automations show`: the program, its steps as sentences, and the flows that are allowed."""

    automation: AutomationSummary
    definition: dict[str, object]
    steps: list[str]
    allowed_flows: list[str]
    asked_flows: list[str]


class CheckedAutomation(Document, frozen=True, kw_only=True):
    """The document of `automations check`; `summary` has a sentence for each trigger and each step."""

    name: str
    is_valid: bool
    errors: list[PlacedError]
    warnings: list[PlacedError]
    flows: list[str]
    summary: list[str]
    checks: list[AutomationCheck]


class AutomationRunSummary(Document, frozen=True, kw_only=True):
    """A run in a list: `why` is what triggered it, `error` why it failed, the rest what it used."""

    id: str
    automation_id: str
    automation: str
    version: Count
    status: RunStatusName
    why: str
    error: str
    created_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None
    calls: Count
    tokens: Count


class AutomationRunList(Document, frozen=True, kw_only=True):
    """The document of `automations runs`."""

    shown: Count
    runs: list[AutomationRunSummary]


class StepAccount(Document, frozen=True, kw_only=True):
    """A step that was started, and the reason for its outcome; `log` has one line per act of a task's model."""

    step_id: str
    action: str
    state: StepStateName
    why: str
    attempts: Count
    config: dict[str, object]
    output: object
    log: list[str]
    confirmation_id: str | None
    started_at: Timestamp
    finished_at: Timestamp | None


class RunUse(Document, frozen=True, kw_only=True):
    """The resources that a run has used."""

    calls: Count
    tokens: Count
    usd: float


class AutomationRunAccount(Document, frozen=True, kw_only=True):
    """The document of `automations run` and `automations history`."""

    run: AutomationRunSummary
    trigger: dict[str, object]
    inputs: dict[str, object]
    tainted_inputs: list[str]
    steps: list[StepAccount]
    not_begun: list[str]
    output: dict[str, object]
    used: RunUse


class TrialFiring(Document, frozen=True, kw_only=True):
    """A moment at which a trigger would have fired, with the configuration that each step would have had."""

    trigger: str
    at: Timestamp
    about: str
    error: str
    configs: dict[str, dict[str, object]]
    unknown: dict[str, str]


class AutomationTrial(Document, frozen=True, kw_only=True):
    """The document of `automations test`; nothing was called."""

    automation: AutomationSummary
    shown: Count
    firings: list[TrialFiring]


class WebhookToken(Document, frozen=True, kw_only=True):
    """The document of `automations token`; the token is shown only once."""

    automation_id: str
    path: str
    token: str


class RemovedAutomation(Document, frozen=True, kw_only=True):
    """The document of `automations remove`."""

    automation_id: str
    name: str


class AutomationActionSummary(Document, frozen=True, kw_only=True):
    """An action: the name that steps use, its description, and the JSON Schema of its configuration."""

    name: str
    description: str
    side_effects: list[SideEffectName]
    config_schema: dict[str, object]


class AutomationActionList(Document, frozen=True, kw_only=True):
    """The document of `automations actions`: built-in actions, and approved tools of connected MCP servers."""

    total: Count
    actions: list[AutomationActionSummary]


def list_automations(found: Sequence[AutomationDetails]) -> AutomationList:
    """List automations, in the order given."""
    return AutomationList(automations=[_automation(one) for one in found])


def describe_automation(found: AutomationDetails) -> AutomationProgram:
    """Describe an automation with all its details."""
    read = msgspec.convert(found.version.definition, AutomationDefinition)
    lines = [flow.line for flow in flows_of(read)]
    return AutomationProgram(
        automation=_automation(found),
        definition=found.version.definition,
        steps=list(step_sentences(read)),
        allowed_flows=found.version.flows,
        asked_flows=[line for line in lines if line not in found.version.flows],
    )


def describe_check(read: CheckedDefinition, name: object) -> CheckedAutomation:
    """Describe the result of checking a definition."""
    definition = read.definition
    return CheckedAutomation(
        name=str(name)[:100],
        is_valid=definition is not None,
        errors=list(read.errors),
        warnings=list(read.warnings),
        flows=[] if definition is None else [flow.line for flow in flows_of(definition)],
        summary=[] if definition is None else summary_of(definition),
        checks=[] if definition is None else checks_of(definition),
    )


def list_actions(found: Sequence[ActionType]) -> AutomationActionList:
    """List actions, in the order given."""
    return AutomationActionList(
        total=len(found),
        actions=[
            AutomationActionSummary(
                name=one.action.type,
                description=one.action.description,
                side_effects=sorted({effect for used in one.capabilities for effect in used.side_effects}),
                config_schema=one.action.config_schema,
            )
            for one in found
        ],
    )


def list_runs(found: Sequence[StoredAutomationRun]) -> AutomationRunList:
    """List runs, in the order given."""
    return AutomationRunList(shown=len(found), runs=[_run(one) for one in found])


def describe_run(found: RunDetails) -> AutomationRunAccount:
    """Describe a run with its steps."""
    run = found.run
    placed = list(all_steps(msgspec.convert(run.definition, AutomationDefinition)))
    actions = {one.step.step_id: one.step.action for one in placed}
    begun = {one.step_id for one in found.steps}
    has_failed = run.failed_step_id is not None
    return AutomationRunAccount(
        run=_run(run),
        trigger=run.trigger_payload,
        inputs=run.inputs,
        tainted_inputs=run.tainted,
        steps=[_step(one, actions[one.step_id]) for one in found.steps],
        not_begun=[
            one.step.step_id
            for one in placed
            if one.step.step_id not in begun and (has_failed or not one.on_failure)
        ],
        output=run.output,
        used=RunUse(calls=run.calls, tokens=run.tokens, usd=run.usd),
    )


def describe_trial(found: AutomationDetails, fired: Sequence[TriedFiring]) -> AutomationTrial:
    """Describe the moments at which an automation would have fired."""
    return AutomationTrial(
        automation=_automation(found),
        shown=len(fired),
        firings=[
            TrialFiring(
                trigger=one.trigger,
                at=Timestamp(one.at),
                about=one.about,
                error=one.error,
                configs={name: dict(config) for name, config in one.configs.items()},
                unknown=dict(one.unknown),
            )
            for one in fired
        ],
    )


def _automation(found: AutomationDetails) -> AutomationSummary:
    one = found.automation
    return AutomationSummary(
        id=one.automation_id,
        name=one.name,
        description=one.description,
        account=one.account_id,
        status=one.status,
        version=one.version,
        triggers=[_trigger(trigger) for trigger in found.triggers],
        runs=dict(found.runs),
        updated_at=Timestamp(one.updated_at),
    )


def _trigger(one: StoredTrigger) -> TriggerSummary:
    return TriggerSummary(
        id=one.trigger_id,
        type=one.type,
        says=trigger_words(one.type, one.config),
        enabled=one.enabled,
        has_token=one.secret_hash is not None,
        last_fired_at=Timestamp.if_known(one.last_fired_at),
    )


def _run(run: StoredAutomationRun) -> AutomationRunSummary:
    return AutomationRunSummary(
        id=run.run_id,
        automation_id=run.automation_id,
        automation=str(run.definition["name"]),
        version=run.version,
        status=run.status,
        why=_why(run),
        error=run.error,
        created_at=Timestamp(run.created_at),
        started_at=Timestamp.if_known(run.started_at),
        finished_at=Timestamp.if_known(run.finished_at),
        calls=run.calls,
        tokens=run.tokens,
    )


def _why(run: StoredAutomationRun) -> str:
    """Return what triggered a run, in one sentence."""
    payload = run.trigger_payload
    if earlier := payload.get(RETRY_OF):
        return f"You ran {str(earlier)[:8]} once more."
    match run.trigger_type:
        case "schedule":
            return f"Its schedule, for {payload.get('scheduled_for')}."
        case "event":
            about = f" about {payload['subject']!r}" if payload.get("subject") else ""
            return f"The event {payload.get('type')} (number {payload.get('seq')}){about}."
        case "webhook":
            return f"A request to its webhook on {datetime.fromtimestamp(run.created_at, UTC):%Y-%m-%d}."
        case _:
            return "You ran it by hand."


def _step(step: StoredStep, action: str) -> StepAccount:
    return StepAccount(
        step_id=step.step_id,
        action=action,
        state=step.state,
        why=_step_why(step),
        attempts=step.attempts,
        config=step.config,
        output=step.output.get("value"),
        log=list(log_of(step.output.get("progress", {}))),
        confirmation_id=step.confirmation_id,
        started_at=Timestamp(step.started_at),
        finished_at=Timestamp.if_known(step.finished_at),
    )


def _step_why(step: StoredStep) -> str:
    match step.state:
        case "skipped":
            return "Its condition did not hold."
        case "waiting":
            return "It waits for your answer in the Agent Inbox."
        case "succeeded":
            return "You agreed to it." if step.confirmation_id else "You saved it."
        case "running":
            return f"It is tried again: {step.error}" if step.error else "It is under way."
        case _:
            return step.error
