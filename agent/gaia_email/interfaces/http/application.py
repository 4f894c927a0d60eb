"""The HTTP interface as an ASGI application; `credentials` decides who may use it. Entry: `create_http_app`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from gaia_email.interfaces.http.answering import Answering, answer_error, answering_errors, document
from gaia_email.interfaces.http.connections import HostConnections
from gaia_email.interfaces.http.contracts import OWN, contract_of, other_contracts, prefix_of
from gaia_email.interfaces.http.conversations import Conversations
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.error_handlers import error_handlers
from gaia_email.interfaces.http.openapi import PAGE_POLICY, openapi, page
from gaia_email.interfaces.http.other_endpoints import OTHERS, HttpInterface
from gaia_email.interfaces.http.plugged import HttpHost, open_parts
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.http.routes import ROUTES
from gaia_email.interfaces.scoped import ScopedRoute

MOST_THREADS = 32
"""Number of threads for blocking work; more than programs can keep busy, so that a person's calls find a free one."""

_HINT = "GET /docs lists what there is."
_NOT_FOUND = HttpRefusal(404, "not_found", "There is nothing at this path.", hint=_HINT)
_NOT_ALLOWED = HttpRefusal(405, "bad_method", "This path does not take that method.", hint=_HINT)


def create_http_app(
    answering: Answering,
    models: Mapping[str, str],
    still_holds: Callable[[Principal], bool],
    *,
    contract: str = OWN,
) -> Starlette:
    """Return the application; its caller authenticates requests and sets their principal (`principal_of`).

    Args:
        answering: Runs the operations.
        models: Environment that names the language model, since a demo's own data directory has none.
        still_holds: See `HttpInterface`.
        contract: The contract at the root; every other one is below its prefix.
    """
    own, conversations = prefix_of(OWN, contract), Conversations(answering.app, models)
    logins = HostConnections(answering, conversations)
    interface = HttpInterface(answering, models, conversations, logins, still_holds)
    host = HttpHost(
        answering=answering,
        models=models,
        conversations=conversations,
        logins=logins,
        open_feed=interface.open_feed,
        still_holds=still_holds,
    )
    parts = open_parts(host)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="gaia-http")
        asyncio.get_running_loop().set_default_executor(threads)
        try:
            for part in parts:
                await part.start()
            yield
        finally:
            for part in parts:
                await part.close()
            await interface.close()

    routes = _own_routes(answering, interface, own)
    routes += [route for part in parts for route in part.routes(own)]
    for name, one in other_contracts().items():
        routes += one.routes(host, prefix_of(name, contract))
    application = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            **error_handlers(),
            404: _refusing(_NOT_FOUND, contract),
            405: _refusing(_NOT_ALLOWED, contract),
        },
    )
    application.state.parts = parts
    return application


def _own_routes(answering: Answering, interface: HttpInterface, prefix: str) -> list[BaseRoute]:
    routes: list[BaseRoute] = [
        ScopedRoute(f"{prefix}{one.path}", answering.handler(one), methods=[one.method], scope=one.scope)
        for one in ROUTES
    ]
    routes += [
        ScopedRoute(f"{prefix}{one.path}", one.handler(interface), methods=[one.method], scope=one.scope)
        for one in OTHERS
    ]
    routes += [
        ScopedRoute(f"{prefix}{path}", answering_errors(answer), methods=["GET"], scope="open")
        for path, answer in (("/openapi.json", _openapi), ("/docs", _docs))
    ]
    return routes


def _refusing(error: HttpRefusal, root: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return a handler for requests without a route; the contract of the path determines the error's shape."""

    async def refuse(request: Request, _: Exception) -> Response:
        path: str = request.scope["path"]
        contract = contract_of(path, root)
        answer = contract.answer(error) if contract else answer_error(error)
        if methods := methods_of(request.app, path):
            answer.headers["allow"] = ", ".join(sorted(methods))
        return answer

    return refuse


def methods_of(app: Starlette, path: str) -> set[str]:
    """Return the methods that a path accepts (RFC 9110, 10.2.1); each method may have its own route."""
    routes = [one for one in app.routes if isinstance(one, Route) and one.path_regex.match(path)]
    # A literal path never matches another route's placeholder.
    return {method for one in routes if one.path == routes[0].path for method in one.methods or ()}


async def _openapi(request: Request) -> Response:
    return document(openapi())


async def _docs(request: Request) -> Response:
    return HTMLResponse(page(), headers={"content-security-policy": PAGE_POLICY})
