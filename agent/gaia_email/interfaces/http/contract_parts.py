"""Shared parts of the contract's description. Entries: `describe_endpoint`, `parameter`, `json_answer`."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin

import msgspec

from gaia_email.document import NamedSchemas, Schema
from gaia_email.interfaces.http.answering import MOST_NAME
from gaia_email.interfaces.http.grammars import SINCE, narrow_schema
from gaia_email.interfaces.http.refusal import STATUS

Json = dict[str, Any]

API_VERSION = "1.0"
"""Version of the paths, inputs and answers; any change that a caller could notice increments it."""

ERROR_SCHEMA: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "message"],
            "properties": {
                "kind": {
                    "type": "string",
                    "description": f"One word: {', '.join((*STATUS, 'conflict', 'needs_person'))} and others.",
                },
                "message": {"type": "string", "description": "One or two sentences: what was wrong."},
                "argument": {"type": "string", "description": "JSON Pointer (RFC 6901) of what did not fit."},
                "retry_after_s": {"type": "number"},
                "hint": {"type": "string", "description": "The next step."},
            },
            "additionalProperties": False,
        }
    },
    "additionalProperties": False,
}

ACCOUNT: Json = {
    "type": "string",
    "maxLength": MOST_NAME,
    "description": "A connected account; not needed when there is only one.",
}

IN_PATH = "^[0-9A-Za-z@_-][0-9A-Za-z@_.+-]*$"
"""Pattern for unambiguous path parameters."""

PLACE = "#/components/schemas/"
NAMED = NamedSchemas(place=PLACE)
"""Schemas that the document contains once and references."""
NAMED.hold({"Error": ERROR_SCHEMA})

ANY_OBJECT: Schema = {"type": "object"}


def parameter(where: str, name: str, schema: Json, required: bool) -> Json:
    """Describe a parameter."""
    found: Json = {"name": name, "in": where, "required": required, "schema": schema}
    return found


def json_answer(says: str, schema: Schema, content_type: str = "application/json") -> Json:
    """Describe an answer."""
    return {"description": says, "content": {content_type: {"schema": schema}}}


def error_answers() -> Json:
    """Describe what any endpoint answers if something is wrong."""
    return {"default": json_answer("What was wrong, and the next step.", {"$ref": f"{PLACE}Error"})}


def input_schema(kind: type[msgspec.Struct]) -> Json:
    """Return the schema of an input, with references to the schemas of its parts."""
    _, found = msgspec.json.schema_components((kind,), ref_template=f"{PLACE}{{name}}")
    whole: Json = found.pop(kind.__name__)
    NAMED.hold(found)
    for one in msgspec.structs.fields(kind):
        notes = get_args(one.type) if get_origin(one.type) is Annotated else ()
        if any(
            (note.extra or {}).get("moment") == "since" for note in notes if isinstance(note, msgspec.Meta)
        ):
            whole["properties"][one.encode_name] |= SINCE
    return whole


def json_body(kind: type[msgspec.Struct], example: Json, name: str = "") -> Json:
    """Describe a body that is this input."""
    schema = narrow_schema(name, input_schema(kind))
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def describe_endpoint(name: str, says: str, **more: Any) -> Json:
    """Describe an endpoint: its name in the contract, a summary, and in `more` its answer, body and parameters."""
    answers = {"200": more.pop("answer", json_answer(says, ANY_OBJECT)), **error_answers()}
    return {"operationId": name, "summary": says, "responses": answers, **more}
