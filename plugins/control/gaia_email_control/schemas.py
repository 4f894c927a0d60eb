"""The JSON Schema of the protocol's records, commands and events. Entry point: `control_schema`."""

from __future__ import annotations

from typing import Final

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from gaia_email_control import DIALECT
from gaia_email_control.commands import COMMAND_TYPES
from gaia_email_control.events import EVENT_RECORDS, ControlEvent
from gaia_email_control.records import ControlDeliveryTarget, ControlHelper
from gaia_email_control.wire import WireRecord

_OTHERS: Final = (ControlHelper, ControlDeliveryTarget, ControlEvent)


class _Untitled(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def control_schema() -> dict[str, object]:
    """Return the schema of a command or an event (draft 2020-12); every record is among its definitions by name."""
    records = (one for _, kinds in EVENT_RECORDS.values() for one in kinds)
    models: dict[type[WireRecord], None] = dict.fromkeys((*COMMAND_TYPES, *records, *_OTHERS))
    _, found = models_json_schema([(model, "validation") for model in models], schema_generator=_Untitled)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"OpenScout control protocol {DIALECT}",
        "anyOf": [{"$ref": "#/$defs/AnyCommand"}, {"$ref": "#/$defs/AnyEvent"}],
        "$defs": {
            **found["$defs"],
            "AnyCommand": {"oneOf": list(map(_named, COMMAND_TYPES))},
            "AnyEvent": _event(),
        },
    }


def _event() -> dict[str, object]:
    kinds = [
        {
            "properties": {
                "kind": {"const": kind},
                "payload": {"properties": {name: _one_of(types)}, "required": [name]},
            }
        }
        for kind, (name, types) in EVENT_RECORDS.items()
    ]
    return {"allOf": [_named(ControlEvent), {"oneOf": kinds}]}


def _one_of(types: tuple[type[WireRecord], ...]) -> dict[str, object]:
    return _named(types[0]) if len(types) == 1 else {"oneOf": list(map(_named, types))}


def _named(model: type[WireRecord]) -> dict[str, object]:
    return {"$ref": f"#/$defs/{model.__name__}"}
