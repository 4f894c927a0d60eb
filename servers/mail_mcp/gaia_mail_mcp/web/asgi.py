"""What doors for pushes have in common: reading a bounded body, answering. Entries: `read_body`, `answer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Receive, Send


async def read_body(receive: Receive, most: int) -> bytes | None:
    """The body of a request, None when it has more than `most` bytes."""
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


async def answer(send: Send, status: int, text: str = "") -> None:
    """A whole answer; text is never taken for HTML."""
    body = text.encode()
    headers = [(b"content-length", str(len(body)).encode())]
    if body:
        headers += [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
