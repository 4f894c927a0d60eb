"""An emulated Microsoft Graph on loopback, for one account. Entry: `Emulator`.

It counts how many requests of a mailbox are under way: more than four, or a call without a token or without
asking for immutable ids, or a property that Microsoft's types do not have, fails the test that made it.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from tests.gmail.emulator.http import HttpServer, Request, Response
from tests.graph.emulator.account import Account
from tests.graph.emulator.answering import Refused, answer_json, refusal
from tests.graph.emulator.calendar import CalendarRoutes
from tests.graph.emulator.folders import FolderRoutes
from tests.graph.emulator.messages import MessageRoutes
from tests.graph.emulator.settings import SettingsRoutes
from tests.graph.emulator.shapes import wrong_in
from tests.graph.emulator.subscriptions import SubscriptionRoutes

VERSION = "/v1.0"
MOST_PARTS = 20
MOST_AT_ONCE = 4

Fault = Callable[[Request], Response | None]
"""Answers a request in the place of the service, or lets it through."""


class Emulator:
    """Serves `account`; `fault` may answer any request, whole or out of a batch, in its place."""

    def __init__(self, account: Account | None = None) -> None:
        self.account = account or Account()
        self.token = "emulated-token"
        self.fault: Fault = lambda request: None
        self.requests: list[Request] = []
        self.answered = 0
        """Requests as they came over the wire: a batch is one."""
        self.parts: list[Request] = []
        """What was asked for, the parts of batches each."""
        self.broken: list[str] = []
        """What no client may do."""
        self.other_clients = False
        """Whether others than ours ask: they need not want immutable ids."""
        self.root = ""
        self.shared: set[str] = set()
        """Addresses under which the account's mailbox is shared with who is signed in."""
        self._at_once = 0
        self._server = HttpServer(self._handle)
        self._folders = FolderRoutes(self.account, lambda: self.root)
        self.messages = MessageRoutes(self.account, lambda: self.root)
        self.subscriptions = SubscriptionRoutes()
        self.settings = SettingsRoutes(self.account)
        self.calendar = CalendarRoutes(self.account, lambda: self.root)

    async def start(self) -> str:
        """Listen; the root that clients are given."""
        self.root = await self._server.start() + VERSION
        return self.root

    async def aclose(self) -> None:
        """Stop; whatever a client did wrong fails here."""
        await self._server.aclose()
        assert not self.broken, self.broken

    async def _handle(self, request: Request) -> Response:
        self.requests.append(request)
        try:
            return await self._answer(request)
        finally:
            self.answered += 1

    async def _answer(self, request: Request) -> Response:
        if request.path.startswith(f"{VERSION}/upload/"):
            if "authorization" in request.headers:
                self.broken.append("a token for an upload session")
            failed = self.fault(request)
            return failed or self.messages.upload(request, request.segments[-1])
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return refusal(Refused(401, "InvalidAuthenticationToken", "Access token has expired."))
        if (failed := self.fault(request)) is not None:
            return failed
        if request.path == f"{VERSION}/$batch":
            return await self._batch(request)
        return await self._one(request)

    async def _one(self, request: Request) -> Response:
        self._at_once += 1
        if self._at_once > MOST_AT_ONCE:
            self.broken.append(f"{self._at_once} requests at once")
        self.parts.append(request)
        try:
            await asyncio.sleep(0)
            if not self.other_clients and "immutableid" not in request.headers.get("prefer", "").lower():
                self.broken.append(f"{request.method} {request.path} without immutable ids")
            if request.segments[1:2] == ["subscriptions"]:
                answer = await self.subscriptions.answer(request, request.segments[2:])
            else:
                answer = self._routed(request)
            path = urlsplit(request.target).path.removeprefix(VERSION)
            self.broken += wrong_in(path, dict(request.query), request.body, answer.body)
            return answer
        except Refused as refused:
            return refusal(refused)
        finally:
            self._at_once -= 1

    async def _batch(self, request: Request) -> Response:
        """Parts run four at a time, and are answered in any order: here in reverse."""
        parts: list[dict[str, Any]] = json.loads(request.body)["requests"]
        if len(parts) > MOST_PARTS:
            self.broken.append(f"a batch of {len(parts)}")
            return refusal(Refused(400, "MaximumValueExceeded", "Number of batch request steps exceeds 20."))
        gate = asyncio.Semaphore(MOST_AT_ONCE)

        async def one(part: dict[str, Any]) -> dict[str, Any] | None:
            async with gate:
                return await self._part(part)

        found = [answer for answer in await asyncio.gather(*map(one, parts)) if answer is not None]
        return answer_json({"responses": found[::-1]})

    async def _part(self, part: dict[str, Any]) -> dict[str, Any] | None:
        headers = {str(name).lower(): str(value) for name, value in part.get("headers", {}).items()}
        body = part.get("body")
        if isinstance(body, str):
            content = (
                base64.b64decode(body) if "json" not in headers.get("content-type", "") else body.encode()
            )
            content = body.encode() if headers.get("content-type") == "text/plain" else content
        else:
            content = json.dumps(body).encode() if body is not None else b""
        request = Request(method=part["method"], target=VERSION + part["url"], headers=headers, body=content)
        response = self.fault(request)
        if response is not None and response.hang_up:
            return None  # a part that is not answered
        response = response or await self._one(request)
        kind = response.headers.get("Content-Type", "application/json")
        answer: dict[str, Any] = {
            "id": part["id"],
            "status": response.status,
            "headers": {"Content-Type": kind, **response.headers},
        }
        if response.body:
            raw = "json" not in kind
            answer["body"] = _embedded(response.body, raw=raw)
        return answer

    def _routed(self, request: Request) -> Response:
        segments = urlsplit(request.target).path.removeprefix(VERSION).strip("/").split("/")
        inside = request.segments[1:]
        if inside[0] == "users":
            if inside[1].lower() not in self.shared:
                raise Refused(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")
            inside = ["me", *inside[2:]]
        match inside:
            case ["me"]:
                return answer_json(
                    {"id": "1", "mail": self.account.address, "userPrincipalName": self.account.address}
                )
            case ["me", "mailFolders", "inbox", "messageRules", *rest]:
                return self.settings.rules(request, rest)
            case ["me", "mailFolders", *rest]:
                return self._folders.answer(request, rest)
            case ["me", "messages", *rest]:
                return self.messages.answer(request, rest)
            case ["me", "mailboxSettings", *rest]:
                return self.settings.answer(request, rest)
            case ["me", "calendarView" | "events" | "calendar" as kind, *rest]:
                return self.calendar.answer(request, kind, rest)
            case _:
                raise Refused(404, "ResourceNotFound", f"No such resource: {'/'.join(segments)}")


def _embedded(body: bytes, *, raw: bool) -> object:
    """A body inside a batch; what is no JSON is given as base64."""
    if not raw:
        with suppress(ValueError):
            return json.loads(body)
    return base64.b64encode(body).decode()
