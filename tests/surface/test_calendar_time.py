"""Conflicts, free time and local times, against the plainest way of working them out."""

from __future__ import annotations

import datetime as dt
import itertools
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from gaia_email_registry.contract.wire import CalendarEvent
from gaia_mail_mcp.calendar_time import free_between, instant, overlaps, read_time

BERLIN = ZoneInfo("Europe/Berlin")
BEGIN = dt.datetime(2026, 3, 29, tzinfo=dt.UTC)
"""The night in which the clocks of Berlin go forward."""
ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Africa/Cairo",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Havana",
    "Asia/Kathmandu",
]


def at(slot: int) -> dt.datetime:
    """The begin of a half hour."""
    return BEGIN + dt.timedelta(minutes=30 * slot)


def event(number: int, start: int, length: int, *, busy: bool) -> CalendarEvent:
    return {
        "id": f"e{number}",
        "uid": "",
        "title": "",
        "start": at(start).astimezone(BERLIN).isoformat(),
        "end": at(start + length).astimezone(BERLIN).isoformat(),
        "all_day": False,
        "time_zone": "Europe/Berlin",
        "status": "confirmed",
        "busy": busy,
        "location": "",
        "description": "",
        "organizer": {"name": "", "address": ""},
        "attendees": [],
        "response": "",
    }


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10), st.booleans()), max_size=8))
def test_a_conflict_is_every_pair_that_blocks_the_same_half_hour(found: list[tuple[int, int, bool]]) -> None:
    events = [event(number, start, length, busy=busy) for number, (start, length, busy) in enumerate(found)]
    blocked = [set(range(start, start + length)) if busy else set[int]() for start, length, busy in found]
    wanted = {
        frozenset((f"e{one}", f"e{other}"))
        for one, other in itertools.combinations(range(len(found)), 2)
        if blocked[one] & blocked[other]
    }
    assert {frozenset(pair["ids"]) for pair in overlaps(events, BERLIN)} == wanted


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10)), max_size=8), st.integers(1, 6))
def test_free_is_what_nothing_blocks_and_is_long_enough(busy: list[tuple[int, int]], least: int) -> None:
    taken = {slot for start, length in busy for slot in range(start, start + length)}
    runs: list[list[int]] = []
    for slot in range(5, 35):
        if slot in taken:
            continue
        if runs and runs[-1][1] == slot:
            runs[-1][1] = slot + 1
        else:
            runs.append([slot, slot + 1])
    spans = [(at(start), at(start + length)) for start, length in busy]
    free = free_between((at(5), at(35)), spans, dt.timedelta(minutes=30 * least))
    assert free == [(at(start), at(end)) for start, end in runs if end - start >= least]


@given(st.sampled_from(ZONES), st.dates(dt.date(2000, 1, 1), dt.date(2030, 1, 1)), st.integers(0, 1439))
def test_a_day_begins_at_its_first_moment_and_every_local_time_is_one(
    name: str, day: dt.date, minute: int
) -> None:
    zone = ZoneInfo(name)
    begins = instant(day, zone)
    assert begins.astimezone(zone).date() >= day
    assert (begins - dt.timedelta(seconds=1)).astimezone(zone).date() < day
    found = read_time(f"{day.isoformat()}T{minute // 60:02d}:{minute % 60:02d}", zone, "start")
    assert isinstance(found, dt.datetime) and found.astimezone(dt.UTC).astimezone(zone) == found
