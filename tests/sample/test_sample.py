"""The sample mailbox is big and varied enough, made the same way every time, and always dated near today."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gaia_email.app.sample.dates import fill
from gaia_email.app.sample.mailbox import in_the_day, sample_messages, write_sample
from gaia_email.app.sample.script import parse_age, parse_script
from gaia_mail.mime.read import parse_message

NOW = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)


def test_there_are_at_least_150_messages_with_names_of_their_own() -> None:
    messages = sample_messages(NOW)
    assert len(messages) >= 150
    assert len({message.name for message in messages}) == len(messages)


def test_the_same_moment_gives_the_same_bytes() -> None:
    assert sample_messages(NOW) == sample_messages(NOW)


def test_everything_moves_with_today() -> None:
    later = NOW + timedelta(days=100)
    for then, now in ((NOW, sample_messages(NOW)), (later, sample_messages(later))):
        dates = [parse_message(message.raw).date for message in now]
        dated = [date for date in dates if date is not None]
        assert len(dates) - len(dated) <= 1
        assert all(timedelta(0) <= then - date <= timedelta(days=12) for date in dated)


def test_no_slot_is_left_open() -> None:
    for message in sample_messages(NOW):
        parsed = parse_message(message.raw)
        assert "d|" not in parsed.text + parsed.subject + parsed.html + "".join(parsed.calendars), (
            message.name
        )


def test_it_has_every_kind_of_trouble() -> None:
    parsed = [parse_message(message.raw) for message in sample_messages(NOW)]
    assert sum(bool(message.defects) for message in parsed) >= 4
    assert sum(bool(message.calendars) for message in parsed) >= 2
    assert sum("list-unsubscribe" in message.headers for message in parsed) >= 25
    assert len({message.sender.address for message in parsed if message.sender}) >= 90


def test_writing_makes_a_maildir(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path)) / "m"
    assert write_sample(folder, now=NOW.timestamp()) >= 150
    assert (folder / "cur").is_dir()
    assert (folder / ".Sent" / "cur").is_dir()


def test_slots_are_filled_in_every_language() -> None:
    date = datetime(2026, 3, 4, 15, tzinfo=UTC)
    text = "{+1d|weekday} {+1d|weekday:de} {+0d|date:fr} {+0d|iso} {+2h|clock} {+0d|ics}"
    assert fill(text, date) == "Thursday Donnerstag 4 mars 2026-03-04 5:00 pm 20260304T150000Z"


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        ("UTC", "20260305T143000Z"),
        ("Europe/Berlin", "20260305T133000Z"),
        ("America/Los_Angeles", "20260305T223000Z"),
    ],
)
def test_an_event_is_at_the_same_hour_by_the_clock_of_every_zone(zone: str, written: str) -> None:
    assert fill("{+1d|ics:1430}", datetime(2026, 3, 4, 15, tzinfo=ZoneInfo(zone))) == written


@pytest.mark.parametrize(("text", "seconds"), [("2d3h", 183600), ("40m", 2400), ("1d", 86400)])
def test_ages_are_read(text: str, seconds: int) -> None:
    assert parse_age(text) == seconds


def test_a_broken_script_names_the_message() -> None:
    with pytest.raises(ValueError, match="bad-one"):
        parse_script("=== bad-one\nnonsense\n\ntext\n")


@pytest.mark.parametrize(
    ("now", "written"),
    [
        ("2026-03-04T15:30", "2026-03-04T15:30"),
        ("2026-03-04T09:00", "2026-03-04T09:00"),
        ("2026-03-04T08:59", "2026-03-03T18:00"),
        ("2026-03-01T00:00", "2026-02-28T18:00"),
    ],
)
def test_at_night_it_is_that_of_the_evening_before(now: str, written: str) -> None:
    instant = datetime.fromisoformat(f"{now}+00:00")
    assert in_the_day(instant.timestamp()) == datetime.fromisoformat(f"{written}+00:00").timestamp()
