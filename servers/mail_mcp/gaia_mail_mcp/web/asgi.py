"""Base of the ASGI endpoints for providers' pushes. Entries: `PushDoor`, `read_body`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class PushDoor(ABC):
    """Answers POST requests to one path and passes all others on."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app, self._path = app, path

    @abstractmethod
    async def take(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        """Handle a push; return the status and text of the response."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or scope["path"] != self._path:
            await self._app(scope, receive, send)
            return
        status, text = (405, "") if scope["method"] != "POST" else await self.take(scope, receive)
        await _answer(send, status, text)


async def read_body(receive: Receive, most: int) -> bytes | None:
    """Return the body of a request; None if it has more than `most` bytes."""
    pieces: list[bytes] = []
    size = 0
    more = True
    while more:
        event = await receive()
        piece: bytes = event.get("body", b"")
        size += len(piece)
        if size > most:
            return None
        pieces.append(piece)
        more = event.get("more_body", False)
    return b"".join(pieces)


async def _answer(send: Send, status: int, text: str) -> None:
    """Send a complete response; its text is never interpreted as HTML."""
    body = text.encode()
    headers = [(b"content-length", str(len(body)).encode())]
    if body:
        headers += [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
