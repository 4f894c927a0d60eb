"""What goes wrong with a database, as sentences. Entry: `translated_failures`.

These are the ledger's own errors.

```
ProviderError
└── LedgerUnusable  it cannot be read or written now
    ├── DiskFull
    └── LedgerDamaged the file is no database any more; it is left as it is
BadArgument
├── LedgerNewer     a newer program wrote it; it is left as it is
└── LostRace        somebody wrote meanwhile; read again and decide again
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
    """There is no room to write; what was there before stays."""


class LedgerDamaged(LedgerUnusable):
    """The database is broken; nothing was written to it."""


class LedgerNewer(BadArgument):
    """A newer program wrote the database; nothing was changed."""


class LostRace(BadArgument):
    """What was to be changed is not what was read any more."""


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
    """Runs what uses the database at `place`; a failure of it becomes a sentence.

    Raises:
        LedgerDamaged: The file is broken.
        ProviderError: Disk full, read-only, locked for long, a server that does not answer.
    """
    try:
        yield
    except DBAPIError as error:
        raise sentence(str(error.orig), place) from error


def sentence(reason: str, place: str) -> LedgerUnusable:
    """The error for what a database driver or the system said."""
    if any(word in reason.lower() for word in _DAMAGED):
        return damaged(place, reason)
    is_full = any(word in reason.lower() for word in _FULL)
    kind = DiskFull if is_full else LedgerUnusable
    return kind(known(reason, place) or f"{place} cannot be used: {' '.join(reason.split())[:300]}.")


def known(reason: str, place: str) -> str | None:
    """What to tell of a failure that is nobody's fault and says what to do; None for any other."""
    lower = reason.lower()
    for word, text in _SENTENCES:
        if word in lower:
            return text.format(place=place, inner=place[:1].lower() + place[1:])
    if any(word in lower for word in _SILENT):
        return f"{place} does not answer; start the server, or see to GAIA_EMAIL_DATABASE_URL."
    return None


def damaged(place: str, reason: str) -> LedgerDamaged:
    """The refusal of a broken database."""
    return LedgerDamaged(
        f"{place} is damaged ({reason[:120]}) and was left as it is.",
        hint="put back a backup (ledger.db.before-…, beside it), or move the file away to begin a new ledger.",
    )
