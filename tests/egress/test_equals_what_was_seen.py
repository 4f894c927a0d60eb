"""The egress ledger says what a recording proxy saw: every connection, to the byte, within TLS or without."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from gaia_email.app.accounts.certificates import check_certificate
from gaia_email.mailbox.tool_calls import open_session
from gaia_email.models.address import read_address
from gaia_email.models.guard import LocalTransport
from gaia_email_registry.egress.http import open_client
from gaia_email_registry.egress.rows import EgressRow, Why
from gaia_email_registry.errors import MailError
from gaia_email_registry.providers import Endpoint, Security
from gaia_email_registry.servers import HttpServer
from gaia_graph_mcp.login import msal_http
from gaia_imap_mcp.protocol.connection import connect
from gaia_imap_mcp.settings import ImapSettings, LoginSecret
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.web.http import HttpClient
from tests.egress.conftest import Rows
from tests.egress.recording_proxy import RecordingProxy
from tests.models.in_thread import listening
from tests.models.model_server import ModelServer
from tests.one_click.support import Server
from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.scripted_imap import Script, ScriptedImap
from tools.mail_servers.smtp_sink import SmtpSink

ME = "me@example.org"

Shown = Callable[[Security], ssl.SSLContext | None]


@pytest.fixture
def shown(tls: ssl.SSLContext) -> Shown:
    """What a proxy shows for that security."""
    return lambda security: tls if security == "tls" else None


def agree(rows: list[EgressRow], proxy: RecordingProxy, why: Why, account: str = "") -> None:
    """The rows are those of the connections that the proxy saw."""
    assert sorted((row.sent, row.received) for row in rows) == proxy.totals
    assert min(proxy.totals)[0] > 0
    for row in rows:
        assert (row.host, row.port, row.why, row.account) == ("127.0.0.1", proxy.port, why, account)
        assert not row.open and row.program == "test" and not row.via


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_imap(rows: Rows, tls: ssl.SSLContext, security: Security) -> None:
    script = Script(capabilities=("IMAP4rev1", "STARTTLS"))
    with (
        ScriptedImap(script) as server,
        RecordingProxy(
            server.port, None if security == "none" else tls, late=security == "starttls"
        ) as proxy,
    ):
        settings = ImapSettings(
            host="127.0.0.1",
            port=proxy.port,
            security=security,
            user="me",
            account="me@example.org",
            secret=lambda fresh: LoginSecret(value=PASSWORD),
        )
        for folder in ("INBOX", "Sent"):
            connection = connect(settings)
            connection.append(folder, b"Subject: Roof\r\n\r\n" + b"It leaks.\r\n" * 9_000)
            connection.select(folder)
            connection.abort()
    agree(rows(), proxy, "mail", "me@example.org")
    assert min(proxy.totals)[0] > 90_000


def test_imap_with_a_login_that_is_refused(rows: Rows) -> None:
    with ScriptedImap() as server, RecordingProxy(server.port) as proxy:
        settings = ImapSettings(
            host="127.0.0.1",
            port=proxy.port,
            security="none",
            user="me",
            secret=lambda fresh: LoginSecret(value="wrong"),
        )
        with pytest.raises(MailError):
            connect(settings)
    agree(rows(), proxy, "mail", "me")


@pytest.mark.parametrize("security", ["tls", "none"])
def test_smtp(rows: Rows, shown: Shown, security: Security) -> None:
    raw = b"Subject: Roof\r\n\r\n" + b".It leaks.\r\n" * 9_000
    with SmtpSink() as server, RecordingProxy(server.port, shown(security)) as proxy:
        endpoint = Endpoint("127.0.0.1", proxy.port, security)
        sender = SmtpSender(SmtpSettings(endpoint=endpoint, user="me@example.org", secret=lambda: PASSWORD))
        sender.check()
        sender.send(Delivery(sender="me@example.org", recipients=("ann@example.org",), raw=raw))
    assert len(server.received) == 1
    agree(rows(), proxy, "send", "me@example.org")
    assert max(proxy.totals)[0] > len(raw)


@pytest.mark.parametrize("security", ["tls", "none"])
def test_what_a_web_provider_is_asked_and_where_its_tokens_come_from(
    rows: Rows, shown: Shown, security: Security, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    pages = ModelServer(pages={"/mail": {"text": "x" * 70_000}, "/token": {"token": "x"}})
    with (
        listening(pages) as server,
        RecordingProxy(server.address.port, shown(security)) as mail,
        RecordingProxy(server.address.port, shown(security)) as login,
    ):
        web = "https" if security == "tls" else "http"

        async def asked() -> None:
            http, other = HttpClient("Example", account=ME), HttpClient("Other", account=ME)
            url = f"{web}://127.0.0.1:{mail.port}/mail"
            statuses = [
                (await http.send("POST", url, {}, b"y" * 200_000)).status,
                (await http.send("GET", url, {}, None)).status,
                (await other.send("POST", url, {}, b"z" * 100_000)).status,
                (await http.post_form(f"{web}://127.0.0.1:{login.port}/token", b"grant_type=x")).status,
            ]
            await http.aclose()
            await other.aclose()
            assert statuses == [200] * 4

        asyncio.run(asked())
    found = rows()
    agree([row for row in found if row.why == "mail"], mail, "mail", "me@example.org")
    agree([row for row in found if row.why == "sign-in"], login, "sign-in", "me@example.org")
    assert len(found) == 3


def test_through_the_proxy_of_the_environment_the_row_names_the_server_that_is_meant(
    rows: Rows, tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    pages = ModelServer(pages={"/mail": {"text": "x" * 70_000}})
    with (
        listening(pages) as server,
        RecordingProxy(server.address.port, tls) as inside,
        RecordingProxy(None) as between,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{between.port}")

        async def asked() -> None:
            http = HttpClient("Example")
            await http.send("GET", f"https://127.0.0.1:{inside.port}/mail", {}, None)
            await http.aclose()

        asyncio.run(asked())
    (row,) = rows()
    (tunnelled,), (encrypted,) = inside.seen, between.seen
    assert (row.host, row.port, row.via) == ("127.0.0.1", inside.port, f"127.0.0.1:{between.port}")
    head = encrypted.first
    assert row.sent == tunnelled.sent + len(head)
    assert row.received == tunnelled.received + len(b"HTTP/1.1 200 OK\r\n\r\n")


@pytest.mark.parametrize("direct", ["127.0.0.1", "127.0.0.0/8", "*"])
def test_a_host_that_needs_no_proxy_is_asked_itself(
    rows: Rows, monkeypatch: pytest.MonkeyPatch, direct: str
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", direct)
    with (
        listening(ModelServer(pages={"/mail": {}})) as server,
        RecordingProxy(server.address.port) as proxy,
    ):

        async def asked() -> None:
            async with open_client("mail") as http:
                await http.get(f"http://127.0.0.1:{proxy.port}/mail")

        asyncio.run(asked())
    agree(rows(), proxy, "mail")


def test_what_msal_asks_microsoft(rows: Rows) -> None:
    pages = ModelServer(pages={"/token": {"access_token": "x"}})
    with listening(pages) as server, RecordingProxy(server.address.port) as proxy:
        with msal_http(account="me@example.org") as http:
            url = f"http://127.0.0.1:{proxy.port}/token"
            got = http.get(url, headers={"x": "y"})
            posted = http.post(url, params=None, headers={"x": "y"}, data={"grant_type": "refresh_token"})
        assert got.status_code == posted.status_code == 200 and "access_token" in posted.text
        assert server.asked[1].body == b"grant_type=refresh_token"
    agree(rows(), proxy, "sign-in", "me@example.org")


def test_a_model_server_of_this_machine(rows: Rows) -> None:
    pages = ModelServer(pages={"/v1/models": {"data": []}})
    with listening(pages) as server, RecordingProxy(server.address.port) as proxy:

        async def asked() -> None:
            address = read_address(f"http://127.0.0.1:{proxy.port}/v1")
            async with httpx2.AsyncClient(transport=LocalTransport(address)) as http:
                await http.get(f"{address.base_url}models")
                await http.post(f"{address.base_url}models", json={"x": "y" * 50_000})

        asyncio.run(asked())
    agree(rows(), proxy, "model")
    assert proxy.totals[0][0] > 50_000


def test_a_tool_server_that_is_none(rows: Rows) -> None:
    with listening(ModelServer()) as server, RecordingProxy(server.address.port) as proxy:

        async def asked() -> None:
            async with open_session(HttpServer(url=f"http://127.0.0.1:{proxy.port}/mcp", token="secret")):
                raise AssertionError("it speaks no MCP")

        with pytest.raises(MailError):
            asyncio.run(asked())
    agree(rows(), proxy, "tools")


def test_leaving_a_mailing_list(rows: Rows) -> None:
    server = Server()
    server.leave(
        "Authentication-Results: mx.google.com; dkim=pass header.d=shop.example header.s=a\n"
        "DKIM-Signature: v=1; d=shop.example; h=from:list-unsubscribe:list-unsubscribe-post; s=a; b=x\n"
        "From: Shop <news@shop.example>\n"
        "List-Unsubscribe: <https://shop.example/leave?token=secret>\n"
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\nNews\n"
    )
    (row,) = rows()
    assert (row.host, row.port, row.why, row.open) == ("shop.example", 443, "unsubscribe", False)
    assert (row.sent, row.received) == (len(server.asked[0]), len(server.answer))


def test_a_look_at_a_certificate(rows: Rows, tls: ssl.SSLContext, certificate: Path) -> None:
    with RecordingProxy(1, tls) as proxy:
        trusting = ssl.create_default_context(cafile=str(certificate))
        assert check_certificate(Endpoint("127.0.0.1", proxy.port, "tls"), trusting).ok is False
    (row,) = rows()
    assert (row.host, row.port, row.why) == ("127.0.0.1", proxy.port, "check")
    assert (row.sent, row.received) == (0, 0)


def test_a_server_that_is_refused_for_its_certificate_has_a_row_too(rows: Rows, tls: ssl.SSLContext) -> None:
    with RecordingProxy(1, tls) as proxy:
        http = HttpClient("Example")
        with pytest.raises(MailError):
            asyncio.run(http.send("GET", f"https://127.0.0.1:{proxy.port}/", {}, None))
    (row,) = rows()
    assert (row.port, row.sent, row.open) == (proxy.port, 0, False)
