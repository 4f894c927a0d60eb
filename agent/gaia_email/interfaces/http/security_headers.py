"""The security headers of every answer, set in one place. Entry: `add_security_headers`.

An answer that sets one of them itself keeps its own value, such as the policy of a page with its nonce.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS: dict[str, str] = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=(), display-capture=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
}
"""Headers for answers that are not pages: their content cannot run, be framed or be cached, and no referrer is sent."""

_RAW = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_STARTS = ("http.response.start", "websocket.http.response.start", "websocket.accept")


def with_security_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers with the missing ones of `SECURITY_HEADERS` added."""
    given = {name.lower() for name, _ in headers}
    return [*headers, *(header for header in _RAW if header[0] not in given)]


def add_security_headers(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that all its answers, including errors and refusals, carry the headers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = with_security_headers(list(message.get("headers", ())))
            await send(message)

        await app(scope, receive, send_secured)

    return answer
