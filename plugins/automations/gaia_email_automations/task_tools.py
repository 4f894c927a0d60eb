"""The tools that the model of a task may call, resolved when saved. Entry: `resolved_tools`."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from gaia_email.app.json_schemas import PlacedError, check_schema
from gaia_email.ledger import Ledger
from gaia_email_automations.actions import NOT_IN_TASKS, TASK, action_types
from gaia_email_automations.definition import (
    AutomationDefinition,
    AutomationStep,
    all_steps,
    written_steps,
)
from gaia_email_automations.server_tools import action_here, approved_names
from gaia_email_registry.errors import BadArgument, NeedsApproval

BROAD = 10
"""Number of tools of a task above which a warning is given."""

_PATTERN = re.compile(r"[A-Za-z0-9_.\-/*]+\Z")


def resolved_tools(
    value: Mapping[str, Any], definition: AutomationDefinition, ledger: Ledger | None
) -> tuple[dict[str, Any], list[PlacedError]]:
    """Return the definition with the tools of its tasks resolved to names, and the errors.

    Args:
        value: The definition as given.
        definition: The same, parsed.
        ledger: Has the tools of other MCP servers; without it, patterns match none of them.
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
    """Yield warnings for tasks that could be narrower."""
    for at, _, step in _tasks({}, definition):
        if len(step.config.get("tools", ())) > BROAD:
            yield PlacedError(pointer=f"{at}/config/tools", message="A narrow task has fewer tools.")
        if "output_schema" not in step.config:
            said = "Without an output schema later steps cannot rely on what it answers."
            yield PlacedError(pointer=f"{at}/config", message=said)


def has_task(definition: AutomationDefinition) -> bool:
    """Return True if the definition needs a language model."""
    return next(_tasks({}, definition), None) is not None


def log_of(progress: Mapping[str, Any]) -> list[str]:
    """Return a task's progress, a line each: answered calls, and steps that failed."""
    return [str(part[0]) for part in progress.get("parts", ())]


def _tasks(
    whole: dict[str, Any], definition: AutomationDefinition
) -> Iterator[tuple[str, dict[str, Any], AutomationStep]]:
    """Yield every task, with its JSON Pointer and its part of the definition as given."""
    written = dict(written_steps(whole))
    for one in all_steps(definition):
        if one.step.action == TASK:
            yield one.pointer, written.get(one.pointer, {}), one.step


def _named(pattern: str, ledger: Ledger | None) -> list[str]:
    """Return the tools that a name or a pattern with `*` matches.

    Raises:
        BadArgument: There is none, or a task cannot call it.
        NeedsApproval: It has changed since it was approved.
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
