"""The control protocol's stream on a Unix socket: who reaches it, and what is delivered over it."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, unix_connect

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.listening import server_of
from gaia_email.interfaces.http.serving import ListeningServer, ServeOptions
from gaia_email_control.service import grant_agent, opened_control
from tests.plugins.control.brokering import conversation, message
from tests.plugins.control.test_http import BASE, Json, ask, here, subscribe, told


@pytest.fixture
def socket_path(demo: tuple[App, SourceSpec], tmp_path: Path) -> Iterator[Path]:
    app, source = demo
    path = tmp_path / "gaia"
    listening = ListeningServer(app, app.environ, ServeOptions(socket=str(path)), source)
    server = server_of(listening.asgi)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening.listening]}, daemon=True)
    thread.start()
    try:
        yield path
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server does not stop"


@contextmanager
def stream(path: Path, key: str) -> Generator[tuple[ClientConnection, Json]]:
    with unix_connect(str(path), uri=f"ws://localhost{BASE}/stream") as socket:
        socket.send(json.dumps({"dialect": "0.1", "token": key}))
        yield socket, told(socket)


def test_an_agent_is_told_and_delivered_to_over_the_socket(
    socket_path: Path, demo: tuple[App, SourceSpec]
) -> None:
    app, _ = demo
    _, key = grant_agent(app, "ann", (), by="tests")
    with stream(socket_path, key) as (ann, about):
        endpoint = {
            "id": "e1",
            "agentId": "ann",
            "nodeId": about["nodeId"],
            "harness": "worker",
            "transport": "local_socket",
            "state": "active",
        }
        assert ask(ann, {"kind": "agent.endpoint.upsert", "endpoint": endpoint})["result"]["isNew"]
        talk = here(conversation("plans", "ann", "owner"), about["nodeId"])
        assert ask(ann, talk)["result"]["isNew"]
        assert "result" in subscribe(ann, "ann", transport="local_socket", conversationIds=["plans"])
        with opened_control(app) as service:
            service.broker.execute(here(message("m1", "plans", "owner"), about["nodeId"]), service.person())
        event = told(ann)["event"]
        assert (event["kind"], event["payload"]["message"]["id"]) == ("message.posted", "m1")
        subscribe(ann, "ann", 0, eventKinds=["delivery.attempted"], transport="local_socket")
        attempt = told(ann)["event"]["payload"]["attempt"]
        assert (attempt["deliveryId"], attempt["status"]) == ("m1:ann:local_socket", "sent")


def test_only_its_owner_reaches_the_socket_and_a_key_is_still_needed(socket_path: Path) -> None:
    assert stat.S_IMODE(socket_path.stat().st_mode) == 0o600
    with stream(socket_path, "gaia-agent_00000000_x") as (nobody, said):
        assert said["error"]["kind"] == "bad_credentials"
        with pytest.raises(ConnectionClosed):
            nobody.recv(timeout=10)
    with (
        pytest.raises(InvalidStatus) as caught,
        unix_connect(str(socket_path), uri=f"ws://evil.example{BASE}/stream"),
    ):
        pass
    assert caught.value.response.status_code == 421
