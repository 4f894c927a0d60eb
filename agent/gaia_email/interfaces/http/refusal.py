"""Errors over HTTP, all in one shape: `{"error": {"kind", "message", …}}`. Entries: `HttpRefusal`, `refusal_of`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.app.languages.speaking import gettext
from gaia_email_registry.errors import ErrorKind, MailError, NeedsApproval, RateLimited, StateConflict

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

STATUS: Mapping[ErrorKind, int] = {
    "bad_argument": 422,
    "not_found": 404,
    # 401 would mean the caller's own credential; here an account must be reconnected.
    "needs_auth": 409,
    "needs_approval": 403,
    "rate_limited": 429,
    "provider": 502,
    "internal": 500,
}


class TooManyRuns(RateLimited):
    """The server has reached its maximum number of runs."""


class NeedsPerson(NeedsApproval):
    """Only a person may do this, in a session of their own."""


class HttpRefusal(Exception):
    """A refused request; it never contains any part of a credential.

    Attributes:
        status: The status of the answer.
        kind: One word, for programs.
        message: A description of the problem, for people.
        hint: The next step; empty for none.
        argument: A JSON Pointer (RFC 6901) to the invalid input; None if there is none.
        retry_after_s: Seconds to wait; None if waiting does not help.
        headers: Sent with the answer.
        closes: True to close the connection, if the data that follows cannot be trusted.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        message: str,
        *,
        hint: str = "",
        argument: str | None = None,
        retry_after_s: float | None = None,
        headers: Mapping[str, str] | None = None,
        closes: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message
        self.hint = hint
        self.argument = argument
        self.retry_after_s = retry_after_s
        self.headers = dict(headers or {})
        self.closes = closes

    @property
    def answer_headers(self) -> dict[str, str]:
        """Headers of this refusal together with those of every refusal."""
        return {
            "content-type": "application/json",
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            **self.headers,
        }

    def body(self) -> bytes:
        """Return the JSON body, in the active language if the program is translated."""
        known = {
            "kind": self.kind,
            "message": gettext(self.message),
            "argument": self.argument,
            "retry_after_s": self.retry_after_s,
            "hint": gettext(self.hint) or None,
        }
        error = {name: value for name, value in known.items() if value is not None}
        return json.dumps({"error": error}).encode()


def refusal_of(error: Exception) -> HttpRefusal:
    """Return any error as a refusal; of foreign errors only the type is shown, since the text may come from a mail."""
    if isinstance(error, HttpRefusal):
        return error
    if isinstance(error, MailError):
        wait_s = error.retry_after_s
        headers = {} if wait_s is None else {"retry-after": str(max(1, round(wait_s)))}
        kind, status = _named(error)
        return HttpRefusal(
            status,
            kind,
            error.message,
            hint=error.hint or "",
            argument=error.argument,
            retry_after_s=wait_s,
            headers=headers,
        )
    return HttpRefusal(500, "internal", f"Something went wrong inside ({type(error).__name__}).")


def _named(error: MailError) -> tuple[str, int]:
    match error:
        case StateConflict():
            return "conflict", 409
        case NeedsPerson():
            return "needs_person", 403
        case _:
            return error.kind, STATUS[error.kind]


async def send_refusal(
    refusal: HttpRefusal, send: Send, *, head: bool = False, body: bytes | None = None
) -> None:
    """Send a refusal as the answer.

    Args:
        refusal: The refusal.
        send: The `send` of the request.
        head: True for a HEAD request, which gets no body.
        body: A body in a different shape; None for the usual one.
    """
    body = refusal.body() if body is None else body
    headers = {**refusal.answer_headers, "content-length": str(len(body))}
    if refusal.closes:
        headers["connection"] = "close"
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "http.response.body", "body": b"" if head else body})


async def refuse_socket(refusal: HttpRefusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse the handshake of a WebSocket, in the same shape if the server supports it."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    body = refusal.body()
    headers = {**refusal.answer_headers, "content-length": str(len(body))}
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "websocket.http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "websocket.http.response.body", "body": body})
