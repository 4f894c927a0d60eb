"""How long the certificates of an account's servers are good for. Entries: `endpoints_of`, `check_certificate`."""

from __future__ import annotations

import socket
import ssl
from contextlib import closing
from datetime import UTC, datetime

from gaia_email.accounts.checks import Finding
from gaia_email_registry.accounts import Account
from gaia_email_registry.egress.flow import opened
from gaia_email_registry.providers import PROVIDERS, Endpoint

PATIENCE_S = 5.0
SOON_DAYS = 7
"""Servers renew by themselves weeks before; one with fewer days left has forgotten to."""


def endpoints_of(account: Account) -> list[Endpoint]:
    """The account's servers that speak TLS from the start, for reading and for sending."""
    known = PROVIDERS.get(account.provider)
    found = [
        _endpoint(account, "imap", known.imap if known else None, 993),
        _endpoint(account, "smtp", known.smtp if known else None, 465),
    ]
    return [where for where in found if where is not None]


def _endpoint(account: Account, kind: str, preset: Endpoint | None, usual: int) -> Endpoint | None:
    given = account.settings
    host = given.get(f"{kind}_host") or (preset.host if preset else "")
    security = given.get(f"{kind}_security") or (preset.security if preset else "tls")
    port = given.get(f"{kind}_port") or ""
    if not host or security != "tls":
        return None
    return Endpoint(host, int(port) if port.isdigit() else preset.port if preset else usual, "tls")


def check_certificate(where: Endpoint, context: ssl.SSLContext | None = None) -> Finding:
    """Whether a server shows a certificate that this machine trusts, and for how many more days."""
    name = f"certificate {where.host}:{where.port}"
    trusting = context or ssl.create_default_context()
    try:
        with (
            socket.create_connection((where.host, where.port), timeout=PATIENCE_S) as plain,
            closing(opened(where.host, where.port, "check")),
            trusting.wrap_socket(plain, server_hostname=where.host) as secure,
        ):
            shown = secure.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        return Finding(
            check=name,
            ok=False,
            says=f"It is not to be trusted: {error.verify_message}.",
            mend="ask who runs the server; GAIA_IMAP_CERTIFICATES names an authority of your own",
        )
    except OSError as error:
        return Finding(
            check=name,
            ok=False,
            says=f"The server cannot be reached: {error}.",
            mend="check the network, then again",
        )
    until = shown.get("notAfter")
    ends = ssl.cert_time_to_seconds(until) if isinstance(until, str) else 0.0
    days = int((ends - datetime.now(UTC).timestamp()) / 86_400)
    if days < SOON_DAYS:
        return Finding(
            check=name,
            ok=False,
            says=f"It ends in {days} days.",
            mend="ask who runs the server to renew it",
        )
    return Finding(check=name, ok=True, says=f"Good for {days} more days.")
