"""Windows and IANA time zone names: Microsoft uses both, we use IANA's. Entries: `iana_of`, `windows_of`.

The mapping is CLDR's, from tzlocal's table; names that CLDR leaves out are found through the links in the time zone
database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from gaia_email_registry.errors import BadArgument

_UTC = "tzone://microsoft/utc"
"""Exchange's name for UTC as the zone of an event."""


_LINKS = {
    "CST6CDT": "America/Chicago",
    "EST5EDT": "America/New_York",
    "MST7MDT": "America/Denver",
    "PST8PDT": "America/Los_Angeles",
}
"""Links since 2024b that builds with old zones (PACKRATDATA) still have as separate zones."""


def iana_of(name: str) -> str:
    """Return the IANA name of a zone that Microsoft names; empty if there is none, as for a custom zone."""
    known = _from_windows().get(name.casefold(), name)
    try:
        return ZoneInfo(known).key if known else ""
    except (ValueError, OSError, KeyError):
        return ""


def windows_of(name: str) -> str:
    """Return the Windows name of an IANA zone, which Graph always accepts.

    Raises:
        BadArgument: Windows has no such zone.
    """
    to_windows = _tables()[1]
    found = next((to_windows[one] for one in (name, *_other_names().get(name, ())) if one in to_windows), "")
    if not found:
        raise BadArgument(
            f"Outlook has no time zone {name[:40]!r}; give that of a city where clocks show the same, for example "
            "Europe/Berlin.",
            argument="time_zone",
        )
    return found


def _tables() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the tables from and to Windows names; imported only when needed, which takes 40 ms."""
    from tzlocal.windows_tz import tz_win, win_tz

    return win_tz, tz_win


@cache
def _from_windows() -> dict[str, str]:
    return {windows.casefold(): iana for windows, iana in _tables()[0].items()} | {_UTC: "UTC"}


@cache
def _other_names() -> dict[str, list[str]]:
    """Return all names of each zone, from the lines `L target name` of tzdata.zi (zic(8))."""
    text = (files("tzdata") / "zoneinfo" / "tzdata.zi").read_text(encoding="utf-8")
    links = [line.split() for line in text.splitlines() if line.startswith("L ")]
    target = _LINKS | {name: of for _, of, name in links}
    names: dict[str, list[str]] = defaultdict(list)
    for name, of in target.items():
        while of in target:
            of = target[of]
        names[of].append(name)
    return {one: [of, *others] for of, others in names.items() for one in (of, *others)}
