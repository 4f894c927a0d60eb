"""How much an MCP server that others made may send, over HTTP too. Entries: `ByteBounds`, `bounded`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteBounds:
    """Bytes a message, and in all."""

    message: int
    total: int


MAIL = ByteBounds(message=64_000_000, total=1 << 62)
"""Of a mailbox: a page of raw messages is one message of its server, and a watch goes on for months."""

LOOK = ByteBounds(message=8_000_000, total=16_000_000)
"""Of a server that is only asked which tools it has; of those one megabyte is taken in (`capabilities.MOST_BYTES`)."""


@dataclass(slots=True)
class ConnectionEnd:
    """What became of a connection: why we ended it, where we did."""

    ended: str = ""

    def end(self, most: int) -> None:
        """It sent more than it may."""
        self.ended = f"it sent more than {most // 1_000_000} MB at once"


def bounded(client: httpx2.AsyncClient, bounds: ByteBounds, link: ConnectionEnd) -> httpx2.AsyncClient:
    """The same client, which asks for plain answers and reads no more of them than the bounds.

    What is packed may be a thousand times as large unpacked, where nobody counts.
    """
    client.headers["Accept-Encoding"] = "identity"
    client.event_hooks = {"response": [_Counter(bounds, link).bound]}
    return client


class _Counter:
    def __init__(self, bounds: ByteBounds, link: ConnectionEnd) -> None:
        self._bounds, self._link = bounds, link
        self._total = 0

    async def bound(self, response: httpx2.Response) -> None:
        """Put the count between an answer and whoever reads it."""
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
