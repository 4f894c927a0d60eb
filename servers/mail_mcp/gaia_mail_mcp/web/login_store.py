"""The OAuth client and the tokens of one account, in any storage.

Entries: `LoginStore`, `OAuthClient`, `OAuthLogin`.

Their content never appears in a message, a log or a `repr`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gaia_email_registry.errors import NeedsAuth
from gaia_mail_mcp.web.json_files import Json, text_member
from gaia_mail_mcp.web.login_storage import LoginStorage

_SOON_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthClient:
    """The OAuth client that requests logins."""

    client_id: str
    client_secret: str = field(repr=False)
    """Empty for a public client, which only PKCE protects (RFC 8252 §8.5)."""
    web: bool = False
    """True if registered for the web, with fixed callback URLs; a desktop client may use any port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthLogin:
    """An account's tokens; `expires` is in seconds since the epoch, None if unknown."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    scopes: tuple[str, ...]
    expires: float | None

    def is_fresh(self, now: float) -> bool:
        """Return True if the access token can still be used."""
        return bool(self.access_token) and (self.expires is None or self.expires - _SOON_S > now)


class LoginStore:
    """A login, read on every use because other programs may have renewed it.

    Args:
        storage: Storage of the tokens.
        keys: Reads the OAuth client; raises `NeedsAuth` if there is none.
    """

    def __init__(self, storage: LoginStorage, keys: Callable[[], OAuthClient]) -> None:
        self.storage = storage
        self._keys = keys

    def keys(self) -> OAuthClient:
        """Return the OAuth client.

        Raises:
            NeedsAuth: There is none, or it cannot be read.
        """
        return self._keys()

    def login(self) -> OAuthLogin | None:
        """Return the tokens; None if the account was never connected.

        Raises:
            MailError: They cannot be read.
        """
        found = self.storage.read()
        if found is None:
            return None
        expiry = found.get("expiry_date")
        return OAuthLogin(
            access_token=text_member(found, "access_token"),
            refresh_token=text_member(found, "refresh_token"),
            scopes=tuple(text_member(found, "scope").split()),
            expires=expiry / 1000 if isinstance(expiry, (int, float)) else None,
        )

    def save(self, answer: Mapping[str, Json], now: float) -> OAuthLogin:
        """Store the response of the token endpoint; fields it does not contain stay as they are.

        Raises:
            MailError: They cannot be stored.
        """
        content = self.storage.read() or {}
        for name in ("access_token", "refresh_token", "scope", "token_type"):
            if answer.get(name):
                content[name] = answer[name]
        lifetime = answer.get("expires_in")
        if isinstance(lifetime, (int, float)):
            content["expiry_date"] = int((now + lifetime) * 1000)
        self.storage.write(content)
        login = self.login()
        if login is None:
            raise NeedsAuth("The login could not be read back from where it was saved.")
        return login
