"""Who is asked, in the words people know them by. Entry: `ProviderNames`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderNames:
    """Names for messages to people, and where the user can do by hand what failed here.

    Attributes:
        company: Who gives out logins, as in "Example refused the login".
        service: What the login opens, as in "Example Mail is not connected yet".
        permissions: Where the user takes a login back by hand; a host and path.
    """

    company: str
    service: str
    permissions: str = ""
