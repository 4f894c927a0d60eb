"""Find where untrusted text decides something: a recipient, an id, a URL, a filter. Entry: `flows_of`.

Everything from mail, an event or a webhook is untrusted, and so is every output of a step. A flow whose line the user
saved is allowed in every run; any other one needs a confirmation each time. Neither changes the risk tier of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from gaia_email.app.json_values import steps_of
from gaia_email_automations.actions import TASK, ActionType, FieldRole, action_named, named_role
from gaia_email_automations.definition import (
    AutomationDefinition,
    AutomationStep,
    EventTrigger,
    WebhookTrigger,
    all_steps,
)
from gaia_email_automations.inputs import RUN_FIELDS
from gaia_email_automations.templates import (
    ROOTS,
    TemplateReferences,
    check_expression,
    check_template,
    sources_in,
)
from gaia_email_registry.errors import BadArgument

CONDITION = "when"
"""The field of a step that decides whether the step runs at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaintedFlow:
    """A path from untrusted text into a field of a step that decides something."""

    step_id: str
    field: str
    role: FieldRole
    source: str

    @property
    def line(self) -> str:
        """The flow as shown and saved: `recipient of tell ← trigger.sender`."""
        return f"{self.role} of {self.step_id} ← {self.source}"


def flows_of(definition: AutomationDefinition) -> tuple[TaintedFlow, ...]:
    """Return all flows that a run could have, each once."""
    mapped = {
        name
        for trigger in definition.triggers
        if isinstance(trigger, EventTrigger | WebhookTrigger)
        for name in trigger.inputs
    }
    return tuple(
        dict.fromkeys(flow for placed in all_steps(definition) for flow in step_flows(placed.step, mapped))
    )


def step_flows(step: AutomationStep, tainted_inputs: Collection[str]) -> Iterator[TaintedFlow]:
    """Yield the flows of one step if these inputs contain untrusted text."""
    kind = action_named(step.action)
    if step.action == TASK:
        yield from _of_model(step)
    if step.when is not None and _is_decided_by_condition(kind):
        for path in _untrusted(step.when, check_expression, tainted_inputs):
            yield TaintedFlow(step_id=step.step_id, field=CONDITION, role="condition", source=path)
    for pointer, source in sources_in(step.config):
        place = steps_of(pointer)
        role = kind.role(*place)
        if role is None:
            continue
        for path in _untrusted(source, check_template, tainted_inputs):
            yield TaintedFlow(step_id=step.step_id, field=place[0], role=role, source=path)


def _is_decided_by_condition(kind: ActionType) -> bool:
    """Return True if the step changes a mailbox or reaches others; files, notes and reading stay on this machine."""
    changes = not kind.side_effects.isdisjoint(("WRITE", "EXTERNAL_WRITE"))
    return changes and not kind.action.produces_artifacts


def _untrusted(
    source: str, read: Callable[[str], TemplateReferences], tainted_inputs: Collection[str]
) -> list[str]:
    """Return the paths of a template or expression that can contain untrusted text; all roots if it is invalid."""
    try:
        paths: Iterable[str] = read(source).paths
    except BadArgument:
        paths = ROOTS
    return sorted(path for path in paths if is_tainted(path, tainted_inputs))


def model_flow(step_id: str, tool: str, field: str) -> TaintedFlow | None:
    """Return the flow from a model into a field of one of its tools; None if the field decides nothing.

    The use of a read-only tool decides only what the model is shown next.
    """
    kind = action_named(tool)
    only_reads = kind.side_effects <= {"READ"}
    role = "text" if kind.leaves else named_role(field) if only_reads else kind.role(field)
    if role is None:
        return None
    return TaintedFlow(step_id=f"{step_id} by {tool}", field=field, role=role, source="its model")


def _of_model(step: AutomationStep) -> Iterator[TaintedFlow]:
    for tool in step.config.get("tools", ()):
        kind = action_named(tool)
        fields = ["text"] if kind.leaves else kind.action.config_schema["properties"]
        yield from filter(None, (model_flow(step.step_id, tool, field) for field in fields))


def is_tainted(path: str, tainted_inputs: Collection[str]) -> bool:
    """Return True if the value at a path of a run can contain untrusted text; a root alone includes all below it."""
    root, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    if root == "inputs":
        return name in tainted_inputs if name else bool(tainted_inputs)
    return name not in RUN_FIELDS if root == "run" else True
