"""The words in which the JSON Schemas of the commands are written: `record`, `listed`, `optional`, `one_of`."""

from __future__ import annotations

Schema = dict[str, object]

VERSION: Schema = {"const": 1}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
STATED: Schema = {"type": "number", "minimum": 0, "maximum": 0.99}
"""A confidence or a priority: the badge on a card is this times a hundred, in two digits."""


def listed(items: Schema) -> Schema:
    """An array of `items`."""
    return {"type": "array", "items": items}


def optional(schema: Schema) -> Schema:
    """`schema` or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(*values: str) -> Schema:
    """One of these words."""
    return {"enum": list(values)}


def record(**properties: Schema) -> Schema:
    """An object with exactly these keys; a trailing underscore is dropped (`from_` is `from`)."""
    named = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {"type": "object", "properties": named, "required": list(named), "additionalProperties": False}


ADDRESS = record(name=TEXT, address=TEXT)
PLAN_ACTION = one_of("reply", "do", "label", "archive", "warn", "keep")
PLAN_MODE = one_of("apply", "review", "suggest", "leave")
LEVEL: Schema = {"type": "integer", "minimum": 0, "maximum": 5}
