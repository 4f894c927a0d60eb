"""The HTTP that web providers are asked with: what an answer may be, and what becomes of connections."""

from __future__ import annotations

import asyncio
import gzip
import logging
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import ProviderError
from gaia_mail_mcp.web.http import PIECE, HttpClient, LostConnection, ResponseTooLarge
from tests.certificates import make_certificate

JSON = b'{"id": "m1"}'
PACKED = gzip.compress(JSON[:5], mtime=0) + gzip.compress(JSON[5:], mtime=0)
BOMB = gzip.compress(bytes(5_000_000), mtime=0)
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
    "until closed": b"HTTP/1.0 200 OK\r\n\r\n" + JSON,
}

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Ask = Callable[[HttpClient, str], Awaitable[None]]


def made(*, read_s: float = 60, most: int = 1_000_000) -> HttpClient:
    return HttpClient("Example", read_s=read_s, most=most)


def play(
    serve: Serve, ask: Ask, *, http: Callable[[], HttpClient] = made, tls: ssl.SSLContext | None = None
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
        client = http()
        async with server:
            try:
                await asyncio.wait_for(ask(client, f"http{'s' if tls else ''}://127.0.0.1:{port}/x"), 20)
            finally:
                await client.aclose()

    asyncio.run(main())


def answering(data: bytes) -> Serve:
    """A server that answers one request so, and hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heads(reader)
        writer.write(data)

    return serve


async def heads(reader: asyncio.StreamReader) -> bytes:
    return await reader.readuntil(b"\r\n\r\n")


@pytest.mark.parametrize("kind", sorted(WHOLE))
def test_an_answer_is_read_in_whatever_form_it_comes(kind: str) -> None:
    async def ask(http: HttpClient, url: str) -> None:
        answer = await http.send("GET", url, {}, None)
        assert (answer.status, answer.body) == (200, JSON)

    play(answering(WHOLE[kind]), ask)


def test_header_names_are_in_lower_case() -> None:
    async def ask(http: HttpClient, url: str) -> None:
        answer = await http.send("GET", url, {}, None)
        assert (answer.status, answer.headers["retry-after"], answer.body) == (204, "3", b"")

    play(answering(b"HTTP/1.1 204 No Content\r\nRetry-After: 3\r\n\r\n"), ask)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        WHOLE["length"][:-1],
        WHOLE["both"][:-2],
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 2x0 OK\r\n\r\n",
        OK + b"X: " + b"x" * 1_000_000,
        OK + b"no header\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        OK + b"Content-Encoding: gzip\r\nContent-Length: 15\r\n\r\n" + PACKED[:15],
        OK + b"Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
    ],
)
def test_what_is_no_whole_answer_is_said_to_have_been_sent(data: bytes) -> None:
    async def ask(http: HttpClient, url: str) -> None:
        with pytest.raises(LostConnection, match="connection to Example broke") as caught:
            await http.send("GET", url, {}, None)
        assert caught.value.sent

    play(answering(data), ask)


@pytest.mark.parametrize(
    "data",
    [
        OK + b"Content-Length: 1000001\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(bytes(1_000_001), 50_000),
        OK + b"\r\n" + bytes(1_000_001),
        OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB) + BOMB,
    ],
    ids=["announced", "chunked", "until closed", "packed"],
)
def test_no_more_is_read_than_was_allowed(data: bytes) -> None:
    async def ask(http: HttpClient, url: str) -> None:
        with pytest.raises(ResponseTooLarge, match="larger than 1 MB"):
            await http.send("GET", url, {}, None)

    play(answering(data), ask)


def test_an_answer_without_end_is_given_up_at_its_bound() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heads(reader)
        writer.write(OK + b"\r\n")
        while True:
            writer.write(b"x" * 1000)
            await writer.drain()

    async def ask(http: HttpClient, url: str) -> None:
        with pytest.raises(ResponseTooLarge):
            await http.send("GET", url, {}, None)

    play(serve, ask, http=lambda: made(most=100_000))


@pytest.mark.parametrize(
    ("target", "value"), [("/a\r\nX: y", "x"), ("/", "a\r\nX: y"), ("/", "a\nb"), ("/", "a\0b")]
)
def test_nothing_can_be_put_into_a_request_that_is_not_a_part_of_it(target: str, value: str) -> None:
    async def unasked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert not await reader.read()

    async def ask(http: HttpClient, url: str) -> None:
        with pytest.raises(ProviderError, match="cannot be sent to Example"):
            await http.send("GET", url.removesuffix("/x") + target, {"Authorization": value}, None)

    play(unasked, ask)


@pytest.mark.parametrize("location", ["http://elsewhere.test/x", "/y"])
def test_a_redirect_is_not_followed(location: str) -> None:
    async def ask(http: HttpClient, url: str) -> None:
        answer = await http.send("GET", url, {"Authorization": "Bearer secret"}, None)
        assert (answer.status, answer.headers["location"]) == (307, location)

    moved = f"HTTP/1.1 307 Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
    play(answering(moved.encode()), ask)


def test_no_address_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Some carry a secret: the links of Microsoft's deltas and upload sessions."""
    caplog.set_level(logging.DEBUG)

    async def ask(client: HttpClient, root: str) -> None:
        await client.send("GET", f"{root}/delta?$deltatoken=secret", {}, None)

    play(answering(WHOLE["length"]), ask)
    assert "secret" not in caplog.text


def test_cookies_are_not_sent_back() -> None:
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            seen.append(await heads(reader))
            writer.write(OK + b"Set-Cookie: who=you; Path=/\r\nContent-Length: 0\r\n\r\n")

    async def ask(http: HttpClient, url: str) -> None:
        for _ in range(2):
            await http.send("GET", url, {}, None)

    play(serve, ask)
    assert len(seen) == 2
    assert not any(b"cookie" in head.lower() for head in seen)


def test_one_connection_carries_many_exchanges_and_a_closing_answer_ends_it() -> None:
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        for _ in range(3):
            await heads(reader)
            writer.write(WHOLE["both"])
        await heads(reader)
        writer.write(WHOLE["until closed"])

    async def ask(http: HttpClient, url: str) -> None:
        for _ in range(5):
            assert (await http.send("GET", url, {}, None)).body == JSON

    play(serve, ask)
    assert connections == 2


def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again() -> None:
    async def ask(http: HttpClient, url: str) -> None:
        for _ in range(3):
            assert (await http.send("POST", url, {}, b"x")).body == JSON
            await asyncio.sleep(0.01)  # the server's closing is on its way

    play(answering(WHOLE["length"]), ask)


def test_who_gives_up_waiting_leaves_no_answer_to_the_next() -> None:
    asked = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await heads(reader)
        if b"/slow" not in head:
            writer.write(WHOLE["length"])
            return
        asked.set()
        await reader.read()  # until the client has gone

    async def ask(http: HttpClient, url: str) -> None:
        slow = asyncio.ensure_future(http.send("GET", url.replace("/x", "/slow"), {}, None))
        await asked.wait()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        assert (await http.send("GET", url, {}, None)).body == JSON

    play(serve, ask)


def test_a_large_upload_arrives_whole_and_says_how_long_it_is() -> None:
    body = bytes(range(256)) * (5 * PIECE // 256) + b"end"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await heads(reader)).lower()
        assert b"content-length: %d\r\n" % len(body) in head
        assert b"transfer-encoding" not in head
        whole = await reader.readexactly(len(body)) == body
        writer.write(WHOLE["length"] if whole else b"HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")

    async def ask(http: HttpClient, url: str) -> None:
        assert (await http.send("POST", url, {}, body)).status == 200

    play(serve, ask)


def test_an_upload_that_stands_still_is_given_up() -> None:
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await gone.wait()  # nothing is read

    async def ask(http: HttpClient, url: str) -> None:
        try:
            with pytest.raises(LostConnection) as caught:
                await http.send("POST", url, {}, bytes(30_000_000))
            assert caught.value.sent
        finally:
            gone.set()

    play(serve, ask, http=lambda: made(read_s=0.1))


def test_a_proxy_of_the_environment_is_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert (await heads(reader)).startswith(b"GET http://example.test/x HTTP/1.1\r\n")
        writer.write(WHOLE["chunked"])

    async def ask(http: HttpClient, url: str) -> None:
        monkeypatch.setenv("http_proxy", url.removesuffix("/x"))
        assert (await http.send("GET", "http://example.test/x", {}, None)).body == JSON

    play(serve, ask)


def test_only_the_server_of_that_name_is_talked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def trusted(http: HttpClient, url: str) -> None:
        assert (await http.send("GET", url, {}, None)).body == JSON
        with pytest.raises(LostConnection) as caught:
            await http.send("GET", url.replace("127.0.0.1", "localhost"), {}, None)
        assert not caught.value.sent

    async def unknown(http: HttpClient, url: str) -> None:
        with pytest.raises(LostConnection) as caught:
            await http.send("GET", url, {}, None)
        assert not caught.value.sent

    certificate = make_certificate(tmp_path / "server.pem")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    play(answering(WHOLE["length"]), unknown, tls=tls)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    play(answering(WHOLE["length"]), trusted, tls=tls)
