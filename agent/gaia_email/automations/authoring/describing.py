"""What a definition does and what is worth a look before it is saved. Entries: `summary_of`, `checks_of`.

Both are told from the definition alone, so that no model has a say in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import msgspec

from gaia_email.automations.actions import TASK, action_named
from gaia_email.automations.definition import (
    AutomationDefinition,
    AutomationStep,
    AutomationTrigger,
    EventTrigger,
    ScheduleTrigger,
)
from gaia_email.automations.flows import flows_of
from gaia_email.automations.json_schemas import PlacedError
from gaia_email.automations.wording import config_words, trigger_words

CheckTopic = Literal[
    "trigger", "filters", "recipients", "strangers_words", "what_asks", "model_tools", "failure"
]
TOPICS: tuple[CheckTopic, ...] = get_args(CheckTopic)
MANY_TOOLS = 5
"""Tools of a model from which a step is broad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationCheck:
    """One of the seven things worth checking, as it is with this definition."""

    topic: CheckTopic
    says: str


def summary_of(definition: AutomationDefinition) -> list[str]:
    """What sets it off, then what each step does, a sentence each."""
    off = [_set_off(trigger) for trigger in definition.triggers] or [trigger_words("manual", {})]
    return [*off, *(_step(step) for step in definition.plan)]


def _set_off(trigger: AutomationTrigger) -> str:
    config: dict[str, Any] = msgspec.to_builtins(trigger)
    return trigger_words(str(config["type"]), config)


def _step(step: AutomationStep) -> str:
    when = f" where {step.when}" if step.when else ""
    config = f" ({config_words(step.config)})" if step.config else ""
    return f"{step.step_id}: {step.action.replace('_', ' ')}{config}{when}."


def checks_of(definition: AutomationDefinition) -> list[AutomationCheck]:
    """The seven things worth checking."""
    says = {
        "trigger": _trigger_check(definition),
        "filters": _filter_check(definition),
        "recipients": _recipients(definition),
        "strangers_words": _strangers(definition),
        "what_asks": _asks(definition),
        "model_tools": _models(definition),
        "failure": "A failure is told by its own steps."
        if definition.execution.on_failure
        else "Nobody is told when a run fails; gaia email automations runs shows it.",
    }
    return [AutomationCheck(topic=topic, says=says[topic]) for topic in TOPICS]


def _trigger_check(definition: AutomationDefinition) -> str:
    kinds = [type(one) for one in definition.triggers]
    if ScheduleTrigger in kinds:
        return "It runs by the clock, also while you are away."
    return "It runs as often as what sets it off happens." if kinds else "Only you set it off."


def _filter_check(definition: AutomationDefinition) -> str:
    bare = [
        one.event_type for one in definition.triggers if isinstance(one, EventTrigger) and not one.filters
    ]
    if bare:
        return f"Nothing narrows down {', '.join(bare)}: each such event sets it off."
    return "Its events are narrowed down." if definition.triggers else "There is nothing to narrow down."


def _recipients(definition: AutomationDefinition) -> str:
    found = sorted(
        {
            one
            for step in definition.plan
            for name, value in step.config.items()
            if action_named(step.action).role(name) in ("recipient", "attendee")
            for one in _flat(value)
        }
    )
    return f"It writes to {', '.join(found)}." if found else "It writes to nobody."


def _flat(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (str(one) for one in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif value:
        yield str(value)


def _strangers(definition: AutomationDefinition) -> str:
    lines = [flow.line for flow in flows_of(definition)]
    if not lines:
        return "Words of strangers decide about no recipient, id or address."
    return f"Words of strangers decide, and each run asks unless you allow the line: {'; '.join(lines)}."


def _asks(definition: AutomationDefinition) -> str:
    leaving = [
        step.step_id
        for step in definition.plan
        if any("EXTERNAL_WRITE" in one.side_effects for one in action_named(step.action).capabilities)
    ]
    if not leaving:
        return "Nothing of it leaves for others; what it changes can be taken back."
    return f"What reaches others or cannot be taken back is in: {', '.join(leaving)}."


def _models(definition: AutomationDefinition) -> str:
    steps = [step.step_id for step in definition.plan if step.action == TASK]
    return f"A language model decides in: {', '.join(steps)}." if steps else "No language model takes part."


def worth_a_look(definition: AutomationDefinition) -> Iterator[PlacedError]:
    """Warnings beside those of the check: broad tools, answers without a schema, mail without a filter."""
    for number, step in enumerate(definition.plan):
        if step.action != TASK:
            continue
        at = f"/plan/{number}/config"
        tools = list(_flat(step.config.get("tools")))
        if len(tools) > MANY_TOOLS or any("*" in tool for tool in tools):
            said = f"This model may use many tools ({len(tools)} lines); name only those that it needs."
            yield PlacedError(pointer=f"{at}/tools", message=said)
        if not step.config.get("output_schema"):
            said = "No schema says what this model answers, so that nothing checks it."
            yield PlacedError(pointer=f"{at}/output_schema", message=said)
    for number, trigger in enumerate(definition.triggers):
        if isinstance(trigger, EventTrigger) and trigger.event_type.endswith("*"):
            said = "Each event that begins so sets it off."
            yield PlacedError(pointer=f"/triggers/{number}/event_type", message=said)
