"""Describe a definition, and what to check before it is saved. Entries: `summary_of`, `checks_of`.

Both are derived from the definition alone, without a model, and cover every step.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import msgspec

from gaia_email.app.json_schemas import PlacedError
from gaia_email.app.json_values import is_list, is_object
from gaia_email.document import Document
from gaia_email_automations.actions import TASK, action_named, named_role
from gaia_email_automations.definition import (
    AutomationDefinition,
    AutomationStep,
    AutomationTrigger,
    EventTrigger,
    PlacedStep,
    ScheduleTrigger,
    all_steps,
)
from gaia_email_automations.flows import flows_of
from gaia_email_automations.wording import config_words, trigger_words
from gaia_email_registry.errors import BadArgument

CheckTopic = Literal[
    "trigger", "filters", "recipients", "strangers_words", "what_asks", "model_tools", "failure"
]
TOPICS: tuple[CheckTopic, ...] = get_args(CheckTopic)
_BETWEEN = re.compile(r"[\s,;:<>\"'(){}\[\]]+")
_URL_SAFE = str.maketrans("-_", "+/")
MANY_TOOLS = 5
"""Number of a model's tools from which a step counts as broad."""


class AutomationCheck(Document, frozen=True, kw_only=True):
    """One of the seven checks, with its result for this definition."""

    topic: CheckTopic
    says: str


def summary_of(definition: AutomationDefinition) -> list[str]:
    """Return its triggers, then what each step does, a sentence each."""
    off = [_set_off(trigger) for trigger in definition.triggers] or [trigger_words("manual", {})]
    return [*off, *step_sentences(definition)]


def step_sentences(definition: AutomationDefinition) -> list[str]:
    """Return what each step does, a sentence each; steps that run only after a failure are marked."""
    return [_step(placed) for placed in all_steps(definition)]


def _set_off(trigger: AutomationTrigger) -> str:
    config: dict[str, Any] = msgspec.to_builtins(trigger)
    return trigger_words(str(config["type"]), config)


def _step(placed: PlacedStep) -> str:
    step = placed.step
    failing = "If a step fails, " if placed.on_failure else ""
    when = f" where {step.when}" if step.when else ""
    config = f" ({config_words(step.config)})" if step.config else ""
    return f"{failing}{step.step_id}: {step.action}{config}{when}."


def checks_of(definition: AutomationDefinition) -> list[AutomationCheck]:
    """Return the seven checks."""
    says = {
        "trigger": _trigger_check(definition),
        "filters": _filter_check(definition),
        "recipients": recipients_of(definition),
        "strangers_words": _strangers(definition),
        "what_asks": _asks(definition),
        "model_tools": _models(definition),
        "failure": _failure(definition),
    }
    return [AutomationCheck(topic=topic, says=says[topic]) for topic in TOPICS]


def _failure(definition: AutomationDefinition) -> str:
    steps = [placed.step for placed in all_steps(definition) if placed.on_failure]
    if not steps:
        return "Nobody is told when a run fails; gaia email automations runs shows it."
    return f"If a step fails, it goes on with: {', '.join(f'{one.step_id} ({one.action})' for one in steps)}."


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


def recipients_of(definition: AutomationDefinition) -> str:
    """Return a sentence with all recipients, and one with every other address in the steps."""
    people: dict[str, None] = {}
    named: dict[str, None] = {}
    for placed in all_steps(definition):
        for path, text in _leaves(placed.step.config):
            if _is_recipient(path):
                people[text] = None
            else:
                whole = f"{text} {_mail_in(text)}" if path[0] == "raw" else text
                named.update(dict.fromkeys(_addresses_in(whole)))
    others = sorted(named.keys() - people.keys())
    written = f"It writes to {', '.join(sorted(people))}." if people else "It writes to nobody."
    return f"{written} It also names {', '.join(others)}." if others else written


def _is_recipient(path: Sequence[str]) -> bool:
    is_sender = path[0].lower() == "from"
    return path[-1] == "forward" or (named_role(path[0]) in ("recipient", "attendee") and not is_sender)


def _leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each text and number of a configuration with its path."""
    if is_object(value):
        for name, one in value.items():
            yield from _leaves(one, (*path, name))
    elif is_list(value):
        for number, one in enumerate(value):
            yield from _leaves(one, (*path, str(number)))
    elif value:
        yield path, str(value)


def _addresses_in(text: str) -> list[str]:
    """Return what looks like an address, in time linear in the text, which is untrusted."""
    words = (word.strip(".") for word in _BETWEEN.split(text))
    return [word for word in words if "@" in word[1:-1]]


def _mail_in(text: str) -> str:
    """Return the text decoded from base64; empty if it is not base64."""
    plain = "".join(text.split()).translate(_URL_SAFE).rstrip("=")
    try:
        return b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode("utf-8", "replace")
    except ValueError:
        return ""


def _strangers(definition: AutomationDefinition) -> str:
    lines = [flow.line for flow in flows_of(definition)]
    if not lines:
        return "Untrusted text decides about nothing."
    return f"Untrusted text decides, and each run asks unless you allow the line: {'; '.join(lines)}."


def _asks(definition: AutomationDefinition) -> str:
    leaving = [
        f"{placed.step.step_id} ({', '.join(names)})"
        for placed in all_steps(definition)
        if (names := list(filter(_reaches_others, (placed.step.action, *_tools(placed.step)))))
    ]
    if not leaving:
        return "Nothing of it leaves for others; what it changes can be taken back."
    return f"What reaches others or cannot be taken back is in: {', '.join(leaving)}."


def _reaches_others(action: str) -> bool:
    try:
        return "EXTERNAL_WRITE" in action_named(action).side_effects
    except BadArgument:  # a pattern such as list_*, or a tool that is not available here
        return True


def _tools(step: AutomationStep) -> list[str]:
    """Return the tools that the model of a step may call; empty if it has no model."""
    tools: object = step.config.get("tools") if step.action == TASK else ()
    return [str(one) for one in tools] if is_list(tools) else []


def _models(definition: AutomationDefinition) -> str:
    tasks = [placed.step for placed in all_steps(definition) if placed.step.action == TASK]
    said = [f"{step.step_id} (may call {', '.join(_tools(step)) or 'nothing'})" for step in tasks]
    return f"A language model decides in: {', '.join(said)}." if said else "No language model takes part."


def worth_a_look(definition: AutomationDefinition) -> Iterator[PlacedError]:
    """Yield warnings beyond those of the check: broad tools, answers without a schema, mail without a filter."""
    for placed in all_steps(definition):
        step, at = placed.step, f"{placed.pointer}/config"
        if step.action != TASK:
            continue
        tools = _tools(step)
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
