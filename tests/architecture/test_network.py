"""No test reaches beyond this machine: a connection to the outside is refused."""

from __future__ import annotations

import socket

import pytest


def test_a_connection_to_the_outside_is_refused() -> None:
    with socket.socket() as outside, pytest.raises(AssertionError, match="tried to connect"):
        outside.connect(("192.0.2.1", 80))


def test_a_connection_on_this_machine_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
