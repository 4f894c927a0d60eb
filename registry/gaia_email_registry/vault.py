"""Stores passwords in the system's keyring if there is one, else in an encrypted file. Entry: `open_vault`.

`accounts.json` stores a reference, `keyring:NAME` or `file:NAME`, so that reading needs no search. The file protects
against backups, greps and other users, but anyone who can read all files of this user can also read it, unless
`GAIA_VAULT_KEY_FILE` puts its key somewhere else (a systemd credential, a removable disk). Nothing is imported before a
secret is requested.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from gaia_email_registry import paths
from gaia_email_registry.errors import BadArgument, NeedsAuth, ProviderError
from gaia_email_registry.private_file import lock_file, open_to_others, write_private

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

SERVICE = "gaia-email"
"""Service name of our passwords in the keyring."""


class Vault(Protocol):
    """A store of secrets by name."""

    def put(self, name: str, secret: str) -> str:
        """Store `secret` and return the reference for `get`; replaces an earlier secret of that `name`."""
        ...

    def replace(self, reference: str, secret: str) -> None:
        """Store `secret` under an existing reference, wherever new secrets would be stored now."""
        ...

    def get(self, reference: str) -> str:
        """Return the secret; raise `NeedsAuth` if it is missing."""
        ...

    def remove(self, reference: str) -> None:
        """Remove the secret; harmless if it is missing."""
        ...


def open_vault(environ: Mapping[str, str]) -> Vault:
    """Return the vault of this user; nothing is read or created yet.

    Raises:
        BadArgument: `GAIA_VAULT` is neither `auto`, `keyring` nor `file`.
    """
    return _open(environ)


def _open(environ: Mapping[str, str]) -> _Chosen:
    choice = environ.get("GAIA_VAULT", "").strip().lower() or "auto"
    if choice not in ("auto", "keyring", "file"):
        raise BadArgument(
            f"GAIA_VAULT must be auto, keyring or file, not {choice[:40]!r}.", argument="GAIA_VAULT"
        )
    home = paths.home(environ)
    key = environ.get("GAIA_VAULT_KEY_FILE", "").strip()
    file = FileVault(home / "vault", Path(key).expanduser() if key else home / "vault.key")
    return _Chosen(KeyringVault(), file, choice)


def renew_key(environ: Mapping[str, str]) -> Path | None:
    """Re-encrypt the file with a new key; return the path of the key, or None if no secret is in a file.

    The key file contains both keys until the file is written, so that a crash at any moment leaves both readable.

    Raises:
        BadArgument: As in `open_vault`.
        ProviderError: The files cannot be read or written.
    """
    return _open(environ).renew_key()


class _Chosen(Vault):
    """Writes to one of two vaults, reads from the one that a reference names."""

    def __init__(self, keyring: KeyringVault, file: FileVault, choice: str) -> None:
        self._keyring, self._file, self._choice = keyring, file, choice

    @override
    def put(self, name: str, secret: str) -> str:
        if self._choice == "keyring" or (self._choice == "auto" and self._keyring.available()):
            return self._keyring.put(name, secret)
        return self._file.put(name, secret)

    @override
    def replace(self, reference: str, secret: str) -> None:
        self._of(reference).replace(reference, secret)

    @override
    def get(self, reference: str) -> str:
        return self._of(reference).get(reference)

    @override
    def remove(self, reference: str) -> None:
        self._of(reference).remove(reference)

    def renew_key(self) -> Path | None:
        """Give the file a new key; secrets in the keyring use the keyring's own key."""
        return self._file.renew_key()

    def _of(self, reference: str) -> Vault:
        return self._keyring if reference.startswith(KeyringVault.PREFIX) else self._file


class KeyringVault(Vault):
    """The keyring of the desktop (Secret Service, KWallet, macOS Keychain), through the keyring library."""

    PREFIX = "keyring:"

    def available(self) -> bool:
        """Return True if there is a keyring that stores secrets safely; null and plain-text backends do not count."""
        try:
            import keyring
            from keyring.backend import KeyringBackend
            from keyring.backends import chainer, fail, null

            backend: KeyringBackend = keyring.get_keyring()
            if isinstance(backend, chainer.ChainerBackend):
                return any(inner.priority >= 1 for inner in backend.backends)
            return not isinstance(backend, (fail.Keyring, null.Keyring)) and backend.priority >= 1
        except Exception:  # a backend may raise any exception while it looks for its service
            return False

    @override
    def put(self, name: str, secret: str) -> str:
        """Store a secret in the keyring.

        Raises:
            ProviderError: The keyring refused, for example because it is locked.
        """
        import keyring
        from keyring.errors import KeyringError

        try:
            keyring.set_password(SERVICE, name, secret)
        except KeyringError as error:
            raise _keyring_error(error) from None
        return self.PREFIX + name

    @override
    def replace(self, reference: str, secret: str) -> None:
        self.put(reference.removeprefix(self.PREFIX), secret)

    @override
    def get(self, reference: str) -> str:
        import keyring
        from keyring.errors import KeyringError

        try:
            secret = keyring.get_password(SERVICE, reference.removeprefix(self.PREFIX))
        except KeyringError as error:
            raise _keyring_error(error) from None
        if secret is None:
            raise _missing()
        return secret

    @override
    def remove(self, reference: str) -> None:
        import keyring
        from keyring.errors import KeyringError, PasswordDeleteError

        try:
            keyring.delete_password(SERVICE, reference.removeprefix(self.PREFIX))
        except PasswordDeleteError:
            return
        except KeyringError as error:
            raise _keyring_error(error) from None


class FileVault(Vault):
    """One encrypted file (Fernet: AES-128-CBC with HMAC-SHA256) with its key in another; both mode 0600."""

    PREFIX = "file:"

    def __init__(self, path: Path, key_path: Path) -> None:
        self._path, self._key_path = path, key_path

    @override
    def put(self, name: str, secret: str) -> str:
        """Store a secret in the encrypted file.

        Raises:
            ProviderError: The files cannot be written, or others may read the key.
        """
        with self._translated_failures(), lock_file(self._path):
            secrets = self._read()
            secrets[name] = secret
            self._write(secrets)
        return self.PREFIX + name

    @override
    def replace(self, reference: str, secret: str) -> None:
        self.put(reference.removeprefix(self.PREFIX), secret)

    @override
    def get(self, reference: str) -> str:
        with self._translated_failures():
            secret = self._read().get(reference.removeprefix(self.PREFIX))
        if secret is None:
            raise _missing()
        return secret

    @override
    def remove(self, reference: str) -> None:
        with self._translated_failures():
            if not self._path.exists():
                return
            with lock_file(self._path):
                secrets = self._read()
                if secrets.pop(reference.removeprefix(self.PREFIX), None) is not None:
                    self._write(secrets)

    def renew_key(self) -> Path | None:
        """Re-encrypt the file with a new key; return the path of the key, None if there is no file."""
        from cryptography.fernet import Fernet

        with self._translated_failures(), lock_file(self._path):
            if not self._path.exists():
                return None
            secrets, old = self._read(), self._key(make=False)
            key: bytes = Fernet.generate_key()
            write_private(self._key_path, key + b"\n" + old)
            self._write(secrets)
            write_private(self._key_path, key)
        return self._key_path

    def _read(self) -> dict[str, str]:
        from cryptography.fernet import InvalidToken

        try:
            token = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        try:
            kept: dict[str, str] = json.loads(self._cipher(make=False).decrypt(token))
        except (InvalidToken, ValueError):
            raise ProviderError(
                f"{self._path} cannot be decrypted with {self._key_path}; one of them is damaged or from another "
                "machine.",
                hint="remove both and connect the account again with gaia email connect.",
            ) from None
        return kept

    def _write(self, secrets: Mapping[str, str]) -> None:
        content = json.dumps(secrets, ensure_ascii=False).encode("utf-8", "surrogatepass")
        write_private(self._path, self._cipher(make=True).encrypt(content))

    def _cipher(self, *, make: bool) -> MultiFernet:
        """Return a cipher for the keys in the key file, one per line: the first encrypts, any decrypts."""
        from cryptography.fernet import Fernet, MultiFernet

        return MultiFernet([Fernet(key) for key in self._key(make=make).split()])

    def _key(self, *, make: bool) -> bytes:
        from cryptography.fernet import Fernet

        try:
            if open_to_others(self._key_path):
                raise ProviderError(
                    f"{self._key_path} may be read by others; take that back with chmod 600 and connect again."
                )
            return self._key_path.read_bytes().strip()
        except FileNotFoundError:
            if not make or self._path.exists():
                raise ProviderError(
                    f"{self._key_path}, the key of {self._path}, is missing.",
                    hint="put it back, or remove the vault and connect the account again.",
                ) from None
        key: bytes = Fernet.generate_key()
        write_private(self._key_path, key)
        return key

    def _translated_failures(self) -> _TranslatedFailures:
        return _TranslatedFailures(self._path)


class _TranslatedFailures:
    """Converts errors of the file system to `ProviderError`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            where = os.fspath(error.filename or self._path)
            raise ProviderError(f"{where} cannot be used: {error.strerror}.") from None


def _missing() -> NeedsAuth:
    return NeedsAuth(
        "The password of this account is not in the vault any more.",
        hint="gaia email connect asks for it again.",
    )


def _keyring_error(error: Exception) -> ProviderError:
    # The exception's own text may quote the secret.
    return ProviderError(
        f"The system's keyring refused ({type(error).__name__}).",
        hint="unlock it, or set GAIA_VAULT=file to keep passwords in an encrypted file.",
    )
