"""Times as documents write them, and as people read those. Entries: `at`, `at_if_known`, `local_time`."""

from __future__ import annotations

from datetime import UTC, datetime


def at(epoch: float) -> str:
    """An epoch time as RFC 3339."""
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def at_if_known(epoch: float | None) -> str | None:
    """The same; None stays None."""
    return None if epoch is None else at(epoch)


def local_time(instant: str | None) -> str:
    """What a document says in RFC 3339, by the clock of this machine; empty for None."""
    return "" if instant is None else f"{datetime.fromisoformat(instant).astimezone():%Y-%m-%d %H:%M}"
