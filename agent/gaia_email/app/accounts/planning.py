"""The requirements for connecting an address, before anything is tried. Entry: `plan_connection`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaia_email.app.accounts.connect import checked_address
from gaia_email.app.accounts.found import defaults_of, named_here
from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email.app.accounts.provider_logins import GMAIL, GRAPH, login_terms
from gaia_email.app.accounts.which_provider import domain_of, look_up
from gaia_email.app.connection_attempts import ConnectionWay
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.providers import PROVIDERS, MailProvider, provider_of

if TYPE_CHECKING:
    from gaia_email_registry.discovery.look import AccountCandidate

BY_PASSWORD = "read, move, label, draft and delete mail, by your password over IMAP"
BY_SMTP = "send mail in your name, over SMTP"

_ON_THEIR_PAGE: Mapping[str, tuple[ConnectionWay, str]] = {
    "gmail": ("google", GMAIL),
    "outlook": ("microsoft", GRAPH),
    "microsoft365": ("microsoft", GRAPH),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionPlan:
    """The requirements for connecting an address.

    Attributes:
        address: The address of the account.
        way: The way to log in.
        provider: The provider of its servers, if known.
        settings: Settings of the account, if its servers are not a known provider's.
        allows: Permissions of the login, one per line.
        missing: What must be set up before the login; empty for nothing.
        hint: How to set it up.
        candidate: The traces of the account on this machine; None for none.
        told: The queries about its domain, and their results.
        strangers: Servers outside the domain that only DNS names (RFC 6186 §6).
        is_connected: True if the account is already connected.
    """

    address: str
    way: ConnectionWay
    provider: MailProvider | None
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    allows: Sequence[str] = ()
    missing: str = ""
    hint: str = ""
    candidate: AccountCandidate | None = None
    told: Sequence[str] = ()
    strangers: Sequence[str] = ()
    is_connected: bool = False


def plan_connection(
    address: str, environ: Mapping[str, str], *, over_imap: bool = False, ask_domain: bool = True
) -> ConnectionPlan:
    """Return the requirements for connecting an address, from this machine or else from its domain.

    Args:
        address: The address.
        environ: Determines the list of accounts.
        over_imap: Use a password over IMAP even if the provider has a login page.
        ask_domain: Query the domain if the address is unknown here (DNS and HTTPS; the address is not sent).

    Raises:
        BadArgument: It is not an address.
        ProviderError: The list of accounts cannot be read.
    """
    address = checked_address(address)
    candidate, told, strangers = named_here(address, environ), list[str](), tuple[str, ...]()
    name, settings = (None, dict[str, str]()) if candidate is None else defaults_of(candidate)
    provider = PROVIDERS[name] if name else provider_of(address)
    domain = domain_of(address)
    if provider is None and "imap_host" not in settings and ask_domain and domain is not None:
        found = asyncio.run(look_up(domain, address, told.append, dns=MailDns()))
        if found is not None:
            provider, settings, strangers = found.provider, found.settings(), found.strangers(domain)
    way: ConnectionWay = "password" if provider is not None or "imap_host" in settings else "unknown"
    allows: Sequence[str] = (BY_PASSWORD,)
    missing = hint = ""
    if provider is not None and not over_imap and provider.id in _ON_THEIR_PAGE:
        way, server = _ON_THEIR_PAGE[provider.id]
        terms = login_terms(server)
        allows, missing, hint = terms["allows"], terms["missing"], terms["hint"]
    elif provider is not None or "smtp_host" in settings:
        allows = (*allows, BY_SMTP)
    return ConnectionPlan(
        address=address,
        way=way,
        provider=provider,
        settings=settings,
        allows=allows if way != "unknown" else (),
        missing=missing,
        hint=hint,
        candidate=candidate,
        told=told,
        strangers=strangers,
        is_connected=any(one.address.casefold() == address.casefold() for one in read_accounts(environ)),
    )
