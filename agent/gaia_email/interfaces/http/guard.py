"""The only entry to all routes: bounds, credentials, rates, errors as JSON. Entry points: `guard_app`, `principal_of`.

It is plain ASGI, so it works in front of both Starlette's routes and the MCP server's.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from gaia_email.interfaces.http.bounds import (
    METHODS,
    ClientLeft,
    HttpLimits,
    ServedAt,
    check_request,
    header_values,
    whole_body,
)
from gaia_email.interfaces.http.credentials import HttpCredentials, Principal
from gaia_email.interfaces.http.rates import HttpRates
from gaia_email.interfaces.http.refusal import HttpRefusal, refusal_of, refuse_socket, send_refusal
from gaia_email.interfaces.http.security_headers import add_security_headers
from gaia_email.interfaces.scoped import RouteScope

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PRINCIPAL = "gaia_email.principal"
PROVE = "gaia_email.prove"
LIMITS = HttpLimits()

log = logging.getLogger(__name__)

RefusalShape = Callable[[HttpRefusal, str], bytes]
ScopeOf = Callable[["Scope"], RouteScope | None]


def _no_scope(scope: Scope) -> RouteScope | None:
    return None


def _usual_shape(refusal: HttpRefusal, path: str) -> bytes:
    return refusal.body()


def _usual_methods(path: str) -> Collection[str]:
    return METHODS


def guard_app(
    app: ASGIApp,
    *,
    served: ServedAt,
    credentials: HttpCredentials,
    rates: HttpRates | None = None,
    limits: HttpLimits = LIMITS,
    scope_of: ScopeOf = _no_scope,
    shaped: RefusalShape = _usual_shape,
    methods_of: Callable[[str], Collection[str]] = _usual_methods,
    agents_at: Sequence[str] = (),
    sockets: Collection[str] = (),
) -> ASGIApp:
    """Return the application behind the guard.

    Args:
        app: The application; it gets the caller from `principal_of` and checks the permission that each route needs.
        served: The names under which it can be addressed.
        credentials: The accepted credentials.
        rates: Rate limits; None for the usual ones.
        limits: Limits on one request.
        scope_of: Returns the scope of the matching route; with None, any credentials suffice.
        shaped: Returns the body of a refusal at a path, for paths with a shape of their own.
        methods_of: Returns the methods that a path accepts, for the error about an unsupported one.
        agents_at: Path prefixes open to agents of other programs.
        sockets: Paths of WebSockets. One without credentials in its headers proves its identity in the first frame,
            with `proved_later`.
    """
    return add_security_headers(
        _Guard(
            app,
            served,
            credentials,
            rates or HttpRates({}),
            limits,
            scope_of,
            shaped,
            methods_of,
            agents_at,
            frozenset(sockets),
        )
    )


def proved_later(scope: Scope, headers: list[tuple[bytes, bytes]]) -> Principal:
    """Return the principal that opened a WebSocket, from the headers in its first frame.

    Raises:
        HttpRefusal: They prove nothing, or there were too many failed attempts.
    """
    prove: Callable[[list[tuple[bytes, bytes]]], Principal] = scope[PROVE]
    return prove(headers)


def principal_of(scope: Scope) -> Principal:
    """Return the caller of a request.

    Raises:
        HttpRefusal: The request has no credentials, which only open paths accept.
    """
    found = scope.get(PRINCIPAL)
    if not isinstance(found, Principal):
        raise HttpRefusal(401, "needs_credentials", "This request carries no credentials.")
    return found


class _Guard:
    def __init__(
        self,
        app: ASGIApp,
        served: ServedAt,
        credentials: HttpCredentials,
        rates: HttpRates,
        limits: HttpLimits,
        scope_of: ScopeOf,
        shaped: RefusalShape,
        methods_of: Callable[[str], Collection[str]],
        agents_at: Sequence[str],
        sockets: frozenset[str],
    ) -> None:
        self._app = app
        self._agents_at = tuple(agents_at)
        self._sockets = sockets
        self._served = served
        self._credentials = credentials
        self._rates = rates
        self._limits = limits
        self._scope_of = scope_of
        self._shaped = shaped
        self._methods_of = methods_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection; lifespan events pass through unchanged."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._socket(scope, receive, send)
            return
        answer = _AnswerSoFar(send)
        is_read = False
        try:
            check_request(scope, self._served, self._limits, self._methods_of)
            needed = self._scope_of(scope)
            if needed == "own":
                self._rates.take("webhooks", scope["method"], scope["path"])
            else:
                scope[PRINCIPAL] = self._admitted(scope, needed)
            receive = await whole_body(scope, receive, self._limits)
            is_read = True
            await self._app(scope, receive, answer.send)
        except ClientLeft:
            return
        except Exception as error:
            refusal = refusal_of(error)
            if refusal.status == 500:
                log.error("A request failed with %s at %s", type(error).__name__, _place(error))
            refusal.closes = refusal.closes or not is_read
            if not answer.started:
                body = self._shaped(refusal, scope["path"])
                await send_refusal(refusal, send, head=scope["method"] == "HEAD", body=body)
            elif not answer.ended:  # the client must notice that the rest is missing
                raise _CutShort from None

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a WebSocket: check Host, Origin and path as usual, and credentials now or in the first frame."""
        asked: Scope = {**scope, "method": "GET"}
        try:
            if scope["path"] not in self._sockets:
                raise HttpRefusal(404, "not_found", "There is no WebSocket at this path.")
            check_request(asked, self._served, self._limits, self._methods_of)
            found = self._socket_principal(asked, scope["headers"])
            self._rates.take("" if found is None else found.name, "GET", scope["path"])
        except HttpRefusal as refusal:
            await refuse_socket(refusal, scope, receive, send)
            return

        def prove(headers: list[tuple[bytes, bytes]]) -> Principal:
            proved = self._socket_principal(asked, [*scope["headers"], *headers])
            if proved is None:
                self._rates.count_failure()
                raise self._credentials.build_refusal(
                    "This frame carries no credentials.", kind="needs_credentials"
                )
            return proved

        await self._app({**scope, PRINCIPAL: found, PROVE: prove}, receive, send)

    def _socket_principal(self, asked: Scope, headers: list[tuple[bytes, bytes]]) -> Principal | None:
        try:
            found = self._credentials.principal({**asked, "headers": headers})
            if found is not None and found.kind != "cookie":
                self._check_path(found, asked["path"])
                return found
        except HttpRefusal:
            self._rates.count_failure()
            raise
        return None

    def _check_path(self, found: Principal, path: str) -> None:
        """Refuse an agent of another program every path that is not open to agents."""
        if found.kind == "agent" and not path.startswith(self._agents_at):
            raise HttpRefusal(
                403,
                "needs_scope",
                "The key of an agent opens the control protocol and nothing else.",
                hint=", ".join(self._agents_at),
            )

    def _admitted(self, scope: Scope, needed: RouteScope | None) -> Principal | None:
        try:
            found = self._credentials.principal(scope)
            if found is not None:
                self._check_path(found, scope["path"])
            if needed != "open":
                if found is None:
                    raise self._credentials.build_refusal(
                        "This request carries no credentials.", kind="needs_credentials"
                    )
                found.check_proved()
        except HttpRefusal:
            if header_values(
                scope, b"authorization"
            ):  # a page without its session is told so, however many ask
                self._rates.count_failure()
            raise
        if needed == "open" and (found is None or found.kind == "cookie"):
            return found  # cheap, and a count that anyone can fill would lock the person out
        assert found is not None
        self._rates.take(found.name, scope["method"], scope["path"])
        if needed is not None:
            found.need(needed)
        return found


class _AnswerSoFar:
    """A pass-through for an answer that tracks its progress."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False
        self.ended = False

    async def send(self, message: Message) -> None:
        self.started = True
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.ended = True
        await self._send(message)


def _place(error: Exception) -> str:
    """Return the source location of an error; its text is omitted, since it may come from a mail."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"


class _CutShort(Exception):
    """An answer was cut short; the server closes the connection."""
