"""Escapes characters that control a terminal in a server's JSON, on every transport.

Entries: `escaping` for HTTP, `escaped_output` for terminals and files; pipes do their own escaping (`stdio.py`).
"""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_mail.printable import safe_json, safe_json_line

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class _Text(io.TextIOWrapper):
    """A text stream that escapes its output."""

    @override
    def write(self, text: str, /) -> int:
        return super().write(safe_json(text))


@contextmanager
def escaped_output() -> Generator[io.TextIOWrapper, None, None]:
    """Yield standard output for the protocol; all other output in the meantime goes to standard error."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with _Text(os.fdopen(os.dup(kept), "wb"), encoding="utf-8") as output:
            yield output
    finally:
        os.dup2(kept, 1)
        os.close(kept)


_JSON = (b"application/json", b"text/event-stream")


def escaping(app: ASGIApp) -> ASGIApp:
    """Return the application with escaped JSON, which parses to the same values."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, _Answer(send) if scope["type"] == "http" else send)

    return serve


class _Answer:
    """Escapes a response. If it has a Content-Length, its start is sent only with the first part of the body."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._start: Message | None = None
        self._touched = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[tuple[bytes, bytes]] = list(message["headers"])
            kind = next((value for name, value in headers if name.lower() == b"content-type"), b"")
            self._touched = kind.startswith(_JSON)
            if self._touched and kind.startswith(_JSON[0]):
                self._start = message
                return
        elif message["type"] == "http.response.body" and self._touched:
            message = self._escape(message)
            if self._start is not None:
                await self._send(self._with_length(self._start, message))
                self._start = None
        await self._send(message)

    def _escape(self, message: Message) -> Message:
        """Escape a part of the body; a character may be split between two parts."""
        more = bool(message.get("more_body"))
        text = self._decode(message.get("body", b""), not more)
        return {**message, "body": safe_json_line(text.encode())}

    @staticmethod
    def _with_length(start: Message, first: Message) -> Message:
        """Set the length of a response in one part; a response in several parts has none."""
        headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        if len(headers) < len(start["headers"]) and not first.get("more_body"):
            headers.append((b"content-length", str(len(first["body"])).encode()))
        return {**start, "headers": headers}
