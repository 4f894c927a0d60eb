"""The form of an automation: the schema of its definition, with each step's fields taken from its action.

Entry: `definition_schema`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gaia_email.app.languages.speaking import N_
from gaia_email.app.operations.operation import inline_references
from gaia_email_automations.actions import ActionType, action_types
from gaia_email_automations.definition import written_steps
from gaia_email_automations.schemas import automation_schema

Json = dict[str, Any]

_LONG = frozenset(("body", "htmlBody", "html_body", "text", "description"))
"""Fields of actions that take several lines."""

NEW_DEFINITION: Mapping[str, Any] = {
    "schema_version": 1,
    "name": "",
    "triggers": [{"type": "manual"}],
    "plan": [{"step_id": "step_1", "action": "notification", "config": {"text": ""}}],
}
"""Initial definition of a new automation."""


@cache
def definition_schema() -> Json:
    """Return the published schema with hints for the form; callers must not change it."""
    published = automation_schema("definition")
    defined: Json = dict(published["$defs"])
    event: Json = defined["EventTrigger"]
    fields: Json = {**event["properties"], "filters": _as_json("Filters", event["properties"]["filters"])}
    fields["event_type"] = {**fields["event_type"], "examples": ["mail.arrived"]}
    defined["EventTrigger"] = {**event, "properties": fields}
    step: Json = defined.pop("AutomationStep")
    defined.pop("filter", None)
    defined["AutomationStep"] = {
        "oneOf": [_step(step, one) for one in action_types().values()],
        "discriminator": {"propertyName": "action"},
    }
    whole: Json = {**inline_references({**published, "$defs": defined})}
    properties: Json = {**whole["properties"], "schema_version": {"const": 1}}
    properties["metadata"] = _as_json("Metadata", properties["metadata"])
    properties["plan"] = {**properties["plan"], "title": N_("Steps"), "description": ""}
    return {**whole, "properties": properties, "description": ""}


def with_step_ids(definition: Json) -> Json:
    """Give names to the new steps of a definition."""
    steps = [step for _, step in written_steps(definition)]
    taken = {str(one.get("step_id")) for one in steps}
    for one in steps:
        if "step_id" not in one:
            one["step_id"] = next(name for number in range(1, 99) if (name := f"step_{number}") not in taken)
            taken.add(one["step_id"])
    return definition


def _as_json(title: str, schema: Json) -> Json:
    return {"type": "object", "x-gaia-widget": "json", "title": title, "default": schema.get("default", {})}


def _step(step: Json, kind: ActionType) -> Json:
    """Return a step's schema for one kind of action."""
    properties: Json = {**step["properties"], "action": {"const": kind.action.type}}
    config = _config(kind.action.config_schema)
    required: list[str] = [*step["required"]]
    if config["properties"]:
        properties["config"] = config
        required += ["config"] if config.get("required") else []
    else:
        del properties["config"]
    return {**step, "properties": properties, "required": required, "description": kind.action.description}


def _config(schema: Json) -> Json:
    """Return an action's configuration schema; templates are allowed for any text or list of texts."""
    given: Json = schema.get("properties", {})
    return {
        **schema,
        "description": "",
        "title": N_("With"),
        "properties": {name: _templated(name, one) for name, one in given.items()},
    }


def _templated(name: str, schema: Json) -> Json:
    if schema.get("type") == "array" and schema.get("items", {}).get("type") == "string":
        return {**schema, "x-gaia-widget": "lines"}
    if schema.get("type") == "string" and "enum" not in schema and name in _LONG:
        return {**schema, "x-gaia-widget": "long"}
    return schema
