"""Tables of hundreds of short cases as one test each, for which pytest would take longer than their bodies do."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def failing(rows: Iterable[tuple[object, ...]], check: Callable[..., None]) -> dict[str, str]:
    """The rows for which the check fails, each with the error that it raises; there have to be some rows."""
    found: dict[str, str] = {}
    count = 0
    for count, row in enumerate(rows, start=1):
        try:
            check(*row)
        except Exception as error:  # whatever it is, it belongs to its row
            found[f"{count}: {row!r:.200}"] = f"{type(error).__name__}: {error}"
    assert count
    return found
