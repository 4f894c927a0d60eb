"""Asks an address's domain for its mail servers, and the user if only DNS names them. Entry: `looked_up`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gaia_email.app.accounts.mail_dns import MailDns
    from gaia_email.app.accounts.which_provider import FoundProvider
    from gaia_email_registry.providers import Endpoint


def looked_up(address: str, dns: MailDns | None = None) -> FoundProvider | None:
    """Return the mail servers of an address, shown with their source; None if the domain does not name any.

    Args:
        address: An address whose domain does not belong to a known provider.
        dns: The DNS client; None for the resolvers of this machine.

    Raises:
        NeedsApproval: Only DNS names servers outside the domain, and nobody agreed to them.
    """
    import asyncio

    from gaia_email.app.accounts.mail_dns import MailDns
    from gaia_email.app.accounts.which_provider import domain_of, look_up
    from gaia_email.interfaces.cli.output import note

    domain = domain_of(address)
    if domain is None:
        return None
    found = asyncio.run(look_up(domain, address, note, dns=dns or MailDns()))
    if found is None:
        note(f"{domain} does not say where its mail is.")
        return None
    note(f"{_sentence(found, domain)} --imap-host names other servers, --no-lookup asks nobody.")
    _agree(found, domain, address)
    return found


_WHO = {"MX": "DNS (MX)", "SRV": "DNS (SRV)", "HTTPS": "its web server"}


def _sentence(found: FoundProvider, domain: str) -> str:
    who = _WHO[found.by]
    if found.provider is not None:
        return f"the mail of {domain} is at {found.provider.title}, says {who}."
    sending = f", and is sent by {_endpoint_text(found.smtp)}" if found.smtp is not None else ""
    reading = _endpoint_text(found.imap) if found.imap is not None else ""
    return f"the mail of {domain} is at {reading}{sending}, says {who}."


def _endpoint_text(endpoint: Endpoint) -> str:
    return f"{endpoint.host}:{endpoint.port}"


def _agree(found: FoundProvider, domain: str, address: str) -> None:
    from gaia_email_registry.errors import NeedsApproval

    strangers = found.strangers(domain)
    if not strangers:
        return
    named = " and ".join(strangers)
    if sys.stdin.isatty() and click.confirm(
        f"Only DNS names {named}, outside {domain}. Send your password there?", default=False, err=True
    ):
        return
    flags = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in found.settings().items())
    raise NeedsApproval(
        f"only DNS names {named}, outside {domain}, so your password was not sent there.",
        hint=f"if that is your provider: gaia email connect --email {address} {flags}",
    )
