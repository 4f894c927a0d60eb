"""Where an account's tokens are kept: a file, the vault, or nowhere yet. Entry: `LoginStorage`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from typing_extensions import override

from gaia_email_registry.errors import NeedsAuth
from gaia_email_registry.private_file import locked
from gaia_mail_mcp.web.json_files import Json, read_json, write_json
from gaia_mail_mcp.web.provider import ProviderNames

StoredTokens = dict[str, Json]
"""`access_token`, `refresh_token`, `scope`, `token_type`, and `expiry_date` in milliseconds since the epoch."""


class LoginStorage(Protocol):
    """Keeps the tokens of one account; its methods may block while a keyring asks the user."""

    connect: str
    """The command that connects the account again."""

    def read(self) -> StoredTokens | None:
        """The tokens, None when there are none.

        Raises:
            MailError: They cannot be read.
        """
        ...

    def write(self, tokens: StoredTokens) -> None:
        """Keep these instead, in one step.

        Raises:
            MailError: They cannot be kept.
        """
        ...

    def alone(self) -> AbstractContextManager[None]:
        """Held by who renews them, against other programs that would."""
        ...


class FileLoginStorage(LoginStorage):
    """A file of its owner's."""

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
        return locked(self.path)


class VaultLoginStorage(LoginStorage):
    """The vault, under the reference that `accounts.json` has.

    Args:
        reference: Without `vault:`; empty for an account that was never connected.
        environ: Says where the vault is.
        lock: Beside which the lock is.
        connect: The command that connects the account again.
        provider: Whose login it is.
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
                f"What the vault has for this account is no {self._company} login.",
                hint=f"Run: {self.connect}",
            )
        return found

    @override
    def write(self, tokens: StoredTokens) -> None:
        from gaia_email_registry.vault import open_vault

        open_vault(self._environ).replace(self._reference, json.dumps(tokens))

    @override
    def alone(self) -> AbstractContextManager[None]:
        return locked(self._lock)


class MemoryLoginStorage(LoginStorage):
    """Only this program's memory: for a login that somebody else will keep."""

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
