"""Checks for problems between this machine and a provider. Entries: `check_mx`, `check_clock`, `web_host`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from gaia_email.app.accounts.checks import MOST_AHEAD_S, CheckFinding
from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email.app.accounts.which_provider import domain_of
from gaia_email_registry.accounts import Account
from gaia_email_registry.providers import PROVIDERS, provider_of, provider_of_mx

PATIENCE_S = 5.0

_WEB = {
    "gmail": ("GAIA_GMAIL_API_ROOT", "https://gmail.googleapis.com"),
    "graph": ("GAIA_GRAPH_API_ROOT", "https://graph.microsoft.com"),
}
_GRAPH_US = "https://graph.microsoft.us"


def check_mx(account: Account, dns: MailDns) -> CheckFinding | None:
    """Check that mail for the account's address is delivered to its provider; None for a provider's own domain."""
    domain = domain_of(account.address)
    if domain is None or provider_of(account.address) is not None:
        return None
    name = f"MX {domain}"
    hosts = dns.mail_exchangers(domain)
    if hosts is None:
        return CheckFinding(check=name, ok=True, says="No resolver of this machine answered.")
    if not hosts:
        return _without_mx(name, domain, dns)
    takes = next((found for host in hosts if (found := provider_of_mx(host)) is not None), None)
    has = PROVIDERS.get(account.provider)
    if takes is not None and has is not None and takes.imap.host != has.imap.host:
        return CheckFinding(
            check=name,
            ok=False,
            says=f"New mail of {domain} goes to {takes.title}, but this account is at {has.title}.",
            mend=f"if the mailbox moved: gaia email connect --email {account.address} --provider {takes.id}",
        )
    return CheckFinding(check=name, ok=True, says=f"New mail of {domain} goes to {hosts[0]}.")


def _without_mx(name: str, domain: str, dns: MailDns) -> CheckFinding:
    if dns.has_address(domain):
        return CheckFinding(
            check=name, ok=True, says=f"There is no MX; new mail goes to {domain} itself (RFC 5321)."
        )
    return CheckFinding(
        check=name,
        ok=False,
        says=f"DNS names no server that takes in mail for {domain}.",
        mend=f"ask who runs {domain} for an MX record",
    )


def web_host(account: Account, environ: Mapping[str, str]) -> str | None:
    """Return the root of the web API for an account, or None if it has none."""
    if account.server not in _WEB:
        return None
    variable, usual = _WEB[account.server]
    if account.server == "graph" and account.settings.get("graph_cloud") == "us":
        usual = _GRAPH_US
    parts = urlsplit(environ.get(variable, "").strip() or usual)
    return f"{parts.scheme}://{parts.netloc}"


async def check_clock(root: str, clock: Callable[[], float] = time.time) -> CheckFinding | None:
    """Compare this machine's clock with the Date of a provider's answer; None if the answer has none.

    A clock that is off by minutes breaks logins, since their tokens start and expire by the provider's clock.
    """
    import httpx2

    from gaia_email_registry.egress.http import open_client

    try:
        async with open_client("check", timeout=PATIENCE_S) as client:
            told = (await client.head(root)).headers.get("date", "")
        theirs = parsedate_to_datetime(told).timestamp()
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError):
        return None  # the login check finds out whether it can be reached
    ahead = clock() - theirs
    name = f"clock by {urlsplit(root).hostname}"
    if abs(ahead) <= MOST_AHEAD_S:
        return CheckFinding(check=name, ok=True, says="This machine's clock goes as theirs does.")
    minutes = f"{abs(ahead) / 60:,.0f} minutes {'ahead of' if ahead > 0 else 'behind'}"
    return CheckFinding(
        check=name,
        ok=False,
        says=f"This machine's clock is {minutes} theirs, so logins can fail.",
        mend="set the clock of this machine (timedatectl set-ntp true)",
    )
