"""A small application behind the guard, and a way to ask it exactly what is wanted."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaia_email.app.services.api_keys import ApiKeys
from gaia_email.interfaces.http.bounds import HttpLimits, ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials
from gaia_email.interfaces.http.guard import guard_app, principal_of
from gaia_email.interfaces.http.rates import HttpRate, HttpRates
from gaia_email.interfaces.http.sessions import OpenedSession, PersonSessions
from gaia_email_registry.errors import NotFound, RateLimited

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PORT = 8767
HOST = f"127.0.0.1:{PORT}"
ORIGIN = f"http://{HOST}"
OPEN = "/health"
SECRET_WORDS = "aubergine of a mail"

LEFT = threading.Event()
"""Set when a client of `/stream` has gone away."""


@dataclass
class Ticks:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class HttpAnswer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """Of an error, which has exactly the one shape."""
        assert set(self.json) == {"error"}
        known = {"kind", "message", "argument", "retry_after_s", "hint"}
        assert {"kind", "message"} <= set(self.json["error"]) <= known
        assert self.headers["content-type"] == "application/json"
        return str(self.json["error"]["kind"])


RAISED: dict[str, Exception] = {
    "/inside": RuntimeError(SECRET_WORDS),
    "/reset": ConnectionResetError(SECRET_WORDS),
    "/lost": NotFound("There is no such message.", hint="gaia email inbox"),
    "/busy": RateLimited("The provider is busy.", retry_after_s=7),
}


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Says who asks; some paths need something of them, or fail."""
    if scope["type"] == "lifespan":
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message.get("more_body"):
            break
    path: str = scope["path"]
    if path in RAISED:
        raise RAISED[path]
    if path == "/stream":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        if (await receive())["type"] == "http.disconnect":
            LEFT.set()
        return
    started: Message = {"type": "http.response.start", "status": 200, "headers": []}
    if path == "/breaks":
        await send(started)
        raise RuntimeError(SECRET_WORDS)
    need = path.removeprefix("/need/")
    if need in ("read", "draft", "act", "decide"):
        principal_of(scope).need(need, page=f"{ORIGIN}/")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    who = "nobody" if path == OPEN else principal_of(scope).name
    await send(started)
    await send({"type": "http.response.body", "body": json.dumps({"who": who, "body": len(body)}).encode()})
    if path == "/after":
        raise RuntimeError(SECRET_WORDS)


@dataclass
class Guarded:
    """The application with every kind of credential."""

    folder: Path
    port: int = PORT
    ticks: Ticks = field(default_factory=Ticks)
    limits: HttpLimits = field(default_factory=lambda: HttpLimits(body=1000, body_s=0.2))
    routes: dict[str, HttpRate] = field(default_factory=dict[str, HttpRate])
    token_decides: bool = False

    def __post_init__(self) -> None:
        self.token = ApiToken(self.folder / "token")
        self.sessions = PersonSessions(port=self.port, clock=self.ticks)
        self.keys = ApiKeys(self.folder / "keys.json", clock=self.ticks)
        self.credentials = HttpCredentials(
            token=self.token, sessions=self.sessions, keys=self.keys, token_decides=self.token_decides
        )
        self.app: ASGIApp = guard_app(
            application,
            served=ServedAt.on(self.port),
            credentials=self.credentials,
            rates=HttpRates(self.routes, clock=self.ticks),
            limits=self.limits,
            scope_of=lambda scope: "open" if scope["path"] in (OPEN, "/") else None,
        )

    @property
    def bearer(self) -> tuple[str, str]:
        return ("authorization", f"Bearer {self.token.path.read_text().strip()}")

    def person(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The cookie and the key of a new session."""
        opened = self.sessions.open(self.sessions.new_code())
        return cookie_of(opened), ("x-gaia-key", opened.page_key)

    def ask(
        self,
        path: str = "/",
        *headers: tuple[str, str],
        method: str = "GET",
        body: bytes | None = None,
        raw_path: bytes | None = None,
        query: bytes = b"",
        host: str = HOST,
        late: bool = False,
    ) -> HttpAnswer:
        """One request, as a server hands it over; nothing is made tidy on the way.

        Args:
            path: Decoded.
            headers: Beside Host and Content-Length.
            method: Such as POST.
            body: None for none.
            raw_path: As it was sent; usually `path`.
            query: After the question mark.
            host: The Host header.
            late: The last part of the body never comes.
        """
        given = [("host", host), *headers] if host else [*headers]
        if body is not None and not any(name in ("content-length", "transfer-encoding") for name, _ in given):
            given.append(("content-length", str(len(body))))
        scope: Scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode() if raw_path is None else raw_path,
            "query_string": query,
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in given],
        }
        return asyncio.run(self._asked(scope, body or b"", late=late))

    async def _asked(self, scope: Scope, body: bytes, *, late: bool) -> HttpAnswer:
        answer = HttpAnswer()
        parts = [body[start : start + 100] for start in range(0, len(body), 100)] or [b""]

        async def receive() -> Message:
            if parts:
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts) or late}
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                answer.body += message.get("body", b"")

        async with asyncio.timeout(20):
            await self.app(scope, receive, send)
        return answer


def cookie_of(opened: OpenedSession) -> tuple[str, str]:
    return ("cookie", opened.set_cookie.partition(";")[0])
