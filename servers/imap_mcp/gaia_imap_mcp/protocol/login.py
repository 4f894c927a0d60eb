"""Opens a connection and logs in. Entry: `log_in`.

imapclient handles the greeting, TLS, STARTTLS, passwords and OAuth; its exceptions become `MailError`s here.
"""

from __future__ import annotations

import base64
import imaplib
import re
import socket
import ssl
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

import imapclient  # pyright: ignore[reportMissingTypeStubs]
from imapclient.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
)
from typing_extensions import Buffer

from gaia_email_registry.egress.flow import Flow, start_flow
from gaia_email_registry.errors import BadArgument, NeedsAuth, ProviderError
from gaia_email_registry.providers import is_loopback
from gaia_imap_mcp.protocol.bounds import BEFORE_LOGIN
from gaia_imap_mcp.protocol.errors import ConnectionDropped, translate_errors
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.settings import ImapSettings, LoginSecret

_BUSY = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[CONTACTADMIN]")
_LIVELINESS = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 20_000}
"""Keepalive: seconds of silence before the first probe, seconds between probes, number of probes.

The last value is the milliseconds for which sent data may stay unacknowledged.
"""

_CODE = re.compile(r"\[[A-Z-]+\] *")


class _Bounded(imaplib.IMAP4):
    """The connection below imapclient. It reads with `SocketStream`, because imaplib accepts any announced size.

    With `tls`, the connection starts with TLS; without, it may switch to TLS later by STARTTLS.
    """

    _encoding: str

    def __init__(self, settings: ImapSettings, tls: ssl.SSLContext | None) -> None:
        host, port = settings.endpoint
        self._settings, self._tls = settings, tls
        self._stream: SocketStream | None = None
        self._flow: Flow | None = None
        super().__init__(host, port, timeout=settings.connect_timeout_s)
        self._encoding = "utf-8"

    @property
    def stream(self) -> SocketStream:
        """The reader of the current socket; bytes read before TLS started are dropped."""
        if self._stream is None or self._stream.socket is not self.sock:
            self._stream = SocketStream(
                self.sock, endpoint=self._settings.host, bounds=BEFORE_LOGIN, flow=self._flow
            )
        return self._stream

    def read(self, size: int) -> bytes:
        return self.stream.read(size)

    def readline(self) -> bytes:
        return self.stream.readline()

    def send(self, data: Buffer) -> None:
        if self._flow is not None:
            self._flow.count_sent(memoryview(data).nbytes)
        super().send(data)

    def shutdown(self) -> None:
        try:
            super().shutdown()
        finally:
            if self._flow is not None:
                self._flow.close()

    def _create_socket(self, timeout: float | None) -> socket.socket:
        connected = socket.create_connection(self._settings.endpoint, timeout)
        self._flow = flow = start_flow(*self._settings.endpoint, "mail", self._settings.address)
        if self._tls is None:
            return connected
        try:
            return self._tls.wrap_socket(connected, server_hostname=self._settings.host)
        except BaseException:
            flow.close()
            raise


class _Client(Protocol):
    """The parts of imapclient that are used here; it has no types of its own."""

    _imap: _Bounded

    def socket(self) -> socket.socket: ...
    def shutdown(self) -> None: ...
    def starttls(self, ssl_context: ssl.SSLContext | None) -> object: ...
    def has_capability(self, capability: str) -> bool: ...
    def login(self, username: str, password: str) -> object: ...
    def plain_login(self, identity: str, password: str) -> object: ...
    def oauth2_login(self, user: str, access_token: str) -> object: ...
    def oauthbearer_login(self, identity: str, access_token: str) -> object: ...


def log_in(settings: ImapSettings) -> SocketStream:
    """Connect and log in; return the connection's stream.

    Raises:
        NeedsAuth: The server does not accept the login, even with a renewed token.
        ConnectionDropped: The server cannot be reached, or accepts no logins at the moment.
        ProviderError: The certificate is not valid, or the server has no STARTTLS.
    """
    secret = settings.secret(False)
    try:
        return _attempt(settings, secret)
    except NeedsAuth:
        if secret.kind == "password":
            raise
    return _attempt(settings, settings.secret(True))


def tls_context(settings: ImapSettings) -> ssl.SSLContext:
    """Return Python's default TLS context, which checks certificates and host names.

    A server on this machine may use a self-signed certificate, as Proton Bridge does, unless authorities are set.
    """
    if settings.certificates is None:
        context = ssl.create_default_context()
        if is_loopback(settings.host):
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context
    try:
        return ssl.create_default_context(cafile=str(settings.certificates))
    except OSError as error:
        raise BadArgument(
            f"The certificate file {settings.certificates} cannot be read.", argument="certificates"
        ) from error


def _attempt(settings: ImapSettings, secret: LoginSecret) -> SocketStream:
    client = _connect(settings)
    try:
        with translate_errors(_endpoint(settings)), _understood(settings):
            _authenticate(client, settings, secret)
            client.socket().settimeout(settings.command_timeout_s)
        return client._imap.stream  # pyright: ignore[reportPrivateUsage]
    except BaseException:
        _discard(client)
        raise


def _connect(settings: ImapSettings) -> _Client:
    tls = tls_context(settings) if settings.security != "none" else None
    first = tls if settings.security == "tls" else None

    class Client(imapclient.IMAPClient):  # type: ignore[misc]
        def _create_IMAP4(self) -> _Bounded:  # pyright: ignore[reportIncompatibleMethodOverride]
            return _Bounded(settings, first)

    with translate_errors(_endpoint(settings), begun=False), _understood(settings):
        try:
            client: _Client = Client(  # pyright: ignore[reportAssignmentType]
                settings.host,
                ssl=first is not None,
                timeout=settings.connect_timeout_s,  # pyright: ignore[reportArgumentType]
            )
        except IMAPClientError as error:
            raise ConnectionDropped(
                f"{_endpoint(settings)} does not greet as a mail server does: {_said(error)}"
            ) from error
        # Otherwise imapclient logs every line, which halves the speed.
        client._imap.debug = 0  # pyright: ignore[reportPrivateUsage]
        if settings.security == "starttls":
            _start_tls(client, settings.host, tls)
        _watch_over(client.socket())
        return client


def _watch_over(connected: socket.socket) -> None:
    """Have the system detect a peer that vanished: within a minute, or sooner if data is unacknowledged.

    A slow server that is alive acknowledges data, so it is not cut off.
    """
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _LIVELINESS.items():
        option = getattr(socket, name, None)
        if option is not None:  # not every system has all of them
            connected.setsockopt(socket.IPPROTO_TCP, option, value)


def _start_tls(client: _Client, host: str, context: ssl.SSLContext | None) -> None:
    try:
        client.starttls(context)
    except IMAPClientError as error:
        _discard(client)
        raise ProviderError(
            f"{host} does not offer STARTTLS on this port, so the password was not sent; use security tls."
        ) from error
    except BaseException:
        _discard(client)
        raise


def _authenticate(client: _Client, settings: ImapSettings, secret: LoginSecret) -> None:
    try:
        if secret.kind == "xoauth2":
            client.oauth2_login(settings.user, secret.value)
        elif secret.kind == "oauthbearer":
            client.oauthbearer_login(settings.user, secret.value)
        elif client.has_capability("AUTH=PLAIN") and (
            not secret.value.isascii()
            or not settings.user.isascii()
            or client.has_capability("LOGINDISABLED")
        ):
            client.plain_login(settings.user, secret.value)
        else:
            client.login(_quote(settings.user), secret.value)
    except IMAPClientError as error:
        said = _said(error, settings.user, secret.value)
        if isinstance(error.__context__, IMAPClientAbortError) or not isinstance(error, LoginError):
            raise ConnectionDropped(f"{settings.host} broke off the login: {said}") from None
        if any(code in said.upper() for code in _BUSY):
            raise ConnectionDropped(
                f"{settings.host} accepts no logins at the moment: {_CODE.sub('', said)}"
            ) from None
        is_password = secret.kind == "password"
        what = f"the {'password' if is_password else 'login'} of {settings.user}"
        renewal = "" if is_password else ", which has to be renewed"
        raise NeedsAuth(
            f"{settings.host} does not accept {what}{renewal}: {_CODE.sub('', said)}",
            hint="gaia email connect asks for the password again.",
        ) from None


@contextmanager
def _understood(settings: ImapSettings) -> Generator[None]:
    """Turn imaplib's exceptions over malformed answers into `ConnectionDropped`."""
    try:
        yield
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise ConnectionDropped(f"{_endpoint(settings)} does not answer as a mail server does.") from error


def _quote(user: str) -> str:
    """Return the user name as a quoted string; imaplib quotes only passwords."""
    return '"' + user.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _endpoint(settings: ImapSettings) -> str:
    host, port = settings.endpoint
    return f"{host}:{port}"


def _said(error: Exception, user: str = "", secret: str = "") -> str:
    """Return the server's text, unless it repeats the credentials."""
    first = error.__context__.args[:1] if isinstance(error.__context__, IMAPClientError) else error.args[:1]
    told = first[0].decode("utf-8", "replace") if first and isinstance(first[0], bytes) else str(error)
    text = "".join(character if character.isprintable() else " " for character in told).strip()
    coded = base64.b64encode(f"\0{user}\0{secret}".encode("utf-8", "replace")).decode("ascii")
    if secret and (secret in text or coded in text):
        return "it repeated the login, which is not shown here"
    return text[:200] or "it gave no reason"


def _discard(client: _Client) -> None:
    try:
        client.shutdown()
    except (OSError, IMAPClientError):
        return
