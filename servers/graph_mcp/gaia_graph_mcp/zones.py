"""Time zones by Windows' names and IANA's: Microsoft writes either, we IANA's. Entries: `iana_of`, `windows_of`."""

from __future__ import annotations

from functools import cache
from zoneinfo import ZoneInfo


def iana_of(name: str) -> str:
    """The IANA name of a zone that Microsoft names; empty where there is none, as for one somebody made up."""
    known = _from_windows().get(name.casefold(), name)
    try:
        return ZoneInfo(known).key if known else ""
    except (ValueError, OSError, KeyError):
        return ""


def windows_of(name: str) -> str:
    """What Windows calls an IANA zone; the IANA name where Windows has none, which Graph takes mostly."""
    return _to_windows().get(name, name)


@cache
def _from_windows() -> dict[str, str]:
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    return {windows.casefold(): iana for windows, iana in WINDOWS_TO_OLSON.items()}


@cache
def _to_windows() -> dict[str, str]:
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    return {iana: windows for windows, iana in WINDOWS_TO_OLSON.items()}
