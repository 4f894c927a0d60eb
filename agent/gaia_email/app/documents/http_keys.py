"""The document of `serve keys list`. Entry point: `keys_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypedDict, get_args

from gaia_email.document import Count, Time, Version, at, clean

KeyScope = Literal["read", "draft", "act"]
SCOPES: tuple[KeyScope, ...] = get_args(KeyScope)
"""What an API key may be for: to look, to prepare, and to ask for what changes mail. None of them decides."""


class KeyFacts(Protocol):
    """A key as it is kept; its secret is not among it."""

    @property
    def key_id(self) -> str:
        """By which it is revoked."""
        ...

    @property
    def name(self) -> str:
        """Which program it is for."""
        ...

    @property
    def scopes(self) -> Sequence[KeyScope]:
        """What it may do."""
        ...

    @property
    def created_at(self) -> float:
        """Epoch seconds."""
        ...


class KeyRow(TypedDict):
    """An API key, without its secret."""

    id: str
    name: str
    scopes: list[KeyScope]
    created_at: Time


class KeysDocument(TypedDict):
    """What `serve keys list` prints."""

    schema_version: Version
    shown: Count
    keys: list[KeyRow]


HTTP_KEYS_DOCUMENTS: dict[str, object] = {"serve-keys": KeysDocument}


def keys_document(found: Sequence[KeyFacts]) -> KeysDocument:
    """Keys, in the order given."""
    rows: list[KeyRow] = [
        {
            "id": key.key_id,
            "name": clean(key.name),
            "scopes": list(key.scopes),
            "created_at": at(key.created_at),
        }
        for key in found
    ]
    return {"schema_version": 1, "shown": len(rows), "keys": rows}
