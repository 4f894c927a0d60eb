"""The peer's contract as this server implements it, as an OpenAPI 3.1 document. Entry: `peer_openapi`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from gaia_email.app.operations.operation import inline_references
from gaia_email.document import schema_of
from gaia_email_gaia.answers import InvalidAnswer, RefusedAnswer
from gaia_email_gaia.endpoints import PeerEndpoint
from gaia_email_gaia.inputs import CONTRACT, PROVIDER, RUN_ID

Json = dict[str, Any]

REFUSALS = (
    "400",
    "401",
    "403",
    "404",
    "405",
    "408",
    "409",
    "413",
    "414",
    "415",
    "429",
    "431",
    "500",
    "501",
    "502",
    "503",
)

IN_PATH = {"provider": PROVIDER, "run_id": RUN_ID}


def peer_openapi(endpoints: Sequence[PeerEndpoint], prefix: str) -> Json:
    """Return the OpenAPI document."""
    paths: dict[str, Json] = {}
    for one in endpoints:
        paths.setdefault(f"{prefix}{one.path}", {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gaia-email under the contract of GAIA's email agent",
            "version": CONTRACT,
            "description": "docs/http-gaia.md says what is different here.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(one: PeerEndpoint) -> Json:
    responses: dict[str, Json] = {
        status: _answer("Refused.", schema_of(RefusedAnswer)) for status in REFUSALS
    }
    responses["422"] = _answer("It does not fit.", schema_of(InvalidAnswer))
    if one.answer is not None:
        responses["200"] = _answer(one.summary, schema_of(one.answer))
        if one.path.endswith("/init"):
            responses["503"] = {
                "description": "Not ready, or refused.",
                "content": {
                    "application/json": {
                        "schema": {"anyOf": [schema_of(one.answer), schema_of(RefusedAnswer)]}
                    }
                },
            }
    elif one.path.endswith("/query"):
        responses["200"] = {
            "description": "The events of the run.",
            "content": {"text/event-stream": {"schema": {}}},
        }
    described: Json = {
        "operationId": f"{one.method} {one.path}".lower().replace("/", " ").replace(" ", "_"),
        "summary": one.summary,
        "responses": dict(sorted(responses.items())),
    }
    if one.scope == "open":
        described["security"] = []
    parameters: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": IN_PATH[name]}}
        for name in re.findall(r"\{(\w+)\}", one.path)
    ]
    if one.asked is not None:
        schema: Json = _with_default_kind(inline_references(msgspec.json.schema(one.asked)))
        if one.method == "GET":
            parameters += [
                {"name": name, "in": "query", "required": False, "schema": part}
                for name, part in schema["properties"].items()
            ]
        else:
            described["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if parameters:
        described["parameters"] = parameters
    return described


def _with_default_kind(part: Any) -> Any:
    """Make `kind` optional in a schema, since it follows from the other fields (`read_input`)."""
    if isinstance(part, list):
        return [_with_default_kind(one) for one in part]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(part, dict):
        return part
    found: Json = {name: _with_default_kind(one) for name, one in part.items()}  # pyright: ignore[reportUnknownVariableType]
    if "kind" in found.get("properties", {}):
        found["required"] = [name for name in found.get("required", ()) if name != "kind"]
    return found


def _answer(says: str, schema: object) -> Json:
    return {"description": says, "content": {"application/json": {"schema": schema}}}
