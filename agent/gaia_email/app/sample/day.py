"""The fixed day of the sample mailbox, so that it reads the same at any hour. Entries: `sample_day`, `local_zone`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from gaia_email_registry import clock

DAY = datetime(2026, 11, 18, 15)  # noqa: DTZ001
"""A Wednesday afternoon by the user's clock. Its mails mention "tonight", "tomorrow noon" and "by Sunday".

The date is fixed, rather than the last Wednesday, since dates in the text affect verdicts.
"""

_SYSTEM_ZONE = Path("/etc/localtime")


@contextmanager
def sample_day(environ: Mapping[str, str]) -> Generator[tzinfo]:
    """Set the clock of this process to the sample's day, in the user's zone, which is yielded."""
    zone = local_zone(environ)
    with clock.set_to(DAY.replace(tzinfo=zone).timestamp()):
        yield zone


def local_zone(environ: Mapping[str, str]) -> tzinfo:
    """Return the time zone named by `TZ`, else this machine's, with its daylight saving rules if known."""
    named = environ.get("TZ", "").lstrip(":")
    try:
        if named:
            return ZoneInfo(named)
        with _SYSTEM_ZONE.open("rb") as file:
            return ZoneInfo.from_file(file)
    except (KeyError, ValueError, OSError):
        return datetime.fromtimestamp(clock.now(), UTC).astimezone().tzinfo or UTC
