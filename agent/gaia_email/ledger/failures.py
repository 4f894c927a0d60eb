"""Converts database failures to the ledger's errors. Entry: `translated_failures`.

```
ProviderError
└── LedgerUnusable  cannot be read or written now
    ├── DiskFull
    └── LedgerDamaged not a valid database any more; left unchanged
BadArgument
├── LedgerNewer     written by a newer program; left unchanged
└── LostRace        changed since it was read; read and decide again
```
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from gaia_email_registry.errors import BadArgument, ProviderError


class LedgerUnusable(ProviderError):
    """The database cannot be read or written now."""


class DiskFull(LedgerUnusable):
    """The disk is full; existing data is intact."""


class LedgerDamaged(LedgerUnusable):
    """The database is broken; nothing was written to it."""


class LedgerNewer(BadArgument):
    """A newer program wrote the database; nothing was changed."""


class LostRace(BadArgument):
    """The data changed between reading and writing."""


_SENTENCES: tuple[tuple[str, str], ...] = (
    (
        "disk is full",
        "The disk is full, so {inner} could not be written; nothing in it was lost. Free some space.",
    ),
    (
        "no space left",
        "The disk is full, so {inner} could not be written; nothing in it was lost. Free some space.",
    ),
    (
        "readonly",
        "{place} cannot be written; make it and its folder writable, or set GAIA_HOME to another folder.",
    ),
    (
        "read-only file",
        "{place} cannot be written; make it and its folder writable, or set GAIA_HOME to another folder.",
    ),
    (
        "unable to open",
        "{place} cannot be opened; make it and its folder writable, or set GAIA_HOME to another folder.",
    ),
    ("permission denied", "{place} cannot be opened; make it readable and writable for you."),
    ("locked", "Another program is busy with {inner}; try again in a moment."),
    (
        "disk i/o error",
        "{place} could not be read or written (the disk reports an error); nothing in it was changed.",
    ),
)
_SILENT = ("connection refused", "connection failed", "could not connect", "server closed", "name or service")
_FULL = ("disk is full", "no space left")
_DAMAGED = ("malformed", "not a database", "database corruption", "file is encrypted")


@contextmanager
def translated_failures(place: str) -> Generator[None, None, None]:
    """Convert failures of the database at `place` to the ledger's errors.

    Raises:
        LedgerDamaged: The file is broken.
        ProviderError: Disk full, read-only, locked for too long, or the server does not answer.
    """
    try:
        yield
    except DBAPIError as error:
        raise sentence(str(error.orig), place) from error


def sentence(reason: str, place: str) -> LedgerUnusable:
    """Return the error for a message of the database driver or the operating system."""
    if any(word in reason.lower() for word in _DAMAGED):
        return damage_error(place, reason)
    is_full = any(word in reason.lower() for word in _FULL)
    kind = DiskFull if is_full else LedgerUnusable
    return kind(
        explain_failure(reason, place) or f"{place} cannot be used: {' '.join(reason.split())[:300]}."
    )


def explain_failure(reason: str, place: str) -> str | None:
    """Return the text for a failure that the user can fix, with what to do; None for any other failure."""
    lower = reason.lower()
    for word, text in _SENTENCES:
        if word in lower:
            return text.format(place=place, inner=place[:1].lower() + place[1:])
    if any(word in lower for word in _SILENT):
        return f"{place} does not answer; start the server, or see to GAIA_EMAIL_DATABASE_URL."
    return None


def damage_error(place: str, reason: str) -> LedgerDamaged:
    """Return the error for a broken database."""
    return LedgerDamaged(
        f"{place} is damaged ({reason[:120]}) and was left as it is.",
        hint="put back a backup (ledger.db.before-…, beside it), or move the file away to begin a new ledger.",
    )
