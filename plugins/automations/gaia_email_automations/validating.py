"""Parse a definition and report every error with its place. Entry: `read_definition`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from gaia_email.app.json_schemas import PlacedError, check_schema, errors_in_process
from gaia_email.app.json_values import is_deeper
from gaia_email.ledger import Ledger
from gaia_email_automations.actions import ActionType
from gaia_email_automations.bounded_schemas import errors_of
from gaia_email_automations.definition import (
    AutomationDefinition,
    AutomationStep,
    EventTrigger,
    ScheduleTrigger,
    WebhookTrigger,
    all_steps,
)
from gaia_email_automations.filters import compile_filter
from gaia_email_automations.inputs import RUN_FIELDS
from gaia_email_automations.paths import check_path
from gaia_email_automations.schemas import automation_schema
from gaia_email_automations.server_tools import action_here
from gaia_email_automations.task_tools import resolved_tools, task_warnings
from gaia_email_automations.templates import (
    TemplateReferences,
    check_expression,
    check_template,
    sources_in,
)
from gaia_email_registry.errors import BadArgument, NeedsApproval

MOST_BYTES = 256 << 10
"""Maximum size of a definition as JSON, in bytes."""

MOST_DEPTH = 64
"""Maximum nesting depth of objects and lists in a definition."""

_BY_CHANCE = re.compile(r"(?:^|[\s,])[rh](?=[\s,(/]|$)", re.IGNORECASE)
"""Parts of a cron line for which croniter would choose random values."""

OFTEN_S = 900
"""A schedule that fires at shorter intervals than this, in seconds, gets a warning."""

_RUN = frozenset(RUN_FIELDS)
_OF_FAILURE = frozenset(("failed_step_id", "error"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDefinition:
    """A parsed definition.

    Attributes:
        definition: The definition; None if there are errors.
        stored: The form to store: as given, with the tools of tasks resolved to names.
        errors: All errors.
        warnings: What is allowed but should be checked.
    """

    definition: AutomationDefinition | None
    stored: Mapping[str, Any] = field(default_factory=dict[str, Any])
    errors: tuple[PlacedError, ...] = ()
    warnings: tuple[PlacedError, ...] = ()

    def require(self) -> AutomationDefinition:
        """Return the definition.

        Raises:
            BadArgument: There are errors; the message names them all.
        """
        if self.definition is not None:
            return self.definition
        told = "; ".join(f"{one.pointer or '/'}: {one.message.rstrip('.')}" for one in self.errors)
        raise BadArgument(f"This is no definition of an automation: {told}.", argument=self.errors[0].pointer)


def read_definition(value: object, ledger: Ledger | None = None) -> CheckedDefinition:
    """Parse a definition from a JSON value, or return all its errors.

    Args:
        value: The definition.
        ledger: Has the tools of other MCP servers; without it their names are not checked.
    """
    if is_deeper(value, MOST_DEPTH):
        return _wrong([PlacedError(pointer="", message=f"A definition is nested at most {MOST_DEPTH} deep.")])
    if len(json.dumps(value)) > MOST_BYTES:
        return _wrong([PlacedError(pointer="", message=f"A definition has at most {MOST_BYTES:,} bytes.")])
    if errors := errors_in_process(automation_schema("definition"), value):
        return _wrong(errors)
    try:
        given = msgspec.convert(value, AutomationDefinition)
        stored, wrong_tools = resolved_tools(msgspec.convert(value, dict[str, Any]), given, ledger)
        definition = msgspec.convert(stored, AutomationDefinition)
    except msgspec.ValidationError as error:
        return _wrong([PlacedError(pointer="", message=f"{error}.")])
    found = [*wrong_tools, *_inputs(definition), *_triggers(definition), *_steps(definition, ledger)]
    if found:
        return _wrong(found)
    warnings = (*_warnings(definition), *task_warnings(definition))
    return CheckedDefinition(definition=definition, stored=stored, warnings=warnings)


def _wrong(errors: Sequence[PlacedError]) -> CheckedDefinition:
    return CheckedDefinition(definition=None, errors=tuple(errors))


def _inputs(definition: AutomationDefinition) -> Iterator[PlacedError]:
    schema = definition.inputs.schema
    for error in check_schema(schema):
        yield PlacedError(pointer=f"/inputs/schema{error.pointer}", message=error.message)
    if schema and schema.get("type", "object") != "object":
        yield PlacedError(pointer="/inputs/schema/type", message="Inputs are an object.")
    properties = schema.get("properties", {})
    for number, trigger in enumerate(definition.triggers):
        mapped = trigger.inputs if isinstance(trigger, EventTrigger | WebhookTrigger) else {}
        for name, path in mapped.items():
            at = f"/triggers/{number}/inputs/{name}"
            if name not in properties:
                yield PlacedError(pointer=at, message=f"There is no input {name[:40]!r}.")
            try:
                check_path(path)
            except BadArgument as error:
                yield PlacedError(pointer=at, message=error.message)


def _triggers(definition: AutomationDefinition) -> Iterator[PlacedError]:
    for number, trigger in enumerate(definition.triggers):
        at = f"/triggers/{number}"
        match trigger:
            case ScheduleTrigger(cron=cron, timezone=zone):
                try:
                    ZoneInfo(zone)
                except (KeyError, ValueError, OSError):
                    said = f"{zone[:40]!r} is no time zone such as Europe/Berlin."
                    yield PlacedError(pointer=f"{at}/timezone", message=said)
                if not is_cron(cron):
                    said = f"{cron[:60]!r} is no cron line of five fields, such as '0 7 * * *'."
                    yield PlacedError(pointer=f"{at}/cron", message=said)
            case EventTrigger(filters=rule):
                try:
                    compile_filter(rule)
                except BadArgument as error:
                    yield PlacedError(pointer=f"{at}/filters{error.argument or ''}", message=error.message)
            case _:
                pass


def is_cron(line: str) -> bool:
    """Return True if the text is a cron line of five fields that comes due, without random parts."""
    from croniter import CroniterError, croniter

    if len(line.split()) != 5 or _BY_CHANCE.search(line) or not croniter.is_valid(line):
        return False
    try:
        croniter(line, 0.0).get_next(float)
    except CroniterError:
        return False
    return True


def _steps(definition: AutomationDefinition, ledger: Ledger | None) -> Iterator[PlacedError]:
    seen: set[str] = set()
    outputs: set[str] = set()
    for placed in all_steps(definition):
        step, at = placed.step, placed.pointer
        known = _RUN | _OF_FAILURE if placed.on_failure else _RUN
        if step.step_id in seen:
            yield PlacedError(pointer=f"{at}/step_id", message=f"{step.step_id} is there twice.")
        seen.add(step.step_id)
        try:
            kind = action_here(ledger, step.action)
        except (BadArgument, NeedsApproval) as error:
            yield PlacedError(pointer=f"{at}/action", message=error.message)
        else:
            yield from _step(step, kind, at, outputs, known, definition.inputs.schema)
        if step.output_as is not None:
            outputs.add(step.output_as)


def _step(
    step: AutomationStep,
    kind: ActionType,
    at: str,
    outputs: set[str],
    run: frozenset[str],
    inputs: Mapping[str, Any],
) -> Iterator[PlacedError]:
    checks: list[tuple[str, str, Callable[[str], TemplateReferences]]] = [
        (f"{at}/config{pointer}", source, check_template) for pointer, source in sources_in(step.config)
    ]
    checks += [] if step.when is None else [(f"{at}/when", step.when, check_expression)]
    for pointer, source, check in checks:
        try:
            read = check(source)
        except BadArgument as error:
            yield PlacedError(pointer=pointer, message=error.message)
            continue
        for path in sorted(read.paths):
            if said := _unknown(path, outputs, run, inputs):
                yield PlacedError(pointer=pointer, message=said)
    yield from _config(step, kind, at)


def _unknown(path: str, outputs: set[str], run: frozenset[str], inputs: Mapping[str, Any]) -> str:
    root, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    known: Mapping[str, Any] = inputs.get("properties", {})
    match root:
        case "steps" if name and name not in outputs:
            return f"No earlier step gives its output as {name[:40]!r}."
        case "run" if name and name not in run:
            return f"There is no run.{name[:40]} here."
        case "inputs" if name and name not in known:
            return f"There is no input {name[:40]!r}."
        case _:
            return ""


def _config(step: AutomationStep, kind: ActionType, at: str) -> Iterator[PlacedError]:
    """Yield errors of values that are not templates; a template's result is checked when it is rendered."""
    templated = {pointer for pointer, _ in sources_in(step.config)}
    for name in sorted(kind.literal):
        if any(pointer == f"/{name}" or pointer.startswith(f"/{name}/") for pointer in templated):
            yield PlacedError(pointer=f"{at}/config/{name}", message=f"{name} holds no template.")
    for error in errors_of(kind.action.config_schema, step.config):
        if error.pointer not in templated:
            yield PlacedError(pointer=f"{at}/config{error.pointer}", message=error.message)


def _warnings(definition: AutomationDefinition) -> Iterator[PlacedError]:
    for number, trigger in enumerate(definition.triggers):
        if isinstance(trigger, ScheduleTrigger) and _shortest_s(trigger.cron) < OFTEN_S:
            said = "This fires more often than every 15 minutes."
            yield PlacedError(pointer=f"/triggers/{number}/cron", message=said)


def _shortest_s(cron: str) -> float:
    """Return the shortest interval among a hundred firings, in seconds."""
    from croniter import croniter

    times = croniter(cron, 0.0)
    found = [float(times.get_next(float)) for _ in range(100)]
    return min(later - earlier for earlier, later in pairwise(found))
