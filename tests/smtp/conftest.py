"""A real SMTP server on this machine, for what is sent to it and what it refuses."""

from __future__ import annotations

import asyncio
import base64
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from gaia_email_registry.providers import Endpoint, Security
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from tests.certificates import make_certificate

USER, PASSWORD = "ida@example.org", "päss wörd"


class Post:
    """What arrived, and what to refuse: a reply by address, by command, or for the whole message."""

    def __init__(self) -> None:
        self.arrived: list[Envelope] = []
        self.options: list[list[str]] = []
        self.logins: list[str] = []
        self.refuse: dict[str, str] = {}
        self.answer = "250 OK"
        self.hang_up = False

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse:
            return self.refuse[address]
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        self.options.append(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse:
            return self.refuse[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.hang_up:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        if self.answer.startswith("250"):
            self.arrived.append(envelope)
        return self.answer

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        given = base64.b64decode(args[1])
        if given == f"user={USER}\1auth=Bearer fresh\1\1".encode():
            self.logins.append("XOAUTH2")
            return AuthResult(success=True)
        await server.push("334 eyJzdGF0dXMiOiI0MDEifQ==")
        assert server._reader is not None  # pyright: ignore[reportPrivateUsage]
        assert await server._reader.readline() == b"\r\n"  # pyright: ignore[reportPrivateUsage]
        return AuthResult(success=False, handled=False)

    def check(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, auth_data: object
    ) -> AuthResult:
        assert isinstance(auth_data, LoginPassword)
        good = (auth_data.login, auth_data.password) == (USER.encode(), PASSWORD.encode())
        self.logins.append(mechanism if good else "refused")
        return AuthResult(success=good, handled=False)


Serve = Callable[..., Endpoint]
Sender = Callable[..., SmtpSender]


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def serve(post: Post, certificate: Path) -> Iterator[Serve]:
    """Starts a server; `security` as in the settings, the rest goes to aiosmtpd."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    servers: list[asyncio.Server] = []

    def start(security: Security = "none", **options: Any) -> Endpoint:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        options = {"auth_require_tls": False, "authenticator": post.check, "enable_SMTPUTF8": True, **options}
        if security == "starttls":
            options["tls_context"] = context

        async def listen() -> asyncio.Server:
            return await loop.create_server(
                lambda: SMTP(post, loop=loop, **options),
                "127.0.0.1",
                0,
                ssl=context if security == "tls" else None,
            )

        server = asyncio.run_coroutine_threadsafe(listen(), loop).result(10)
        servers.append(server)
        return Endpoint("127.0.0.1", server.sockets[0].getsockname()[1], security)

    yield start

    async def stop() -> None:
        for server in servers:
            server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(stop(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


@pytest.fixture
def sender() -> Sender:
    def make(
        endpoint: Endpoint,
        *,
        secret: str = PASSWORD,
        auth: Literal["password", "xoauth2", "oauthbearer"] = "password",
        certificates: Path | None = None,
        timeout_s: float = 5,
    ) -> SmtpSender:
        settings = SmtpSettings(
            endpoint=endpoint,
            user=USER,
            secret=lambda: secret,
            auth=auth,
            certificates=certificates,
            timeout_s=timeout_s,
        )
        return SmtpSender(settings)

    return make


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's self-made certificate for this machine, with its key."""
    return make_certificate(tmp_path_factory.mktemp("tls") / "server.pem")


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that no server here has."""
    return make_certificate(tmp_path_factory.mktemp("tls") / "stranger.pem")
