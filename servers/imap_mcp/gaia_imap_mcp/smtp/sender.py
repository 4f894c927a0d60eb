"""Sends messages through a submission server (RFC 6409). Entry: `SmtpSender`.

Each message uses its own connection. Calls block, so run them in a worker thread. If the server refuses one
recipient, the message goes to none of them and the error names the refused address. If it is unknown whether a
message was sent, the error says so and nothing is retried.
"""

from __future__ import annotations

import base64
import re
import smtplib
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gaia_email_registry.egress.flow import Flow, start_flow
from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, ProviderError, RateLimited
from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.protocol.bounds import SMTP_REPLY
from gaia_imap_mcp.protocol.errors import ExcessiveResponse
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.smtp.settings import SmtpSettings
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.surface.options import LOOPBACK_HOSTS

ACCEPT_TIMEOUT_S = 120.0
"""Time for the server to check a message before it accepts it (RFC 5321 §4.5.3.2.6)."""

LEAVE_TIMEOUT_S = 5.0
"""Time to wait for the answer to QUIT."""

Result = TypeVar("Result")

_NAME = "[127.0.0.1]"
"""The name in EHLO; this machine's own name is neither looked up nor disclosed."""
_PIECE = 1 << 16

_LINE_END = re.compile(rb"\r\n|\r|\n")
_DOT = re.compile(rb"(?m)^\.")
_HEAD_END = re.compile(rb"\n\r?\n")
_ADDRESS = re.compile(r"[^\x00-\x20\x7f<>()\[\],;:\\\"@]+@[^\x00-\x20\x7f<>()\[\],;:\\\"@]+")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]+")
_THROTTLED = re.compile(r"\A4\.7\.\d|rate|too many|throttl", re.I)


class SmtpSender:
    """Submits messages to one server."""

    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings
        self._name = f"{settings.endpoint.host}:{settings.endpoint.port}"

    def send(self, delivery: Delivery) -> None:
        """Send the message; when this returns, the server has accepted it for every recipient.

        Raises:
            BadArgument: An address is not valid in SMTP, or the server permanently rejects it or the message.
            NeedsAuth: The server refused the login.
            RateLimited: The server asks for less mail, or for this message later.
            ProviderError: The server failed or cannot be reached; the error states if the message may have been sent.
        """
        sender = _envelope_address(delivery.sender)
        recipients = [_envelope_address(recipient) for recipient in delivery.recipients]
        raw = _LINE_END.sub(b"\r\n", delivery.raw)
        with _Session(self._settings, self._name) as session:
            session.log_in()
            session.envelope(sender, recipients, raw)
            session.data(raw)

    def check(self) -> None:
        """Test the login without sending. Raises as `send` does."""
        with _Session(self._settings, self._name) as session:
            session.log_in()


class _Replies:
    """The file from which smtplib reads replies, bounded by `SocketStream`."""

    def __init__(self, connected: socket.socket, name: str, flow: Flow | None) -> None:
        self.stream = SocketStream(connected, endpoint=name, bounds=SMTP_REPLY, flow=flow)

    def readline(self, _: int = 0) -> bytes:
        return self.stream.readline()

    def close(self) -> None:
        """Do nothing: smtplib closes the socket itself."""


class _Bounded(smtplib.SMTP):
    """`smtplib.SMTP` with bounded replies; by itself it would read endlessly many lines."""

    _host: str

    def __init__(self, endpoint: Endpoint, account: str, timeout: float) -> None:
        self._account = account
        self._flow: Flow | None = None
        try:
            super().__init__(endpoint.host, endpoint.port, local_hostname=_NAME, timeout=timeout)
        except BaseException:
            self._end()
            raise

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        connected = socket.create_connection((host, port), timeout)
        self._flow = start_flow(host, port, "send", self._account)
        return connected

    def send(self, s: Any) -> None:
        data: bytes = s.encode(self.command_encoding) if isinstance(s, str) else s
        if self._flow is not None:
            self._flow.count_sent(len(data))
        super().send(data)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._end()

    def _end(self) -> None:
        if self._flow is not None:
            self._flow.close()

    def getreply(self) -> tuple[int, bytes]:
        if self.sock is not None:
            if self.file is None:
                self.file = _Replies(self.sock, self._host, self._flow)
            self.file.stream.expect(SMTP_REPLY)
        try:
            return super().getreply()
        except ExcessiveResponse:
            self.close()
            raise


class _BoundedTls(_Bounded):
    """The same, with TLS from the start."""

    def __init__(self, endpoint: Endpoint, account: str, timeout: float, context: ssl.SSLContext) -> None:
        self._context = context
        super().__init__(endpoint, account, timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._context.wrap_socket(super()._get_socket(host, port, timeout), server_hostname=host)


class _Session:
    """One connection; turns failures and refusals into `MailError`s that suggest what to do."""

    def __init__(self, settings: SmtpSettings, name: str) -> None:
        self._settings, self._name = settings, name
        self._handed_over = False

    def __enter__(self) -> _Session:
        self._smtp = self._try(self._connect)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._smtp.sock is not None:
                self._smtp.sock.settimeout(LEAVE_TIMEOUT_S)
            self._smtp.quit()
        except (OSError, smtplib.SMTPException, ExcessiveResponse):
            self._smtp.close()

    def _connect(self) -> _Bounded:
        endpoint, timeout = self._settings.endpoint, self._settings.timeout_s
        account = self._settings.account or self._settings.user
        loopback = endpoint.host in LOOPBACK_HOSTS
        if endpoint.security == "none" and not loopback:
            raise BadArgument(
                f"A connection to {endpoint.host} without TLS would show your password to the network; "
                "use tls or starttls.",
                argument="smtp_security",
            )
        if endpoint.security == "tls":
            smtp: _Bounded = _BoundedTls(endpoint, account, timeout, self._tls_context())
        else:
            smtp = _Bounded(endpoint, account, timeout)
        try:
            smtp.ehlo_or_helo_if_needed()
            if endpoint.security == "starttls":
                if not smtp.has_extn("starttls"):
                    raise ProviderError(f"{self._name} offers no STARTTLS; nothing was sent to it.")
                smtp.starttls(context=self._tls_context())
                smtp.ehlo_or_helo_if_needed()
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _tls_context(self) -> ssl.SSLContext:
        """Return a verifying TLS context; on this machine a self-signed certificate will do (as Proton Bridge's)."""
        certificates = self._settings.certificates
        try:
            context = ssl.create_default_context(cafile=str(certificates) if certificates else None)
        except OSError:
            raise BadArgument(
                f"The certificate file {certificates} cannot be read.", argument="imap_certificates"
            ) from None
        if certificates is None and self._settings.endpoint.host in LOOPBACK_HOSTS:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def log_in(self) -> None:
        """Authenticate with a method that the server offers, if there is a user."""
        if not self._settings.user:
            return
        user, secret = self._settings.user, self._settings.secret()
        offered = self._smtp.esmtp_features.get("auth", "").upper().split()
        code, answer = self._try(lambda: self._authenticate(offered, user, secret))
        if code == 235:
            return
        said = _said(answer, secret)
        if 400 <= code < 500:
            raise RateLimited(f"{self._name} accepts no logins at the moment{said}", retry_after_s=60.0)
        raise NeedsAuth(
            f"{self._name} does not accept this user and password{said}",
            hint="gaia email connect asks for the password again.",
        )

    def _authenticate(self, offered: Sequence[str], user: str, secret: str) -> tuple[int, bytes]:
        smtp = self._smtp
        if self._settings.auth != "password":
            bearer = self._settings.auth == "oauthbearer"
            if bearer:
                endpoint = self._settings.endpoint
                text = f"n,a={user},\1host={endpoint.host}\1port={endpoint.port}\1auth=Bearer {secret}\1\1"
            else:
                text = f"user={user}\1auth=Bearer {secret}\1\1"
            code, answer = smtp.docmd("AUTH", f"{self._settings.auth.upper()} {_base64(text)}")
            # The server explains a refusal in a challenge, and refuses once that has been answered.
            return smtp.docmd("AQ==" if bearer else "") if code == 334 else (code, answer)
        if "PLAIN" in offered or "LOGIN" not in offered:
            identity = _base64(f"\0{user}\0{secret}")
            return smtp.docmd("AUTH", f"PLAIN {identity}")
        code, answer = smtp.docmd("AUTH", "LOGIN")
        for text in (user, secret):
            if code != 334:
                break
            code, answer = smtp.docmd(_base64(text))
        return code, answer

    def envelope(self, sender: str, recipients: Sequence[str], raw: bytes) -> None:
        """Send the envelope (MAIL and RCPT); `raw` decides which extensions it needs."""
        self._try(lambda: self._mail_from(sender, recipients, raw))
        refused: dict[str, tuple[int, bytes]] = {}
        for recipient in recipients:
            code, answer = self._try(lambda address=recipient: self._smtp.docmd("RCPT", f"TO:<{address}>"))  # type: ignore[misc]
            if code not in (250, 251):
                refused[recipient] = (code, answer)
        if refused:
            address, (code, answer) = next(iter(refused.items()))
            names = ", ".join(refused)
            raise _refusal(
                code,
                answer,
                f"{self._name} does not send to {names}, so nothing was sent to anyone",
                argument="to",
                about=f" ({address})" if len(refused) > 1 else "",
            )

    def _mail_from(self, sender: str, recipients: Sequence[str], raw: bytes) -> None:
        smtp, options = self._smtp, ""
        largest = smtp.esmtp_features.get("size", "")
        if smtp.has_extn("size"):
            options += f" SIZE={len(raw)}"
            if largest.isdigit() and 0 < int(largest) < len(raw):
                raise BadArgument(
                    f"This message has {len(raw):,} bytes; {self._name} takes at most {int(largest):,}. "
                    "Send a link instead of the largest attachment.",
                    argument="attachments",
                )
        head = raw[: end.start()] if (end := _HEAD_END.search(raw)) else raw
        if not raw.isascii():
            if not smtp.has_extn("8bitmime"):
                raise BadArgument(
                    f"{self._name} accepts only 7-bit messages, and this one has 8-bit bytes; write it again."
                )
            options += " BODY=8BITMIME"
        if not head.isascii() or not all(address.isascii() for address in (sender, *recipients)):
            if not smtp.has_extn("smtputf8"):
                raise BadArgument(
                    f"{self._name} cannot send to or from addresses with letters beyond ASCII.", argument="to"
                )
            smtp.command_encoding = "utf-8"
            options += " SMTPUTF8"
        code, answer = smtp.docmd("MAIL", f"FROM:<{sender}>{options}")
        if code != 250:
            raise _refusal(code, answer, f"{self._name} does not send as {sender}", argument="from")

    def data(self, raw: bytes) -> None:
        """Send the message; its lines end in CRLF (RFC 5321 §4.5.2)."""

        def transmit() -> tuple[int, bytes]:
            code, answer = self._smtp.docmd("DATA")
            if code != 354:
                return code, answer
            end = b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n"
            text = _DOT.sub(b"..", raw)
            for start in range(0, len(text), _PIECE):  # a socket's timeout covers a whole call
                self._smtp.send(text[start : start + _PIECE])
            if self._smtp.sock is not None:
                self._smtp.sock.settimeout(max(ACCEPT_TIMEOUT_S, self._settings.timeout_s))
            self._handed_over = True
            self._smtp.send(end)
            return self._smtp.getreply()

        code, answer = self._try(transmit)
        if code != 250:
            raise _refusal(code, answer, f"{self._name} refused the message; nobody got it")

    def _try(self, act: Callable[[], Result]) -> Result:
        """Return the result of `act`, turning its failures into `MailError`s."""
        try:
            return act()
        except ExcessiveResponse as error:
            if self._handed_over:
                raise self._unconfirmed_error() from None
            raise ProviderError(f"{error.message} Nothing was sent.") from None
        except MailError:
            raise
        except ssl.SSLCertVerificationError as error:
            raise ProviderError(
                f"{self._name} shows a certificate that is not trusted: {error.verify_message}. Nothing was sent."
            ) from None
        except smtplib.SMTPResponseException as error:
            raise _refusal(error.smtp_code, _as_bytes(error.smtp_error), f"{self._name} refused") from None
        except (OSError, smtplib.SMTPException, UnicodeError, ValueError) as error:
            if self._handed_over:
                raise self._unconfirmed_error() from None
            raise ProviderError(
                f"{self._name} cannot be reached or broke off ({_reason(error)}); nothing was sent."
            ) from None

    def _unconfirmed_error(self) -> ProviderError:
        return ProviderError(
            f"The connection to {self._name} broke before it confirmed the message: it may have been "
            "sent. Ask a recipient, or look into Sent on the web, before sending it again."
        )


def _envelope_address(address: str) -> str:
    """Return the address for the envelope, with its domain in ASCII if possible (RFC 5891)."""
    if not _ADDRESS.fullmatch(address) or len(address) > 320:
        raise BadArgument(
            f"{_UNPRINTABLE.sub('?', address)[:80]!r} is not an address mail can be sent to.", argument="to"
        )
    local, _, domain = address.rpartition("@")
    if local.isascii() and not domain.isascii():
        try:
            return f"{local}@{domain.encode('idna').decode('ascii')}"
        except UnicodeError:
            raise BadArgument(f"{domain[:80]!r} is not the name of a domain.", argument="to") from None
    return address


def _refusal(code: int, answer: bytes, what: str, *, argument: str = "", about: str = "") -> MailError:
    text = _said(answer, "")
    message = f"{what}{text.removesuffix('.')}{about}."
    if code == 421 or (400 <= code < 500 and _THROTTLED.search(answer.decode("latin-1"))):
        return RateLimited(message, retry_after_s=300.0)
    if 400 <= code < 500:
        return ProviderError(f"{message} That may pass: try again later.")
    return BadArgument(message, argument=argument or None)


def _said(answer: bytes, secret: str) -> str:
    """Return the server's text as the end of a sentence, without control characters and without the secret."""
    text = _UNPRINTABLE.sub(" ", answer.decode("utf-8", "replace")).strip()
    if secret and (secret in text or _base64(secret) in text):
        text = ""
    return f": {text[:300].rstrip('.')}." if text else "."


def _as_bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")


def _reason(error: Exception) -> str:
    # smtplib wraps socket errors in its own.
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return "no answer in time"
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return "it closed the connection"
    if isinstance(error, OSError) and error.strerror:
        return _UNPRINTABLE.sub(" ", error.strerror)
    return type(error).__name__


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8")).decode("ascii")
