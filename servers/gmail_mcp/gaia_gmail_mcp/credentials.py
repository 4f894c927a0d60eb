"""The OAuth client and the login of an account. Entry: `Store`.

In `~/.gmail-mcp`, as the archived Gmail server wrote them: `gcp-oauth.keys.json` is what Google's console gives
out, `credentials.json` holds the tokens. An account of `accounts.json` has its tokens in the vault. No content of
these ever appears in a message, a log or a `repr`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gaia_email_registry import paths
from gaia_email_registry.accounts import Account
from gaia_email_registry.errors import BadArgument, NeedsAuth
from gaia_gmail_mcp.files import Json, is_object, read_json
from gaia_gmail_mcp.login_places import FilePlace, LoginPlace, VaultPlace

CONNECT = "gaia-gmail-mcp auth"
"""The command that connects an account."""

_SOON_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The OAuth client: who asks."""

    client_id: str
    client_secret: str = field(repr=False)
    """Empty for a public client, which PKCE alone protects (RFC 8252 §8.5)."""
    web: bool = False
    """Registered for the web, with fixed callback URLs; a desktop client takes any port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """An account's tokens; `expires` is in seconds since the epoch, None when it was not told."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    scopes: tuple[str, ...]
    expires: float | None

    def is_fresh(self, now: float) -> bool:
        """Whether the access token can still be used."""
        return bool(self.access_token) and (self.expires is None or self.expires - _SOON_S > now)


class Store:
    """The key file, and where the login of one account is.

    Args:
        keys: The key file.
        credentials: The file with the tokens, where they are in one.
        place: Where they are instead.
    """

    def __init__(
        self,
        keys: Path,
        credentials: Path | None = None,
        place: LoginPlace | None = None,
        connect: str = CONNECT,
    ) -> None:
        self.keys_path = keys
        self.credentials_path = credentials or Path()
        self.place: LoginPlace = place or FilePlace(self.credentials_path, connect)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], account: str = "") -> Store:
        """The usual paths, or those of `GMAIL_OAUTH_PATH` and `GMAIL_CREDENTIALS_PATH`.

        Keys may also lie in the working directory, as the archived server allows. `account` names one of
        several: its credentials are beside the usual ones, in `credentials.<account>.json`.
        """
        credentials = _path("GMAIL_CREDENTIALS_PATH", environ, _folder() / "credentials.json")
        connect = CONNECT
        if account:
            credentials = credentials.with_name(f"{credentials.stem}.{account}{credentials.suffix}")
            connect = f"{CONNECT} --account {account}"
        return cls(keys_path(environ), credentials, connect=connect)

    @classmethod
    def of_account(cls, account: Account, environ: Mapping[str, str]) -> Store:
        """The login of an account of `accounts.json`.

        Raises:
            BadArgument: It is not kept in the vault.
        """
        kind, _, reference = account.secret.partition(":")
        if kind != "vault":
            raise BadArgument(f"The login of {account.id[:80]} is not in the vault.", argument="secret")
        lock = paths.account_directory(environ, account.id) / "login"
        connect = f"gaia email connect --provider gmail --email {account.address}"
        return cls(keys_path(environ), place=VaultPlace(reference, environ, lock, connect))

    def keys(self) -> Keys:
        """The OAuth client.

        Raises:
            NeedsAuth: There is no key file, or it is not one.
        """
        try:
            found = read_json(self.keys_path)
        except OSError as error:
            raise NeedsAuth(f"{self.keys_path} cannot be read ({error.strerror}).") from None
        if found is None:
            raise NeedsAuth(
                f"There is no Google OAuth key file at {self.keys_path}: create a desktop client in the Google "
                "Cloud console and save its JSON there.",
                hint=f"Then run: {self.place.connect}",
            )
        inner = found.get("installed") or found.get("web")
        client_id, secret = _text(inner, "client_id"), _text(inner, "client_secret")
        if not client_id:
            raise NeedsAuth(
                f"{self.keys_path} is not a Google OAuth key file: it holds neither an installed nor a web client.",
                hint="Download it again from the Google Cloud console.",
            )
        return Keys(client_id=client_id, client_secret=secret, web="installed" not in found)

    def login(self) -> Login | None:
        """The tokens, None when the account was never connected."""
        found = self.place.read()
        if found is None:
            return None
        expiry = found.get("expiry_date")
        return Login(
            access_token=_text(found, "access_token"),
            refresh_token=_text(found, "refresh_token"),
            scopes=tuple(_text(found, "scope").split()),
            expires=expiry / 1000 if isinstance(expiry, (int, float)) else None,
        )

    def save(self, answer: Mapping[str, Json], now: float) -> Login:
        """Keep what the token endpoint answered; what it does not mention stays as it is.

        Raises:
            MailError: They cannot be kept.
        """
        content = self.place.read() or {}
        for name in ("access_token", "refresh_token", "scope", "token_type"):
            if answer.get(name):
                content[name] = answer[name]
        lifetime = answer.get("expires_in")
        if isinstance(lifetime, (int, float)):
            content["expiry_date"] = int((now + lifetime) * 1000)
        self.place.write(content)
        login = self.login()
        if login is None:
            raise NeedsAuth("The login could not be read back from where it was saved.")
        return login


def keys_path(environ: Mapping[str, str]) -> Path:
    """The key file: `GMAIL_OAUTH_PATH`, else the usual one, else one in the working directory."""
    keys = _path("GMAIL_OAUTH_PATH", environ, _folder() / "gcp-oauth.keys.json")
    local = Path("gcp-oauth.keys.json")
    if not environ.get("GMAIL_OAUTH_PATH") and not keys.exists() and local.exists():
        return local.absolute()
    return keys


def _folder() -> Path:
    return Path(os.path.expanduser("~/.gmail-mcp"))


def _path(name: str, environ: Mapping[str, str], default: Path) -> Path:
    given = environ.get(name, "").strip()
    return Path(os.path.expanduser(given)).absolute() if given else default


def _text(value: object, name: str) -> str:
    text = value.get(name) if is_object(value) else None
    return text if isinstance(text, str) else ""
