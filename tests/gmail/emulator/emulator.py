"""A Google account on loopback. Entry: `Emulator`.

Every request and response is checked against Google's discovery documents; what is not as they say is kept in
`violations`, and `aclose` fails for it. Quota units are counted, failures happen as told.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from email import message_from_bytes
from typing import Any

from tests.gmail.emulator import batch
from tests.gmail.emulator.account import Account
from tests.gmail.emulator.calendar import CalendarMethods
from tests.gmail.emulator.discovery import Discovery, Method, Violation
from tests.gmail.emulator.failures import ApiError, Fault, Faults, no_scope, unauthenticated
from tests.gmail.emulator.gmail import Call, GmailMethods
from tests.gmail.emulator.http import HttpServer, Request, Response
from tests.gmail.emulator.oauth import OAuth
from tests.gmail.emulator.pubsub import PubSubMethods
from tests.gmail.emulator.resources import encoded, masked
from tests.gmail.emulator.units import units_of

EVERY_SCOPE = " ".join(
    (
        "https://mail.google.com/",
        "https://www.googleapis.com/auth/gmail.settings.basic",
        "https://www.googleapis.com/auth/calendar",
        "https://www.googleapis.com/auth/pubsub",
    )
)
_UPLOAD = "/upload"


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One HTTP request that arrived; `calls` are the methods in it, more than one in a batch."""

    method: str
    path: str
    calls: tuple[str, ...]
    headers: dict[str, str]


class Emulator:
    """Use `root` as every one of Google's hosts."""

    def __init__(
        self, address: str = "me@example.org", *, batches: bool = True, profiles: bool = True
    ) -> None:
        self.account = Account(address)
        self.gmail = GmailMethods(self.account)
        self.calendar = CalendarMethods(address)
        self.pubsub = PubSubMethods()
        self.gmail.handlers |= self.calendar.handlers | self.pubsub.handlers
        self.oauth = OAuth("client.apps.example", "client-secret-of-tests")
        self.faults = Faults()
        self.requests: list[Seen] = []
        self.calls: Counter[str] = Counter()
        self.units = 0
        self.violations: list[str] = []
        self.root = ""
        self.certs = b"{}"
        """What `/certs` answers: the keys that pushes are signed with."""
        self._batches = batches
        self._profiles = profiles
        self._apis = [Discovery("gmail.v1"), Discovery("calendar.v3"), Discovery("pubsub.v1")]
        self._server = HttpServer(self._handle)

    @property
    def connections(self) -> int:
        """TCP connections accepted so far."""
        return self._server.connections

    async def start(self, port: int = 0) -> str:
        """Listen; answers the root URL."""
        await self.account.settle()
        self.root = await self._server.start(port)
        return self.root

    async def aclose(self) -> None:
        """Stop; fails when something was not as Google documents it."""
        await self._server.aclose()
        assert not self.violations, "\n".join(self.violations)

    async def deliver(self, raw: bytes) -> None:
        """A message arrives."""
        self.account.mailbox.receive(raw)
        await self.account.settle()

    def fail(self, fault: Fault) -> None:
        """Plan a failure."""
        self.faults.add(fault)

    def forget_requests(self) -> None:
        """Count from here."""
        self.requests.clear()
        self.calls.clear()
        self.units = 0

    async def _handle(self, request: Request) -> Response:
        calls: list[str] = []
        response = await self._routed(request, calls)
        self.requests.append(
            Seen(
                method=request.method,
                path=request.path,
                calls=tuple(calls),
                headers=dict(request.headers),
            )
        )
        return response

    async def _routed(self, request: Request, calls: list[str]) -> Response:
        if request.path == "/o/oauth2/v2/auth":
            return self.oauth.authorize(request)
        if request.path == "/certs":
            return Response(status=200, body=self.certs)
        if request.path == "/token":
            calls.append("token")
            fault = self.faults.next("token")
            if fault is not None and fault.error is not None:
                return fault.error.response()
            return fault.answer if fault is not None and fault.answer else self.oauth.token(request)
        if request.path == "/revoke":
            calls.append("revoke")
            fault = self.faults.next("revoke") or Fault()
            return fault.error.response() if fault.error is not None else self.oauth.revoke(request)
        if request.path == "/elsewhere":
            return Response(status=404, body=b"Not Found")
        if request.path == "/oauth2/v2/userinfo":
            return Response(body=json.dumps({"email": self.account.address}).encode())
        if request.path in ("/batch", "/batch/gmail/v1"):
            return await self._batch(request, calls)
        return await self._one(request, calls)

    async def _batch(self, request: Request, calls: list[str]) -> Response:
        if not self._batches:
            return Response(status=404, body=b"Not Found")
        try:
            fault = self.faults.next("batch")
            fault = fault or Fault()
            if fault.error is not None:
                raise fault.error
            if fault.answer is not None:
                return fault.answer
            parts = batch.split(request)
        except ApiError as error:
            return error.response()
        answers = [(content_id, await self._one(part, calls)) for content_id, part in parts]
        return replace(batch.joined(answers), cut=fault.cut, drip_s=fault.drip_s)

    async def _one(self, request: Request, calls: list[str]) -> Response:
        try:
            return await self._called(request, calls)
        except Violation as violation:
            self.violations.append(f"{request.method} {request.target[:200]}: {violation}")
            return ApiError(400, str(violation)).response()
        except ApiError as error:
            return error.response()

    async def _called(self, request: Request, calls: list[str]) -> Response:
        upload = request.segments[0] == _UPLOAD[1:]
        segments = request.segments[1:] if upload else request.segments
        if segments[:2] == ["v1", "projects"]:
            segments = ["v1", "/".join(segments[1:])]
        for api in self._apis:
            found = api.find(request.method, segments)
            if found is not None:
                break
        else:
            raise Violation("Google has no such method")
        method, path = found
        name = method.id.removeprefix("gmail.users.")
        calls.append(name)
        self.calls[name] += 1
        self.units += units_of(method.id)
        fault = self.faults.next(name) or Fault()
        if fault.error is not None:
            raise fault.error
        if name == "getProfile" and not self._profiles:
            raise ApiError(404, "Not Found")
        self._check_login(request, method, path)
        query = [pair for pair in request.query if not (upload and pair[0] == "uploadType")]
        api.check_query(method, query)
        body = _uploaded(request, method) if upload else _parsed(request)
        api.check_request(method, body)
        answer = await self.gmail.call(name, Call(path, query, body))
        if fault.answer is not None:
            return fault.answer
        if answer is None:
            api.check_response(method, None)
            return Response(status=204, cut=fault.cut)
        answer = json.loads(json.dumps(answer))
        mask = next((value for key, value in query if key == "fields"), "")
        if mask:
            answer = masked(answer, mask)
        api.check_response(method, answer)
        return Response(body=json.dumps(answer).encode(), cut=fault.cut, drip_s=fault.drip_s)

    def _check_login(self, request: Request, method: Method, path: dict[str, str]) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        scopes = self.oauth.access.get(token)
        if scheme != "Bearer" or scopes is None:
            raise unauthenticated()
        if not scopes & method.scopes:
            raise no_scope()
        if path.get("userId", "me") not in ("me", self.account.address):
            raise ApiError(403, "Delegation denied", "forbidden")


def _parsed(request: Request) -> Any:
    if not request.body:
        return None
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Violation("a body is application/json")
    try:
        return json.loads(request.body)
    except ValueError:
        raise Violation("the body is not JSON") from None


def _uploaded(request: Request, method: Method) -> Any:
    """The metadata of a multipart upload, with the message where the JSON form has it."""
    if not method.upload or ("uploadType", "multipart") not in request.query:
        raise Violation("this is no multipart upload")
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    metadata = message_from_bytes(head + request.body).walk()
    parts = [
        part for part in metadata if not part.is_multipart() or part.get_content_type() == "message/rfc822"
    ]
    if len(parts) < 2 or parts[0].get_content_type() != "application/json":
        raise Violation("a multipart upload is JSON and a message")
    body: dict[str, Any] = json.loads(str(parts[0].get_payload()))
    media = request.body.split(b"message/rfc822", 1)[1].partition(b"\r\n\r\n")[2]
    media = media.rpartition(b"\r\n--")[0]
    holder = body.setdefault("message", {}) if method.request == "Draft" else body
    holder["raw"] = encoded(media)
    return body
