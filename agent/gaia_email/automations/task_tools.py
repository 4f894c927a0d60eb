"""Which tools the model of a task may call: resolved when it is saved, and stored so. Entry: `resolved_tools`."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from gaia_email.automations.actions import NOT_IN_TASKS, TASK, action_types
from gaia_email.automations.definition import (
    AutomationDefinition,
    AutomationStep,
    all_steps,
    written_steps,
)
from gaia_email.automations.json_schemas import PlacedError, check_schema
from gaia_email.automations.server_tools import action_here, approved_names
from gaia_email.ledger import Ledger
from gaia_email_registry.errors import BadArgument, NeedsApproval

BROAD = 10
"""Tools of one task from which on a definition is warned of."""

_PATTERN = re.compile(r"[A-Za-z0-9_.\-/*]+\Z")


def resolved_tools(
    value: Mapping[str, Any], definition: AutomationDefinition, ledger: Ledger | None
) -> tuple[dict[str, Any], list[PlacedError]]:
    """The definition with every tool of its tasks by name, and what is wrong with them.

    Args:
        value: The definition as it was given.
        definition: The same, read.
        ledger: Where tools of other MCP servers are looked up; without it only tools that are named whole are kept.
    """
    whole: dict[str, Any] = copy.deepcopy(dict(value))
    errors: list[PlacedError] = []
    for at, place, step in _tasks(whole, definition):
        names: dict[str, None] = {}
        for number, pattern in enumerate(step.config.get("tools", ())):
            try:
                names |= dict.fromkeys(_named(str(pattern), ledger))
            except (BadArgument, NeedsApproval) as error:
                errors.append(PlacedError(pointer=f"{at}/config/tools/{number}", message=error.message))
        schema = step.config.get("output_schema")
        if isinstance(schema, dict):
            errors += [
                PlacedError(pointer=f"{at}/config/output_schema{one.pointer}", message=one.message)
                for one in check_schema(schema)  # pyright: ignore[reportUnknownArgumentType]
            ]
        if "tools" in step.config:
            place["config"]["tools"] = list(names)
    return whole, errors


def task_warnings(definition: AutomationDefinition) -> Iterator[PlacedError]:
    """Tasks that could be narrower."""
    for at, _, step in _tasks({}, definition):
        if len(step.config.get("tools", ())) > BROAD:
            yield PlacedError(pointer=f"{at}/config/tools", message="A narrow task has fewer tools.")
        if "output_schema" not in step.config:
            said = "Without an output schema later steps cannot rely on what it answers."
            yield PlacedError(pointer=f"{at}/config", message=said)


def has_task(definition: AutomationDefinition) -> bool:
    """Whether it needs a language model."""
    return next(_tasks({}, definition), None) is not None


def log_of(progress: Mapping[str, Any]) -> list[str]:
    """What a task did so far, a line each: calls that were answered, and steps that were none."""
    return [str(part[0]) for part in progress.get("parts", ())]


def _tasks(
    whole: dict[str, Any], definition: AutomationDefinition
) -> Iterator[tuple[str, dict[str, Any], AutomationStep]]:
    """Every task, with its JSON Pointer and its place in the definition as it was given."""
    written = dict(written_steps(whole))
    for one in all_steps(definition):
        if one.step.action == TASK:
            yield one.pointer, written.get(one.pointer, {}), one.step


def _named(pattern: str, ledger: Ledger | None) -> list[str]:
    """The tools that a name or a pattern with `*` means.

    Raises:
        BadArgument: There is none, or a task cannot call it.
        NeedsApproval: It is not as it was approved.
    """
    if not _PATTERN.match(pattern):
        raise BadArgument(f"{pattern[:60]!r} is neither a tool nor a pattern such as list_*.")
    if "*" not in pattern:
        if pattern in NOT_IN_TASKS:
            raise BadArgument(f"A task cannot call {pattern}.")
        return [action_here(ledger, pattern).action.type]
    ours = [name for name in action_types() if name not in NOT_IN_TASKS]
    of_servers = approved_names(ledger) if ledger is not None and "." in pattern else []
    found = [name for name in (of_servers if "." in pattern else ours) if fnmatchcase(name, pattern)]
    if not found:
        raise BadArgument(f"No tool that is approved here matches {pattern[:60]!r}.")
    return found
