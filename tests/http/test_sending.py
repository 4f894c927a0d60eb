"""An answer leaves at once: no part of it waits until the client has acknowledged the one before."""

from __future__ import annotations

import asyncio
import socket

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from gaia_email.interfaces.http.connection import BoundedConnection
from tests.http.serving import free_port, served_at


def test_no_write_waits_for_an_acknowledgement(monkeypatch: pytest.MonkeyPatch) -> None:
    without_delay: list[int] = []
    begin = BoundedConnection.connection_made

    def connection_made(self: BoundedConnection, transport: asyncio.Transport) -> None:
        begin(self, transport)
        connected: socket.socket = transport.get_extra_info("socket")
        without_delay.append(connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(BoundedConnection, "connection_made", connection_made)

    async def answer(request: Request) -> PlainTextResponse:
        return PlainTextResponse("here")

    application = Starlette(routes=[Route("/", answer)])
    with free_port() as (listening, _), served_at(application, listening) as url:
        assert httpx2.get(url).text == "here"
    assert without_delay and all(without_delay)
