"""What no client library sends: smuggled requests, broken heads, slow and endless ones, over a real connection."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gaia_email.interfaces.http import connection
from gaia_email.interfaces.http.listening import parse_address, server_of
from gaia_email_registry.errors import BadArgument
from tests.http.guarding import LEFT, Guarded

WAIT_S = 20.0


@dataclass
class Wire:
    """A server on a free port."""

    served: Guarded
    port: int

    def head(self, first: str, *more: str, host: str | None = None) -> bytes:
        """The head of a request that proves who it is from."""
        named = f"127.0.0.1:{self.port}" if host is None else host
        lines = [first, f"Host: {named}", ": ".join(self.served.bearer), *more]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def talk(self, sent: bytes) -> bytes:
        """Everything that comes back until the server closes the connection."""
        with self.connected() as wire:
            wire.sendall(sent)
            return rest_of(wire)

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT_S)


def rest_of(wire: socket.socket) -> bytes:
    came = b""
    while part := wire.recv(65536):
        came += part
    return came


def answers_in(came: bytes) -> list[tuple[int, str]]:
    """The status of each answer, and its error's code."""
    found: list[tuple[int, str]] = []
    while came:
        head, _, came = came.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines)
        assert "server" not in headers
        if headers.get("transfer-encoding") == "chunked":
            body, _, came = came.partition(b"0\r\n\r\n")
            found.append((int(first.split()[1]), ""))
            continue
        length = int(headers["content-length"])
        body, came = came[:length], came[length:]
        found.append((int(first.split()[1]), json.loads(body)["error"]["kind"]))
    return found


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        served = Guarded(tmp_path, port=port)
        server = server_of(served.app)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        try:
            yield Wire(served, port)
        finally:
            server.should_exit = True
            thread.join(WAIT_S)
    assert not thread.is_alive()


CLOSE = "Connection: close"


def test_a_plain_request_is_answered_and_so_are_two_in_one_go(wire: Wire) -> None:
    one = wire.head("GET /need/read HTTP/1.1")
    two = wire.head("POST /x HTTP/1.1", "Content-Length: 2", CLOSE) + b"{}"
    assert answers_in(wire.talk(one + two)) == [(200, ""), (200, "")]


@pytest.mark.parametrize(
    "more",
    [
        ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Content-Length: 5"),
        ("Content-Length: 0", "Content-Length: 5"),
        ("Content-Length: 0, 5",),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
        ("Transfer-Encoding: identity, chunked",),
        ("Transfer-Encoding : chunked",),
        ("Transfer-Encoding:\x0bchunked",),
        ("Content-Length: +5",),
        ("Content-Length: 5\x00",),
        ("X: y\r\n folded: z", "Content-Length: 5", "Transfer-Encoding: chunked"),
    ],
)
def test_a_request_that_is_hidden_in_another_is_never_answered(wire: Wire, more: tuple[str, ...]) -> None:
    hidden = wire.head("GET /need/read HTTP/1.1", CLOSE)
    answers = answers_in(wire.talk(wire.head("POST /x HTTP/1.1", *more) + b"0\r\n\r\n" + hidden))
    assert [status in (400, 501) for status, _ in answers] == [True]


@pytest.mark.parametrize(
    ("first", "status"),
    [
        ("GET http://evil.example/need/read HTTP/1.1", 400),
        ("GET //evil.example/need/read HTTP/1.1", 400),
        ("GET /need/../need/read HTTP/1.1", 400),
        ("GET /need/%2e%2e/read HTTP/1.1", 400),
        ("GET /need/read\x00 HTTP/1.1", 400),
        ("GET /need/r\xe9ad HTTP/1.1", 400),
        ("GET  /need/read HTTP/1.1", 400),
        ("GET /need/read", 400),
        ("GET /need/read HTTP/9.9", 505),
        ("CONNECT evil.example:443 HTTP/1.1", 405),
        ("OPTIONS * HTTP/1.1", 405),
        ("\x16\x03\x01\x02\x00\x01", 400),
    ],
)
def test_a_first_line_that_is_odd_is_refused_and_the_connection_closed(
    wire: Wire, first: str, status: int
) -> None:
    ((found, _),) = answers_in(wire.talk(wire.head(first)))
    assert found == status


def test_two_hosts_or_none_are_refused(wire: Wire) -> None:
    assert answers_in(wire.talk(wire.head("GET /x HTTP/1.1", "Host: evil.example")))[0][0] == 400
    bare = f"GET /x HTTP/1.0\r\n{': '.join(wire.served.bearer)}\r\n\r\n".encode()
    assert answers_in(wire.talk(bare)) == [(421, "wrong_host")]
    for host in ("evil.example", f"localhost:{wire.port + 1}"):
        assert answers_in(wire.talk(wire.head("GET /x HTTP/1.1", host=host))) == [(421, "wrong_host")]


def test_a_head_without_end_and_a_body_without_end_are_cut_off(wire: Wire) -> None:
    endless = wire.head("GET /x HTTP/1.1")[:-2] + b"X: " + b"y" * (1 << 16)
    assert answers_in(wire.talk(endless))[0][0] in (400, 431)
    chunks = (b"400\r\n" + b"x" * 1024 + b"\r\n") * 16
    head = wire.head("POST /x HTTP/1.1", "Transfer-Encoding: chunked")
    assert answers_in(wire.talk(head + chunks)) == [(413, "too_large")]
    announced = wire.head("POST /x HTTP/1.1", "Content-Length: 999999999999")
    assert answers_in(wire.talk(announced)) == [(413, "too_large")]


def test_a_body_that_does_not_come_ends_the_connection(wire: Wire) -> None:
    slow = wire.head("POST /x HTTP/1.1", "Content-Length: 100") + b"x"
    assert answers_in(wire.talk(slow)) == [(408, "too_slow")]


@pytest.mark.parametrize("first", ["TRACE / HTTP/1.1", "POST /nobody HTTP/1.1"])
def test_who_is_refused_while_it_sends_still_gets_the_answer(wire: Wire, first: str) -> None:
    """Without reading on, the system resets the connection, and the answer that has arrived is lost."""
    head = wire.head(first, "Content-Length: 400000").replace(b"Bearer ", b"Bearer not")
    with wire.connected() as client:
        client.sendall(head)
        client.recv(1, socket.MSG_PEEK)  # the refusal is there, and nothing of the body was sent
        for _ in range(4):
            client.sendall(b"a" * 100_000)
        ((status, kind),) = answers_in(rest_of(client))
    assert (status, kind) in ((405, "bad_method"), (401, "bad_credentials"))


def test_who_sends_on_for_ever_is_cut_off(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_UNREAD", 1 << 20)
    with wire.connected() as client:
        client.sendall(wire.head("TRACE / HTTP/1.1", "Content-Length: 999999999"))
        client.recv(1, socket.MSG_PEEK)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            while True:
                client.sendall(b"a" * 65_536)


@pytest.mark.parametrize("sent", [b"", b"GET /x HTT", b"GET /x HTTP/1.1\r\nHost: "])
def test_a_head_that_does_not_come_ends_the_connection(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connection, "HEAD_S", 0.2)
    assert wire.talk(sent) == b""
    assert answers_in(wire.talk(wire.head("GET /x HTTP/1.1", CLOSE))) == [(200, "")]


def test_a_second_head_that_does_not_come_ends_the_connection_too(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEAD_S", 0.2)
    assert answers_in(wire.talk(wire.head("GET /x HTTP/1.1") + b"GET /x")) == [(200, "")]


def test_who_goes_away_in_the_middle_leaves_the_server_as_it_was(wire: Wire) -> None:
    body = wire.head("POST /x HTTP/1.1", "Content-Length: 100") + b"x"
    for sent in (body, b"GET /x", wire.head("GET /x HTTP/1.1")):
        with wire.connected() as leaving:
            leaving.sendall(sent)
    assert answers_in(wire.talk(wire.head("GET /x HTTP/1.1", CLOSE))) == [(200, "")]


def test_a_part_of_an_answer_goes_out_at_once_and_who_goes_away_is_noticed(wire: Wire) -> None:
    LEFT.clear()
    with wire.connected() as leaving:
        leaving.sendall(wire.head("POST /stream HTTP/1.1", "Content-Length: 2") + b"{}")
        came = b""
        while b"first" not in came:
            came += leaving.recv(65536)
        assert not LEFT.is_set()
    assert LEFT.wait(WAIT_S)


def test_an_answer_that_breaks_off_ends_the_connection(wire: Wire) -> None:
    came = wire.talk(wire.head("GET /breaks HTTP/1.1"))
    assert b"aubergine" not in came
    assert not came.endswith(b"0\r\n\r\n"), "a client can see that it is not whole"


def test_no_web_socket_is_opened_at_a_path_that_has_none(wire: Wire) -> None:
    upgrade = (
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    came = wire.talk(wire.head("GET /x HTTP/1.1", "Connection: upgrade, close", *upgrade))
    assert answers_in(came) == [(404, "not_found")]


@pytest.mark.parametrize("address", ["0.0.0.0:80", "example.org:80", "127.0.0.1:", "127.0.0.1:0", "x", "::1"])
def test_an_address_is_one_of_this_machine(address: str) -> None:
    with pytest.raises(BadArgument, match="this machine"):
        parse_address(address)
    assert parse_address("8767") == ("127.0.0.1", 8767)
    assert parse_address("[::1]:8767") == ("::1", 8767)
