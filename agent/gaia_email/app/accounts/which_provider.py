"""Whose servers an address of an unknown domain is on, by asking the domain. Entry: `look_up`.

Each question is announced before it is asked, to the user, and is a row of the egress ledger: who takes in the domain's
mail (MX), which servers it names in DNS (RFC 6186), which settings it publishes over HTTPS. The first answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from gaia_email.app.accounts.autoconfig import UnusableSettings, fetched, pages_of, servers_in
from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email_registry.providers import (
    AccountServers,
    Endpoint,
    MailProvider,
    provider_of_mx,
    provider_of_server,
)

FetchUrl = Callable[[str, str], Awaitable[bytes | None]]
"""A page of a domain; see `autoconfig.fetched`."""

_HOST = re.compile(
    r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])\Z"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProvider:
    """Where the mail of an address is.

    Attributes:
        by: Who says so: `MX`, `SRV` (both DNS, which proves nothing) or `HTTPS` (the domain's certificate proves it).
        provider: Whose servers they are, where that is known; they are then as our own table has them.
        imap: Where mail is read; None where the provider's preset says it.
        smtp: Where mail is sent.
        user: Who logs in; empty where that is the address.
    """

    by: Literal["MX", "SRV", "HTTPS"]
    provider: MailProvider | None = None
    imap: Endpoint | None = None
    smtp: Endpoint | None = None
    user: str = ""

    def settings(self) -> dict[str, str]:
        """The same as the settings of an account whose servers were named by hand; empty for a provider's."""
        servers = AccountServers(imap=self.imap, smtp=self.smtp, user=self.user)
        return servers.settings() if self.provider is None else {}

    def strangers(self, domain: str) -> tuple[str, ...]:
        """Servers outside the domain that only DNS vouches for: a person has to agree to them (RFC 6186 §6)."""
        if self.by != "SRV" or self.provider is not None:
            return ()
        hosts = [endpoint.host for endpoint in (self.imap, self.smtp) if endpoint is not None]
        return tuple(dict.fromkeys(host for host in hosts if not f".{host}".endswith(f".{domain}")))


async def look_up(
    domain: str, address: str, say: Callable[[str], None], *, dns: MailDns, fetch: FetchUrl = fetched
) -> FoundProvider | None:
    """Ask the domain of an address where its mail is; None where nobody knows.

    Args:
        domain: From `domain_of`.
        address: Whose servers they are; it is sent to nobody.
        say: Told of each question before it is asked, and of an answer that cannot be used.
        dns: How DNS is asked.
        fetch: How a page is fetched.
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
    """The domain of an address as DNS writes it (RFC 5891); None where it has none that could be asked."""
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
    """A server with a name of the open internet; an address, or a name of this machine, is none."""
    return endpoint if endpoint is not None and _HOST.match(endpoint.host) else None
