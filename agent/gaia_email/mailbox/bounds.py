"""Limit how much a third-party MCP server may send, over HTTP too. Entries: `ByteBounds`, `limit_responses`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteBounds:
    """Maximum number of bytes per message, and in total."""

    message: int
    total: int


MAIL = ByteBounds(message=64_000_000, total=1 << 62)
"""For a mailbox: a page of raw messages is one message of its server, and a watch runs for months."""

LOOK = ByteBounds(message=8_000_000, total=16_000_000)
"""For a server that is only asked for its tools; at most one megabyte of these is used (`capabilities.MOST_BYTES`)."""


@dataclass(slots=True)
class ConnectionEnd:
    """The state of a connection; `ended` is the reason if it was ended on this side."""

    ended: str = ""

    def end(self, most: int) -> None:
        """End the connection because the server sent more than `most` bytes."""
        self.ended = f"it sent more than {most // 1_000_000} MB at once"


def limit_responses(
    client: httpx2.AsyncClient, bounds: ByteBounds, link: ConnectionEnd
) -> httpx2.AsyncClient:
    """Make the client request uncompressed responses, and stop reading them at the limits.

    A compressed body can grow a thousandfold when decompressed, after it was counted.
    """
    client.headers["Accept-Encoding"] = "identity"
    client.event_hooks = {"response": [_Counter(bounds, link).bound]}
    return client


class _Counter:
    def __init__(self, bounds: ByteBounds, link: ConnectionEnd) -> None:
        self._bounds, self._link = bounds, link
        self._total = 0

    async def bound(self, response: httpx2.Response) -> None:
        """Count the bytes of a response as it is read."""
        import httpx2

        if response.headers.get("content-encoding", "identity") != "identity":
            self._link.ended = "it packs its answers, though it was asked not to"
            raise httpx2.ReadError(self._link.ended)
        inner, count = response.stream, self._count

        class Counted(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncGenerator[bytes]:
                length = 0
                if isinstance(inner, httpx2.AsyncByteStream):
                    async for chunk in inner:
                        length += len(chunk)
                        count(len(chunk), length)
                        yield chunk

            async def aclose(self) -> None:
                if isinstance(inner, httpx2.AsyncByteStream):
                    await inner.aclose()

        response.stream = Counted()

    def _count(self, chunk: int, length: int) -> None:
        import httpx2

        self._total += chunk
        if length > self._bounds.message or self._total > self._bounds.total:
            self._link.end(min(self._bounds.message, self._bounds.total))
            raise httpx2.ReadError(self._link.ended)
