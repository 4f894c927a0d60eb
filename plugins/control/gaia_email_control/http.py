"""The control protocol over HTTP: commands, reads and their authorization. Entry point: `ControlInterface`.

`stream` has the streams. Invocations are carried out in this program, one after another.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.answering import RouteHandler, answering_errors, body_of, document
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.plugged import HttpHost, HttpPart
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.scoped import ScopedRoute, ScopedSocket
from gaia_email_control import DIALECT
from gaia_email_control.broker.callers import ControlCaller
from gaia_email_control.endpoints import (
    CONTROL_PATH,
    ENDPOINTS,
    LISTED,
    ProtocolEndpoint,
)
from gaia_email_control.reading import MOST, ControlReading
from gaia_email_control.service import ControlService
from gaia_email_control.stream import ControlStreams
from gaia_email_control.work import work_off
from gaia_email_registry.errors import BadArgument, MailError

Json = dict[str, Any]

STREAM_PATH = f"{CONTROL_PATH}/stream"

RESUMING = ("approval.*", "control.invocation.requested")
"""Events after which more work may be available."""

log = logging.getLogger(__name__)


class ControlInterface(HttpPart):
    """The protocol's endpoints of one server."""

    agents_at = CONTROL_PATH
    sockets = (STREAM_PATH,)

    def __init__(self, host: HttpHost) -> None:
        self._answering = host.answering
        self._models = host.models
        self._open_feed = host.open_feed
        self._service = self.agents = ControlService(host.answering.app)
        self._working: asyncio.Task[None] | None = None
        self._streams = ControlStreams(
            self.send, self.caller, self._service, host.open_feed, host.still_holds
        )

    def routes(self, prefix: str) -> list[BaseRoute]:
        """Return the routes below a prefix."""
        made: list[BaseRoute] = [
            ScopedRoute(
                f"{prefix}{CONTROL_PATH}{one.path}",
                answering_errors(self._handler(one)),
                methods=[one.method],
                scope="control",
            )
            for one in ENDPOINTS
        ]
        return [*made, ScopedSocket(f"{prefix}{STREAM_PATH}", self._streams.serve, scope="control")]

    async def start(self) -> None:
        """Resume work that an earlier program left unfinished."""
        if await asyncio.to_thread(self._service.has_unfinished):
            self._work()

    async def close(self) -> None:
        """End streams and work; calling it twice is harmless."""
        await self._streams.close()
        working, self._working = self._working, None
        if working is not None:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
        await asyncio.to_thread(self._service.close)

    def caller(self, principal: Principal) -> ControlCaller:
        """Return the broker's caller for a principal.

        Raises:
            HttpRefusal: It may not read.
            MailError: Its grant no longer exists, or the ledger cannot be opened.
        """
        principal.check_proved()
        if principal.kind == "agent":
            return self._service.agent(principal.agent_id)
        if principal.decides:
            return self._service.person()
        principal.need("read")
        return self._service.program()

    async def send(self, principal: Principal, command: object) -> Json:
        """Execute a command and return its result.

        Raises:
            HttpRefusal: The caller may only read.
            MailError: As `ControlBroker.execute`.
        """
        if principal.kind == "key":
            raise HttpRefusal(
                403,
                "needs_scope",
                "An API key only reads here.",
                hint="gaia email control grant gives an agent a key of its own.",
            )
        done = await asyncio.to_thread(
            lambda: self._service.broker.execute(command, self.caller(principal)).to_json()
        )
        if done["kind"] == "agent.invoke":
            self._work()
        return done

    async def _about(self, request: Request) -> Response:
        caller = await asyncio.to_thread(self.caller, principal_of(request.scope))
        return document(self._streams.about(caller))

    async def _command(self, request: Request) -> Response:
        return document(await self.send(principal_of(request.scope), await body_of(request)))

    def _handler(self, endpoint: ProtocolEndpoint) -> RouteHandler:
        match endpoint.name:
            case "about":
                return self._about
            case "command":
                return self._command
            case name:
                return self._listed(LISTED.get(name, name), _READS[name])

    def _listed(self, name: str, read: _Read) -> RouteHandler:
        async def answer(request: Request) -> Response:
            def read_list() -> list[dict[str, object]]:
                return read(ControlReading(self._service, self.caller(principal_of(request.scope))), request)

            return document({"dialect": DIALECT, name: await self._answering.turn(read_list)})

        return answer

    def _work(self) -> None:
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._do_work())

    async def _do_work(self) -> None:
        """Carry out queued work now, and again after each event that may mean more."""

        def source(account: str) -> SourceSpec:
            return self._answering.sources("one", account)[0]

        feed = await self._open_feed()
        after = await asyncio.to_thread(self._service.last_event)
        async with aclosing(feed.events(after=after, kinds=RESUMING)) as events:
            while True:
                try:
                    await asyncio.to_thread(work_off, self._service, source, models=self._models)
                except MailError as error:
                    log.warning("What was invoked is done later: %s", error.message)
                if await anext(events, None) is None:
                    return


def _which_flights(request: Request) -> Json:
    asked = request.query_params
    limit = asked.get("limit", "50")
    if not limit.isdecimal() or not 0 < int(limit) <= MOST:
        raise BadArgument(f"limit is a number from 1 to {MOST}.", argument="/limit")
    return {"state": asked.get("state", ""), "limit": int(limit)}


_Read = Callable[[ControlReading, Request], list[dict[str, object]]]
_READS: Mapping[str, _Read] = {
    "agents": lambda reading, asked: reading.agents(),
    "conversations": lambda reading, asked: reading.conversations(),
    "messages": lambda reading, asked: reading.messages(asked.path_params["id"]),
    "flights": lambda reading, asked: reading.flights(**_which_flights(asked)),
    "flight": lambda reading, asked: [reading.flight(asked.path_params["id"])],
    "records": lambda reading, asked: reading.records(),
    "bindings": lambda reading, asked: reading.bindings(),
    "deliveries": lambda reading, asked: reading.deliveries(),
}
"""Readers of the endpoints that list something."""
