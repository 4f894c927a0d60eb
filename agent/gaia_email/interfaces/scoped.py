"""Routes that state their scope; the guard holds it before a route answers. Entries: `ScopedRoute`, `scope_of`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.websockets import WebSocket

RouteScope = Literal["open", "own", "control", "read", "draft", "act", "host", "decide"]
"""Needs of a route.

`open` needs no credentials and says nothing of anybody's mail; `own` checks credentials of its own; `control` takes the
key of an agent beside the scope `read`; `host` takes a person, or the host that started this program; `decide` takes a
person.
"""


class ScopedRoute(Route):
    """A route for HTTP with its scope."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[[Request], Awaitable[Response]],
        *,
        methods: Sequence[str],
        scope: RouteScope,
    ) -> None:
        super().__init__(path, endpoint, methods=list(methods))
        self.scope: RouteScope = scope


class ScopedSocket(WebSocketRoute):
    """A route for WebSockets with its scope; the connection proves it at once or in its first frame."""

    def __init__(
        self, path: str, endpoint: Callable[[WebSocket], Awaitable[None]], *, scope: RouteScope
    ) -> None:
        super().__init__(path, endpoint)
        self.scope: RouteScope = scope


def check_scopes(routes: Iterable[BaseRoute]) -> None:
    """Refuse routes that do not state a scope.

    Raises:
        TypeError: One does not.
    """
    for route in routes:
        if not isinstance(route, (ScopedRoute, ScopedSocket)):
            raise TypeError(f"The route {getattr(route, 'path', route)!r} states no scope.")


def scope_of(routes: Sequence[BaseRoute], asked: MutableMapping[str, Any]) -> RouteScope | None:
    """Return the scope of the route that answers a request or a WebSocket; None if there is none.

    A path whose route does not take the method has the scope of that route, so that nothing is told of it before.
    """
    partial: RouteScope | None = None
    for route in routes:
        if isinstance(route, (ScopedRoute, ScopedSocket)):
            match, _ = route.matches(asked)
            if match is Match.FULL:
                return route.scope
            if match is Match.PARTIAL and partial is None:
                partial = route.scope
    return partial
