"""Pause, stop, travel mode and quiet hours, which restrict the agent for a time. Entry: `Switches`, `QuietHours`.

*Pause* starts no new run and lets the current one finish. *Stop* ends everything, and nothing restarts by itself.
*Travel mode* caps every level at 2 and sends no notifications. *Quiet hours* have no alerts and no scheduled runs.
Times are epoch seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import structs

from gaia_email.document import Document
from gaia_email.policy.model import Cause
from gaia_email.policy.wire import ObjectFields, read_object
from gaia_email_registry.errors import BadArgument

TRAVEL_LEVEL = 2

_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """Daily hours in an IANA time zone; they span midnight if `start` is later than `end`.

    On the day the clocks change, a time that occurs twice means its first occurrence, and a time that does not occur
    uses the offset from before the change, as calendars do (RFC 5545 §3.3.5).
    """

    start: time
    end: time
    zone: str

    @staticmethod
    def parse(start: str, end: str, zone: str) -> QuietHours:
        """Parse quiet hours such as `"22:00"`, `"07:00"` and `"Europe/Berlin"`.

        Raises:
            BadArgument: A time or the zone is invalid, or both times are the same.
        """
        hours = QuietHours(start=_clock(start), end=_clock(end), zone=zone)
        _zone(zone)
        if hours.start == hours.end:
            raise BadArgument(
                "Quiet hours need two different times, such as 22:00 and 07:00.", argument="quiet_hours"
            )
        return hours

    def until(self, now: float) -> float | None:
        """Return the end of the quiet hours at `now`, or None outside quiet hours."""
        zone = _zone(self.zone)
        today = datetime.fromtimestamp(now, UTC).astimezone(zone).date()
        overnight = timedelta(days=1 if self.end < self.start else 0)
        for day in (today - timedelta(days=1), today):
            begins = _instant(day, self.start, zone)
            ends = _instant(day + overnight, self.end, zone)
            if begins <= now < ends:
                return ends
        return None

    def __str__(self) -> str:
        return f"{self.start:%H:%M} to {self.end:%H:%M} ({self.zone})"


def _instant(day: date, clock: time, zone: ZoneInfo) -> float:
    return datetime.combine(day, clock, tzinfo=zone).timestamp()


def _clock(text: str) -> time:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise BadArgument(f"{text[:40]!r} is not a time of day such as 22:00.", argument="quiet_hours")
    return time(int(match[1]), int(match[2]))


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise BadArgument(
            f"{name[:60]!r} is not a time zone; zones are named like Europe/Berlin or America/New_York.",
            argument="zone",
        ) from None


class Switches(Document, frozen=True, kw_only=True):
    """The user's switches, as the times when they were set or end (epoch seconds); None is off."""

    paused_at: float | None = None
    stopped_at: float | None = None
    travel_until: float | None = None

    def travels(self, now: float) -> bool:
        """Return True if travel mode is on."""
        return self.travel_until is not None and now < self.travel_until

    def to_json(self) -> dict[str, object]:
        """Return the switches as a ledger document."""
        return structs.asdict(self)

    @staticmethod
    def from_json(value: object) -> Switches:
        """Read the switches from a ledger document.

        Raises:
            BadArgument: The document is invalid.
        """
        fields = read_object(value, "switches", optional=("paused_at", "stopped_at", "travel_until"))
        return Switches(
            paused_at=_time(fields, "paused_at"),
            stopped_at=_time(fields, "stopped_at"),
            travel_until=_time(fields, "travel_until"),
        )


def _time(fields: ObjectFields, name: str) -> float | None:
    return None if fields.get(name) is None else fields.number(name, 0.0, 1e12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """The reason why something may not be done now."""

    cause: Cause
    reason: str


STOPPED = Hold(cause="stopped", reason="The agent is stopped; gaia email resume lets it work again.")
PAUSED = Hold(cause="paused", reason="The agent is paused; gaia email resume lets it work again.")
QUIET = Hold(cause="quiet_hours", reason="These are your quiet hours.")
TRAVELS = Hold(cause="travel", reason="Travel mode is on: no notifications until it ends.")


def holds_run(
    switches: Switches,
    quiet: QuietHours | None,
    *,
    now: float,
    scheduled: bool,
    started_at: float | None = None,
) -> Hold | None:
    """Return what keeps a run from starting or continuing, or None.

    Args:
        switches: The user's switches.
        quiet: The user's quiet hours.
        now: Epoch seconds.
        scheduled: True if a schedule started the run, not the user.
        started_at: Start of the run; None if it has not started yet.
    """
    if switches.stopped_at is not None:
        return STOPPED
    begun = now if started_at is None else started_at
    if switches.paused_at is not None and (started_at is None or begun >= switches.paused_at):
        return PAUSED
    if scheduled and quiet is not None and quiet.until(begun) is not None:
        return QUIET
    return None


def holds_alert(switches: Switches, quiet: QuietHours | None, *, now: float) -> Hold | None:
    """Return what holds back an alert, or None."""
    if switches.travels(now):
        return TRAVELS
    if quiet is not None and quiet.until(now) is not None:
        return QUIET
    return None
