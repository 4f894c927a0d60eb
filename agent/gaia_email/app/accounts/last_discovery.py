"""Results of the last search of this machine, in `email/discovery.json`. Entries: `store`, `last_addresses`, `forget`.

The file can be recreated at any time: a missing or damaged one counts as empty.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, cast

from gaia_email_registry.discovery.look import AccountCandidate
from gaia_email_registry.discovery.machine import Confidence
from gaia_email_registry.errors import ProviderError
from gaia_email_registry.paths import discovery_file
from gaia_email_registry.private_file import write_private

Adapter = Literal["gmail", "graph", "imap"]

_ADAPTERS: Mapping[str, Adapter] = {"gmail": "gmail", "outlook": "graph", "microsoft365": "graph"}


class StoredCandidate(TypedDict):
    """An account: `adapter` is the server that would serve it, `source` the program with the strongest trace."""

    email: str
    provider: str
    adapter: Adapter
    source: str
    confidence: Confidence


class LastDiscovery(TypedDict):
    """The file; `looked_at` is in epoch seconds."""

    schema_version: Literal[1]
    looked_at: float
    candidates: list[StoredCandidate]


def store(environ: Mapping[str, str], candidates: Sequence[AccountCandidate], *, now: float) -> None:
    """Store the result of a search, likeliest first.

    Raises:
        ProviderError: It cannot be written.
    """
    document: LastDiscovery = {
        "schema_version": 1,
        "looked_at": now,
        "candidates": [
            {
                "email": one.address,
                "provider": one.provider,
                "adapter": _ADAPTERS.get(one.provider, "imap"),
                "source": one.signals[0].source,
                "confidence": one.confidence,
            }
            for one in candidates
        ],
    }
    path = discovery_file(environ)
    try:
        write_private(path, (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise ProviderError(f"{path} cannot be written: {error.strerror}.") from None


def last_addresses(environ: Mapping[str, str]) -> frozenset[str] | None:
    """Return the addresses of the last search in lower case, or None if there is no readable file."""
    try:
        document: object = json.loads(discovery_file(environ).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    rows = cast("Mapping[str, object]", document).get("candidates") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        return None
    emails = [
        cast("Mapping[str, object]", row).get("email") if isinstance(row, dict) else None
        for row in cast("list[object]", rows)
    ]
    return frozenset(email.casefold() for email in emails if isinstance(email, str))


def forget(environ: Mapping[str, str]) -> None:
    """Delete the result of the last search.

    Raises:
        ProviderError: It cannot be deleted.
    """
    path = discovery_file(environ)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ProviderError(f"{path} cannot be deleted: {error.strerror}.") from None
