"""API keys for programs on other machines, each with its scopes. Entry point: `ApiKeys`.

A key is `gaia_ID_SECRET`. The file holds digests; since a secret is 256 random bits, a plain SHA-256 cannot
be reversed by trying. A revoked key stops working with the next request.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from gaia_email.document import Count, Document, Timestamp
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.private_file import lock_file, open_to_others, write_private

KeyScope = Literal["read", "draft", "act"]
SCOPES: tuple[KeyScope, ...] = get_args(KeyScope)
"""Scopes of an API key: read, prepare drafts, and request changes of mail. None of them can approve."""

MOST = 64
PREFIX = "gaia"


class ApiKey(Document, frozen=True, kw_only=True):
    """An API key, without its secret."""

    id: str
    name: str
    scopes: tuple[KeyScope, ...]
    created_at: Timestamp


class ApiKeyList(Document, frozen=True, kw_only=True):
    """API keys, oldest first."""

    shown: Count
    keys: tuple[ApiKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeptKey:
    """A key with a digest of its secret."""

    key: ApiKey
    digest: str = field(repr=False)


def api_keys_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the key file."""
    return home(environ) / "email" / "http-keys.json"


class ApiKeys:
    """The keys in one file, which other programs may change at any time."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._read_as: tuple[int, ...] | None = None
        self._keys: tuple[_KeptKey, ...] = ()

    def add(self, name: str, scopes: Collection[str]) -> tuple[ApiKey, str]:
        """Create a key; return it with its token, which is shown only once.

        Args:
            name: The program that will use it.
            scopes: What it may do.

        Raises:
            BadArgument: The name or a scope is invalid, or the file cannot be used.
        """
        chosen: tuple[KeyScope, ...] = tuple(scope for scope in SCOPES if scope in scopes)
        if not chosen or len(chosen) != len(set(scopes)):
            raise BadArgument("Scopes of a key are read, draft and act.", argument="scopes")
        if not name.strip() or len(name) > 60 or not name.isprintable():
            raise BadArgument("A key needs a printable name of at most 60 characters.", argument="name")
        secret = secrets.token_urlsafe(32)
        made = ApiKey(
            id=secrets.token_hex(4),
            name=name.strip(),
            scopes=chosen,
            created_at=Timestamp(self._clock()),
        )
        self._change(lambda keys: (*keys, _KeptKey(key=made, digest=_digest(secret))))
        return made, f"{PREFIX}_{made.id}_{secret}"

    def all(self) -> tuple[ApiKey, ...]:
        """Return every key, oldest first.

        Raises:
            BadArgument: The file cannot be used.
        """
        return tuple(one.key for one in self._kept())

    def _kept(self) -> tuple[_KeptKey, ...]:
        found = _signature(self._path)
        if found is None or found != self._read_as:
            self._keys = () if found is None else _read(self._path)
            self._read_as = found
        return self._keys

    def revoke(self, beginning: str) -> ApiKey:
        """Delete the key whose id begins with this text.

        Raises:
            NotFound: No key matches, or more than one.
            BadArgument: The file cannot be used.
        """
        found = [key for key in self.all() if beginning and key.id.startswith(beginning)]
        if len(found) != 1:
            what = "More than one key has" if found else "No key has"
            raise NotFound(
                f"{what} an id that begins with {beginning[:20]!r}.",
                argument="id",
                hint="gaia email serve keys list",
            )
        self._change(lambda keys: tuple(one for one in keys if one.key.id != found[0].id))
        return found[0]

    def match(self, given: str) -> ApiKey | None:
        """Return the key for a token, or None if the token is invalid or the file cannot be used."""
        prefix, _, rest = given.partition("_")
        key_id, _, secret = rest.partition("_")
        if prefix != PREFIX or not secret:
            return None
        digest = _digest(secret)
        for one in self._usable():
            if one.key.id == key_id and hmac.compare_digest(one.digest, digest):
                return one.key
        return None

    def knows(self, key_id: str) -> bool:
        """Return True if a key with that id still exists."""
        return any(one.key.id == key_id for one in self._usable())

    def _usable(self) -> tuple[_KeptKey, ...]:
        try:
            return self._kept()
        except BadArgument:
            return ()

    def _change(self, change: Callable[[tuple[_KeptKey, ...]], tuple[_KeptKey, ...]]) -> None:
        try:
            ensure_private_directory(self._path.parent)
            with lock_file(self._path):
                keys = change(self._kept())
                if len(keys) > MOST:
                    raise BadArgument(f"There are {MOST} keys already; revoke one.", argument="name")
                write_private(self._path, json.dumps({"keys": [_record_of(one) for one in keys]}).encode())
        except OSError as error:
            raise BadArgument(f"The keys in {self._path} cannot be written: {error}.") from None


def _signature(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadArgument(f"The keys in {path} cannot be read: {error}.") from None
    return found.st_mtime_ns, found.st_ino, found.st_size, found.st_mode


def _record_of(kept: _KeptKey) -> dict[str, object]:
    key = kept.key
    return {
        "key_id": key.id,
        "name": key.name,
        "scopes": key.scopes,
        "created_at": key.created_at,
        "digest": kept.digest,
    }


def _read(path: Path) -> tuple[_KeptKey, ...]:
    try:
        if open_to_others(path):
            raise BadArgument(
                f"Other users may change {path}, so its keys prove nothing.", hint=f"remove {path}."
            )
        kept = json.loads(path.read_bytes())["keys"]
        return tuple(
            _KeptKey(
                key=ApiKey(
                    id=str(key["key_id"]),
                    name=str(key["name"]),
                    scopes=tuple(scope for scope in SCOPES if scope in key["scopes"]),
                    created_at=Timestamp(key["created_at"]),
                ),
                digest=str(key["digest"]),
            )
            for key in kept
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise BadArgument(f"{path} cannot be read as a list of API keys.", hint=f"remove {path}.") from None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
