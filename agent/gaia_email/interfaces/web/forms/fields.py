"""Fields of a form, from a JSON Schema and a value. Entries: `FormField`, `FieldBuilder`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from gaia_email.app.json_schemas import PlacedError
from gaia_email.app.languages.speaking import _
from gaia_email.interfaces.web.forms.shapes import (
    FieldKind,
    Schema,
    constant_of,
    fits,
    kind_of,
    plain,
    variants_of,
)

JSON_HERE, COUNT, NAME, VALUE = "~json", "-", "~name", "~value"
"""Special fields of a form: JSON in place of fields, the length of a list, a name and its value."""

TEXT_TYPES = {"email": "email", "date": "date", "time": "time", "uri": "url", "password": "password"}
"""Input types by the `format` of a schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormOption:
    """A value of a choice, with its label."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A field, or a group of fields.

    Attributes:
        pointer: The JSON Pointer of its value (RFC 6901), also the name under which it is posted.
        kind: The kind of control.
        label: Its label.
        help: Its help text.
        value: Its text, or its checked state.
        required: True if it must not be empty.
        input_type: The input type of a `text`.
        options: The options of a `choice`; for a `text` they are only suggestions.
        limits: Attributes of the input: `maxlength`, `min`, `max`, `placeholder`.
        fields: The fields inside; for a `map`, names and values alternate.
        errors: Its errors.
        folded: True if its fields are hidden until expanded.
        in_place_of: True if it is JSON in place of the usual control for its schema.
    """

    pointer: str
    kind: FieldKind
    label: str
    help: str = ""
    value: object = ""
    required: bool = False
    input_type: str = "text"
    options: tuple[FormOption, ...] = ()
    limits: Mapping[str, str] = field(default_factory=dict[str, str])
    fields: tuple[FormField, ...] = ()
    errors: tuple[str, ...] = ()
    folded: bool = False
    in_place_of: bool = False

    @property
    def is_short(self) -> bool:
        """True if several fields of its kind fit on a line."""
        limit = self.limits.get("maxlength", "")
        return (
            self.kind in ("number", "choice")
            or self.input_type in ("date", "time")
            or (self.kind == "text" and limit.isdecimal() and int(limit) <= 60)
        )

    @property
    def name(self) -> str:
        """Last step of its pointer."""
        return self.pointer.rpartition("/")[2]


@dataclass(slots=True, kw_only=True)
class FieldBuilder:
    """A builder for the fields of one form.

    Attributes:
        errors: Errors, each shown at its field, or at the group that contains it.
        sources: Options by the name in `x-gaia-source`.
        typed: Text that is not valid JSON, by pointer; it is shown again as typed.
    """

    errors: Sequence[PlacedError] = ()
    sources: Mapping[str, Sequence[FormOption]] = field(default_factory=dict[str, Sequence[FormOption]])
    typed: Mapping[str, str] = field(default_factory=dict[str, str])

    def build(
        self, schema: Schema, value: object, pointer: str = "", label: str = "", *, required: bool = True
    ) -> FormField:
        """Build the field for a value; None means that no value was given."""
        schema = plain(schema)
        given = schema.get("default") if value is None else value
        kind = kind_of(schema)
        in_place_of = kind != "json" and given is not None and not fits(kind, given)
        kind = "json" if in_place_of or pointer in self.typed else kind
        fields = self._fields(kind, schema, given, pointer)
        source = self.sources.get(str(schema.get("x-gaia-source", "")), ())
        return FormField(
            pointer=pointer,
            kind=kind,
            label=_title(schema) or label or words(pointer),
            help=str(schema.get("description", "")),
            value=self._shown(kind, schema, given, pointer),
            required=required,
            input_type=TEXT_TYPES.get(str(schema.get("format", "")), "text"),
            options=(*_options(kind, schema, given, required=required), *source),
            limits=_limits(schema),
            fields=fields,
            errors=self._errors(pointer, fields),
            folded=not required and not value and kind in ("object", "list", "map", "json"),
            in_place_of=in_place_of,
        )

    def _fields(self, kind: FieldKind, schema: Schema, value: object, at: str) -> tuple[FormField, ...]:
        if kind in ("object", "variant"):
            return tuple(self._properties(kind, schema, cast("Mapping[str, object]", value or {}), at))
        if kind == "list":
            items: Schema = schema["items"]
            rows = cast("list[object]", value or [])
            return tuple(
                self.build(items, one, f"{at}/{number}", f"{number + 1}") for number, one in enumerate(rows)
            )
        if kind == "map":
            pairs = enumerate(cast("Mapping[str, object]", value or {}).items())
            return tuple(one for number, pair in pairs for one in self._pair(schema, at, number, *pair))
        return ()

    def _properties(
        self, kind: FieldKind, schema: Schema, value: Mapping[str, object], at: str
    ) -> list[FormField]:
        found: list[FormField] = []
        if kind == "variant" and (variants := variants_of(schema)):
            chosen = str(value.get(variants.tag) or next(iter(variants.schemas), ""))
            known = tuple(FormOption(value=name, label=name) for name in variants.schemas)
            if chosen not in variants.schemas:
                known += (FormOption(value=chosen, label=chosen),)
            schema = variants.schemas.get(chosen, {})
            pointer = f"{at}/{escape_step(variants.tag)}"
            found.append(
                FormField(
                    pointer=pointer,
                    kind="variant",
                    label=words(pointer),
                    help=str(schema.get("description", "")),
                    value=chosen,
                    required=True,
                    options=known,
                    errors=self._errors(pointer, ()),
                )
            )
        needed = schema.get("required", ())
        for name, one in schema.get("properties", {}).items():
            pointer = f"{at}/{escape_step(name)}"
            if found and pointer == found[0].pointer:
                continue
            found.append(self.build(one, value.get(name), pointer, words(pointer), required=name in needed))
        return found

    def _pair(
        self, schema: Schema, at: str, number: int, name: str, value: object
    ) -> tuple[FormField, FormField]:
        where = f"{at}/{number}"
        told = self._errors(f"{at}/{escape_step(name)}", ())
        each: Schema = schema.get("additionalProperties", {})
        is_secret = each.get("format") == "password"
        return (
            FormField(pointer=f"{where}/{NAME}", kind="text", label="name", value=name, required=True),
            FormField(
                pointer=f"{where}/{VALUE}",
                kind="text",
                label="value",
                value="" if is_secret else value,
                input_type="password" if is_secret else "text",
                limits=_limits(each),
                errors=told,
            ),
        )

    def _shown(self, kind: FieldKind, schema: Schema, value: object, pointer: str) -> object:
        if pointer in self.typed:
            return self.typed[pointer]
        match kind:
            case "json":
                return "" if value is None else json.dumps(value, ensure_ascii=False, indent=2)
            case "lines":
                return "\n".join(cast("list[str]", value)) if isinstance(value, list) else value or ""
            case "check":
                return bool(value)
            case "constant":
                return json.dumps(constant_of(schema))
            case "text" if schema.get("format") == "password":
                return ""
            case _:
                return "" if value is None else value

    def _errors(self, pointer: str, fields: Sequence[FormField]) -> tuple[str, ...]:
        """Return the errors of a field, including those that none of its inner fields shows."""
        return tuple(
            one.message
            for one in self.errors
            if within(one.pointer, pointer) and not any(within(one.pointer, each.pointer) for each in fields)
        )


def first_with_error(fields: Sequence[FormField]) -> str:
    """Return the pointer of the first field with an error; empty if there is none."""
    for one in fields:
        found = first_with_error(one.fields) or (one.pointer if one.errors else "")
        if found:
            return found
    return ""


def first_inside(one: FormField, pointer: str) -> str:
    """Return the pointer of the first editable field at a place or inside it; empty if there is none."""
    if one.fields:
        return next(filter(None, (first_inside(each, pointer) for each in one.fields)), "")
    return one.pointer if within(one.pointer, pointer) and one.kind != "constant" else ""


def within(pointer: str, outer: str) -> bool:
    """Return True if a pointer leads to a place or inside it."""
    return pointer == outer or pointer.startswith(f"{outer}/")


def escape_step(name: str) -> str:
    """Escape a name as a step of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def words(pointer: str) -> str:
    """Return the label of a field without a title: `Quiet hours` for `/quiet_hours`."""
    name = pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    told = "".join(f" {one.lower()}" if one.isupper() else one for one in name.replace("_", " "))
    return f"{told[:1].upper()}{told[1:]}".strip()


def _title(schema: Schema) -> str:
    """Return a schema's title; a type name inserted by msgspec does not count."""
    title = str(schema.get("title", ""))
    return "" if re.fullmatch(r"[A-Z]\w*[a-z][A-Z]\w*", title) else title


def _options(kind: FieldKind, schema: Schema, value: object, *, required: bool) -> tuple[FormOption, ...]:
    if kind != "choice":
        return ()
    named: Mapping[str, str] = schema.get("x-gaia-names", {})
    known = [str(one) for one in cast("Sequence[Any]", schema.get("enum", ()))]
    shown = "" if value is None else str(value)
    if shown and shown not in known:
        known.append(shown)
    if not required and "" not in known and "default" not in schema:
        known.insert(0, "")
    return tuple(
        FormOption(value=one, label=_(named.get(one) or one.replace("_", " ")) or "—") for one in known
    )


def _limits(schema: Schema) -> dict[str, str]:
    names = {"maxLength": "maxlength", "minimum": "min", "maximum": "max"}
    found = {html: str(schema[name]) for name, html in names.items() if name in schema}
    example = schema.get("default")
    if example in ("", None):
        example = next(iter(schema.get("examples", ())), None)
    if isinstance(example, str | int | float) and not isinstance(example, bool) and example != "":
        found["placeholder"] = _(str(example))
    return found


def posted_fields(value: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the fields that a form would post for an object, regardless of its schema."""
    found: list[tuple[str, str]] = []
    for name, one in value.items():
        at = f"/{escape_step(name)}"
        if isinstance(one, list | dict):
            found += [(JSON_HERE, at), (at, json.dumps(one, ensure_ascii=False))]
        else:
            found.append((at, "true" if one is True else "" if one is None or one is False else str(one)))
    return found
