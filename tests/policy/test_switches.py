"""Quiet hours over midnight and clock changes; what keeps a run from starting."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.policy.switches import QuietHours, Switches, holds_alert, holds_run
from tests.policy.made import NOW, quiet_hours


def at(text: str, zone: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


NIGHT = QuietHours.parse("22:00", "07:00", "Europe/Berlin")
LUNCH = QuietHours.parse("12:00", "13:30", "America/New_York")


@pytest.mark.parametrize(
    ("hours", "instant", "ends"),
    [
        (NIGHT, "2026-11-21T21:59:59", None),
        (NIGHT, "2026-11-21T22:00:00", "2026-11-22T07:00:00"),
        (NIGHT, "2026-11-22T03:00:00", "2026-11-22T07:00:00"),
        (NIGHT, "2026-11-22T06:59:59", "2026-11-22T07:00:00"),
        (NIGHT, "2026-11-22T07:00:00", None),
        (LUNCH, "2026-11-22T12:00:00", "2026-11-22T13:30:00"),
        (LUNCH, "2026-11-22T13:30:00", None),
        (LUNCH, "2026-11-22T00:30:00", None),
    ],
)
def test_quiet_hours_hold_from_start_to_end_in_their_zone(
    hours: QuietHours, instant: str, ends: str | None
) -> None:
    until = hours.until(at(instant, hours.zone))
    assert until == (None if ends is None else at(ends, hours.zone))


def test_the_night_the_clocks_go_back_is_an_hour_longer() -> None:
    evening = at("2026-10-24T22:00:00", "Europe/Berlin")
    until = NIGHT.until(evening)
    assert until is not None
    assert until - evening == 10 * 3600
    spring = at("2026-03-28T22:00:00", "Europe/Berlin")
    until = NIGHT.until(spring)
    assert until is not None
    assert until - spring == 8 * 3600


def test_a_time_that_is_left_out_is_taken_with_the_offset_from_before() -> None:
    """On 29 March 2026 clocks in Berlin go from 02:00 to 03:00."""
    early = QuietHours.parse("22:00", "02:30", "Europe/Berlin")
    until = early.until(at("2026-03-29T01:59:00", "Europe/Berlin"))
    assert until == at("2026-03-29T03:30:00", "Europe/Berlin")


def test_a_time_that_occurs_twice_is_its_first_occurrence() -> None:
    early = QuietHours.parse("22:00", "02:30", "Europe/Berlin")
    until = early.until(at("2026-10-25T01:00:00", "Europe/Berlin"))
    assert until is not None
    assert until == at("2026-10-25T01:00:00", "Europe/Berlin") + 5400
    assert early.until(until) is None
    assert early.until(until + 1800) is None


@given(quiet_hours(), st.floats(0, 4e9))
@settings(max_examples=200)
def test_quiet_hours_end_when_they_say(hours: QuietHours, now: float) -> None:
    until = hours.until(now)
    if until is not None:
        assert now < until <= now + 25.5 * 3600
        assert hours.until(until) is None


@given(quiet_hours(), st.floats(0, 4e9))
@settings(max_examples=15)
def test_a_day_has_quiet_and_other_hours(hours: QuietHours, now: float) -> None:
    minutes = [hours.until(now + minute * 60) is not None for minute in range(0, 27 * 60, 1)]
    assert any(minutes)
    assert not all(minutes)


def test_pause_and_stop_keep_a_run_from_starting_and_travel_mode_does_not() -> None:
    def hold(switched: Switches, *, scheduled: bool = False, started_at: float | None = None) -> str:
        found = holds_run(switched, None, now=NOW, scheduled=scheduled, started_at=started_at)
        return found.cause if found else ""

    assert hold(Switches(paused_at=NOW - 5)) == "paused"
    assert hold(Switches(paused_at=NOW - 5), started_at=NOW - 9) == ""
    assert hold(Switches(stopped_at=NOW - 5), started_at=NOW - 9) == "stopped"
    assert hold(Switches(travel_until=NOW + 5)) == ""
    assert hold(Switches(), scheduled=True) == ""


def test_quiet_hours_hold_scheduled_runs_and_alerts_and_nothing_else() -> None:
    night = at("2026-11-22T03:00:00", "Europe/Berlin")
    assert holds_run(Switches(), NIGHT, now=night, scheduled=False) is None
    held = holds_run(Switches(), NIGHT, now=night, scheduled=True)
    assert held is not None
    assert held.cause == "quiet_hours"
    begun = at("2026-11-21T21:00:00", "Europe/Berlin")
    assert holds_run(Switches(), NIGHT, now=night, scheduled=True, started_at=begun) is None
    alert = holds_alert(Switches(), NIGHT, now=night)
    assert alert is not None
    assert holds_alert(Switches(), NIGHT, now=night + 12 * 3600) is None
