"""Google's OAuth key file and an account's login, in the format of the archived Gmail server.

Entry: `GoogleLoginStore`.

In `~/.gmail-mcp`, `gcp-oauth.keys.json` is the client file from Google's console and `credentials.json` holds the
tokens. Tokens of accounts in `accounts.json` are in the vault.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gaia_email_registry.errors import NeedsAuth
from gaia_mail_mcp.web.json_files import read_json, text_member
from gaia_mail_mcp.web.login_storage import FileLoginStorage, LoginStorage
from gaia_mail_mcp.web.login_store import LoginStore, OAuthClient

CONNECT = "gaia-gmail-mcp auth"
"""Command that connects an account."""
CONNECT_KEPT = "gaia email connect --provider gmail"
"""Command that connects an account whose login gaia-email keeps."""


class GoogleLoginStore(LoginStore):
    """The key file and the storage of one account's login.

    Args:
        keys: The key file.
        credentials: The file with the tokens, if they are in one.
        storage: Other storage for the tokens.
        connect: Command that reconnects the account, if the tokens are in a file.
    """

    def __init__(
        self,
        keys: Path,
        credentials: Path | None = None,
        storage: LoginStorage | None = None,
        connect: str = CONNECT,
    ) -> None:
        self.keys_path = keys
        self.credentials_path = credentials or Path()
        super().__init__(
            storage or FileLoginStorage(self.credentials_path, connect),
            lambda: read_keys(self.keys_path, self.storage.connect),
        )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], account: str = "") -> GoogleLoginStore:
        """Use the default paths, or those in `GMAIL_OAUTH_PATH` and `GMAIL_CREDENTIALS_PATH`.

        The key file may also be in the working directory, as the archived server allows. `account` selects one of
        several logins, stored next to the default one as `credentials.<account>.json`.
        """
        credentials = _path("GMAIL_CREDENTIALS_PATH", environ, _folder() / "credentials.json")
        connect = CONNECT
        if account:
            credentials = credentials.with_name(f"{credentials.stem}.{account}{credentials.suffix}")
            connect = f"{CONNECT} --account {account}"
        return cls(keys_path(environ), credentials, connect=connect)


def read_keys(path: Path, connect: str) -> OAuthClient:
    """Return the OAuth client in Google's key file; `connect` is the command for the error's hint.

    Raises:
        NeedsAuth: The file does not exist, cannot be read, or is not a key file.
    """
    try:
        found = read_json(path)
    except OSError as error:
        raise NeedsAuth(f"{path} cannot be read ({error.strerror}).") from None
    if found is None:
        raise NeedsAuth(
            f"There is no Google OAuth key file at {path}: create a desktop client in the Google "
            "Cloud console and save its JSON there.",
            hint=f"Then run: {connect}",
        )
    inner = found.get("installed") or found.get("web")
    client_id = text_member(inner, "client_id")
    if not client_id:
        raise NeedsAuth(
            f"{path} is not a Google OAuth key file: it holds neither an installed nor a web client.",
            hint="Download it again from the Google Cloud console.",
        )
    secret = text_member(inner, "client_secret")
    return OAuthClient(client_id=client_id, client_secret=secret, web="installed" not in found)


def keys_path(environ: Mapping[str, str]) -> Path:
    """Return the path of the key file: `GMAIL_OAUTH_PATH`, the default path, or a file in the working directory."""
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
