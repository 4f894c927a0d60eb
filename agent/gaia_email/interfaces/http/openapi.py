"""The contract as an OpenAPI 3.1 document built from the routes, and as a page. Entries: `openapi`, `page`."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape

from gaia_email.document import Schema
from gaia_email.interfaces.http.contract_parts import (
    ACCOUNT,
    API_VERSION,
    IN_PATH,
    NAMED,
    PLACE,
    Json,
    error_answers,
    input_schema,
    json_answer,
    parameter,
)
from gaia_email.interfaces.http.grammars import narrow_schema
from gaia_email.interfaces.http.other_endpoints import OTHERS
from gaia_email.interfaces.http.routes import ROUTES, OperationRoute
from gaia_email.plugins import load_parts
from gaia_mail.lazy import lazy_pattern

_REFERENCE = lazy_pattern(rf'"{PLACE}(\w+)"')


def openapi() -> Json:
    """Return the OpenAPI document."""
    paths: dict[str, Json] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    for other in OTHERS:
        paths.setdefault(other.path, {})[other.method.lower()] = other.described
    for describe in load_parts("openapi"):
        for path, methods in describe().items():
            paths.setdefault(path, {}).update(methods)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gaia-email",
            "version": API_VERSION,
            "description": "Local-first email triage on this machine. Documents are those of `gaia email … --json`.",
        },
        "security": [{"token": []}, {"person": [], "personKey": []}],
        "paths": paths,
        "components": {
            "schemas": _referred(paths),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The API token; it reads, drafts and asks.",
                },
                "person": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "gaia_session",
                    "description": "A person's session; with the key of its page it decides.",
                },
                "personKey": {"type": "apiKey", "in": "header", "name": "X-Gaia-Key"},
            },
        },
    }


def _referred(paths: Json) -> dict[str, Schema]:
    """Return the schemas that paths reference, directly or indirectly."""
    used: set[str] = set()
    waiting = [json.dumps(paths)]
    while waiting:
        for name in set(_REFERENCE.findall(waiting.pop())) - used:
            used.add(name)
            waiting.append(json.dumps(NAMED.found[name]))
    return {name: NAMED.found[name] for name in sorted(used)}


def _operation(route: OperationRoute) -> Json:
    operation = route.operation
    schema, named = narrow_schema(operation.name, input_schema(operation.input)), set(route.named)
    fields: Json = dict(schema.get("properties", {}))
    required = [name for name in _texts(schema.get("required")) if name != operation.lists]
    fields.pop(operation.lists, None)
    if operation.mailbox != "none":
        fields["account"] = ACCOUNT
    parameters = [
        parameter("path", name, {"pattern": IN_PATH, **fields.pop(name, {"type": "string"})}, True)
        for name in route.named
    ]
    found: Json = {
        "operationId": f"{operation.name}",
        "summary": operation.summary,
        "description": operation.description,
        "tags": [_WHO[operation.risk]],
        "responses": {
            "200": json_answer(operation.summary, operation.output_schema(NAMED)),
            **error_answers(),
        },
    }
    left = [name for name in required if name not in named]
    if route.method in ("GET", "DELETE"):
        parameters += [parameter("query", name, one, name in left) for name, one in fields.items()]
    else:
        body: Json = {**schema, "properties": fields, "required": left}
        example = {name: value for name, value in operation.example.items() if name not in named}
        found["requestBody"] = {
            "required": bool(left) or "oneOf" in schema,
            "content": {"application/json": {"schema": body, "example": example}},
        }
    if parameters:
        found["parameters"] = parameters
    return found


_WHO: Mapping[str, str] = {
    "read": "Read",
    "draft": "Draft",
    "restrain": "Restrain",
    "person": "For a person",
}


def _texts(value: object) -> Sequence[str]:
    return [str(one) for one in value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def page() -> str:
    """Return the contract as a self-contained page."""
    document = openapi()
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><title>gaia-email</title>", _STYLE]
    parts.append(f"<h1>gaia-email {escape(API_VERSION)}</h1><p>{escape(document['info']['description'])} ")
    parts.append("<a href=/openapi.json>openapi.json</a></p>")
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            parts.append(_section(path, method, one))
    return "".join([*parts, "</html>"])


_RULES = (
    "body{font:16px/1.5 system-ui;max-width:52rem;"
    "margin:2rem auto;padding:0 1rem;color-scheme:light dark}code,pre{font:14px ui-monospace,monospace}"
    "pre{overflow:auto}"
    "h2{margin-bottom:0}summary{cursor:pointer}"
)
_STYLE = f"<meta name=viewport content='width=device-width'><style>{_RULES}</style>"

PAGE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_RULES.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of this page: it allows its own style and no scripts."""


def _section(path: str, method: str, one: Json) -> str:
    shown = json.dumps({key: one[key] for key in ("parameters", "requestBody") if key in one}, indent=1)
    answers = json.dumps(next(iter(one["responses"].values())), indent=1)
    return (
        f"<h2><code>{escape(method.upper())} {escape(path)}</code></h2><p>{escape(one['summary'])}"
        f"</p><details><summary>Input</summary><pre>{escape(shown)}</pre></details>"
        f"<details><summary>Answer</summary><pre>{escape(answers)}</pre></details>"
    )
