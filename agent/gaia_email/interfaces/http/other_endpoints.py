"""The endpoints that are not operations, with their part of the contract. Entries: `OTHERS`, `HttpInterface`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version

import msgspec
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.documents.accounts import ForwardedDocument, ForwardedLoginsDocument, WithdrawnDocument
from gaia_email.app.documents.schemas import document_type
from gaia_email.app.operations.answering import approve, reject
from gaia_email.app.operations.operation import convert_json
from gaia_email.app.services.feed import EventFeed
from gaia_email.document import Schema, schema_of
from gaia_email.interfaces.http import openai_chat
from gaia_email.interfaces.http.answering import (
    MOST_NAME,
    Answering,
    RouteHandler,
    answering_errors,
    body_of,
    document,
    person_hint,
)
from gaia_email.interfaces.http.connections import PROVIDER, ForwardInput, HostConnections
from gaia_email.interfaces.http.contract_parts import (
    ACCOUNT,
    ANY_OBJECT,
    API_VERSION,
    NAMED,
    Json,
    describe_endpoint,
    json_answer,
    json_body,
    parameter,
)
from gaia_email.interfaces.http.conversations import (
    RUN_ID,
    Conversations,
    QueryInput,
    RespondInput,
    check_model,
)
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.events import feed_stream, last_seen, query_stream
from gaia_email.interfaces.http.exporting import ExportInput, export_ledger
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.openai_chat import ChatInput
from gaia_email.interfaces.http.refusal import NeedsPerson
from gaia_email.interfaces.scoped import RouteScope
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict

SERVICE = "gaia-email"

UUID = re.compile(RUN_ID)


class HttpInterface:
    """The endpoints that are not operations: conversations, events, and information about the server.

    Args:
        answering: Runs the operations.
        models: Environment that names the language model.
        conversations: The server's conversations.
        logins: The logins that hosts forwarded.
        still_holds: Returns True while a principal's credential is valid, for long answers.
    """

    def __init__(
        self,
        answering: Answering,
        models: Mapping[str, str],
        conversations: Conversations,
        logins: HostConnections,
        still_holds: Callable[[Principal], bool],
    ) -> None:
        self.answering = answering
        self._app = answering.app
        self._models = models
        self.logins = logins
        self._still_holds = still_holds
        self._conversations = conversations
        self._feed: EventFeed | None = None
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """End runs, processes and streams."""
        await self._conversations.close()
        if self._feed is not None:
            await self._feed.close()
        self.logins.close()

    async def query(self, request: Request) -> Response:
        """Answer a line as a stream of events."""
        asked = convert_json(await body_of(request), QueryInput)
        check_model(asked, self._models)
        events = self._run(request, asked)
        return query_stream(events)

    def _run(self, request: Request, asked: QueryInput) -> AsyncGenerator[Json, None]:
        (source,) = self.answering.sources("one", asked.provider or "")
        self._conversations.begin(asked, source, principal_of(request.scope))
        return self._conversations.events(asked, source)

    async def cancel(self, request: Request) -> Response:
        """End a run."""
        run_id = _run_id(request)
        under_way = self._conversations.cancel(run_id)
        status = "cancelling" if under_way else "not_running"
        return document({"run_id": run_id, "cancelled": under_way, "status": status})

    async def respond(self, request: Request) -> Response:
        """Answer the question of a run."""
        given = convert_json(await body_of(request), RespondInput)
        run_id = _run_id(request)
        self._conversations.respond(run_id, given)
        return document(
            {"run_id": run_id, "request_id": given.request_id, "accepted": True, "status": "accepted"}
        )

    async def confirm(self, request: Request) -> Response:
        """Answer, as a person, the confirmation that a run is waiting for."""
        given = convert_json(await body_of(request), _ConfirmInput)
        if not principal_of(request.scope).decides:
            raise NeedsPerson("Only a person may agree to this.", hint=person_hint(request))
        run_id = _run_id(request)
        waiting = self._conversations.confirming(run_id)
        if not waiting:
            raise StateConflict("This run waits for nobody's agreement.")
        question = waiting.get("approval") or waiting.get("confirmation")
        if not isinstance(question, str):
            raise StateConflict("This question is answered with the next line, not here.")
        operation = approve if given.approve else reject
        answered = await self.answering.perform(request, operation, {"ids": [question]})
        result = answered["items"][0]["result"]
        return document({"run_id": run_id, "approved": given.approve, "result": result})

    async def events(self, request: Request) -> Response:
        """Stream the event log after a given number."""
        asked = request.query_params
        seen = last_seen(request.headers.get("last-event-id")) if "last-event-id" in request.headers else None
        if seen is None and "after" in asked:
            seen = last_seen(asked["after"])
        kinds = [one.strip() for one in asked.get("kinds", "").split(",") if one.strip()]
        if any(len(one) > 60 for one in kinds) or len(kinds) > 50:
            raise BadArgument(
                "kinds names at most 50 kinds, such as action.* or run.finished.", argument="/kinds"
            )
        return feed_stream(
            await self.open_feed(),
            holds=partial(self._still_holds, principal_of(request.scope)),
            after=seen,
            kinds=kinds,
            account=asked.get("account") or None,
            run_id=asked.get("run_id") or None,
        )

    async def open_feed(self) -> EventFeed:
        """Return the server's event feed, opening it once."""
        async with self._opening:
            if self._feed is None:
                self._feed = await EventFeed(self._app).__aenter__()
            return self._feed

    async def chat_completions(self, request: Request) -> Response:
        """Answer as a model of an OpenAI-compatible client."""
        asked = openai_chat.read_chat(await body_of(request))
        events = self._run(request, openai_chat.query_of(asked))
        if not asked.stream:
            return document(await openai_chat.completion(events))
        with_usage = asked.stream_options is not None and asked.stream_options.include_usage
        texts = openai_chat.chunks(events, with_usage=with_usage)
        return EventSourceResponse((ServerSentEvent(data=text) async for text in texts), sep="\n")

    async def models(self, request: Request) -> Response:
        """Return the only model."""
        return document(openai_chat.models())

    async def health(self, request: Request) -> Response:
        """Report that the server is running."""
        return document({"status": "ok", "service": SERVICE})

    async def version(self, request: Request) -> Response:
        """Return the versions of the contract and of the program."""
        return document({"apiVersion": API_VERSION, "agentVersion": version("gaia-email")})


def _run_id(request: Request) -> str:
    run_id: str = request.path_params["run_id"]
    if not UUID.fullmatch(run_id):
        raise NotFound("There is no such run: its id is a UUID.")
    return run_id


class _ConfirmInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's answer."""

    approve: bool


_RUN = parameter("path", "run_id", {"type": "string", "pattern": RUN_ID}, True)
_PROVIDER = parameter("path", "provider", {"type": "string", "pattern": PROVIDER}, True)
_STREAM: Schema = {
    "description": "One JSON object a `data:` line; a comment every ten seconds.",
}


@dataclass(frozen=True, slots=True)
class OtherEndpoint:
    """An endpoint that is not an operation.

    Attributes:
        method: Its method.
        path: Its path.
        scope: The scope of its route.
        answer: Answers a request.
        described: Its part of the contract.
    """

    method: str
    path: str
    scope: RouteScope
    answer: Callable[[HttpInterface, Request], Awaitable[Response]]
    described: Json

    def handler(self, interface: HttpInterface) -> RouteHandler:
        """Return the handler of its route in one server."""
        return answering_errors(partial(self.answer, interface))


OTHERS: tuple[OtherEndpoint, ...] = (
    OtherEndpoint(
        "POST",
        "/v1/email/query",
        "draft",
        HttpInterface.query,
        describe_endpoint(
            "query",
            "Answer a line of the user: status, token, tool_call, tool_result, needs_input, needs_confirmation, and "
            "at last final or error.",
            requestBody=json_body(
                QueryInput, {"query": "what is urgent", "run_id": "6f1d6f0e-52c4-4a3f-9b59-0d9a1e6b7c10"}
            ),
            answer=json_answer("The events of the run.", _STREAM, "text/event-stream"),
        ),
    ),
    OtherEndpoint(
        "POST",
        "/v1/email/query/{run_id}/cancel",
        "draft",
        HttpInterface.cancel,
        describe_endpoint(
            "cancel_query", "End a run, or one whose query is still to come.", parameters=[_RUN]
        ),
    ),
    OtherEndpoint(
        "POST",
        "/v1/email/query/{run_id}/respond",
        "draft",
        HttpInterface.respond,
        describe_endpoint(
            "respond_query",
            "Answer the question of a run.",
            parameters=[_RUN],
            requestBody=json_body(RespondInput, {"request_id": "…", "value": "1"}),
        ),
    ),
    OtherEndpoint(
        "POST",
        "/v1/email/query/{run_id}/confirm",
        "act",
        HttpInterface.confirm,
        describe_endpoint(
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
    OtherEndpoint(
        "GET",
        "/v1/email/events",
        "read",
        HttpInterface.events,
        describe_endpoint(
            "events",
            "The event log as it is written, each number once and in order; `Last-Event-ID` goes on after a number.",
            parameters=[
                {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}},
                parameter("query", "after", {"type": "integer", "minimum": 0}, False),
                parameter(
                    "query",
                    "kinds",
                    {"type": "string", "description": "Such as action.*,run.finished"},
                    False,
                ),
                parameter("query", "account", ACCOUNT, False),
                parameter("query", "run_id", {"type": "string", "maxLength": MOST_NAME}, False),
            ],
            answer=json_answer("Events without end.", _STREAM, "text/event-stream"),
        ),
    ),
    OtherEndpoint(
        "POST",
        "/v1/email/export",
        "read",
        lambda on, request: export_ledger(on.answering, request),
        describe_endpoint(
            "export",
            "What the ledger holds, for other programs: events, actions, verdicts, settings, the copy of mail.",
            requestBody={**json_body(ExportInput, {"what": ["actions"]}, "export"), "required": False},
            answer=json_answer("The rows of each table.", schema_of(document_type("export"), NAMED)),
        ),
    ),
    OtherEndpoint(
        "POST",
        "/v1/chat/completions",
        "draft",
        HttpInterface.chat_completions,
        describe_endpoint(
            "chat_completions",
            "The agent as a model of an OpenAI-compatible client; it reads, and changes nothing.",
            answer={
                "description": "The answer, or its chunks where `stream` is true.",
                "content": {
                    "application/json": {"schema": ANY_OBJECT},
                    "text/event-stream": {"schema": _STREAM},
                },
            },
            requestBody=json_body(
                ChatInput,
                {"model": "gaia-email", "messages": [{"role": "user", "content": "what is urgent"}]},
            ),
        ),
    ),
    OtherEndpoint(
        "GET",
        "/v1/connections",
        "read",
        lambda on, request: on.logins.answer_list(request),
        describe_endpoint(
            "connections",
            "Logins that hosts forwarded, without their tokens.",
            answer=json_answer("All of them.", schema_of(ForwardedLoginsDocument, NAMED)),
        ),
    ),
    OtherEndpoint(
        "POST",
        "/v1/connections/{provider}",
        "host",
        lambda on, request: on.logins.answer_forward(request),
        describe_endpoint(
            "forward_connection",
            "Use a login that a host has, in memory only, until it ends, is withdrawn, or the server stops.",
            parameters=[_PROVIDER],
            requestBody=json_body(
                ForwardInput,
                {
                    "access_token": "ya29.a0Af",
                    "expires_at": 4_000_000_000,
                    "account_email": "ann@example.com",
                },
            ),
            answer=json_answer("What is used from now on.", schema_of(ForwardedDocument, NAMED)),
        ),
    ),
    OtherEndpoint(
        "DELETE",
        "/v1/connections/{provider}",
        "host",
        lambda on, request: on.logins.answer_withdraw(request),
        describe_endpoint(
            "withdraw_connection",
            "Forget a login that a host forwarded, and end what uses it.",
            parameters=[_PROVIDER],
            answer=json_answer("Whether there was one.", schema_of(WithdrawnDocument, NAMED)),
        ),
    ),
    OtherEndpoint(
        "GET",
        "/v1/models",
        "read",
        HttpInterface.models,
        describe_endpoint("list_models", "The one model there is: the agent."),
    ),
    OtherEndpoint(
        "GET",
        "/health",
        "open",
        HttpInterface.health,
        {**describe_endpoint("health", "Whether it answers."), "security": []},
    ),
    OtherEndpoint(
        "GET",
        "/version",
        "open",
        HttpInterface.version,
        {**describe_endpoint("version", "Of the contract and of the program."), "security": []},
    ),
)
