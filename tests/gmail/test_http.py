"""The HTTP that Gmail is asked with: how an answer is read, and what becomes of connections."""

from __future__ import annotations

import asyncio
import gzip
import ssl
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email_registry.errors import ProviderError
from gaia_gmail_mcp.connection import Broken, Connection, Limits
from gaia_gmail_mcp.http1 import MOST_HEAD, Oversized, Reading, Unreadable, written
from gaia_gmail_mcp.wire import LostConnection, TooLarge, Wire
from tests.certificates import make_certificate

JSON = b'{"id": "m1"}'
PACKED = gzip.compress(JSON[:5], mtime=0) + gzip.compress(JSON[5:], mtime=0)
BOMB = gzip.compress(b"x" * 5000, mtime=0)
OK = b"HTTP/1.1 200 OK\r\n"


def chunked(body: bytes, size: int = 7, end: bytes = b"0\r\nX-Sum: 1\r\n\r\n") -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x;ext=1\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + end


WHOLE = {
    "length": OK + b"Content-Length: 12\r\n\r\n" + JSON,
    "chunked": OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(JSON),
    "packed": OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(PACKED) + PACKED,
    "both": OK + b"content-encoding: GZIP\r\ntransfer-encoding: Chunked\r\n\r\n" + chunked(PACKED),
    "announced": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK + b"Content-Length: 12\r\n\r\n" + JSON,
}


@given(cuts=st.lists(st.integers(0, 200), max_size=6), kind=st.sampled_from(sorted(WHOLE)))
def test_an_answer_is_the_same_in_whatever_pieces_it_comes(cuts: list[int], kind: str) -> None:
    data = WHOLE[kind]
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    reading = Reading(1000)
    done = [reading.feed(data[a:b]) for a, b in pairwise(places)]
    assert done == [*([False] * (len(done) - 1)), True]
    answer = reading.answer()
    assert (answer.status, answer.body, reading.keep) == (200, JSON, True)


def test_what_has_no_body_ends_with_its_head() -> None:
    reading = Reading(1000)
    assert reading.feed(b"HTTP/1.1 204 No Content\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\n")
    assert reading.answer().headers == {"set-cookie": "a, b"}


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 2x0 OK\r\n\r\n",
        b"x" * (MOST_HEAD + 1),
        OK + b"no header\r\n\r\n",
        OK + b"Content-Length : 3\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
        OK + b"Content-Length: 1\r\n\r\nmore",
        OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1",
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * (MOST_HEAD + 1),
        OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        OK + b"Content-Encoding: gzip\r\nContent-Length: 15\r\n\r\n" + PACKED[:15],
        OK + b"Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
    ],
)
def test_what_is_no_answer_is_not_read_as_one(data: bytes) -> None:
    with pytest.raises(Unreadable):
        reading = Reading(1000)
        assert reading.feed(data)
        reading.answer()


@pytest.mark.parametrize(
    "data",
    [
        OK + b"Content-Length: 1001\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3e9\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(b"x" * 1001),
        OK + b"\r\n" + b"x" * 1001,
        OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB) + BOMB,
    ],
)
def test_no_more_is_read_than_was_allowed(data: bytes) -> None:
    with pytest.raises(Oversized):
        reading = Reading(1000)
        assert reading.feed(data)
        reading.answer()


@pytest.mark.parametrize(
    ("target", "value"), [("/a b", "x"), ("/a\r\nX: y", "x"), ("/ä", "x"), ("/", "a\r\nX: y"), ("/", "a\nb")]
)
def test_nothing_can_be_put_into_a_request_that_is_not_a_part_of_it(target: str, value: str) -> None:
    with pytest.raises(ValueError, match=r"cannot|ordinal"):
        written("GET", "gmail.test", target, {"Authorization": value}, None)

    async def main() -> None:
        with pytest.raises(ProviderError, match="cannot be sent"):
            await Wire().send("GET", f"http://127.0.0.1:9{target}", {"Authorization": value}, None)

    asyncio.run(main())


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Ask = Callable[[Wire, str], Awaitable[None]]


def play(
    serve: Serve, ask: Ask, *, wire: Callable[[], Wire] = Wire, tls: ssl.SSLContext | None = None
) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def main() -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        made = wire()
        async with server:
            try:
                await asyncio.wait_for(ask(made, f"http{'s' if tls else ''}://127.0.0.1:{port}/x"), 20)
            finally:
                await made.aclose()

    asyncio.run(main())


async def heads(reader: asyncio.StreamReader) -> bytes:
    return await reader.readuntil(b"\r\n\r\n")


def test_one_connection_carries_many_exchanges_and_a_closing_answer_ends_it() -> None:
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        for _ in range(3):
            await heads(reader)
            writer.write(WHOLE["both"])
        await heads(reader)
        writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + JSON)

    async def ask(wire: Wire, url: str) -> None:
        for _ in range(5):
            assert (await wire.send("GET", url, {}, None)).body == JSON

    play(serve, ask)
    assert connections == 2


def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heads(reader)
        writer.write(WHOLE["length"])

    async def ask(wire: Wire, url: str) -> None:
        for _ in range(3):
            assert (await wire.send("POST", url, {}, b"x")).body == JSON
            await asyncio.sleep(0.01)  # the server's closing is on its way

    play(serve, ask)


def test_who_gives_up_waiting_leaves_no_answer_to_the_next() -> None:
    asked = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await heads(reader)
        if b"/slow" not in head:
            writer.write(WHOLE["length"])
            return
        asked.set()
        await reader.read()  # until the client has gone

    async def ask(wire: Wire, url: str) -> None:
        slow = asyncio.ensure_future(wire.send("GET", url.replace("/x", "/slow"), {}, None))
        await asked.wait()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        assert (await wire.send("GET", url, {}, None)).body == JSON

    play(serve, ask)


@pytest.mark.parametrize("data", [b"", WHOLE["length"][:-1], WHOLE["both"][:-2], b"220 hello\r\n\r\n"])
def test_what_breaks_in_the_middle_is_said_to_have_been_sent(data: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heads(reader)
        writer.write(data)

    async def ask(wire: Wire, url: str) -> None:
        with pytest.raises(LostConnection) as caught:
            await wire.send("GET", url, {}, None)
        assert caught.value.sent

    play(serve, ask)


def test_an_answer_without_end_is_given_up_at_its_bound() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heads(reader)
        writer.write(OK + b"\r\n")
        while True:
            writer.write(b"x" * 1000)
            await writer.drain()

    async def ask(wire: Wire, url: str) -> None:
        with pytest.raises(TooLarge):
            await wire.send("GET", url, {}, None)

    play(serve, ask, wire=lambda: Wire(most=100_000))


class Uploading(asyncio.Transport):
    """Sends a piece between any two looks, until all is sent."""

    def __init__(self, pieces: int) -> None:
        super().__init__()
        self.left = pieces
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        self.left = max(self.left - 1, 0)
        return self.left

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


def test_an_upload_that_moves_is_waited_for_and_one_that_stands_still_is_not() -> None:
    async def main() -> None:
        connection, transport = Connection(Limits(read_s=0.002, whole_s=60, most=1000)), Uploading(30)
        connection.connection_made(transport)
        with pytest.raises(Broken):
            await asyncio.wait_for(connection.exchange(b"x"), 20)
        assert (transport.left, transport.aborted) == (0, True)

    asyncio.run(main())


def test_a_proxy_of_the_environment_is_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert (await heads(reader)).startswith(b"GET http://gmail.test/x HTTP/1.1\r\n")
        writer.write(WHOLE["chunked"])

    async def ask(wire: Wire, url: str) -> None:
        monkeypatch.setenv("http_proxy", url.removesuffix("/x"))
        assert (await wire.send("GET", "http://gmail.test/x", {}, None)).body == JSON

    play(serve, ask)


def test_only_the_server_of_that_name_is_talked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heads(reader)
        writer.write(WHOLE["length"])

    async def trusted(wire: Wire, url: str) -> None:
        assert (await wire.send("GET", url, {}, None)).body == JSON
        with pytest.raises(LostConnection) as caught:
            await wire.send("GET", url.replace("127.0.0.1", "localhost"), {}, None)
        assert not caught.value.sent

    async def unknown(wire: Wire, url: str) -> None:
        with pytest.raises(LostConnection) as caught:
            await wire.send("GET", url, {}, None)
        assert not caught.value.sent

    certificate = make_certificate(tmp_path / "server.pem")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    play(serve, unknown, tls=tls)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    play(serve, trusted, tls=tls)
