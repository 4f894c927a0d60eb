"""Storage of an account's tokens: in a file, in the vault, or in memory. Entry: `LoginStorage`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from typing_extensions import override

from gaia_email_registry.errors import NeedsAuth
from gaia_email_registry.private_file import lock_file
from gaia_mail_mcp.web.json_files import Json, read_json, write_json
from gaia_mail_mcp.web.provider import ProviderNames

StoredTokens = dict[str, Json]
"""`access_token`, `refresh_token`, `scope`, `token_type`, and `expiry_date` in milliseconds since the epoch."""


class LoginStorage(Protocol):
    """Stores the tokens of one account; methods may block while a keyring asks the user."""

    connect: str
    """Command that reconnects the account."""

    def read(self) -> StoredTokens | None:
        """Return the tokens; None if there are none.

        Raises:
            MailError: They cannot be read.
        """
        ...

    def write(self, tokens: StoredTokens) -> None:
        """Replace the tokens in one step.

        Raises:
            MailError: They cannot be stored.
        """
        ...

    def alone(self) -> AbstractContextManager[None]:
        """Return the lock to hold while renewing the tokens, which keeps other programs from doing so."""
        ...


class FileLoginStorage(LoginStorage):
    """Tokens in a file of the user."""

    def __init__(self, path: Path, connect: str) -> None:
        self.path, self.connect = path, connect

    @override
    def read(self) -> StoredTokens | None:
        try:
            return read_json(self.path)
        except OSError as error:
            raise NeedsAuth(f"{self.path} cannot be read ({error.strerror}).") from None

    @override
    def write(self, tokens: StoredTokens) -> None:
        try:
            write_json(self.path, tokens)
        except OSError as error:
            raise NeedsAuth(f"The login could not be saved to {self.path} ({error.strerror}).") from None

    @override
    def alone(self) -> AbstractContextManager[None]:
        return lock_file(self.path)


class VaultLoginStorage(LoginStorage):
    """Tokens in the vault, under the reference in `accounts.json`.

    Args:
        reference: Reference without `vault:`; empty for an account that was never connected.
        environ: Environment with the location of the vault.
        lock: Path next to which the lock file is created.
        connect: Command that reconnects the account.
        provider: Provider of the login.
    """

    def __init__(
        self, reference: str, environ: Mapping[str, str], lock: Path, connect: str, provider: ProviderNames
    ) -> None:
        self._reference, self._environ, self._lock = reference, environ, lock
        self.connect, self._company = connect, provider.company

    @override
    def read(self) -> StoredTokens | None:
        from gaia_email_registry.vault import open_vault

        if not self._reference:
            return None
        try:
            found: Json = json.loads(open_vault(self._environ).get(self._reference))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise NeedsAuth(
                f"The vault entry of this account is not a {self._company} login.",
                hint=f"Run: {self.connect}",
            )
        return found

    @override
    def write(self, tokens: StoredTokens) -> None:
        from gaia_email_registry.vault import open_vault

        open_vault(self._environ).replace(self._reference, json.dumps(tokens))

    @override
    def alone(self) -> AbstractContextManager[None]:
        return lock_file(self._lock)


class MemoryLoginStorage(LoginStorage):
    """Tokens in memory, for a login that another program will store."""

    def __init__(self, connect: str) -> None:
        self.connect = connect
        self.tokens: StoredTokens | None = None

    @override
    def read(self) -> StoredTokens | None:
        return self.tokens

    @override
    def write(self, tokens: StoredTokens) -> None:
        self.tokens = tokens

    @override
    def alone(self) -> AbstractContextManager[None]:
        return nullcontext()
