"""Validity of the certificates of an account's servers. Entries: `endpoints_of`, `check_certificate`."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime

from gaia_email.app.accounts.checks import CheckFinding
from gaia_email_registry.accounts import Account
from gaia_email_registry.egress.flow import Flow, start_flow
from gaia_email_registry.providers import PORTS, PROVIDERS, Endpoint, ProtocolKind, Security

PATIENCE_S = 5.0
SOON_DAYS = 7
"""Minimum number of days left: servers renew weeks in advance, so with fewer the renewal was forgotten."""

_LONGEST, _MOST_LINES = 2_000, 50
_SECURITIES: dict[str, Security] = {"tls": "tls", "starttls": "starttls"}


def endpoints_of(account: Account) -> list[Endpoint]:
    """Return the account's servers with TLS, for reading and sending, except those on this machine (Proton Bridge)."""
    known = PROVIDERS.get(account.provider)
    found = [
        _endpoint(account, "imap", known.imap if known else None),
        _endpoint(account, "smtp", known.smtp if known else None),
    ]
    return [where for where in found if where is not None and not _is_here(where.host)]


def trusted_by(account: Account) -> ssl.SSLContext:
    """Return the trusted authorities for the account's servers: those the user named, else the system's.

    Raises:
        OSError: The file of authorities cannot be read.
    """
    return ssl.create_default_context(cafile=account.settings.get("imap_certificates") or None)


def _endpoint(account: Account, kind: ProtocolKind, preset: Endpoint | None) -> Endpoint | None:
    """Return the endpoint as the account's own server reads its settings: a named host ignores the preset."""
    given = account.settings
    host, port = given.get(f"{kind}_host", ""), given.get(f"{kind}_port", "")
    number = int(port) if port.isdigit() else 0
    said = given.get(f"{kind}_security", "")
    if not host:
        if preset is None:
            return None
        security = _SECURITIES.get(said or preset.security)
        return Endpoint(preset.host, number or preset.port, security) if security else None
    security = _SECURITIES.get(said or ("starttls" if kind == "smtp" and number == 587 else "tls"))
    return Endpoint(host, number or PORTS[kind, security], security) if security else None


def _is_here(host: str) -> bool:
    return host.lower().rstrip(".") in ("localhost", "::1") or host.startswith("127.")


def check_certificate(where: Endpoint, context: ssl.SSLContext | None = None) -> CheckFinding:
    """Check that this machine trusts a server's certificate, and for how many more days it is valid."""
    name = f"certificate {where.host}:{where.port}"
    trusting = context or ssl.create_default_context()
    try:
        shown = _shown(where, trusting)
    except ssl.SSLCertVerificationError as error:
        return CheckFinding(
            check=name,
            ok=False,
            says=f"It is not to be trusted: {error.verify_message}.",
            mend="ask who runs the server; GAIA_IMAP_CERTIFICATES names an authority of your own",
        )
    except OSError as error:
        return CheckFinding(
            check=name,
            ok=False,
            says=f"The server cannot be reached: {error}.",
            mend="check the network, then again",
        )
    until = shown.get("notAfter")
    ends = ssl.cert_time_to_seconds(until) if isinstance(until, str) else 0.0
    days = int((ends - datetime.now(UTC).timestamp()) / 86_400)
    if days < SOON_DAYS:
        return CheckFinding(
            check=name,
            ok=False,
            says=f"It ends in {days} days.",
            mend="ask who runs the server to renew it",
        )
    return CheckFinding(check=name, ok=True, says=f"Good for {days} more days.")


def _shown(where: Endpoint, trusting: ssl.SSLContext) -> dict[str, object]:
    """Return the certificate that a server presents.

    Raises:
        OSError: It presents none, or one that is not trusted (`ssl.SSLCertVerificationError`).
    """
    with (
        socket.create_connection((where.host, where.port), timeout=PATIENCE_S) as plain,
        closing(start_flow(where.host, where.port, "check")) as flow,
    ):
        if where.security == "starttls":
            _ask_for_tls(plain, flow)
        with trusting.wrap_socket(plain, server_hostname=where.host) as secure:
            return dict(secure.getpeercert() or {})


def _ask_for_tls(plain: socket.socket, flow: Flow) -> None:
    """Ask the server to start TLS, over SMTP (RFC 3207) or IMAP (RFC 3501 §6.2.1), depending on its greeting.

    Raises:
        OSError: It refuses.
    """
    with plain.makefile("rb", buffering=0) as raw:
        lines = _Lines(raw, flow)
        if lines.until((b"220 ", b"* ")).startswith(b"220 "):
            steps = [(b"EHLO [127.0.0.1]\r\n", b"250 "), (b"STARTTLS\r\n", b"220 ")]
        else:
            steps = [(b"a STARTTLS\r\n", b"a OK")]
        for said, wanted in steps:
            flow.count_sent(len(said))
            plain.sendall(said)
            lines.until((wanted,))


class _Lines:
    """The few short lines that a server sends before TLS; unbuffered, since the bytes after them belong to TLS."""

    def __init__(self, raw: socket.SocketIO, flow: Flow) -> None:
        self._raw, self._flow = raw, flow

    def until(self, wanted: Sequence[bytes]) -> bytes:
        """Return the next line with one of these prefixes.

        Raises:
            OSError: There is none within the first lines.
        """
        for _ in range(_MOST_LINES):
            line = self._raw.readline(_LONGEST)
            self._flow.count_received(len(line))
            if line.upper().startswith(tuple(one.upper() for one in wanted)):
                return line
            if not line.endswith(b"\n"):
                break
        raise OSError("it offers no STARTTLS")
