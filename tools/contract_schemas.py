"""Makes `contract/schemas.json`: the input and output JSON Schema of every mail tool. Entry: `generate`.

Inputs come from the pydantic models, outputs from the wire types. Pydantic's own form is made plain: nothing
titled, nothing referenced, an optional field is its type and not a union with null, as clients of the
Gmail convention expect; a boolean without a default is false. Bounds are enforced at run time and not published
for the convention's tools, whose names, types and limits are exact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter

from gaia_email_registry.contract import inputs, wire
from gaia_email_registry.contract.tools import TOOLS, ToolSpec

TARGET = Path("registry/gaia_email_registry/contract/schemas.json")

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Schema = dict[str, Json]

_SPELLED_OUT = ("list_email_labels", "list_send_as")
"""Messages are by `read_email`."""

_PROMISED = (
    "ListEmailsResult",
    "SearchEmailsResult",
    "ReadEmailsResult",
    "SyncResult",
    "WaitResult",
    "StatusResult",
)
"""Results that other programs read: what they always hold is published."""

_KEPT = ("type", "enum", "minimum", "maximum")


def generate() -> Iterator[tuple[Path, str]]:
    """The file and its text: a tool a line."""
    lines = (
        f"{json.dumps(name)}:{_compact({'input': input_schema(spec), 'output': output_schema(spec)})}"
        for name, spec in TOOLS.items()
    )
    yield TARGET, "{\n" + ",\n".join(lines) + "\n}\n"


def input_schema(spec: ToolSpec) -> Schema:
    """What the tool takes, as it is published."""
    model: object = getattr(inputs, spec.input)
    assert isinstance(model, type) and issubclass(model, inputs.ToolInput)
    plain = _Plain(model.model_json_schema(), nullable=False).root()
    if issubclass(model, inputs.ConventionInput):
        plain["additionalProperties"] = False
    return plain


def output_schema(spec: ToolSpec) -> Schema:
    """What the tool answers in `structuredContent`: its result or an error.

    Some clients check a failed call's structured content against the schema too: where it says what is required,
    it says so for both forms. Inner objects are spelled out once for each kind of thing, and elsewhere an array
    of them is only an array: the list of tools has a byte ceiling, and a model pays for it in every conversation.
    What failed is left out of a write that is about one thing: then all of it fails.
    """
    schema = TypeAdapter[object](getattr(wire, spec.output)).json_schema()
    plain = _Plain(schema, nullable=True, depth=1 if spec.name in _SPELLED_OUT else 0).root()
    required = plain.pop("required", [])
    properties = plain["properties"]
    if spec.output != "WriteResult" and isinstance(properties, dict):
        properties.pop("failed", None)
    if spec.output in _PROMISED:
        plain["anyOf"] = [{"required": required}, {"required": ["error"]}]
    return plain


class _Plain:
    """Makes a pydantic schema plain.

    `nullable` says whether null is an answer of its own or "not given"; below `depth` objects within
    objects only their type is kept, and `required` only at the top.
    """

    def __init__(self, schema: Schema, *, nullable: bool, depth: int = 9) -> None:
        self._schema = schema
        self._nullable = nullable
        self._depth = depth

    def root(self) -> Schema:
        plain = self._object(self._schema, 0)
        if "required" in self._schema:
            plain["required"] = self._schema["required"]
        return plain

    def _object(self, schema: Schema, level: int) -> Schema:
        plain: Schema = {"type": "object"}
        if level > self._depth:
            return plain
        fields = schema.get("properties", {})
        assert isinstance(fields, dict)
        plain["properties"] = {name: self._field(value, level) for name, value in fields.items()}
        if schema.get("convention"):
            plain["additionalProperties"] = False
        return plain

    def _field(self, schema: Json, level: int) -> Schema:
        assert isinstance(schema, dict)
        described: Schema = {"description": schema["description"]} if "description" in schema else {}
        if "$ref" in schema:
            return self._field(self._definition(str(schema["$ref"])), level) | described
        if "anyOf" in schema:
            return self._optional(schema["anyOf"], level) | described
        if schema.get("type") == "object":
            return self._object(schema, level + 1) if "properties" in schema else {"type": "object"}
        plain: Schema = {key: schema[key] for key in _KEPT if key in schema}
        if "items" in schema:
            items = self._field(schema["items"], level)
            if items.get("properties") or not self._nullable:
                plain["items"] = items
        if schema.get("default"):
            plain["default"] = schema["default"]
        return plain | described

    def _definition(self, reference: str) -> Json:
        definitions = self._schema["$defs"]
        assert isinstance(definitions, dict)
        return definitions[reference.rpartition("/")[2]]

    def _optional(self, choices: Json, level: int) -> Schema:
        assert isinstance(choices, list)
        given = [c for c in choices if isinstance(c, dict) and c.get("type") != "null"]
        plain = self._field(given[0], level)
        return {**plain, "type": [plain["type"], "null"]} if self._nullable else plain


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
