"""Which provider an address belongs to, and how its servers are reached. Entries: `provider_of`, `PROVIDERS`.

Hosts and ports are those that the providers publish for mail programs. An address at a domain of one's own says
nothing here: then DNS may say who takes in its mail (`provider_of_mx`), or the servers are named by hand.
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
"""The usual port of a server, by what it serves and how it is encrypted (RFC 8314, RFC 6409)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server: `security` is TLS from the first byte, STARTTLS, or none (loopback only)."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountServers:
    """Where the mail of one account is.

    Attributes:
        imap: Where it is read; None where that is not said.
        smtp: Where it is sent; None where that is not said.
        user: Who logs in; empty where that is the address.
    """

    imap: Endpoint | None = None
    smtp: Endpoint | None = None
    user: str = ""

    def settings(self) -> dict[str, str]:
        """The same as the settings of an account whose servers were named by hand."""
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
        """Of those settings the one that a provider's preset does not say."""
        return {"imap_user": self.user} if self.user else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailProvider:
    """A mail provider.

    Attributes:
        id: The name that `--provider` takes.
        title: Its name.
        domains: Domains of its addresses; one with a leading dot stands for every name below it.
        imap: Where mail is read.
        smtp: Where mail is sent.
        files_sent: Whether its SMTP server puts what is sent into Sent itself.
        note: What to know before connecting, in a sentence; empty when the usual password does.
        mx: Who takes in mail for the domains of others: hosts of these names, and below them.
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
    """The provider of an address by its domain, or None."""
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
    """The provider that takes in mail at a host, or None; for domains of one's own that are its customers'."""
    name = f".{host.strip('.').casefold()}"
    return next((one for one in _TABLE if any(name.endswith(f".{mx}") for mx in one.mx)), None)


def provider_of_server(host: str) -> MailProvider | None:
    """The provider whose IMAP server that is, or None."""
    return next((one for one in _TABLE if one.imap.host == host.strip(".").casefold()), None)


def is_loopback(host: str) -> bool:
    """Whether that is this machine, by its name alone; only there may a connection go without encryption."""
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
"""Every provider by its id, of `data/providers.txt`."""

_BY_DOMAIN = {
    domain: provider for provider in _TABLE for domain in provider.domains if not domain.startswith(".")
}
_BY_SUFFIX = {
    domain: provider for provider in _TABLE for domain in provider.domains if domain.startswith(".")
}
