"""Routes that declare their scope, which the guard enforces before they answer. Entries: `ScopedRoute`, `scope_of`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.websockets import WebSocket

RouteScope = Literal["open", "own", "control", "read", "draft", "act", "host", "decide"]
"""Credentials that a route requires.

`open` needs no credentials and reveals nothing about anyone's mail; `own` checks its own credentials; `control` also
accepts an agent's key in addition to the scope `read`; `host` requires a person, or the host that started this program;
`decide` requires a person.
"""


class ScopedRoute(Route):
    """An HTTP route with its scope."""

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
    """A WebSocket route with its scope; the connection proves it at once or in its first frame."""

    def __init__(
        self, path: str, endpoint: Callable[[WebSocket], Awaitable[None]], *, scope: RouteScope
    ) -> None:
        super().__init__(path, endpoint)
        self.scope: RouteScope = scope


def check_scopes(routes: Iterable[BaseRoute]) -> None:
    """Refuse routes that do not declare a scope.

    Raises:
        TypeError: A route does not declare one.
    """
    for route in routes:
        if not isinstance(route, (ScopedRoute, ScopedSocket)):
            raise TypeError(f"The route {getattr(route, 'path', route)!r} states no scope.")


def scope_of(routes: Sequence[BaseRoute], asked: MutableMapping[str, Any]) -> RouteScope | None:
    """Return the scope of the route that answers a request or a WebSocket; None if there is none.

    If a path matches but its method does not, the path's route gives the scope, so that nothing is revealed earlier.
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
