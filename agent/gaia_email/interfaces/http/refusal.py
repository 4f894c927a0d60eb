"""Every error over HTTP: `{"error": {"code", "message", "hint"}}`. Entry points: `HttpRefusal`, `refusal_of`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email_registry.errors import ErrorKind, MailError

if TYPE_CHECKING:
    from starlette.types import Send

STATUS: Mapping[ErrorKind, int] = {
    "bad_argument": 422,
    "not_found": 404,
    # 401 would mean the caller's own credential; here an account has to be connected anew.
    "needs_auth": 409,
    "needs_approval": 403,
    "rate_limited": 429,
    "provider": 502,
    "internal": 500,
}


class HttpRefusal(Exception):
    """A request that is not answered; nothing of a credential is ever in it.

    Attributes:
        status: Of the answer.
        code: For programs: one word.
        message: For people: what was wrong.
        hint: What to do next; empty for nothing.
        headers: Sent with the answer.
        closes: The connection is closed, since what follows on it cannot be trusted.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        hint: str = "",
        headers: Mapping[str, str] | None = None,
        closes: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.headers = dict(headers or {})
        self.closes = closes

    def body(self) -> bytes:
        """As it is sent."""
        error = {"code": self.code, "message": self.message, "hint": self.hint or None}
        return json.dumps({"error": error}).encode()


def refusal_of(error: Exception) -> HttpRefusal:
    """Any error as a refusal; of one that is none of ours only its type is told, since its words may be of a mail."""
    if isinstance(error, HttpRefusal):
        return error
    if isinstance(error, MailError):
        wait_s = error.retry_after_s
        headers = {} if wait_s is None else {"retry-after": str(max(1, round(wait_s)))}
        status = STATUS[error.kind]
        return HttpRefusal(status, error.kind, error.message, hint=error.hint or "", headers=headers)
    return HttpRefusal(500, "internal", f"Something went wrong inside ({type(error).__name__}).")


async def send_refusal(refusal: HttpRefusal, send: Send, *, head: bool = False) -> None:
    """Answer with it.

    Args:
        refusal: What is wrong.
        send: Of the request.
        head: The request was HEAD, so the body is left out.
    """
    body = refusal.body()
    headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        **refusal.headers,
    }
    if refusal.closes:
        headers["connection"] = "close"
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "http.response.body", "body": b"" if head else body})
