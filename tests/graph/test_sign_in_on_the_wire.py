"""Microsoft's library over our own HTTP client, TLS and a proxy: a sign-in, a fresh token, and their rows of egress."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest

from gaia_graph_mcp.login import MsalTokens
from gaia_graph_mcp.sign_in import SignInRequest, sign_in
from tests.certificates import make_certificate
from tests.egress.conftest import Rows
from tests.egress.conftest import rows as rows
from tests.egress.recording_proxy import RecordingProxy
from tests.graph.emulator.identity import CLIENT, Identity, Reply
from tests.graph.test_sign_in import kept
from tests.models.in_thread import listening
from tests.models.model_server import Answer, Asked, ModelServer

HOST = "login.microsoftonline.com"
CONNECTED = b"HTTP/1.1 200 OK\r\n\r\n"


def served(identity: Identity) -> ModelServer:
    """The sign-in as pages of a web server."""

    def answered(reply: Reply) -> Answer:
        return Answer(status=reply.status_code, raw=reply.text.encode())

    def described(asked: Asked) -> Answer:
        return answered(identity.get(f"https://{HOST}{asked.path}"))

    def granted(asked: Asked) -> Answer:
        return answered(identity.post(f"https://{HOST}{asked.path}", data=asked.body.decode()))

    return ModelServer(
        pages={
            "/common/v2.0/.well-known/openid-configuration": described,
            "/common/oauth2/v2.0/devicecode": granted,
            "/common/oauth2/v2.0/token": granted,
        }
    )


def test_a_sign_in_and_a_fresh_token_go_over_the_wire_and_are_written_down(
    rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = Identity()
    certificate = make_certificate(tmp_path / "microsoft.pem", HOST)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with (
        listening(served(identity)) as server,
        RecordingProxy(server.address.port, tls) as inside,
        RecordingProxy(None, elsewhere={443: inside.port}) as between,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{between.port}")
        login = asyncio.run(sign_in(SignInRequest(client_id=CLIENT, device_code=True), lambda line: None))
        assert login.address == "me@example.org"
        tokens = MsalTokens(kept(login, tmp_path))
        first = asyncio.run(tokens.access())
        tokens.distrust(first)
        assert asyncio.run(tokens.access()) != first
    assert identity.asked[-1] == "refresh_token"
    found = rows()
    assert {(row.host, row.port, row.why, row.via, row.open) for row in found} == {
        (HOST, 443, "sign-in", f"127.0.0.1:{between.port}", False)
    }
    assert {row.account for row in found} == {"", "me@example.org"}
    heads = [len(one.first) for one in between.seen]
    assert sum(row.sent for row in found) == sum(sent for sent, _ in inside.totals) + sum(heads)
    assert sum(row.received for row in found) == sum(got for _, got in inside.totals) + len(CONNECTED) * len(
        heads
    )
