"""The documents of automations: definitions as saved, and runs with why each step did what it did.

Entries: `automation_document`, `automations_document`, `automation_run_document`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypedDict

import msgspec

from gaia_email.app.documents.automation_actions import AutomationActionsDocument
from gaia_email.automations.authoring.describing import TOPICS, checks_of, step_sentences, summary_of
from gaia_email.automations.definition import AutomationDefinition, all_steps
from gaia_email.automations.dispatching import RETRY_OF
from gaia_email.automations.flows import flows_of
from gaia_email.automations.task_tools import log_of
from gaia_email.automations.wording import trigger_words
from gaia_email.document import Count, OneOf, Time, Version, at, at_if_known, clean

if TYPE_CHECKING:
    from gaia_email.automations.details import AutomationDetails, RunDetails, TriedFiring
    from gaia_email.automations.validating import CheckedDefinition
    from gaia_email.ledger.automations import StoredAutomationRun, StoredStep, StoredTrigger

RunStatusName = Annotated[
    str, OneOf(("pending", "running", "waiting", "succeeded", "failed", "cancelled", "timed_out"))
]
StepStateName = Annotated[str, OneOf(("running", "waiting", "succeeded", "skipped", "failed", "timed_out"))]


class TriggerRow(TypedDict):
    """A trigger; `says` is it in one sentence."""

    id: str
    type: str
    says: str
    enabled: bool
    has_token: bool
    last_fired_at: Time | None


class AutomationRow(TypedDict):
    """An automation in a list."""

    id: str
    name: str
    description: str
    account: str
    status: Annotated[str, OneOf(("active", "paused", "archived"))]
    version: Count
    triggers: list[TriggerRow]
    runs: dict[str, Count]
    updated_at: Time


class AutomationsDocument(TypedDict):
    """What `automations list` prints."""

    schema_version: Version
    automations: list[AutomationRow]


class AutomationDocument(TypedDict):
    """The document of `automations show`: the program, its steps as sentences, and which flows are allowed."""

    schema_version: Version
    automation: AutomationRow
    definition: dict[str, object]
    steps: list[str]
    allowed_flows: list[str]
    asked_flows: list[str]


class ErrorRow(TypedDict):
    """What is wrong, or worth a look, at a place (RFC 6901)."""

    pointer: str
    message: str


class AutomationCheckRow(TypedDict):
    """One of the seven things worth checking."""

    topic: Annotated[str, OneOf(TOPICS)]
    says: str


class CheckDocument(TypedDict):
    """The document of `automations check`; `summary` has a sentence for each trigger and each step."""

    schema_version: Version
    name: str
    is_valid: bool
    errors: list[ErrorRow]
    warnings: list[ErrorRow]
    flows: list[str]
    summary: list[str]
    checks: list[AutomationCheckRow]


class AutomationRunRow(TypedDict):
    """A run in a list: what set it off (`why`), why it ended as it did (`error`), and what it used."""

    id: str
    automation_id: str
    automation: str
    version: Count
    status: RunStatusName
    why: str
    error: str
    created_at: Time
    started_at: Time | None
    finished_at: Time | None
    calls: Count
    tokens: Count


class AutomationRunsDocument(TypedDict):
    """What `automations runs` prints."""

    schema_version: Version
    shown: Count
    runs: list[AutomationRunRow]


class StepRow(TypedDict):
    """A step that was begun, and why it did what it did; `log` has what the model of a task did, a line each."""

    step_id: str
    action: str
    state: StepStateName
    why: str
    attempts: Count
    config: dict[str, object]
    output: object
    log: list[str]
    confirmation_id: str | None
    started_at: Time
    finished_at: Time | None


class RunUse(TypedDict):
    """What a run has used."""

    calls: Count
    tokens: Count
    usd: float


class AutomationRunDocument(TypedDict):
    """What `automations run` and `automations history` print."""

    schema_version: Version
    run: AutomationRunRow
    trigger: dict[str, object]
    inputs: dict[str, object]
    tainted_inputs: list[str]
    steps: list[StepRow]
    not_begun: list[str]
    output: dict[str, object]
    used: RunUse


class AutomationTryRow(TypedDict):
    """When a trigger would have fired, and each step as it would have been configured."""

    trigger: str
    at: Time
    about: str
    error: str
    configs: dict[str, dict[str, object]]
    unknown: dict[str, str]


class AutomationTryDocument(TypedDict):
    """What `automations test` prints; nothing was called."""

    schema_version: Version
    automation: AutomationRow
    shown: Count
    firings: list[AutomationTryRow]


class TokenDocument(TypedDict):
    """What `automations token` prints, this once."""

    schema_version: Version
    automation_id: str
    path: str
    token: str


class RemovedDocument(TypedDict):
    """What `automations remove` prints."""

    schema_version: Version
    automation_id: str
    name: str


AUTOMATION_DOCUMENTS: dict[str, object] = {
    "automations": AutomationsDocument,
    "automation": AutomationDocument,
    "automation-check": CheckDocument,
    "automation-runs": AutomationRunsDocument,
    "automation-run": AutomationRunDocument,
    "automation-test": AutomationTryDocument,
    "automation-token": TokenDocument,
    "automation-removed": RemovedDocument,
    "automation-actions": AutomationActionsDocument,
}


def automations_document(found: Sequence[AutomationDetails]) -> AutomationsDocument:
    """A list."""
    return {"schema_version": 1, "automations": [_automation(one) for one in found]}


def automation_document(found: AutomationDetails) -> AutomationDocument:
    """One, whole."""
    read = msgspec.convert(found.version.definition, AutomationDefinition)
    lines = [flow.line for flow in flows_of(read)]
    return {
        "schema_version": 1,
        "automation": _automation(found),
        "definition": found.version.definition,
        "steps": [clean(one) for one in step_sentences(read)],
        "allowed_flows": found.version.flows,
        "asked_flows": [line for line in lines if line not in found.version.flows],
    }


def check_document(read: CheckedDefinition, name: object) -> CheckDocument:
    """What a definition's reading came to."""
    definition = read.definition
    return {
        "schema_version": 1,
        "name": clean(str(name))[:100],
        "is_valid": read.definition is not None,
        "errors": [{"pointer": one.pointer, "message": clean(one.message)} for one in read.errors],
        "warnings": [{"pointer": one.pointer, "message": one.message} for one in read.warnings],
        "flows": [] if definition is None else [flow.line for flow in flows_of(definition)],
        "summary": [] if definition is None else [clean(one) for one in summary_of(definition)],
        "checks": []
        if definition is None
        else [{"topic": one.topic, "says": clean(one.says)} for one in checks_of(definition)],
    }


def automation_runs_document(found: Sequence[StoredAutomationRun]) -> AutomationRunsDocument:
    """Runs, in the order given."""
    return {"schema_version": 1, "shown": len(found), "runs": [_run(one) for one in found]}


def automation_run_document(found: RunDetails) -> AutomationRunDocument:
    """A run with its steps."""
    run = found.run
    placed = list(all_steps(msgspec.convert(run.definition, AutomationDefinition)))
    actions = {one.step.step_id: one.step.action for one in placed}
    begun = {one.step_id for one in found.steps}
    has_failed = run.failed_step_id is not None
    return {
        "schema_version": 1,
        "run": _run(run),
        "trigger": run.trigger_payload,
        "inputs": run.inputs,
        "tainted_inputs": run.tainted,
        "steps": [_step(one, actions[one.step_id]) for one in found.steps],
        "not_begun": [
            one.step.step_id
            for one in placed
            if one.step.step_id not in begun and (has_failed or not one.on_failure)
        ],
        "output": run.output,
        "used": {"calls": run.calls, "tokens": run.tokens, "usd": run.usd},
    }


def tried_document(found: AutomationDetails, fired: Sequence[TriedFiring]) -> AutomationTryDocument:
    """When it would have fired."""
    rows: list[AutomationTryRow] = [
        {
            "trigger": one.trigger,
            "at": at(one.at),
            "about": one.about,
            "error": clean(one.error),
            "configs": {name: dict(config) for name, config in one.configs.items()},
            "unknown": {name: clean(why) for name, why in one.unknown.items()},
        }
        for one in fired
    ]
    return {"schema_version": 1, "automation": _automation(found), "shown": len(rows), "firings": rows}


def _automation(found: AutomationDetails) -> AutomationRow:
    one = found.automation
    return {
        "id": one.automation_id,
        "name": clean(one.name),
        "description": clean(one.description),
        "account": clean(one.account_id),
        "status": one.status,
        "version": one.version,
        "triggers": [_trigger(trigger) for trigger in found.triggers],
        "runs": dict(found.runs),
        "updated_at": at(one.updated_at),
    }


def _trigger(one: StoredTrigger) -> TriggerRow:
    return {
        "id": one.trigger_id,
        "type": one.type,
        "says": trigger_words(one.type, one.config),
        "enabled": one.enabled,
        "has_token": one.secret_hash is not None,
        "last_fired_at": at_if_known(one.last_fired_at),
    }


def _run(run: StoredAutomationRun) -> AutomationRunRow:
    return {
        "id": run.run_id,
        "automation_id": run.automation_id,
        "automation": clean(str(run.definition["name"])),
        "version": run.version,
        "status": run.status,
        "why": clean(_why(run)),
        "error": clean(run.error),
        "created_at": at(run.created_at),
        "started_at": at_if_known(run.started_at),
        "finished_at": at_if_known(run.finished_at),
        "calls": run.calls,
        "tokens": run.tokens,
    }


def _why(run: StoredAutomationRun) -> str:
    """What set a run off, in one sentence."""
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


def _step(step: StoredStep, action: str) -> StepRow:
    return {
        "step_id": step.step_id,
        "action": action,
        "state": step.state,
        "why": clean(_step_why(step)),
        "attempts": step.attempts,
        "config": step.config,
        "output": step.output.get("value"),
        "log": [clean(line) for line in log_of(step.output.get("progress", {}))],
        "confirmation_id": step.confirmation_id,
        "started_at": at(step.started_at),
        "finished_at": at_if_known(step.finished_at),
    }


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
