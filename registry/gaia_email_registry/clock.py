"""The clock for one mailbox: the system's, or the sample's. Entries: `now`, `utc_now`, `set_to`.

The sample mailbox has a day of its own (`gaia_email.app.sample.day`), so that it looks the same at any hour. While a
program works on it, `GAIA_EMAIL_CLOCK_OFFSET` contains the seconds to add to the system's clock. Child processes
inherit it. Leases, quotas, logins and certificates use the system's clock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, MutableMapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from gaia_email_registry.paths import home

OFFSET, OFFSET_FILE = "GAIA_EMAIL_CLOCK_OFFSET", "clock-offset"


def now() -> float:
    """Return the time in epoch seconds."""
    offset = os.environ.get(OFFSET)
    return time.time() + _seconds(offset) if offset else time.time()


def utc_now() -> datetime:
    """Return the time as an aware datetime in UTC."""
    return datetime.fromtimestamp(now(), UTC)


def is_set() -> bool:
    """Return True if this clock is not the system's."""
    return OFFSET in os.environ


@contextmanager
def set_to(instant: float) -> Generator[None]:
    """Make `instant` the present for this process and those it starts; the clock runs on from there."""
    before = os.environ.get(OFFSET)
    os.environ[OFFSET] = repr(instant - time.time())
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(OFFSET, None)
        else:
            os.environ[OFFSET] = before


def leave_in(folder: Path) -> None:
    """Store the offset in a data directory, for programs that use it later; see `take_from_home`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / OFFSET_FILE).write_text(os.environ[OFFSET], encoding="ascii")


def take_from_home(environ: MutableMapping[str, str]) -> None:
    """Set the offset stored in the data directory; only a sample mailbox stores one."""
    with suppress(OSError, ValueError):
        environ.setdefault(OFFSET, (home(environ) / OFFSET_FILE).read_text(encoding="ascii"))


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
