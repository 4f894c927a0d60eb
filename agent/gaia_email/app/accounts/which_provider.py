"""Finds the mail servers of an unknown domain by querying the domain. Entry: `look_up`.

Each query is announced to the user beforehand, and recorded in the egress ledger: the hosts that receive the
domain's mail (MX), the servers it names in DNS (RFC 6186), the settings it publishes over HTTPS. The first
answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from gaia_email.app.accounts.autoconfig import UnusableSettings, fetch_page, pages_of, servers_in
from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email_registry.providers import (
    AccountServers,
    Endpoint,
    MailProvider,
    provider_of_mx,
    provider_of_server,
)

FetchUrl = Callable[[str, str], Awaitable[bytes | None]]
"""Fetches a page of a domain; see `autoconfig.fetched`."""

_HOST = re.compile(
    r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])\Z"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProvider:
    """The mail servers of an address.

    Attributes:
        by: The source: `MX`, `SRV` (both DNS, which proves nothing) or `HTTPS` (proved by the domain's certificate).
        provider: The provider of the servers, if known; our own table then defines them.
        imap: The server for reading; None to use the provider's preset.
        smtp: The server for sending.
        user: The login name; empty if it is the address.
    """

    by: Literal["MX", "SRV", "HTTPS"]
    provider: MailProvider | None = None
    imap: Endpoint | None = None
    smtp: Endpoint | None = None
    user: str = ""

    def settings(self) -> dict[str, str]:
        """Return the settings of an account with manually named servers; empty for a known provider."""
        servers = AccountServers(imap=self.imap, smtp=self.smtp, user=self.user)
        return servers.settings() if self.provider is None else {}

    def strangers(self, domain: str) -> tuple[str, ...]:
        """Return servers outside the domain that only DNS names: the user must approve them (RFC 6186 §6)."""
        if self.by != "SRV" or self.provider is not None:
            return ()
        hosts = [endpoint.host for endpoint in (self.imap, self.smtp) if endpoint is not None]
        return tuple(dict.fromkeys(host for host in hosts if not f".{host}".endswith(f".{domain}")))


async def look_up(
    domain: str, address: str, say: Callable[[str], None], *, dns: MailDns, fetch: FetchUrl = fetch_page
) -> FoundProvider | None:
    """Query the domain of an address for its mail servers; None if they remain unknown.

    Args:
        domain: From `domain_of`.
        address: The address; it is never sent.
        say: Receives a sentence before each query, and about each unusable answer.
        dns: Queries DNS.
        fetch: Fetches a page.
    """
    import asyncio

    say(f"asking DNS which servers take in the mail of {domain} (MX) …")
    hosts = await asyncio.to_thread(dns.mail_exchangers, domain) or ()
    provider = next((found for host in hosts if (found := provider_of_mx(host)) is not None), None)
    if provider is not None:
        return FoundProvider(by="MX", provider=provider)
    say(f"asking DNS which mail servers {domain} names (SRV) …")
    imap = _usable(await asyncio.to_thread(dns.service, domain, "imap"))
    if imap is not None:
        smtp = _usable(await asyncio.to_thread(dns.service, domain, "smtp"))
        return _named("SRV", imap, smtp, "")
    return await _published(domain, address, say, fetch)


def domain_of(address: str) -> str | None:
    """Return the domain of an address in DNS form (RFC 5891), or None if it cannot be queried."""
    try:
        domain = address.rpartition("@")[2].strip().strip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    return domain if _HOST.match(domain) else None


async def _published(
    domain: str, address: str, say: Callable[[str], None], fetch: FetchUrl
) -> FoundProvider | None:
    for page in pages_of(domain):
        host = page.split("/", 3)[2]
        say(f"asking {host} for its mail settings (HTTPS) …")
        try:
            body = await fetch(page, domain)
            told = servers_in(body, address) if body is not None else None
        except UnusableSettings as error:
            say(f"the page at {host} {error}; it is not used.")
            continue
        imap = _usable(told.imap) if told is not None else None
        if told is not None and imap is not None:
            return _named("HTTPS", imap, _usable(told.smtp), told.user)
    return None


def _named(by: Literal["SRV", "HTTPS"], imap: Endpoint, smtp: Endpoint | None, user: str) -> FoundProvider:
    return FoundProvider(by=by, provider=provider_of_server(imap.host), imap=imap, smtp=smtp, user=user)


def _usable(endpoint: Endpoint | None) -> Endpoint | None:
    """Return a server with a public host name, or None for an IP address or local name."""
    return endpoint if endpoint is not None and _HOST.match(endpoint.host) else None
