"""Where Google's services are: their own addresses, or others from the environment. Entry: `Endpoints`."""

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
    """Root URLs, without a slash at the end."""

    gmail: str = GMAIL
    authorize: str = f"{ACCOUNTS}/o/oauth2/v2/auth"
    tokens: tuple[str, ...] = (f"{TOKENS}/token",)
    """Where tokens are given out; the next is asked where one does not exist."""
    revoke: tuple[str, ...] = (f"{TOKENS}/revoke",)
    """Where they are taken back, likewise."""
    calendar: str = CALENDAR

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Endpoints:
        """Google's, or where the environment says: tests and private gateways.

        Raises:
            BadArgument: One is no URL, or would send a login in the clear beyond this machine.
        """
        oauth = service_root("GAIA_GOOGLE_OAUTH_ROOT", environ)
        return cls(
            gmail=service_root("GAIA_GMAIL_API_ROOT", environ) or GMAIL,
            authorize=f"{oauth or ACCOUNTS}/o/oauth2/v2/auth",
            tokens=(f"{oauth}/token", f"{oauth}/oauth2/token") if oauth else (f"{TOKENS}/token",),
            revoke=(f"{oauth}/revoke", f"{oauth}/oauth2/revoke") if oauth else (f"{TOKENS}/revoke",),
            calendar=service_root("GAIA_CALENDAR_API_ROOT", environ) or CALENDAR,
        )
