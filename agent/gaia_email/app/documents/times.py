"""Times as documents write them. Entries: `at`, `at_if_known`."""

from __future__ import annotations

from datetime import UTC, datetime


def at(epoch: float) -> str:
    """An epoch time as RFC 3339."""
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def at_if_known(epoch: float | None) -> str | None:
    """The same; None stays None."""
    return None if epoch is None else at(epoch)
