"""The published JSON Schemas (2020-12) of the four layers and of filters. Entry: `automation_schema`."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from gaia_email_automations.definition import (
    AutomationAction,
    AutomationCapability,
    AutomationDefinition,
    AutomationTrigger,
)

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
_LIST: dict[str, Any] = {"type": "array", "items": _SCALAR, "maxItems": 500}
_ORDERED: dict[str, Any] = {"type": ["string", "number"]}
_TEXT: dict[str, Any] = {"type": "string", "maxLength": 1000}
OPERATORS: dict[str, dict[str, Any]] = {
    "equals": _SCALAR,
    "not_equals": _SCALAR,
    "starts_with": _TEXT,
    "ends_with": _TEXT,
    "contains": _SCALAR,
    "regex": _TEXT,
    "gt": _ORDERED,
    "gte": _ORDERED,
    "lt": _ORDERED,
    "lte": _ORDERED,
    "in": _LIST,
    "not_in": _LIST,
    "exists": {"type": "boolean"},
}
"""The operators of filters, each with the schema of its operand."""

_FILTER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "$and": {"type": "array", "items": {"$ref": "#/$defs/filter"}, "minItems": 1, "maxItems": 50},
        "$or": {"type": "array", "items": {"$ref": "#/$defs/filter"}, "minItems": 1, "maxItems": 50},
        "$not": {"$ref": "#/$defs/filter"},
    },
    "patternProperties": {
        r"^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$": {
            "type": "object",
            "properties": OPERATORS,
            "additionalProperties": False,
            "minProperties": 1,
        }
    },
    "additionalProperties": False,
    "maxProperties": 50,
}

LAYERS: dict[str, Any] = {
    "capability": AutomationCapability,
    "action": AutomationAction,
    "definition": AutomationDefinition,
    "trigger": AutomationTrigger,
}


@cache
def automation_schema(name: str) -> dict[str, Any]:
    """Return the schema of `capability`, `action`, `definition`, `trigger` or `filter`; callers must not modify it.

    Raises:
        KeyError: There is none with this name.
    """
    title = f"automation {name}"
    if name == "filter":
        return {"$schema": DRAFT, "title": title, "$ref": "#/$defs/filter", "$defs": {"filter": _FILTER}}
    made = msgspec.json.schema(LAYERS[name])
    defined = made.setdefault("$defs", {})
    if "EventTrigger" in defined:
        defined["filter"] = _FILTER
        defined["EventTrigger"]["properties"]["filters"] = {"$ref": "#/$defs/filter", "default": {}}
    return {"$schema": DRAFT, "title": title, **made}
