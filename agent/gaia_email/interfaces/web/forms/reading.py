"""JSON from posted form data, and the effects of a form's buttons. Entries: `PostedForm`, `apply_button`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from gaia_email.app.json_schemas import PlacedError
from gaia_email.app.json_values import is_list, is_object
from gaia_email.interfaces.web.forms.fields import COUNT, JSON_HERE, NAME, VALUE, escape_step
from gaia_email.interfaces.web.forms.shapes import (
    FieldKind,
    Schema,
    constant_of,
    empty_of,
    kind_of,
    plain,
    variants_of,
)
from gaia_email_registry.errors import BadArgument

MOST_ELEMENTS = 500
"""Maximum elements of a list."""

_LEFT_OUT = object()
"""Marks a field that was left empty."""


@dataclass(slots=True, kw_only=True)
class PostedForm:
    """Posted form data, parsed by its schema; values that do not fit stay as typed, and the validator reports them.

    Attributes:
        fields: The posted values by name.
        errors: Errors of values that could not be parsed at all.
        typed: Text that is not valid JSON, by pointer.
    """

    fields: Mapping[str, Sequence[str]]
    errors: list[PlacedError] = field(default_factory=list[PlacedError])
    typed: dict[str, str] = field(default_factory=dict[str, str])

    def value(self, schema: Schema) -> dict[str, Any]:
        """Return the posted object."""
        found = self._read(schema, "", required=True)
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    def _read(self, schema: Schema, at: str, *, required: bool) -> object:
        schema = plain(schema)
        kind: FieldKind = "json" if at in self.fields.get(JSON_HERE, ()) else kind_of(schema)
        found = self._value(kind, schema, at, required=required)
        is_usual = not required and "default" in schema and found == schema["default"]
        is_empty = not required and kind in ("object", "list", "map", "lines") and not found
        return _LEFT_OUT if is_usual or is_empty else found

    def _value(self, kind: FieldKind, schema: Schema, at: str, *, required: bool) -> object:
        match kind:
            case "object" | "variant":
                return self._object(kind, schema, at)
            case "list":
                items: Schema = schema["items"]
                return [
                    self._read(items, f"{at}/{number}", required=True) for number in range(self._count(at))
                ]
            case "map":
                where = [f"{at}/{number}" for number in range(self._count(at))]
                return {self._last(f"{one}/{NAME}"): self._last(f"{one}/{VALUE}") for one in where}
            case "constant":
                return constant_of(schema)
            case _:
                return self._scalar(kind, schema, at, required=required)

    def _object(self, kind: FieldKind, schema: Schema, at: str) -> dict[str, object]:
        found: dict[str, object] = {}
        if kind == "variant" and (variants := variants_of(schema)):
            chosen = self._last(f"{at}/{escape_step(variants.tag)}")
            found[variants.tag] = chosen
            schema = variants.schemas.get(chosen, {})
        needed = schema.get("required", ())
        for name, one in schema.get("properties", {}).items():
            if name not in found:
                found[name] = self._read(one, f"{at}/{escape_step(name)}", required=name in needed)
        return {name: one for name, one in found.items() if one is not _LEFT_OUT}

    def _scalar(self, kind: FieldKind, schema: Schema, at: str, *, required: bool) -> object:
        given = self.fields.get(at, ())
        text = given[-1].replace("\r\n", "\n") if given else ""
        if not given:
            return schema.get("default", "" if required else _LEFT_OUT)
        if kind == "check":
            return text == "true"
        if kind == "lines":
            lines = [line for line in map(str.strip, text.split("\n")) if line]
            return lines[0] if len(lines) == 1 and lines[0].startswith("{{") else lines
        if not text.strip() and not (required and kind != "json"):
            return "" if schema.get("default") and kind in ("text", "long") else _LEFT_OUT
        if kind == "json":
            return self._json(text, at)
        return _number(text) if kind == "number" or _wants_number(schema) else text

    def _json(self, text: str, at: str) -> object:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            where = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            told = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deep"
            self.errors.append(PlacedError(pointer=at, message=f"This is no JSON{where}: {told}."))
            self.typed[at] = text
            return text

    def _count(self, at: str) -> int:
        text = self._last(f"{at}/{COUNT}") or "0"
        if not text.isdecimal() or len(text) > 4 or int(text) > MOST_ELEMENTS:
            raise BadArgument(f"A list has at most {MOST_ELEMENTS} elements.", argument=at)
        return int(text)

    def _last(self, name: str) -> str:
        return next(iter(self.fields.get(name, ())[-1:]), "")


def apply_button(schema: Schema, value: dict[str, Any], what: str) -> str:
    """Apply a form button to a value in place; return the field or button to focus.

    Args:
        schema: The form's schema.
        value: The posted value.
        what: `add:`, `remove:`, `up:` or `down:` and the pointer of a list, or of one of its elements.

    Raises:
        BadArgument: The list or element does not exist.
    """
    verb, _, at = what.partition(":")
    where = at if verb == "add" else at.rpartition("/")[0]
    inner, held = schema, cast("Any", value)
    for step in filter(None, where.split("/")):
        inner, held = _inside(inner, held, step.replace("~1", "/").replace("~0", "~"))
    inner = plain(inner)
    if verb == "add" and kind_of(inner) == "map" and is_object(held):
        held.setdefault("", "")
        return f"{at}/{len(held) - 1}/{NAME}"
    step = at.rpartition("/")[2]
    if kind_of(inner) == "map" and is_object(held) and step.isdecimal():
        names = list(held)
        held.pop(names[int(step)] if int(step) < len(names) else "", None)
        return f"add:{where}"
    if not is_list(held) or kind_of(inner) != "list":
        raise BadArgument("There is no such list in this form.", argument=at)
    return _list_edited(verb, inner, held, where, step)


def _list_edited(verb: str, schema: Schema, held: list[object], where: str, step: str) -> str:
    if verb == "add":
        held.append(empty_of(schema["items"]))
        return f"{where}/{len(held) - 1}"
    number = int(step) if step.isdecimal() else -1
    if not 0 <= number < len(held):
        raise BadArgument("There is no such element in this form.", argument=where)
    if verb == "remove":
        del held[number]
        return f"remove:{where}/{min(number, len(held) - 1)}" if held else f"add:{where}"
    to = min(max(number + (-1 if verb == "up" else 1), 0), len(held) - 1)
    held.insert(to, held.pop(number))
    return f"{verb}:{where}/{to}"


def _inside(schema: Schema, held: Any, step: str) -> tuple[Schema, Any]:
    """Return the schema and the value one step further; create a missing list or object."""
    schema = plain(schema)
    if is_list(held):
        if not step.isdecimal() or int(step) >= len(held):
            raise BadArgument("There is no such element in this form.")
        return schema.get("items", {}), held[int(step)]
    if not is_object(held):
        raise BadArgument("There is no such place in this form.")
    variants = variants_of(schema)
    if variants is not None:
        schema = variants.schemas.get(str(held.get(variants.tag)), {})
    inner: Schema = schema.get("properties", {}).get(step, {})
    missing = list[Any]() if kind_of(plain(inner)) == "list" else dict[str, Any]()
    return inner, held.setdefault(step, missing)


def _wants_number(schema: Schema) -> bool:
    """Return True if the values of a choice are numbers."""
    return bool(schema.get("enum")) and all(isinstance(one, int) for one in schema["enum"])


def _number(text: str) -> object:
    """Return the text as a number if it is one; otherwise return the text."""
    try:
        found = float(text)
    except ValueError:
        return text.strip()
    if found != found or abs(found) > 1e15:
        return text.strip()
    return int(found) if found.is_integer() else found
