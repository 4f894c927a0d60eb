"""The HTTP interface as an ASGI application; who may use it is `credentials`' matter. Entry: `create_http_app`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Any, Literal

import msgspec
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from gaia_email.app.operations.answering import approve, reject
from gaia_email.app.operations.operation import fitted
from gaia_email.app.services.control import ControlService
from gaia_email.app.services.feed import EventFeed
from gaia_email.interfaces.http import openai_chat
from gaia_email.interfaces.http.answering import (
    Answering,
    RouteHandler,
    answering_errors,
    body_of,
    document,
    person_hint,
    refused,
)
from gaia_email.interfaces.http.artifacts import file_content, shared_file
from gaia_email.interfaces.http.connections import HostConnections
from gaia_email.interfaces.http.control import ControlInterface
from gaia_email.interfaces.http.conversations import (
    RUN_ID,
    Conversations,
    QueryInput,
    RespondInput,
    check_model,
)
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.error_handlers import error_handlers
from gaia_email.interfaces.http.events import feed_stream, last_seen, query_stream
from gaia_email.interfaces.http.exporting import exported
from gaia_email.interfaces.http.gaia.contract import PeerContract
from gaia_email.interfaces.http.gaia.errors import peer_error
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.openapi import API_VERSION, PAGE_POLICY, openapi, page
from gaia_email.interfaces.http.refusal import HttpRefusal, NeedsPerson
from gaia_email.interfaces.http.routes import ROUTES
from gaia_email.interfaces.http.webhooks import AutomationWebhooks
from gaia_email.interfaces.scoped import RouteScope, ScopedRoute
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict

Json = dict[str, Any]

SERVICE = "gaia-email"

UUID = re.compile(RUN_ID)

MOST_THREADS = 32
"""Threads for what blocks: more than programs can keep busy, so that the person's calls find one."""

_HINT = "GET /docs lists what there is."
_NOT_FOUND = HttpRefusal(404, "not_found", "There is nothing at this path.", hint=_HINT)
_NOT_ALLOWED = HttpRefusal(405, "bad_method", "This path does not take that method.", hint=_HINT)

HttpContract = Literal["own", "gaia"]
"""Whose contract is at the root of a server."""


class HttpInterface:
    """The endpoints that are no operation: conversations, events, and what the server says of itself.

    Args:
        answering: What answers the operations.
        models: Where the choice of a language model is looked up.
        conversations: All of the server.
        still_holds: Whether what a principal proved once holds yet, for answers that take long.
    """

    def __init__(
        self,
        answering: Answering,
        models: Mapping[str, str],
        conversations: Conversations,
        still_holds: Callable[[Principal], bool],
    ) -> None:
        self._answering = answering
        self._app = answering.app
        self._models = models
        self._still_holds = still_holds
        self._conversations = conversations
        self._feed: EventFeed | None = None
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """End runs, processes and streams."""
        await self._conversations.close()
        if self._feed is not None:
            await self._feed.close()

    async def query(self, request: Request) -> Response:
        """Answer a line as a stream of events."""
        asked = fitted(await body_of(request), QueryInput)
        check_model(asked, self._models)
        events = self._run(request, asked)
        return query_stream(events)

    def _run(self, request: Request, asked: QueryInput) -> AsyncGenerator[Json, None]:
        (source,) = self._answering.sources("one", asked.provider or "")
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
        given = fitted(await body_of(request), RespondInput)
        run_id = _run_id(request)
        self._conversations.respond(run_id, given)
        return document(
            {"run_id": run_id, "request_id": given.request_id, "accepted": True, "status": "accepted"}
        )

    async def confirm(self, request: Request) -> Response:
        """Say yes or no, as a person, to what a run waits with."""
        given = fitted(await body_of(request), _ConfirmInput)
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
        answered = await self._answering.perform(request, operation, {"ids": [question]})
        result = answered["items"][0]["result"]
        return document({"run_id": run_id, "approved": given.approve, "result": result})

    async def events(self, request: Request) -> Response:
        """The event log from a number on."""
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
        """The feed of this server, opened once."""
        async with self._opening:
            if self._feed is None:
                self._feed = await EventFeed(self._app).__aenter__()
            return self._feed

    async def chat_completions(self, request: Request) -> Response:
        """The agent as a model."""
        asked = openai_chat.read_chat(await body_of(request))
        events = self._run(request, openai_chat.query_of(asked))
        if not asked.stream:
            return document(await openai_chat.completion(events))
        with_usage = asked.stream_options is not None and asked.stream_options.include_usage
        texts = openai_chat.chunks(events, with_usage=with_usage)
        return EventSourceResponse((ServerSentEvent(data=text) async for text in texts), sep="\n")


def _run_id(request: Request) -> str:
    run_id: str = request.path_params["run_id"]
    if not UUID.fullmatch(run_id):
        raise NotFound("There is no such run: its id is a UUID.")
    return run_id


class _ConfirmInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer of a person."""

    approve: bool


def create_http_app(
    answering: Answering,
    models: Mapping[str, str],
    still_holds: Callable[[Principal], bool],
    *,
    contract: HttpContract = "own",
    control: ControlService | None = None,
) -> Starlette:
    """The application, for whoever lets requests through and says who sent them (`principal_of`).

    Args:
        answering: What answers the operations.
        models: Where the choice of a language model is looked up, since a demo's own data directory has none.
        still_holds: See `HttpInterface`.
        contract: Which is at the root; the other one is below its prefix.
        control: The broker, where it is open already.
    """
    own, gaia = prefixes(contract)
    conversations = Conversations(answering.app, models)
    interface = HttpInterface(answering, models, conversations, still_holds)
    webhooks = AutomationWebhooks(answering)
    logins = HostConnections(answering, conversations)
    peer = PeerContract(answering, conversations, logins, models, prefix=gaia)
    broker = ControlInterface(
        answering, control or ControlService(answering.app), models, interface.open_feed, still_holds
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="gaia-http")
        asyncio.get_running_loop().set_default_executor(threads)
        try:
            await broker.start()
            yield
        finally:
            await broker.close()
            await interface.close()
            webhooks.close()
            logins.close()

    routes: list[BaseRoute] = [
        ScopedRoute(f"{own}{one.path}", answering.handler(one), methods=[one.method], scope=one.scope)
        for one in ROUTES
    ]
    routes += [
        ScopedRoute(f"{own}{path}", answering_errors(handle), methods=[method], scope=scope)
        for method, path, scope, handle in _others(interface, answering, webhooks, logins)
    ]
    routes += [*broker.routes(own), *peer.routes()]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            **error_handlers(),
            404: _refusing(_NOT_FOUND, contract),
            405: _refusing(_NOT_ALLOWED, contract),
        },
    )


def _others(
    interface: HttpInterface, answering: Answering, webhooks: AutomationWebhooks, logins: HostConnections
) -> Sequence[tuple[str, str, RouteScope, RouteHandler]]:
    """The endpoints that are no operation: method, path, scope, and what answers."""
    return (
        ("POST", "/v1/email/query", "draft", interface.query),
        ("POST", "/v1/email/query/{run_id}/cancel", "draft", interface.cancel),
        ("POST", "/v1/email/query/{run_id}/respond", "draft", interface.respond),
        ("POST", "/v1/email/query/{run_id}/confirm", "act", interface.confirm),
        ("GET", "/v1/email/events", "read", interface.events),
        ("POST", "/v1/email/export", "read", partial(exported, answering)),
        ("POST", "/v1/chat/completions", "draft", interface.chat_completions),
        ("POST", "/v1/automations/{automation_id}/fire", "own", webhooks.fire),
        ("GET", "/v1/automations/files/{artifact_id}", "read", partial(file_content, answering)),
        (
            "GET",
            "/v1/automations/runs/{run_id}/shared/{artifact_id}",
            "own",
            partial(shared_file, answering),
        ),
        ("GET", "/v1/connections", "read", logins.answer_list),
        ("POST", "/v1/connections/{provider}", "host", logins.answer_forward),
        ("DELETE", "/v1/connections/{provider}", "host", logins.answer_withdraw),
        ("GET", "/v1/models", "read", _models),
        ("GET", "/health", "open", _health),
        ("GET", "/version", "open", _version),
        ("GET", "/openapi.json", "open", _openapi),
        ("GET", "/docs", "open", _docs),
    )


def prefixes(contract: HttpContract) -> tuple[str, str]:
    """Below which paths ours and the peer's contract are; empty for the root."""
    return ("", "/gaia") if contract == "own" else ("/own", "")


def is_peers(contract: HttpContract, path: str) -> bool:
    """Whether a path is of the peer's contract, where `contract` is at the root."""
    own, gaia = prefixes(contract)
    return path.startswith(f"{gaia}/") and not (own and path.startswith(f"{own}/"))


def _refusing(
    error: HttpRefusal, contract: HttpContract
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """What refuses a request for which there is no route, in the shape of the contract that its path belongs to."""

    async def refuse(request: Request, _: Exception) -> Response:
        path: str = request.scope["path"]
        answer = peer_error(error) if is_peers(contract, path) else refused(error)
        if methods := methods_of(request.app, path):
            answer.headers["allow"] = ", ".join(sorted(methods))
        return answer

    return refuse


def methods_of(app: Starlette, path: str) -> set[str]:
    """What the routes of a path take (RFC 9110, 10.2.1); there may be one route for each method."""
    routes = [one for one in app.routes if isinstance(one, Route) and one.path_regex.match(path)]
    # A path that is written out is nothing that another route's placeholder names.
    return {method for one in routes if one.path == routes[0].path for method in one.methods or ()}


async def _models(request: Request) -> Response:
    return document(openai_chat.models())


async def _health(request: Request) -> Response:
    return document({"status": "ok", "service": SERVICE})


async def _version(request: Request) -> Response:
    return document({"apiVersion": API_VERSION, "agentVersion": version("gaia-email")})


async def _openapi(request: Request) -> Response:
    return document(openapi())


async def _docs(request: Request) -> Response:
    return HTMLResponse(page(), headers={"content-security-policy": PAGE_POLICY})
