"""Google's OAuth key file and an account's login, as the archived Gmail server kept them. Entry: `GoogleLoginStore`.

In `~/.gmail-mcp`: `gcp-oauth.keys.json` is what Google's console gives out, `credentials.json` holds the tokens. An
account of `accounts.json` has its tokens in the vault.
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
"""The command that connects an account."""
CONNECT_KEPT = "gaia email connect --provider gmail"
"""The same for an account whose login gaia-email keeps."""


class GoogleLoginStore(LoginStore):
    """The key file, and where the login of one account is.

    Args:
        keys: The key file.
        credentials: The file with the tokens, where they are in one.
        storage: Where they are instead.
        connect: The command that connects the account again, where they are in a file.
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


def read_keys(path: Path, connect: str) -> OAuthClient:
    """The OAuth client in Google's key file; `connect` is the command to go on with.

    Raises:
        NeedsAuth: There is no key file, or it is not one.
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
