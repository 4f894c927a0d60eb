"""When something comes back, as people say it."""

from __future__ import annotations

from datetime import datetime, timedelta

import click
import pytest

from gaia_email.app.services.time_words import instant_text
from gaia_email.interfaces.cli.times import since_epoch, until_epoch

TUESDAY = datetime(2026, 11, 24, 14, 5).astimezone()


def said(text: str, now: datetime = TUESDAY) -> str:
    return instant_text(until_epoch(text, now))


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("tomorrow", "Wed 25 Nov, 08:00"),
        ("Tomorrow at 9am", "Wed 25 Nov, 09:00"),
        ("tonight", "Tue 24 Nov, 18:00"),
        ("friday", "Fri 27 Nov, 08:00"),
        ("tuesday", "Tue 01 Dec, 08:00"),
        (" friday 14:00 ", "Fri 27 Nov, 14:00"),
        ("next week", "Mon 30 Nov, 08:00"),
        ("29 November", "Sun 29 Nov, 08:00"),
        ("morgen", "Wed 25 Nov, 08:00"),
        ("2026-12-24T07:30", "Thu 24 Dec, 07:30"),
        ("4h", "Tue 24 Nov, 18:05"),
        ("3 days", "Fri 27 Nov, 14:05"),
        ("in 2 hours", "Tue 24 Nov, 16:05"),
        ("1W", "Tue 01 Dec, 14:05"),
    ],
)
def test_a_day_in_words_begins_in_the_morning_and_today_ends_in_the_evening(text: str, back: str) -> None:
    assert said(text) == back


@pytest.mark.parametrize("text", ["", "soon", "tomorrow or so", "the fifth of never", "99999y", "0001-01-01"])
def test_what_is_no_moment_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(click.BadParameter, match="tomorrow or friday"):
        until_epoch(text, TUESDAY)


def test_since_counts_backwards() -> None:
    assert since_epoch("2 weeks", TUESDAY) == (TUESDAY - timedelta(weeks=2)).timestamp()
    assert since_epoch(None, TUESDAY) is None
