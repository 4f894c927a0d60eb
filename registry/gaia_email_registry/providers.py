"""Mail providers by address, and their servers. Entries: `provider_of`, `PROVIDERS`.

Hosts and ports are those that the providers publish for mail programs. A custom domain does not identify its provider:
DNS may name the host that receives its mail (`provider_of_mx`), or the user names the servers.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal

from gaia_email_registry.tables import read_table

Security = Literal["tls", "starttls", "none"]
ProtocolKind = Literal["imap", "smtp"]

PORTS: dict[tuple[ProtocolKind, Security], int] = {
    ("imap", "tls"): 993,
    ("imap", "starttls"): 143,
    ("imap", "none"): 143,
    ("smtp", "tls"): 465,
    ("smtp", "starttls"): 587,
    ("smtp", "none"): 25,
}
"""Default port of a server, by protocol and encryption (RFC 8314, RFC 6409)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server: `security` is TLS from the first byte, STARTTLS, or none (loopback only)."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountServers:
    """The mail servers of one account.

    Attributes:
        imap: Server to read mail from; None if unspecified.
        smtp: Server to send mail with; None if unspecified.
        user: Login name; empty if it is the address.
    """

    imap: Endpoint | None = None
    smtp: Endpoint | None = None
    user: str = ""

    def settings(self) -> dict[str, str]:
        """Return the settings of an account whose servers were named explicitly."""
        told = self.login()
        for kind, endpoint in (("imap", self.imap), ("smtp", self.smtp)):
            if endpoint is not None:
                told |= {
                    f"{kind}_host": endpoint.host,
                    f"{kind}_port": str(endpoint.port),
                    f"{kind}_security": endpoint.security,
                }
        return told

    def login(self) -> dict[str, str]:
        """Return the only one of those settings that a provider's preset does not define."""
        return {"imap_user": self.user} if self.user else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailProvider:
    """A mail provider.

    Attributes:
        id: Value of `--provider`.
        title: Display name.
        domains: Domains of its addresses; a leading dot matches every subdomain.
        imap: Server to read mail from.
        smtp: Server to send mail with.
        files_sent: True if its SMTP server saves sent mail in Sent itself.
        note: A sentence to read before connecting; empty if the usual password works.
        mx: Hosts (and their subdomains) that receive mail for customers' domains.
    """

    id: str
    title: str
    domains: tuple[str, ...]
    imap: Endpoint
    smtp: Endpoint
    files_sent: bool = False
    note: str = ""
    mx: tuple[str, ...] = ()


def provider_of(address: str) -> MailProvider | None:
    """Return the provider of an address by its domain, or None."""
    domain = address.rpartition("@")[2].strip().strip(".").casefold()
    if not domain:
        return None
    found = _BY_DOMAIN.get(domain)
    if found is not None:
        return found
    for suffix, provider in _BY_SUFFIX.items():
        if domain.endswith(suffix):
            return provider
    return None


def provider_of_mx(host: str) -> MailProvider | None:
    """Return the provider that receives mail at an MX host, or None; for custom domains of its customers."""
    name = f".{host.strip('.').casefold()}"
    return next((one for one in _TABLE if any(name.endswith(f".{mx}") for mx in one.mx)), None)


def provider_of_server(host: str) -> MailProvider | None:
    """Return the provider with that IMAP server, or None."""
    return next((one for one in _TABLE if one.imap.host == host.strip(".").casefold()), None)


def is_loopback(host: str) -> bool:
    """Return True if the name alone identifies this machine; only then may a connection be unencrypted."""
    if host.casefold() in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _provider(name: str, entries: dict[str, str]) -> MailProvider:
    return MailProvider(
        id=name,
        title=entries["title"],
        domains=tuple(entries["domains"].split()),
        imap=_endpoint("imap", entries["imap"]),
        smtp=_endpoint("smtp", entries["smtp"]),
        files_sent="files_sent" in entries,
        note=" ".join(entries.get("note", "").split()),
        mx=tuple(entries.get("mx", "").split()),
    )


def _endpoint(kind: ProtocolKind, written: str) -> Endpoint:
    server, _, encrypted = written.partition(" ")
    host, _, port = server.partition(":")
    security: Security = "starttls" if encrypted == "starttls" else "tls"
    return Endpoint(host, int(port) if port else PORTS[kind, security], security)


_TABLE = tuple(
    _provider(name, entries) for name, entries in read_table("gaia_email_registry", "providers.txt").items()
)

PROVIDERS = {provider.id: provider for provider in _TABLE}
"""Every provider in `data/providers.txt`, by id."""

_BY_DOMAIN = {
    domain: provider for provider in _TABLE for domain in provider.domains if not domain.startswith(".")
}
_BY_SUFFIX = {
    domain: provider for provider in _TABLE for domain in provider.domains if domain.startswith(".")
}
