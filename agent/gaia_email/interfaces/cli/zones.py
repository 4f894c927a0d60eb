"""The IANA name of this machine's time zone. Entry point: `this_zone`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gaia_email_registry.errors import BadArgument

LOCALTIME = Path("/etc/localtime")
"""A link into the zone database on Linux and macOS (tzfile(5), localtime(5))."""


def this_zone(environ: Mapping[str, str], localtime: Path = LOCALTIME) -> str:
    """Return the zone named by `TZ`, or else the machine's.

    Raises:
        BadArgument: Neither names a zone.
    """
    linked = str(localtime.resolve()).partition("zoneinfo/")[2] if localtime.exists() else ""
    for name in (environ.get("TZ", "").lstrip(":"), linked):
        try:
            if name:
                return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError):
            continue
    raise BadArgument(
        "The time zone of this machine cannot be told.",
        argument="zone",
        hint="--zone Europe/Berlin, for one.",
    )
