"""A server of the HTTP interface on a loopback port, and what tests ask it with."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from starlette.types import ASGIApp

from gaia_email.interfaces.http.listening import server_of

Json = dict[str, Any]
MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.interfaces.cli import main; main()"


@contextmanager
def free_port() -> Generator[tuple[socket.socket, int]]:
    """A socket that listens on a loopback port, and the port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening, int(listening.getsockname()[1])


@contextmanager
def served_at(application: ASGIApp, listening: socket.socket) -> Generator[str]:
    """The address of the application while it is served."""
    server = server_of(application)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server does not stop"


@contextmanager
def serving(*options: str) -> Generator[subprocess.Popen[str]]:
    """`gaia email serve` as a process of its own, until it is told to end."""
    command = [sys.executable, "-c", MAIN, "email", "serve", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            assert server.stderr.readline().startswith("Serving your mail at")
            yield server
        finally:
            server.terminate()
            server.communicate(timeout=20)


@dataclass(slots=True)
class Caller:
    """Somebody who asks a server."""

    client: httpx2.Client

    def answer(self, method: str, path: str, body: object = None, **more: Any) -> httpx2.Response:
        """The response to a request with a JSON body."""
        return self.client.request(method, path, json=body, **more)

    def ok(self, method: str, path: str, body: object = None, **more: Any) -> Json:
        """The document that is answered."""
        response = self.answer(method, path, body, **more)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def refused(self, status: int, method: str, path: str, body: object = None, **more: Any) -> Json:
        """What is wrong, in the one shape of errors."""
        response = self.answer(method, path, body, **more)
        assert response.status_code == status, response.text
        error: Json = response.json()["error"]
        assert error["message"]
        return error

    def stream(self, method: str, path: str, body: object = None, **more: Any) -> Iterator[Json]:
        """The events of a stream, each with its `id` and `event` where they are told."""
        with self.client.stream(method, path, json=body, **more) as response:
            assert response.status_code == 200, response.read()
            assert response.headers["content-type"].startswith("text/event-stream")
            yield from events(response.iter_lines())


def events(lines: Iterator[str]) -> Iterator[Json]:
    """Server-sent events (WHATWG HTML 9.2.6), read by the letter."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif fields:
            data = fields.get("data", "")
            read: Json = json.loads(data) if data.startswith("{") else {"text": data}
            yield {
                **({"id": fields["id"]} if "id" in fields else {}),
                **read,
                "event": fields.get("event", ""),
            }
            fields = {}
