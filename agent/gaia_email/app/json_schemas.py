"""Check values by user-written JSON Schemas, limited to a safe part of 2020-12. Entry: `errors_in_process`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from gaia_email.app.json_values import is_list, is_object, kind_of, linear, pointer_of
from gaia_email.document import Document
from gaia_email_registry.errors import BadArgument

MOST_DEPTH = 20
MOST_PARTS = 4_000
"""Maximum number of names and values in a schema."""

MOST_WORK = 100_000
"""Maximum number of schema parts times value parts that are checked in this process."""

_PLAIN = frozenset(
    (
        *("type", "enum", "const", "properties", "required", "additionalProperties", "items", "pattern"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
        *(
            "title",
            "description",
            "default",
            "examples",
            "format",
            "$comment",
            "deprecated",
            "readOnly",
            "writeOnly",
        ),
    )
)
"""Keywords whose work is at most the size of the schema times the size of the value.

References and alternatives can multiply it without limit, and jsonschema matches patterns of names with Python's
regular expressions.
"""
_REMOTE = ("$id", "$dynamicRef", "$dynamicAnchor", "$anchor", "$schema", "$vocabulary")
_ENDED = 50
"""Maximum number of errors reported for one value."""


class PlacedError(Document, frozen=True, kw_only=True):
    """An error at one place: a JSON Pointer (RFC 6901) and one sentence."""

    pointer: str
    message: str


def check_schema(schema: Mapping[str, Any]) -> list[PlacedError]:
    """Return the errors of a user-written schema; references must stay inside it, and expressions must be RE2's."""
    jsonschema: Any = import_module("jsonschema")
    if _parts(schema, MOST_PARTS) > MOST_PARTS:
        return [PlacedError(pointer="", message=f"A schema has at most {MOST_PARTS:,} parts.")]
    found = list(_unsafe(schema, (), 0))
    if found:
        return found
    draft = jsonschema.Draft202012Validator
    errors: Iterator[Any] = _validator()(draft.META_SCHEMA).iter_errors(schema)
    return [PlacedError(pointer=pointer_of(one.absolute_path), message=_sentence(one)) for one in errors]


def is_quick(schema: Mapping[str, Any], value: object) -> bool:
    """Return True if checking a value takes so little work that it needs no time limit."""
    return _is_plain(schema) and _parts(schema, MOST_WORK) * _parts(value, MOST_WORK) <= MOST_WORK


def errors_in_process(schema: Mapping[str, Any], value: object) -> list[PlacedError]:
    """Return every error of a value, ordered by place; none if it fits. There is no time limit: see `is_quick`.

    Raises:
        RecursionError: The value or the schema is nested too deeply.
    """
    from jsonschema.exceptions import relevance

    found: list[PlacedError] = []
    for error in _validator()(schema).iter_errors(value):
        while error.context:  # of several alternatives, report the one that fits best
            error = min(error.context, key=relevance)
        found.append(PlacedError(pointer=pointer_of(error.absolute_path), message=_sentence(error)))
        if len(found) >= _ENDED:
            break
    return sorted(dict.fromkeys(found), key=lambda one: one.pointer)


@cache
def _validator() -> Any:
    """Return a validator for 2020-12 whose regular expressions take linear time."""
    from jsonschema import ValidationError

    jsonschema: Any = import_module("jsonschema")

    def pattern(_: Any, expression: str, value: object, __: object) -> Iterator[ValidationError]:
        if isinstance(value, str) and not linear(expression)(value):
            yield ValidationError(f"{value[:60]!r} does not have the form {expression[:80]}")

    def pattern_properties(
        validator: Any, patterns: Mapping[str, Any], value: object, _: object
    ) -> Iterator[ValidationError]:
        for name, one in value.items() if is_object(value) else ():
            for expression, schema in patterns.items():
                if linear(expression)(name):
                    yield from validator.descend(one, schema, path=name, schema_path=expression)

    def unique_items(_: Any, wanted: bool, value: object, __: object) -> Iterator[ValidationError]:
        if wanted and is_list(value) and len(set(map(_identity, value))) < len(value):
            yield ValidationError("The same element is there twice")

    return jsonschema.validators.extend(
        jsonschema.Draft202012Validator,
        {"pattern": pattern, "patternProperties": pattern_properties, "uniqueItems": unique_items},
    )


def _identity(value: object) -> Hashable:
    """Return a key that is equal for equal JSON values, so that elements are compared in linear time."""
    if is_object(value):
        return ("object", frozenset((name, _identity(one)) for name, one in value.items()))
    if is_list(value):
        return ("list", tuple(map(_identity, value)))
    return (kind_of(value), value)


def _is_plain(schema: object) -> bool:
    """Return True if a schema has only keywords of `_PLAIN`."""
    left: list[object] = [schema]
    while left:
        one = left.pop()
        if isinstance(one, bool):
            continue
        if not is_object(one) or any(name not in _PLAIN and not name.startswith("x-") for name in one):
            return False
        properties = one.get("properties", {})
        left += properties.values() if is_object(properties) else [None]
        left += [one[name] for name in ("items", "additionalProperties") if name in one]
    return True


def _parts(value: object, most: int) -> int:
    """Return the number of names and values, long texts counting as several; counting stops above `most`."""
    left, count = [value], 0
    while left and count <= most:
        one = left.pop()
        count += 1 + (len(one) >> 10 if isinstance(one, str) else 0)
        if is_object(one):
            count += len(one)
            left += one.values()
        elif is_list(one):
            left += one
    return count


def _unsafe(schema: object, at: tuple[object, ...], depth: int) -> Iterator[PlacedError]:
    def error(said: str, *more: object) -> PlacedError:
        return PlacedError(pointer=pointer_of((*at, *more)), message=said)

    if depth > MOST_DEPTH:
        yield error(f"A schema is nested at most {MOST_DEPTH} deep.")
        return
    if is_list(schema):
        for number, one in enumerate(schema):
            yield from _unsafe(one, (*at, number), depth + 1)
    if not is_object(schema):
        return
    for name, one in schema.items():
        if name in _REMOTE and isinstance(one, str):
            yield error(f"{name} is not used here.", name)
        if name == "$ref" and not (isinstance(one, str) and one.startswith("#/")):
            yield error("$ref leads inside the schema only, such as #/$defs/name.", name)
        expressions: list[str] = [one] if name == "pattern" and isinstance(one, str) else []
        if name == "patternProperties" and is_object(one):
            expressions = list(one)
        for expression in expressions:
            try:
                linear(expression)
            except BadArgument as refused:
                yield error(refused.message, name)
        yield from _unsafe(one, (*at, name), depth + 1)


def _sentence(error: Any) -> str:
    """Return jsonschema's error as one short sentence that repeats little of the value."""
    value = error.instance
    match error.validator:
        case "type":
            said = f"this has to be of type {_list(error.validator_value)}"
        case "enum":
            said = f"this has to be one of {_list(error.validator_value)}"
        case "required":
            missing = [name for name in error.validator_value if name not in value]
            said = f"{missing[0]} is missing" if missing else "something is missing"
        case "additionalProperties":
            known = error.schema.get("properties", {})
            extra = [name for name in value if name not in known]
            said = f"there is no {str(extra[0])[:40]!r} here" if extra else "something is too much here"
        case "minimum" | "exclusiveMinimum":
            said = f"this has to be at least {error.validator_value}"
        case "maximum" | "exclusiveMaximum":
            said = f"this has to be at most {error.validator_value}"
        case "maxLength" | "maxItems" | "maxProperties":
            said = f"this has more than {error.validator_value}"
        case "minLength" | "minItems" | "minProperties":
            least = error.validator_value
            said = "this may not be empty" if least == 1 else f"this has less than {least}"
        case "pattern" if not value:
            said = "this may not be empty"
        case "pattern" if error.schema.get("format") == "email":
            said = f"{value[:60]!r} is no email address"
        case _:
            said = str(error.message)[:200].rstrip(".")
    return said[:1].upper() + said[1:] + "."


def _list(value: object) -> str:
    return ", ".join(map(str, value)) if is_list(value) else str(value)
