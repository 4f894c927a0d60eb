"""Where words of strangers decide about something: a recipient, an attendee, an id, a URL. Entry: `flows_of`.

What comes from mail, an event or a webhook is tainted, and so is every output of a step. A flow that a person saved by
its line is allowed in every run; any other one takes a yes each time. Neither lifts the tier of a call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gaia_email.automations.actions import TASK, FieldRole, action_named
from gaia_email.automations.definition import (
    AutomationDefinition,
    AutomationStep,
    EventTrigger,
    WebhookTrigger,
)
from gaia_email.automations.templates import check_template, sources_in


@dataclass(frozen=True, slots=True, kw_only=True)
class TaintedFlow:
    """From a source of strangers into a field of a step that decides about something."""

    step_id: str
    field: str
    role: FieldRole
    source: str

    @property
    def line(self) -> str:
        """As it is shown and saved: `recipient of tell ← trigger.sender`."""
        return f"{self.role} of {self.step_id} ← {self.source}"


def flows_of(definition: AutomationDefinition) -> tuple[TaintedFlow, ...]:
    """All flows that a run could have, each once."""
    mapped = {
        name
        for trigger in definition.triggers
        if isinstance(trigger, EventTrigger | WebhookTrigger)
        for name in trigger.inputs
    }
    steps = (*definition.plan, *definition.execution.on_failure)
    return tuple(dict.fromkeys(flow for step in steps for flow in step_flows(step, mapped)))


def step_flows(step: AutomationStep, tainted_inputs: Collection[str]) -> Iterator[TaintedFlow]:
    """The flows of one step, where these inputs hold words of strangers."""
    if step.action == TASK:
        yield from _of_model(step)
    role_of = action_named(step.action).role
    for pointer, source in sources_in(step.config):
        field = pointer.split("/")[1]
        role = role_of(field)
        if role is None:
            continue
        for path in sorted(check_template(source).paths):
            if is_tainted(path, tainted_inputs):
                yield TaintedFlow(step_id=step.step_id, field=field, role=role, source=path)


def model_flow(step_id: str, tool: str, field: str) -> TaintedFlow | None:
    """What the model of a task writes into a field of one of its tools; None where that is only words."""
    role = "text" if "." in tool else action_named(tool).role(field)
    return role and TaintedFlow(step_id=f"{step_id} by {tool}", field=field, role=role, source="its model")


def _of_model(step: AutomationStep) -> Iterator[TaintedFlow]:
    for tool in step.config.get("tools", ()):
        fields = ["text"] if "." in tool else action_named(tool).action.config_schema["properties"]
        yield from filter(None, (model_flow(step.step_id, tool, field) for field in fields))


def is_tainted(path: str, tainted_inputs: Collection[str]) -> bool:
    """Whether what stands at a path of a run can hold words of strangers; a root alone holds all of it."""
    root, _, rest = path.partition(".")
    if root == "inputs":
        return rest.partition(".")[0] in tainted_inputs if rest else bool(tainted_inputs)
    return root in ("trigger", "steps") or path.startswith("run.error")
