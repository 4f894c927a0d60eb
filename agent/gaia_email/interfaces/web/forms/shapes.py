"""Kinds of form fields for JSON Schemas. Entries: `FieldKind`, `kind_of`, `variants_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

Schema = Mapping[str, Any]

FieldKind = Literal[
    "text",
    "long",
    "number",
    "check",
    "choice",
    "lines",
    "json",
    "constant",
    "object",
    "list",
    "map",
    "variant",
]
"""`lines` is a list of texts, one per line, or a single template instead; `json` is text that must be valid JSON."""

LONG_TEXT = 500
"""Length in characters from which a text gets several lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaVariants:
    """Alternatives distinguished by one property: its name, and the schema for each of its values."""

    tag: str
    schemas: Mapping[str, Schema]


def plain(schema: Schema) -> Schema:
    """Return the schema without its `null` alternative, which corresponds to an empty field."""
    found = schema
    options = cast("Sequence[Schema]", schema.get("anyOf") or schema.get("oneOf") or ())
    rest = [one for one in options if one.get("type") != "null"]
    if len(rest) == 1:
        beside = {name: one for name, one in schema.items() if name not in ("anyOf", "oneOf")}
        found = {**rest[0], **beside}
    types: object = found.get("type")
    if isinstance(types, list):
        named = [one for one in cast("list[str]", types) if one != "null"]
        found = {**found, "type": named[0] if len(named) == 1 else ""}
    return found


def variants_of(schema: Schema) -> SchemaVariants | None:
    """Return the alternatives of a schema with a `discriminator`; None if it does not have one."""
    tag = str(schema.get("discriminator", {}).get("propertyName", ""))
    options = cast("Sequence[Schema]", schema.get("oneOf") or schema.get("anyOf") or ())
    if not tag or not options:
        return None
    found: dict[str, Schema] = {}
    for one in options:
        given: Schema = one.get("properties", {}).get(tag, {})
        for name in (given["const"],) if "const" in given else given.get("enum", ()):
            found[str(name)] = one
    return SchemaVariants(tag=tag, schemas=found)


def kind_of(schema: Schema) -> FieldKind:
    """Return the field kind of a schema: its `x-gaia-widget`, or else a kind derived from its type."""
    widget = schema.get("x-gaia-widget")
    if widget in get_args(FieldKind):
        return cast("FieldKind", widget)
    if "const" in schema or (len(schema.get("enum", ())) == 1 and "default" not in schema):
        return "constant"
    if "enum" in schema:
        return "choice"
    if variants_of(schema) is not None:
        return "variant"
    match schema.get("type"):
        case "boolean":
            return "check"
        case "integer" | "number":
            return "number"
        case "string":
            return "long" if schema.get("maxLength", 0) > LONG_TEXT else "text"
        case "array" if isinstance(schema.get("items"), Mapping):
            return "list"
        case "object" if schema.get("properties"):
            return "object"
        case "object" if _is_text(schema.get("additionalProperties")):
            return "map"
        case _:
            return "json"


def constant_of(schema: Schema) -> object:
    """Return the only value of a schema of kind `constant`."""
    return schema["const"] if "const" in schema else schema["enum"][0]


def empty_of(schema: Schema) -> object:
    """Return the initial value of a new list element."""
    schema = plain(schema)
    if "default" in schema:
        return schema["default"]
    match kind_of(schema):
        case "object" | "map":
            return {}
        case "variant":
            variants = variants_of(schema)
            return {variants.tag: next(iter(variants.schemas))} if variants and variants.schemas else {}
        case "list" | "lines":
            return []
        case "check":
            return False
        case "constant":
            return constant_of(schema)
        case _:
            return ""


def fits(kind: FieldKind, value: object) -> bool:
    """Return True if a value can be shown as this kind; other values are shown as JSON, so that nothing is lost."""
    match kind:
        case "list":
            return isinstance(value, list)
        case "object" | "variant":
            return isinstance(value, Mapping)
        case "map":
            return isinstance(value, Mapping) and all(
                isinstance(one, str) for one in cast("Mapping[str, object]", value).values()
            )
        case "lines":
            return isinstance(value, str) or (
                isinstance(value, list) and all(isinstance(one, str) for one in cast("list[object]", value))
            )
        case "check":
            return isinstance(value, bool)
        case "text" | "long" | "number" | "choice":
            return isinstance(value, str | int | float)
        case "json" | "constant":
            return True


def _is_text(schema: object) -> bool:
    return isinstance(schema, Mapping) and cast("Schema", schema).get("type") == "string"
