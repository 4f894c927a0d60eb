"""The saved definition of an automation; the limits of its types become the schema. Entry: `AutomationDefinition`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from gaia_email.app.json_values import is_list, is_object

JsonObject: TypeAlias = dict[str, Any]

PLAN, ON_FAILURE = "/plan", "/execution/on_failure"
"""JSON Pointers to the parts of a definition that contain steps."""

RetryBackoff = Literal["none", "linear", "exponential"]
RunConcurrency = Literal["drop_if_running", "queue", "allow_parallel"]
MissedTime = Literal["skip", "once"]
TriggerType = Literal["schedule", "event", "webhook", "manual"]
SignatureScheme = Literal["none", "standard-webhooks"]
SideEffect = Literal["READ", "WRITE", "EXTERNAL_WRITE", "COST_INCURRING", "USER_VISIBLE"]

SIDE_EFFECTS: tuple[SideEffect, ...] = get_args(SideEffect)

Identifier = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
ActionName = Annotated[
    str, Meta(pattern=r"^([a-z][a-z0-9_]{0,63}|[A-Za-z0-9][A-Za-z0-9_\-]{0,63}\.[A-Za-z0-9_.\-/]{1,128})$")
]
"""A built-in action, or `server.tool`."""

GoalText = Annotated[str, Meta(max_length=2000)]
TemplateText = Annotated[str, Meta(min_length=1, max_length=8192)]
Seconds = Annotated[float, Meta(ge=1, le=3600)]
Retries = Annotated[int, Meta(ge=0, le=10)]
JsonPaths = Annotated[
    dict[str, Annotated[str, Meta(max_length=500)]],
    Meta(max_length=50, description="Input by JSONPath (RFC 9535) in the trigger's payload."),
]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a definition; fields that it does not have are errors."""


class DefinitionInputs(_Part, frozen=True, kw_only=True):
    """Inputs of a run: a JSON Schema (2020-12) of an object, with `$ref` only inside."""

    schema: JsonObject = {}


class ScheduleTrigger(_Part, frozen=True, kw_only=True, tag="schedule", tag_field="type"):
    """By the clock: five cron fields in a time zone; `missed` says what becomes of times that nobody ran at."""

    cron: Annotated[str, Meta(max_length=100)]
    timezone: Annotated[str, Meta(max_length=60)] = "UTC"
    missed: MissedTime = "skip"
    enabled: bool = True


class EventTrigger(_Part, frozen=True, kw_only=True, tag="event", tag_field="type"):
    """By the event log: events of a type (or `beginning.*`) that the filters let pass."""

    event_type: Annotated[str, Meta(pattern=r"^[a-z_]+(\.[a-z_]+)*(\.\*)?$", max_length=100)]
    filters: JsonObject = {}
    inputs: JsonPaths = {}
    enabled: bool = True


class WebhookTrigger(_Part, frozen=True, kw_only=True, tag="webhook", tag_field="type"):
    """By a request: `POST /v1/automations/{id}/fire` with the trigger's token."""

    inputs: JsonPaths = {}
    signature: SignatureScheme = "none"
    enabled: bool = True


class ManualTrigger(_Part, frozen=True, kw_only=True, tag="manual", tag_field="type"):
    """By hand only; every automation can be run by hand all the same."""


AutomationTrigger: TypeAlias = ScheduleTrigger | EventTrigger | WebhookTrigger | ManualTrigger


class AutomationStep(_Part, frozen=True, kw_only=True):
    """One step: an action with its configuration, whose texts are templates."""

    step_id: Identifier
    action: ActionName
    when: TemplateText | None = None
    config: JsonObject = {}
    output_as: Identifier | None = None
    max_retries: Retries | None = None
    timeout_seconds: Seconds | None = None


class RunBudget(_Part, frozen=True, kw_only=True):
    """The most that one run may use; checked before it starts and before each step."""

    calls: Annotated[int, Meta(ge=0)] | None = None
    tokens: Annotated[int, Meta(ge=0)] | None = None
    seconds: Annotated[float, Meta(ge=0)] | None = None
    usd: Annotated[float, Meta(ge=0)] | None = None


class RunExecution(_Part, frozen=True, kw_only=True):
    """Rules for executing runs; steps of `on_failure` are taken after a failure."""

    timeout_seconds: Seconds = 600
    max_retries: Retries = 0
    retry_backoff: RetryBackoff = "exponential"
    concurrency: RunConcurrency = "drop_if_running"
    budget: RunBudget = RunBudget()
    on_failure: Annotated[tuple[AutomationStep, ...], Meta(max_length=10)] = ()


class AutomationDefinition(_Part, frozen=True, kw_only=True):
    """The whole program of an automation."""

    schema_version: Literal[1]
    name: Annotated[str, Meta(min_length=1, max_length=100)]
    goal: GoalText = ""
    inputs: DefinitionInputs = DefinitionInputs()
    triggers: Annotated[tuple[AutomationTrigger, ...], Meta(max_length=10)] = ()
    plan: Annotated[tuple[AutomationStep, ...], Meta(min_length=1, max_length=50)]
    execution: RunExecution = RunExecution()
    metadata: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedStep:
    """A step and its place in the definition.

    Attributes:
        step: The step.
        pointer: Its JSON Pointer.
        on_failure: True if it runs only after another step has failed.
    """

    step: AutomationStep
    pointer: str
    on_failure: bool


def all_steps(definition: AutomationDefinition) -> Iterator[PlacedStep]:
    """Yield every step that a run could take, the steps of the plan first; all other code uses this to visit steps."""
    for steps, base, on_failure in (
        (definition.plan, PLAN, False),
        (definition.execution.on_failure, ON_FAILURE, True),
    ):
        for number, step in enumerate(steps):
            yield PlacedStep(step=step, pointer=f"{base}/{number}", on_failure=on_failure)


def written_steps(definition: Mapping[str, Any]) -> Iterator[tuple[str, JsonObject]]:
    """Yield every step of a definition as written, which may have holes or errors, with its JSON Pointer."""
    execution: object = definition.get("execution")
    failing: object = execution.get("on_failure") if is_object(execution) else ()
    for steps, base in ((definition.get("plan"), PLAN), (failing, ON_FAILURE)):
        for number, step in enumerate(steps if is_list(steps) else ()):
            if is_object(step):
                yield f"{base}/{number}", step


class AutomationCapability(_Part, frozen=True, kw_only=True):
    """Something that can be done, without saying how."""

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_\-]*\.[A-Za-z0-9_.\-/]+$")]
    name: Annotated[str, Meta(max_length=100)]
    description: GoalText
    input_schema: JsonObject
    output_schema: JsonObject = {}
    required_credentials: tuple[str, ...] = ()
    side_effects: tuple[SideEffect, ...] = ()
    expected_duration_seconds: Annotated[float, Meta(ge=0)] = 5
    cost_estimate: Annotated[float, Meta(ge=0)] = 0


class AutomationAction(_Part, frozen=True, kw_only=True):
    """An action that a step can name: its configuration, its answer, and the capabilities it uses."""

    type: ActionName
    name: Annotated[str, Meta(max_length=100)]
    description: GoalText
    config_schema: JsonObject
    output_contract: JsonObject | Literal["dynamic"] = "dynamic"
    uses_capabilities: tuple[str, ...] = ()
    produces_artifacts: bool = False


def trigger_type(trigger: AutomationTrigger) -> TriggerType:
    """Return the type of a trigger."""
    match trigger:
        case ScheduleTrigger():
            return "schedule"
        case EventTrigger():
            return "event"
        case WebhookTrigger():
            return "webhook"
        case ManualTrigger():
            return "manual"
