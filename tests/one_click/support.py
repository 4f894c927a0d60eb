"""A newsletter that may be left, and a web server that is asked to. Entries: `GOOD`, `Server`."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from gaia_mail_mcp.mailbox import Unsubscribed
from gaia_mail_mcp.one_click import OneClick, TrustedAuthServers, UnsubscribeLog
from gaia_mail_mcp.one_click.request import Streams

SIGNED = "h=From:To:Subject:List-Unsubscribe:List-Unsubscribe-Post"
RECEIVED = (
    "Received: by 2002:a05:6520:1:b0:2c7:1:2 with SMTP id ab12; Mon, 2 Mar 2026 09:00:02 +0000\n"
    "Received: by 2002:a17:906:3:b0:9a1:3:4 with SMTP id cd34; Mon, 2 Mar 2026 09:00:01 +0000\n"
    "Received: from mta.list.example (mta.list.example. [198.51.100.7]) by mx.google.com with ESMTPS id x1\n"
)
RESULTS = (
    "Authentication-Results: mx.google.com;\n"
    ' dkim=pass (2048 bits; dkim=fail) header.i=@list.example header.s=s1 header.b="Ab/+cdE1";\n'
    " spf=pass smtp.mailfrom=bounce@list.example; dmarc=pass header.from=list.example\n"
)
SIGNATURE = (
    f"DKIM-Signature: v=1; a=rsa-sha256; d=list.example; s=s1; {SIGNED};\n bh=xyz=; b=Ab/+cdE1\n Zzzz==\n"
)
LINK = "List-Unsubscribe: <mailto:off@list.example>, <https://list.example/off?u=1&k=secret>\n"
POST = "List-Unsubscribe-Post: List-Unsubscribe=One-Click\n"
LETTER = (
    "From: news@list.example\nMessage-ID: <n1@list.example>\nList-Id: News <news.list.example>\n\nHello\n"
)
GOOGLE = TrustedAuthServers(servers=frozenset({"mx.google.com"}))
GOOD = RECEIVED + RESULTS + SIGNATURE + LINK + POST + LETTER

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class Server:
    """A web server on loopback, reached under whatever name is asked for; keeps what it was sent."""

    def __init__(self, answer: bytes = OK, addresses: Sequence[str] = ("203.0.114.7",)) -> None:
        self.answer, self.addresses = answer, addresses
        self.asked: list[bytes] = []
        self.resolved: list[str] = []
        self.connected: list[tuple[str, str]] = []
        self._port = 0

    async def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        return self.addresses

    async def connect(self, address: str, host: str) -> Streams:
        self.connected.append((address, host))
        return await asyncio.open_connection("127.0.0.1", self._port)

    @asynccontextmanager
    async def listening(
        self, trust: TrustedAuthServers = GOOGLE, log: Path | None = None
    ) -> AsyncGenerator[OneClick, None]:
        """How to unsubscribe while it listens."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        try:
            yield OneClick(
                trust=trust,
                log=UnsubscribeLog(log) if log is not None else None,
                resolve=self.resolve,
                connect=self.connect,
                now=lambda: dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC),
            )
        finally:
            server.close()
            await server.wait_closed()

    def leave(self, raw: str, *, trust: TrustedAuthServers = GOOGLE, log: Path | None = None) -> Unsubscribed:
        """Unsubscribe by that message."""

        async def main() -> Unsubscribed:
            async with self.listening(trust, log) as one_click:
                return await asyncio.wait_for(one_click.leave(raw.replace("\n", "\r\n").encode()), 5)

        return asyncio.run(main())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head + await reader.readexactly(len(b"List-Unsubscribe=One-Click")))
        writer.write(self.answer)
        await writer.drain()
        writer.close()
