"""Dates in prose, resolved against the date of the message, in seven languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from gaia_understanding.prepare.extract.dates import find_dates
from gaia_understanding.prepare.extract.model import DateMention
from gaia_understanding.prepare.extract.view import view_of

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=timezone(timedelta(hours=1)))


def mentions(
    text: str, language: str = "en", sent: datetime | None = MONDAY, region: str = ""
) -> list[DateMention]:
    return [found.mention() for found in find_dates(view_of(text, language=language, region=region), sent)]


@pytest.mark.parametrize(
    ("language", "text", "found", "value", "deadline"),
    [
        ("en", "Can we meet tomorrow at 3pm?", "tomorrow at 3pm", "2026-03-03T15:00:00+01:00", False),
        ("en", "Please send it by Friday.", "Friday", "2026-03-06", True),
        ("en", "See you next Tuesday at 3pm", "next Tuesday at 3pm", "2026-03-10T15:00:00+01:00", False),
        ("en", "I need it by EOD.", "EOD", "2026-03-02", True),
        ("en", "by end of week", "end of week", "2026-03-06", True),
        ("en", "submit by end of day June 28.", "end of day June 28", "2026-06-28", True),
        ("en", "we arrive in two days", "in two days", "2026-03-04", False),
        ("en", "the party is on 5 March", "5 March", "2026-03-05", False),
        (
            "en",
            "on March 5th, 2026 at 10:30 CET",
            "March 5th, 2026 at 10:30 CET",
            "2026-03-05T10:30:00+01:00",
            False,
        ),
        ("en", "due 2026-03-05", "2026-03-05", "2026-03-05", True),
        ("en", "the call is at 3pm Thursday", "3pm Thursday", "2026-03-05T15:00:00+01:00", False),
        ("en", "your password expires in 3 days", "in 3 days", "2026-03-05", True),
        ("en", "return it by Thursday, 12 June, so we can", "Thursday, 12 June", "2026-06-12", True),
        ("en", "before Wednesday 10am", "Wednesday 10am", "2026-03-04T10:00:00+01:00", True),
        ("en", "by end of June", "end of June", "2026-06-30", True),
        ("en", "let's talk next week", "next week", "2026-03-09", False),
        ("en", "Thursday afternoon is fine", "Thursday", "2026-03-05", False),
        (
            "de",
            "bis Freitag, 12. März um 15 Uhr",
            "Freitag, 12. März um 15 Uhr",
            "2026-03-12T15:00:00+01:00",
            True,
        ),
        ("de", "wir sehen uns morgen um 14:30", "morgen um 14:30", "2026-03-03T14:30:00+01:00", False),
        ("de", "bis spätestens 5.3.", "5.3.", "2026-03-05", True),
        ("de", "nächsten Dienstag", "nächsten Dienstag", "2026-03-10", False),
        ("fr", "avant le 5 mars", "5 mars", "2026-03-05", True),
        ("fr", "on se voit demain à 14h30", "demain à 14h30", "2026-03-03T14:30:00+01:00", False),
        ("fr", "jeudi prochain", "jeudi prochain", "2026-03-12", False),
        ("es", "antes del viernes", "viernes", "2026-03-06", True),
        ("es", "mañana a las 15:00", "mañana a las 15:00", "2026-03-03T15:00:00+01:00", False),
        ("it", "entro venerdì", "venerdì", "2026-03-06", True),
        ("it", "domani alle 15:30", "domani alle 15:30", "2026-03-03T15:30:00+01:00", False),
        ("pt", "até sexta-feira", "sexta-feira", "2026-03-06", True),
        ("pt", "5 de março de 2026", "5 de março de 2026", "2026-03-05", False),
        ("nl", "uiterlijk 5 maart", "5 maart", "2026-03-05", True),
        ("nl", "morgen om 15:00", "morgen om 15:00", "2026-03-03T15:00:00+01:00", False),
        ("ja", "会議は2026年3月5日です", "2026年3月5日", "2026-03-05", False),
    ],
)
def test_a_date_is_found_as_written_and_resolved(
    language: str, text: str, found: str, value: str, deadline: bool
) -> None:
    assert mentions(text, language) == [DateMention(text=found, value=value, deadline=deadline)]


@pytest.mark.parametrize(
    "text",
    [
        "upgrade to version 1.2.3 now",
        "it costs 3.50 or 12.99",
        "the ratio is 16:9",
        "call 555-123-4567",
        "we may 2 or more of you see",
        "192.168.10.12 is the router",
        "1/2 of the cake",
        "march on, sun lovers, and sat down",
    ],
)
def test_versions_prices_ratios_and_phone_numbers_are_not_dates(text: str) -> None:
    assert mentions(text) == []


def test_day_and_month_order_follows_the_senders_zone_and_country() -> None:
    american = datetime(2026, 3, 2, 9, 0, tzinfo=timezone(timedelta(hours=-5)))
    assert mentions("on 3/5/2026", sent=american)[0].value == "2026-03-05"
    assert mentions("on 3/5/2026", sent=MONDAY)[0].value == "2026-05-03"
    assert mentions("on 3/5/2026", sent=american, region="gb")[0].value == "2026-05-03"
    assert mentions("on 25/3/2026", sent=american)[0].value == "2026-03-25"


def test_a_day_without_a_year_stays_near_the_message() -> None:
    december = datetime(2025, 12, 20, 9, 0, tzinfo=UTC)
    assert mentions("by January 5", sent=december)[0].value == "2026-01-05"
    assert mentions("it happened on 5 December", sent=december)[0].value == "2025-12-05"


def test_weekdays_named_after_next_week_lie_in_it() -> None:
    values = [
        mention.value for mention in mentions("Are you free next week? Tuesday or Thursday would work.")
    ]
    assert values == ["2026-03-09", "2026-03-10", "2026-03-12"]


def test_without_a_message_date_only_full_dates_are_resolved() -> None:
    assert [mention.value for mention in mentions("tomorrow, or on 2026-04-01", sent=None)] == ["2026-04-01"]


def test_impossible_dates_are_left_out() -> None:
    assert mentions("on 31/02/2026 or 2026-13-40") == []
