"""Determine a run's inputs: from its trigger's payload, from a user, or by default. Entry: `resolved_inputs`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gaia_email.app.json_values import is_object
from gaia_email_automations.bounded_schemas import need_fitting
from gaia_email_automations.definition import AutomationDefinition
from gaia_email_automations.paths import values_at
from gaia_email_automations.store import StoredAutomationRun

RUNTIME_DEFAULTS = ("$last_fired_at", "$creator", "$account_default")
"""Defaults that stand for values known when a run begins."""

RUN_FIELDS: Mapping[str, Callable[[StoredAutomationRun], object]] = {
    "id": lambda run: run.run_id,
    "started_at": lambda run: iso(run.started_at or run.created_at),
    "automation_id": lambda run: run.automation_id,
    "automation_name": lambda run: run.definition["name"],
    "automation_version": lambda run: run.version,
    "trigger_type": lambda run: run.trigger_type,
    "trigger_id": lambda run: run.trigger_id,
    "account_id": lambda run: run.account_id,
    "creator_id": lambda run: run.created_by,
    "attempt": lambda run: run.turn + 1,
}
"""The fields that templates see of every run as `run`."""


def iso(at: float) -> str:
    """Return epoch seconds in ISO 8601."""
    return datetime.fromtimestamp(at, UTC).isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedInputs:
    """The inputs of a run, and the names of those that contain untrusted text."""

    values: dict[str, Any]
    tainted: tuple[str, ...] = ()


def resolved_inputs(
    definition: AutomationDefinition,
    payload: Mapping[str, Any],
    *,
    paths: Mapping[str, str],
    given: Mapping[str, Any],
    runtime: Mapping[str, Any],
) -> ResolvedInputs:
    """Return the inputs, validated by the definition's schema.

    Args:
        definition: The automation.
        payload: The trigger's payload.
        paths: Inputs by JSONPath in the payload; a path without a match gives no input.
        given: Inputs from the user who runs it.
        runtime: Values for `RUNTIME_DEFAULTS`.

    Raises:
        BadArgument: They do not fit; the definition's author or the caller has to fix that.
    """
    schema: dict[str, Any] = {"type": "object", "additionalProperties": False, **definition.inputs.schema}
    found = values_at(paths, payload)
    values: dict[str, Any] = {**found, **given}
    properties: dict[str, Any] = schema.get("properties", {})
    for name, property_ in properties.items():
        default = property_.get("default") if is_object(property_) else None
        if name not in values and default is not None:
            values[name] = runtime.get(default) if default in RUNTIME_DEFAULTS else default
    need_fitting(schema, values, "The inputs do not fit: ")
    return ResolvedInputs(values=values, tainted=tuple(sorted(found.keys() - given.keys())))
