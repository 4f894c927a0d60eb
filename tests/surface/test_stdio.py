"""The pipes of a server: what goes over them, what does not, and what becomes of the last answer."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

PROGRAM = """
import os, subprocess, sys
from tests.contract.memory import MemoryMailbox
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.run import run_server
from gaia_mail_mcp.surface.server import create_server

class Loud(MemoryMailbox):
    async def labels(self):
        print("printed")
        os.write(1, b"written")
        subprocess.run([sys.executable, "-c", "print('child', input())"], stderr=subprocess.DEVNULL)
        return await super().labels()

run_server(create_server(Loud("me@example.org")), SurfaceSettings())
"""


def request(number: int, method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


HELLO = (
    request(
        1,
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    )
    + b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)
LABELS = request(2, "tools/call", name="list_email_labels", arguments={})


def answers(output: bytes) -> dict[int, dict[str, object]]:
    """By their numbers; everything on the wire is a message."""
    messages = [json.loads(line) for line in output.splitlines()]
    return {message["id"]: message for message in messages if "id" in message}


@pytest.fixture
def server() -> Generator[subprocess.Popen[bytes], None, None]:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield process
        process.kill()


def test_what_the_program_prints_never_reaches_the_client(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(HELLO + LABELS)
    server.stdin.flush()
    lines = [server.stdout.readline(), server.stdout.readline()]
    rest, errors = server.communicate(timeout=30)
    assert set(answers(b"".join(lines) + rest)) == {1, 2}
    assert b"printed" in errors and b"written" in errors
    assert server.returncode == 0


def test_a_large_message_comes_whole_and_what_is_none_stops_nothing(server: subprocess.Popen[bytes]) -> None:
    large = request(2, "tools/call", name="search_emails", arguments={"query": "x" * 3_000_000})
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(HELLO + b"this is \xff no message\n" + large + LABELS.replace(b'"id": 2', b'"id": 3'))
    server.stdin.flush()
    found: dict[int, dict[str, object]] = {}
    while len(found) < 3:
        found |= answers(server.stdout.readline())
    server.communicate(timeout=30)
    assert "query" in json.dumps(found[2]) and "INBOX" in json.dumps(found[3])


def test_a_client_that_goes_away_ends_the_server_quietly(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin is not None and server.stdout is not None and server.stderr is not None
    server.stdin.write(HELLO)
    server.stdin.flush()
    server.stdout.readline()
    server.stdout.close()
    server.stdin.write(LABELS)
    server.stdin.close()
    errors = server.stderr.read()
    assert b"Traceback" not in errors
    assert server.wait(timeout=30) == 0


def test_sockets_serve_as_pipes() -> None:
    """As Node starts its servers."""
    (here, there), (ours, theirs) = socket.socketpair(), socket.socketpair()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=there.fileno(),
        stdout=theirs.fileno(),
        stderr=subprocess.DEVNULL,
    ) as server:
        there.close()
        theirs.close()
        here.sendall(HELLO + LABELS)
        with ours.makefile("rb") as output:
            assert set(answers(output.readline() + output.readline())) == {1, 2}
        here.close()
        assert server.wait(timeout=30) == 0
    ours.close()


def test_files_serve_too(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(HELLO)
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as target:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], stdin=source, stdout=target, stderr=subprocess.PIPE, timeout=30
        )
    assert done.returncode == 0
    assert set(answers((tmp_path / "out").read_bytes())) <= {1}
    assert os.path.getsize(tmp_path / "out") > 0
