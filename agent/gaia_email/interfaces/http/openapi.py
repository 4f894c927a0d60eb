"""The contract as an OpenAPI 3.1 document made from the routes, and as a page. Entries: `openapi`, `page`."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Annotated, Any, get_args, get_origin

import msgspec

from gaia_email.app.documents.accounts import ForwardedDocument, ForwardedLoginsDocument, WithdrawnDocument
from gaia_email.app.documents.schemas import document_type
from gaia_email.app.documents.typed import NamedSchemas, Schema, schema_of
from gaia_email.interfaces.http.answering import MOST_NAME
from gaia_email.interfaces.http.connections import PROVIDER, ForwardInput
from gaia_email.interfaces.http.control_endpoints import (
    CONTROL_PATH,
    ENDPOINTS,
    ProtocolEndpoint,
    answer_schema,
    command_schema,
    control_definitions,
)
from gaia_email.interfaces.http.conversations import RUN_ID, QueryInput, RespondInput
from gaia_email.interfaces.http.exporting import ExportInput
from gaia_email.interfaces.http.grammars import SINCE, narrowed
from gaia_email.interfaces.http.openai_chat import ChatInput
from gaia_email.interfaces.http.refusal import STATUS
from gaia_email.interfaces.http.routes import ROUTES, OperationRoute
from gaia_mail.lazy import lazy_pattern

Json = dict[str, Any]

API_VERSION = "1.0"
"""Of the paths, inputs and answers; a change that a caller could notice moves it."""

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
"""What a path may name without being ambiguous."""

_PLACE = "#/components/schemas/"
_NAMED = NamedSchemas(place=_PLACE)
"""Schemas that the document holds once and refers to."""
_NAMED.hold({"Error": ERROR_SCHEMA, **control_definitions(_PLACE)})
_REFERENCE = lazy_pattern(rf'"{_PLACE}(\w+)"')


def openapi() -> Json:
    """The document."""
    paths: dict[str, Json] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    for path, method, described in _OTHERS:
        paths.setdefault(path, {})[method] = described
    for endpoint in ENDPOINTS:
        paths.setdefault(f"{CONTROL_PATH}{endpoint.path}", {})[endpoint.method.lower()] = _protocol(endpoint)
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
    """The schemas that paths refer to, and those that these refer to."""
    used: set[str] = set()
    waiting = [json.dumps(paths)]
    while waiting:
        for name in set(_REFERENCE.findall(waiting.pop())) - used:
            used.add(name)
            waiting.append(json.dumps(_NAMED.found[name]))
    return {name: _NAMED.found[name] for name in sorted(used)}


def _operation(route: OperationRoute) -> Json:
    operation = route.operation
    schema, named = narrowed(operation.name, _input(operation.input)), set(route.named)
    fields: Json = dict(schema.get("properties", {}))
    required = [name for name in _texts(schema.get("required")) if name != operation.lists]
    fields.pop(operation.lists, None)
    if operation.mailbox != "none":
        fields["account"] = ACCOUNT
    parameters = [
        _parameter("path", name, {"pattern": IN_PATH, **fields.pop(name, {"type": "string"})}, True)
        for name in route.named
    ]
    described: Json = {
        "operationId": f"{operation.name}",
        "summary": operation.summary,
        "description": operation.description,
        "tags": [_WHO[operation.risk]],
        "responses": {"200": _answer(operation.summary, operation.output_schema(_NAMED)), **_errors()},
    }
    left = [name for name in required if name not in named]
    if route.method in ("GET", "DELETE"):
        parameters += [_parameter("query", name, one, name in left) for name, one in fields.items()]
    else:
        body: Json = {**schema, "properties": fields, "required": left}
        example = {name: value for name, value in operation.example.items() if name not in named}
        described["requestBody"] = {
            "required": bool(left) or "oneOf" in schema,
            "content": {"application/json": {"schema": body, "example": example}},
        }
    if parameters:
        described["parameters"] = parameters
    return described


_WHO: Mapping[str, str] = {
    "read": "Read",
    "draft": "Draft",
    "restrain": "Restrain",
    "person": "For a person",
}


def _texts(value: object) -> Sequence[str]:
    return [str(one) for one in value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _parameter(where: str, name: str, schema: Json, required: bool) -> Json:
    found: Json = {"name": name, "in": where, "required": required, "schema": schema}
    return found


def _answer(says: str, schema: Schema, content_type: str = "application/json") -> Json:
    return {"description": says, "content": {content_type: {"schema": schema}}}


def _errors() -> Json:
    return {"default": _answer("What was wrong, and the next step.", {"$ref": f"{_PLACE}Error"})}


def _input(kind: type[msgspec.Struct]) -> Json:
    """The schema of an input; it refers to those of its parts."""
    _, found = msgspec.json.schema_components((kind,), ref_template=f"{_PLACE}{{name}}")
    whole: Json = found.pop(kind.__name__)
    _NAMED.hold(found)
    for one in msgspec.structs.fields(kind):
        notes = get_args(one.type) if get_origin(one.type) is Annotated else ()
        if any(
            (note.extra or {}).get("moment") == "since" for note in notes if isinstance(note, msgspec.Meta)
        ):
            whole["properties"][one.encode_name] |= SINCE
    return whole


def _body(kind: type[msgspec.Struct], example: Json, name: str = "") -> Json:
    schema = narrowed(name, _input(kind))
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def _protocol(endpoint: ProtocolEndpoint) -> Json:
    described = _other(
        endpoint.operation_id, endpoint.says, answer=_answer(endpoint.says, answer_schema(endpoint, _PLACE))
    )
    if endpoint.method == "POST":
        content = {"schema": command_schema(_PLACE), "example": endpoint.example}
        return {**described, "requestBody": {"required": True, "content": {"application/json": content}}}
    parameters = [_parameter("query", name, schema, False) for name, schema in endpoint.query.items()]
    if "{id}" in endpoint.path:
        parameters.append(_parameter("path", "id", {"type": "string", "maxLength": MOST_NAME}, True))
    return {**described, "parameters": parameters} if parameters else described


_RUN = _parameter("path", "run_id", {"type": "string", "pattern": RUN_ID}, True)
_PROVIDER = _parameter("path", "provider", {"type": "string", "pattern": PROVIDER}, True)
_FILE = _parameter("path", "artifact_id", {"type": "string", "pattern": "^[0-9a-f]{32}$"}, True)
_OBJECT: Schema = {"type": "object"}
_STREAM: Schema = {
    "description": "One JSON object a `data:` line; a comment every ten seconds.",
}


def _other(name: str, says: str, **more: Any) -> Json:
    answers = {"200": more.pop("answer", _answer(says, _OBJECT)), **_errors()}
    return {"operationId": name, "summary": says, "responses": answers, **more}


_OTHERS: tuple[tuple[str, str, Json], ...] = (
    (
        "/v1/email/query",
        "post",
        _other(
            "query",
            "Answer a line of the user: status, token, tool_call, tool_result, needs_input, needs_confirmation, and "
            "at last final or error.",
            requestBody=_body(
                QueryInput, {"query": "what is urgent", "run_id": "6f1d6f0e-52c4-4a3f-9b59-0d9a1e6b7c10"}
            ),
            answer=_answer("The events of the run.", _STREAM, "text/event-stream"),
        ),
    ),
    (
        "/v1/email/query/{run_id}/cancel",
        "post",
        _other("cancel_query", "End a run, or one whose query is still to come.", parameters=[_RUN]),
    ),
    (
        "/v1/email/query/{run_id}/respond",
        "post",
        _other(
            "respond_query",
            "Answer the question of a run.",
            parameters=[_RUN],
            requestBody=_body(RespondInput, {"request_id": "…", "value": "1"}),
        ),
    ),
    (
        "/v1/email/query/{run_id}/confirm",
        "post",
        _other(
            "confirm_query",
            "Say yes or no, as a person, to what a run waits with.",
            parameters=[_RUN],
            requestBody={
                "required": True,
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": {"approve": {"type": "boolean"}},
                            "required": ["approve"],
                            "additionalProperties": False,
                        },
                        "example": {"approve": False},
                    }
                },
            },
        ),
    ),
    (
        "/v1/email/events",
        "get",
        _other(
            "events",
            "The event log as it is written, each number once and in order; `Last-Event-ID` goes on after a number.",
            parameters=[
                {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}},
                _parameter("query", "after", {"type": "integer", "minimum": 0}, False),
                _parameter(
                    "query",
                    "kinds",
                    {"type": "string", "description": "Such as action.*,run.finished"},
                    False,
                ),
                _parameter("query", "account", ACCOUNT, False),
                _parameter("query", "run_id", {"type": "string", "maxLength": MOST_NAME}, False),
            ],
            answer=_answer("Events without end.", _STREAM, "text/event-stream"),
        ),
    ),
    (
        "/v1/email/export",
        "post",
        _other(
            "export",
            "What the ledger holds, for other programs: events, actions, verdicts, settings, the copy of mail.",
            requestBody={**_body(ExportInput, {"what": ["actions"]}, "export"), "required": False},
            answer=_answer("The rows of each table.", schema_of(document_type("export"), _NAMED)),
        ),
    ),
    (
        "/v1/automations/{automation_id}/fire",
        "post",
        {
            "operationId": "fire_automation",
            "summary": "Set an automation off by its webhook, with the webhook's own token as bearer token.",
            "parameters": [
                _parameter(
                    "path", "automation_id", {"type": "string", "maxLength": 100, "pattern": IN_PATH}, True
                ),
                {"name": "Idempotency-Key", "in": "header", "required": False, "schema": {"type": "string"}},
            ],
            "requestBody": {
                "required": False,
                "content": {"application/json": {"schema": _OBJECT, "example": {"idempotency_key": "b-1"}}},
            },
            "responses": {"202": _answer("The run, and where it can be looked at.", _OBJECT), **_errors()},
        },
    ),
    (
        "/v1/automations/files/{artifact_id}",
        "get",
        _other(
            "automation_file",
            "The bytes of a file that a run has kept; of a private one only for a person.",
            parameters=[_FILE],
            answer={"description": "The file.", "content": {"application/octet-stream": {}}},
        ),
    ),
    (
        "/v1/automations/runs/{run_id}/shared/{artifact_id}",
        "get",
        _other(
            "shared_automation_file",
            "The bytes of a file that its owner shares by this signed link, until its time is over.",
            parameters=[
                _RUN,
                _FILE,
                _parameter("query", "expires", {"type": "string", "pattern": "^[0-9]{1,12}$"}, True),
                _parameter("query", "signature", {"type": "string", "pattern": "^[0-9a-f]{64}$"}, True),
            ],
            answer={"description": "The file.", "content": {"application/octet-stream": {}}},
        ),
    ),
    (
        "/v1/chat/completions",
        "post",
        _other(
            "chat_completions",
            "The agent as a model of an OpenAI-compatible client; it reads, and changes nothing.",
            answer={
                "description": "The answer, or its chunks where `stream` is true.",
                "content": {
                    "application/json": {"schema": _OBJECT},
                    "text/event-stream": {"schema": _STREAM},
                },
            },
            requestBody=_body(
                ChatInput,
                {"model": "gaia-email", "messages": [{"role": "user", "content": "what is urgent"}]},
            ),
        ),
    ),
    (
        "/v1/connections",
        "get",
        _other(
            "connections",
            "Logins that hosts forwarded, without their tokens.",
            answer=_answer("All of them.", schema_of(ForwardedLoginsDocument, _NAMED)),
        ),
    ),
    (
        "/v1/connections/{provider}",
        "post",
        _other(
            "forward_connection",
            "Use a login that a host has, in memory only, until it ends, is withdrawn, or the server stops.",
            parameters=[_PROVIDER],
            requestBody=_body(
                ForwardInput,
                {
                    "access_token": "ya29.a0Af",
                    "expires_at": 4_000_000_000,
                    "account_email": "ann@example.com",
                },
            ),
            answer=_answer("What is used from now on.", schema_of(ForwardedDocument, _NAMED)),
        ),
    ),
    (
        "/v1/connections/{provider}",
        "delete",
        _other(
            "withdraw_connection",
            "Forget a login that a host forwarded, and end what uses it.",
            parameters=[_PROVIDER],
            answer=_answer("Whether there was one.", schema_of(WithdrawnDocument, _NAMED)),
        ),
    ),
    ("/v1/models", "get", _other("list_models", "The one model there is: the agent.")),
    ("/health", "get", {**_other("health", "Whether it answers."), "security": []}),
    ("/version", "get", {**_other("version", "Of the contract and of the program."), "security": []}),
)


def page() -> str:
    """The contract as a page that needs nothing from elsewhere."""
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
"""The content security policy of that page: its own style, and nothing that runs."""


def _section(path: str, method: str, one: Json) -> str:
    shown = json.dumps({key: one[key] for key in ("parameters", "requestBody") if key in one}, indent=1)
    answers = json.dumps(next(iter(one["responses"].values())), indent=1)
    return (
        f"<h2><code>{escape(method.upper())} {escape(path)}</code></h2><p>{escape(one['summary'])}"
        f"</p><details><summary>Input</summary><pre>{escape(shown)}</pre></details>"
        f"<details><summary>Answer</summary><pre>{escape(answers)}</pre></details>"
    )
