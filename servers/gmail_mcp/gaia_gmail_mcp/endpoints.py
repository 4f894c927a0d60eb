"""URLs of Google's services, which the environment can override. Entry: `Endpoints`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gaia_mail_mcp.web.endpoints import service_root
from gaia_mail_mcp.web.provider import ProviderNames

GMAIL = "https://gmail.googleapis.com"
ACCOUNTS = "https://accounts.google.com"
TOKENS = "https://oauth2.googleapis.com"
CALENDAR = "https://www.googleapis.com"

GOOGLE = ProviderNames(company="Google", service="Gmail", permissions="myaccount.google.com/permissions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """Root URLs, without a trailing slash."""

    gmail: str = GMAIL
    authorize: str = f"{ACCOUNTS}/o/oauth2/v2/auth"
    tokens: tuple[str, ...] = (f"{TOKENS}/token",)
    """Token endpoints; if one does not exist, the next is tried."""
    revoke: tuple[str, ...] = (f"{TOKENS}/revoke",)
    """Revocation endpoints, tried in the same way."""
    calendar: str = CALENDAR

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Endpoints:
        """Use Google's URLs, or those in the environment (for tests and private gateways).

        Raises:
            BadArgument: A URL is invalid, or would send a login unencrypted beyond this machine.
        """
        oauth = service_root("GAIA_GOOGLE_OAUTH_ROOT", environ)
        return cls(
            gmail=service_root("GAIA_GMAIL_API_ROOT", environ) or GMAIL,
            authorize=f"{oauth or ACCOUNTS}/o/oauth2/v2/auth",
            tokens=(f"{oauth}/token", f"{oauth}/oauth2/token") if oauth else (f"{TOKENS}/token",),
            revoke=(f"{oauth}/revoke", f"{oauth}/oauth2/revoke") if oauth else (f"{TOKENS}/revoke",),
            calendar=service_root("GAIA_CALENDAR_API_ROOT", environ) or CALENDAR,
        )
