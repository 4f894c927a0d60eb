"""Times as documents write them. Entry: `at`."""

from __future__ import annotations

from datetime import UTC, datetime


def at(epoch: float | None) -> str | None:
    """An epoch time as RFC 3339; None stays None."""
    if epoch is None:
        return None
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
