"""Names of a provider as users know them. Entry: `ProviderNames`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderNames:
    """Names for messages to users, and a page for manual revocation.

    Attributes:
        company: Issuer of logins, as in "Example refused the login".
        service: Service that the login opens, as in "Example Mail is not connected yet".
        permissions: Host and path of the page on which users can revoke a login themselves.
    """

    company: str
    service: str
    permissions: str = ""
