"""The plug-in's HTTP endpoints that are not operations. Entries: `AutomationsHttp`, `describe_paths`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gaia_email.interfaces.http.answering import answering_errors
from gaia_email.interfaces.http.contract_parts import (
    ANY_OBJECT,
    IN_PATH,
    Json,
    describe_endpoint,
    error_answers,
    json_answer,
    parameter,
)
from gaia_email.interfaces.http.conversations import RUN_ID
from gaia_email.interfaces.http.plugged import HttpHost, HttpPart
from gaia_email.interfaces.scoped import RouteScope, ScopedRoute
from gaia_email_automations.interfaces.file_endpoints import file_content, shared_file
from gaia_email_automations.interfaces.webhook_endpoint import AutomationWebhooks


class AutomationsHttp(HttpPart):
    """The endpoints in one server."""

    def __init__(self, host: HttpHost) -> None:
        self.answering = host.answering
        self.webhooks = AutomationWebhooks(host.answering)

    def routes(self, prefix: str) -> Sequence[BaseRoute]:
        """Return the routes below a prefix."""
        return [
            ScopedRoute(
                f"{prefix}{one.path}",
                answering_errors(partial(one.answer, self)),
                methods=[one.method],
                scope=one.scope,
            )
            for one in ENDPOINTS
        ]

    async def close(self) -> None:
        """Close what webhooks opened."""
        self.webhooks.close()


@dataclass(frozen=True, slots=True)
class AutomationEndpoint:
    """An endpoint.

    Attributes:
        method: Its method.
        path: Its path.
        scope: The scope of its route.
        answer: Answers a request.
        describe_endpoint: Its part of the contract.
    """

    method: str
    path: str
    scope: RouteScope
    answer: Callable[[AutomationsHttp, Request], Awaitable[Response]]
    describe_endpoint: Json


_RUN = parameter("path", "run_id", {"type": "string", "pattern": RUN_ID}, True)
_FILE = parameter("path", "artifact_id", {"type": "string", "pattern": "^[0-9a-f]{32}$"}, True)

ENDPOINTS: tuple[AutomationEndpoint, ...] = (
    AutomationEndpoint(
        "POST",
        "/v1/automations/{automation_id}/fire",
        "own",
        lambda on, request: on.webhooks.fire(request),
        {
            "operationId": "fire_automation",
            "summary": "Set an automation off by its webhook, with the webhook's own token as bearer token.",
            "parameters": [
                parameter(
                    "path", "automation_id", {"type": "string", "maxLength": 100, "pattern": IN_PATH}, True
                ),
                {"name": "Idempotency-Key", "in": "header", "required": False, "schema": {"type": "string"}},
            ],
            "requestBody": {
                "required": False,
                "content": {
                    "application/json": {"schema": ANY_OBJECT, "example": {"idempotency_key": "b-1"}}
                },
            },
            "responses": {
                "202": json_answer("The run, and where it can be looked at.", ANY_OBJECT),
                **error_answers(),
            },
        },
    ),
    AutomationEndpoint(
        "GET",
        "/v1/automations/files/{artifact_id}",
        "read",
        lambda on, request: file_content(on.answering, request),
        describe_endpoint(
            "automation_file",
            "The bytes of a file that a run has kept; of a private one only for a person.",
            parameters=[_FILE],
            answer={"description": "The file.", "content": {"application/octet-stream": {}}},
        ),
    ),
    AutomationEndpoint(
        "GET",
        "/v1/automations/runs/{run_id}/shared/{artifact_id}",
        "own",
        lambda on, request: shared_file(on.answering, request),
        describe_endpoint(
            "shared_automation_file",
            "The bytes of a file that its owner shares by this signed link, until its time is over.",
            parameters=[
                _RUN,
                _FILE,
                parameter("query", "expires", {"type": "string", "pattern": "^[0-9]{1,12}$"}, True),
                parameter("query", "signature", {"type": "string", "pattern": "^[0-9a-f]{64}$"}, True),
            ],
            answer={"description": "The file.", "content": {"application/octet-stream": {}}},
        ),
    ),
)


def describe_paths() -> dict[str, Json]:
    """Return the description of each endpoint, by path and method."""
    return {one.path: {one.method.lower(): one.describe_endpoint} for one in ENDPOINTS}
