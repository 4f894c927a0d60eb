"""Wake-up times of snoozed messages, in labels and arguments. Entries: `snooze_label`, `time_to_come`."""

from __future__ import annotations

import datetime as dt
import re

from gaia_email_registry.errors import BadArgument

_SNOOZED = "gaia/snoozed-until-"
_LAST = dt.datetime(9999, 12, 31, tzinfo=dt.UTC)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z")


def snooze_label(until: float) -> str:
    """Return the label of a message snoozed until `until` (epoch seconds), readable by any machine."""
    return f"{_SNOOZED}{dt.datetime.fromtimestamp(until, dt.UTC).strftime('%Y-%m-%dT%H:%M:%SZ')}"


def snoozed_until(name: str) -> float | None:
    """Return the time (epoch seconds) encoded in a snooze label; None for any other label.

    Case does not matter: some servers keep keywords in lower case.
    """
    text = name[len(_SNOOZED) :].upper()
    if name[: len(_SNOOZED)].lower() != _SNOOZED or not _TIME.fullmatch(text):
        return None
    try:
        return dt.datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return None


def time_to_come(until: str, now: dt.datetime) -> dt.datetime:
    """Parse a future time given as an argument.

    Raises:
        BadArgument: The text is not an RFC 3339 time with an offset, or the time is past.
    """
    try:
        instant = dt.datetime.fromisoformat(until)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None or not now < instant < _LAST:
        raise BadArgument(
            "until must be a time to come, with an offset, as in 2030-01-31T08:00:00+01:00.",
            argument="until",
        )
    return instant
