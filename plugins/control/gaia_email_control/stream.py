"""The control protocol's stream over a WebSocket, on a port or a Unix socket. Entry point: `ControlStreams`.

```
client  {"dialect": "0.1", "token": …}                 the first frame; the token may also be in the handshake's header
server  {"dialect": "0.1", "nodeId": …, "agentId": …, "actorId": …}
client  {"ref": 1, "command": {…}}                      any command; stream.subscribe with "after": NUMBER
server  {"ref": 1, "result": {…}} or {"ref": 1, "error": {…}}
server  {"ref": 1, "seq": 812, "event": {…}}            or {"ref": 1, "reset": {"oldest": 700}}
client  {"signal": {"kind": "typing", "conversationId": …}}   sent to the other participants and never stored
```
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from gaia_email.app.operations.operation import convert_json
from gaia_email.app.services.feed import EventFeed, FeedReset
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.guard import PRINCIPAL, proved_later
from gaia_email.interfaces.http.rates import HttpRate, HttpRates
from gaia_email.interfaces.http.refusal import HttpRefusal, refusal_of
from gaia_email_control import DIALECT
from gaia_email_control.broker.callers import ControlCaller
from gaia_email_control.broker.following import THEIRS, SubscriptionFilter, our_events
from gaia_email_control.commands import SubscribeStream, read_command
from gaia_email_control.events import EVENT_KINDS, ControlEvent
from gaia_email_control.service import ControlService
from gaia_email_registry.errors import BadArgument, MailError, RateLimited
from gaia_mail.printable import safe_json

if TYPE_CHECKING:
    from gaia_email.ledger import LedgerEvent

Json = dict[str, Any]

FIRST_S: Final = 10.0
"""Seconds to wait for the first frame."""

LOOK_S: Final = 10.0
"""Seconds between two checks that the credential is still valid."""

MOST_SOCKETS: Final = 64
"""Maximum connections of programs and agents; the person has as many of their own."""

MOST_UNPROVED: Final = 16
"""Maximum connections without a first frame; one more closes the oldest, so that nobody can keep others out."""

MOST_SUBSCRIPTIONS: Final = 8

REFUSED, BROKEN, GONE = 1008, 1002, 1001
RATES: Final[Mapping[str, HttpRate]] = {"signal": HttpRate(at_once=20, per_s=5.0)}


class StreamSignal(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A presence or typing signal."""

    kind: Literal["presence", "typing"]
    conversation_id: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    state: Annotated[str, msgspec.Meta(max_length=40)] = "active"


SIGNALS: Final = ("presence", "typing")
"""Kinds of events that are forwarded but not stored."""


@dataclass(eq=False, slots=True)
class _ControlConnection:
    """One WebSocket and its authenticated client."""

    socket: WebSocket
    principal: Principal
    caller: ControlCaller
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    subscribed: list[SubscribeStream] = field(default_factory=list[SubscribeStream])

    async def tell(self, value: Mapping[str, object]) -> None:
        text = safe_json(json.dumps(value, separators=(",", ":")))
        async with self.sending:
            await self.socket.send_text(text)


class ControlStreams:
    """All WebSockets of one server.

    Args:
        send: Executes a command.
        caller: Returns the broker's caller for a principal.
        service: The broker.
        open_feed: Returns the server's event feed.
        still_holds: Returns True while a principal's credential is valid.
    """

    def __init__(
        self,
        send: Callable[[Principal, object], Awaitable[Json]],
        caller: Callable[[Principal], ControlCaller],
        service: ControlService,
        open_feed: Callable[[], Awaitable[EventFeed]],
        still_holds: Callable[[Principal], bool],
    ) -> None:
        self._send = send
        self._caller = caller
        self._service = service
        self._open_feed = open_feed
        self._still_holds = still_holds
        self._connections: set[_ControlConnection] = set()
        self._unproved: dict[WebSocket, asyncio.Task[_ControlConnection]] = {}
        self._rates = HttpRates(RATES)

    def about(self, caller: ControlCaller) -> Json:
        """Return the server's first frame to a client."""
        who = self._service.who
        return {
            "dialect": DIALECT,
            "nodeId": who.node_id,
            "agentId": who.agent_id,
            "actorId": caller.actor_id,
            "actions": sorted(caller.actions),
        }

    async def close(self) -> None:
        """End every stream."""
        for waiting in list(self._unproved.values()):
            waiting.cancel()
        for connection in list(self._connections):
            for task in connection.tasks:
                task.cancel()
            with suppress(RuntimeError, WebSocketDisconnect):
                await connection.socket.close(GONE)

    async def serve(self, socket: WebSocket) -> None:
        """Serve one connection until it ends."""
        await socket.accept()
        try:
            connection = await self._met_in_turn(socket)
        except (HttpRefusal, MailError, TimeoutError) as error:
            late = HttpRefusal(408, "too_slow", f"The first frame did not come within {FIRST_S:g} s.")
            refusal = late if isinstance(error, TimeoutError) else refusal_of(error)
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.send_text(json.dumps(_error(refusal)))
                await socket.close(REFUSED)
            return
        except WebSocketDisconnect:
            return
        self._connections.add(connection)
        try:
            await connection.tell(await asyncio.to_thread(self.about, connection.caller))
            while True:
                await self._frame(connection, await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):  # gone, closed by us, or a frame of bytes
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(BROKEN)
        finally:
            self._connections.discard(connection)
            for task in connection.tasks:
                task.cancel()

    async def _met_in_turn(self, socket: WebSocket) -> _ControlConnection:
        """Return the connection as `_met`; if too many wait for their first frame, refuse the oldest."""
        while len(self._unproved) >= MOST_UNPROVED:
            oldest = next(iter(self._unproved))
            self._unproved.pop(oldest).cancel()
        meeting = self._unproved[socket] = asyncio.create_task(self._met(socket))
        try:
            return await meeting
        except asyncio.CancelledError:
            if meeting.cancelled() and socket not in self._unproved:
                raise RateLimited("Too many connections wait for their first frame.") from None
            meeting.cancel()
            raise
        finally:
            self._unproved.pop(socket, None)

    async def _met(self, socket: WebSocket) -> _ControlConnection:
        """Return the connection after its first frame named the dialect and proved its identity.

        Raises:
            HttpRefusal: The frame is invalid or proves nothing.
            TimeoutError: The first frame did not arrive.
            WebSocketDisconnect: The client has disconnected.
        """
        async with asyncio.timeout(FIRST_S):
            try:
                first = _object(await socket.receive_text())
            except KeyError:
                raise BadArgument("Frames are text.") from None
        if first.get("dialect") != DIALECT:
            raise BadArgument(f"The dialect spoken here is {DIALECT}; name it in the first frame.")
        principal: Principal | None = socket.scope[PRINCIPAL]
        if principal is None:
            principal = proved_later(socket.scope, _proof(first))
        of_person = principal.kind == "person"
        if sum((one.principal.kind == "person") == of_person for one in self._connections) >= MOST_SOCKETS:
            raise RateLimited(f"{MOST_SOCKETS} streams are open; come back after one of them ended.")
        return _ControlConnection(socket, principal, await asyncio.to_thread(self._caller, principal))

    async def _frame(self, connection: _ControlConnection, text: str) -> None:
        if not self._still_holds(connection.principal):
            raise WebSocketDisconnect(REFUSED)
        ref: object = None
        try:
            frame = _object(text)
            ref = frame.get("ref")
            if "signal" in frame:
                await self._signal(connection, frame["signal"])
                return
            result = await (
                self._subscribe(connection, frame)
                if _is_subscription(frame)
                else self._send(connection.principal, frame.get("command"))
            )
        except (MailError, HttpRefusal) as error:
            await connection.tell({"ref": ref, **_error(refusal_of(error))})
            return
        await connection.tell({"ref": ref, "result": result})

    async def _subscribe(self, connection: _ControlConnection, frame: Json) -> Json:
        command, after = read_command(frame["command"]), frame.get("after")
        assert isinstance(command, SubscribeStream)
        wanted = command.subscription
        connection.caller.check_is(wanted.actor_id, "subscription.actorId")
        if command.transport == "local_socket" and connection.socket.client is not None:
            raise BadArgument(
                "This is a websocket; local_socket is one of serve --socket.", argument="transport"
            )
        if unknown := set(wanted.event_kinds or ()) - {*EVENT_KINDS, *SIGNALS}:
            raise BadArgument(
                f"There are no events {', '.join(sorted(unknown))[:100]}.", argument="eventKinds"
            )
        if after is not None and (
            isinstance(after, bool) or not isinstance(after, int) or not 0 <= after < 1 << 53
        ):
            raise BadArgument("after is the number of the last event that you have seen.", argument="after")
        if len(connection.subscribed) >= MOST_SUBSCRIPTIONS:
            raise RateLimited(f"A connection has at most {MOST_SUBSCRIPTIONS} subscriptions.")
        connection.subscribed.append(command)
        last = await asyncio.to_thread(self._service.last_event)
        position = last if after is None else after
        task = asyncio.create_task(self._follow(connection, command, position, frame.get("ref")))
        connection.tasks.add(task)
        task.add_done_callback(connection.tasks.discard)
        return {"kind": command.kind, "after": position, "last": last}

    async def _follow(
        self, connection: _ControlConnection, command: SubscribeStream, after: int, ref: object
    ) -> None:
        """Send the events of a subscription until the connection ends or its credential becomes invalid."""
        wanted = SubscriptionFilter(command.subscription)
        kinds = THEIRS if connection.caller.kind == "agent" else (*THEIRS, *our_events())
        feed = await self._open_feed()
        try:
            async with aclosing(feed.events(after=after, kinds=kinds)) as events:
                async for event in self._held(connection, events):
                    if isinstance(event, FeedReset):
                        await connection.tell({"ref": ref, "reset": {"oldest": event.oldest}})
                        continue
                    for told in await asyncio.to_thread(self._told, event, connection.caller, wanted):
                        await connection.tell({"ref": ref, "seq": event.seq, "event": told.to_wire()})
                        await asyncio.to_thread(self._delivered, connection.caller, told)
        except (MailError, RuntimeError, WebSocketDisconnect):
            pass
        with suppress(RuntimeError, WebSocketDisconnect):
            await connection.socket.close(REFUSED)

    async def _held(
        self, connection: _ControlConnection, events: AsyncGenerator[LedgerEvent | FeedReset, None]
    ) -> AsyncGenerator[LedgerEvent | FeedReset, None]:
        """Yield events while the credential is valid."""
        coming = asyncio.ensure_future(anext(events, None))
        try:
            while self._still_holds(connection.principal):
                if not (await asyncio.wait((coming,), timeout=LOOK_S))[0]:
                    continue
                event = coming.result()
                if event is None or not self._still_holds(connection.principal):
                    return
                yield event
                coming = asyncio.ensure_future(anext(events, None))
        finally:
            coming.cancel()
            with suppress(asyncio.CancelledError):
                await coming

    def _told(
        self, event: LedgerEvent, caller: ControlCaller, wanted: SubscriptionFilter
    ) -> list[ControlEvent]:
        return self._service.projection.events(event, caller, wanted)

    def _delivered(self, caller: ControlCaller, told: ControlEvent) -> None:
        if told.kind != "message.posted" or caller.kind != "agent":
            return
        message = cast(Mapping[str, object], told.payload["message"])
        self._service.flights.record_attempt(str(message["id"]), caller.actor_id, "sent")

    async def _signal(self, connection: _ControlConnection, given: object) -> None:
        """Tell the other participants of a conversation that someone is present or typing.

        Raises:
            BadArgument: The signal is invalid.
            NotFound: The sender does not take part in the conversation.
        """
        self._rates.take(connection.principal.name, "signal", "")
        signal = convert_json(given, StreamSignal)
        members = await asyncio.to_thread(self._service.members, signal.conversation_id, connection.caller)
        event = {
            "id": f"signal:{uuid.uuid4()}",
            "kind": signal.kind,
            "ts": round(time.time() * 1000),
            "actorId": connection.caller.actor_id,
            "payload": {"conversationId": signal.conversation_id, "state": signal.state},
        }
        for other in [one for one in self._connections if one is not connection]:
            wanted = any(_wants(one, signal) for one in other.subscribed)
            if wanted and other.caller.actor_id in members:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await other.tell({"event": event})


def _is_subscription(frame: Json) -> bool:
    match frame.get("command"):
        case {"kind": "stream.subscribe"}:
            return True
        case _:
            return False


def _wants(command: SubscribeStream, signal: StreamSignal) -> bool:
    wanted = command.subscription
    return (wanted.event_kinds is None or signal.kind in wanted.event_kinds) and (
        wanted.conversation_ids is None or signal.conversation_id in wanted.conversation_ids
    )


def _proof(first: Json) -> list[tuple[bytes, bytes]]:
    """Return the credentials of the first frame as request headers: a token, or the key of a person's page."""
    given = {b"authorization": first.get("token"), b"x-gaia-key": first.get("pageKey")}
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    return [
        (name, (f"Bearer {value}" if name == b"authorization" else value).encode("latin-1", "replace"))
        for name, value in texts.items()
    ]


def _object(text: str) -> Json:
    """Return the JSON object of a frame.

    Raises:
        BadArgument: The frame is not a JSON object.
    """
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        raise BadArgument("The frame is no JSON.") from None
    if not isinstance(value, dict):
        raise BadArgument("A frame is a JSON object.")
    return cast(Json, value)


def _error(refusal: HttpRefusal) -> Json:
    found: Json = json.loads(refusal.body())
    return found
