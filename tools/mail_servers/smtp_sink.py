"""A real SMTP server on loopback that keeps what it is given, and refuses on demand. Entry: `SmtpSink`."""

from __future__ import annotations

import ssl
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tools.mail_servers.dovecot import PASSWORD, free_port


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One message that left: who it was from and to in the envelope, its bytes, how it came."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    tls: bool
    user: str
    options: tuple[str, ...]


def _nowhere(recipients: Sequence[str], raw: bytes) -> None:
    return None


@dataclass
class SmtpSink:
    """Submission with AUTH and, given a certificate, STARTTLS (or TLS from the start); a context manager.

    Attributes:
        received: What was accepted, in order.
        refuse: Address → the answer to its RCPT, such as `"550 5.1.1 nobody here"`.
        answer: What DATA is answered with where it is not to be accepted; `""` accepts.
        deliver: Called with the recipients and the bytes of every message accepted, in the server's thread.
    """

    tls: ssl.SSLContext | None = None
    implicit_tls: bool = False
    smtputf8: bool = True
    size_limit: int = 30_000_000
    received: list[Received] = field(default_factory=list[Received])
    refuse: dict[str, str] = field(default_factory=dict[str, str])
    answer: str = ""
    deliver: Callable[[Sequence[str], bytes], object] = _nowhere
    port: int = field(default_factory=free_port)
    _controller: Controller | None = None

    def __enter__(self) -> SmtpSink:
        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            ssl_context=self.tls if self.implicit_tls else None,
            tls_context=None if self.implicit_tls else self.tls,
            authenticator=_authenticate,
            auth_require_tls=False,
            enable_SMTPUTF8=self.smtputf8,
            data_size_limit=self.size_limit,
            decode_data=False,
        )
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._controller is not None
        self._controller.stop()

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a recipient, or what `refuse` says."""
        if address in self.refuse:
            return self.refuse[address]
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Keep the message, or answer what `answer` says."""
        if self.answer:
            return self.answer
        raw = envelope.original_content
        self.received.append(
            Received(
                sender=envelope.mail_from or "",
                recipients=tuple(envelope.rcpt_tos),
                raw=raw if isinstance(raw, bytes) else b"",
                tls=session.ssl is not None,
                user=str(session.auth_data or ""),
                options=tuple(envelope.mail_options),
            )
        )
        self.deliver(envelope.rcpt_tos, self.received[-1].raw)
        return "250 OK: kept"


def _authenticate(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
) -> AuthResult:
    if isinstance(data, LoginPassword) and data.password == PASSWORD.encode():
        return AuthResult(success=True, auth_data=data.login.decode())
    return AuthResult(success=False, handled=False)
