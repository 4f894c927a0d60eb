"""What an automation is told as, to whoever decides about it."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email_automations.wording import config_words, filter_words, trigger_words


@pytest.mark.parametrize(
    ("cron", "told"),
    [
        ("30 7 * * *", "every day at 07:30"),
        ("0 7 * * 1-5", "Monday to Friday at 07:00"),
        ("5 16 * * 5", "on Friday at 16:05"),
        ("0 9 1 * *", "on day 1 of each month at 09:00"),
        ("? ? * * 1-5", "Monday to Friday at a time that is open"),
        ("*/15 * * * *", "at '*/15 * * * *' (minute, hour, day, month, weekday)"),
        ("0 7 1 * 1", "at '0 7 1 * 1' (minute, hour, day, month, weekday)"),
        ("0 7 * 2 *", "at '0 7 * 2 *' (minute, hour, day, month, weekday)"),
        ("0 7", "at '0 7' (minute, hour, day, month, weekday)"),
    ],
)
def test_a_schedule_is_told_in_words_where_it_is_a_time_of_certain_days(cron: str, told: str) -> None:
    assert (
        trigger_words("schedule", {"cron": cron, "timezone": "Europe/Berlin"})
        == f"It runs {told} (Europe/Berlin)."
    )


def test_other_triggers_are_told_too() -> None:
    assert (
        trigger_words("event", {"event_type": "mail.arrived", "filters": {}}) == "It runs when mail arrives."
    )
    told = trigger_words("event", {"event_type": "run.odd", "filters": {"subject": {"contains": "x"}}})
    assert told == "It runs when the event run.odd happens, where subject contains 'x'."
    assert trigger_words("webhook", {}) == "It runs when its webhook is called."
    assert trigger_words("manual", {}) == "You run it by hand."


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ({"payload.bucket": {"equals": "urgent"}}, "bucket is 'urgent'"),
        ({"a_b": {"gt": 3, "lte": 5}}, "a b is above 3 and a b is at most 5"),
        ({"sender": {"in": ["a", "b"]}}, "sender is one of 'a', 'b'"),
        ({"x": {"exists": False}, "y": {"exists": True}}, "x is missing and y is there"),
        ({"$or": [{"x": {"equals": 1}}, {"y": {"regex": "z"}}]}, "(x is 1) or (y matches z)"),
        ({"x": {"regex": r"(?i)\b(invoice|bill)\b"}}, "x has one of the words invoice, bill"),
        ({"x": {"regex": r"(?i)^ann@example\.com$"}}, "x is 'ann@example.com'"),
        ({"x": {"regex": r"(?i)^ann|.*$"}}, "x matches (?i)^ann|.*$"),
        ({"$and": [{"x": {"equals": 1}}], "$not": {"y": {"equals": None}}}, "(x is 1) and not (y is None)"),
    ],
)
def test_a_filter_is_told_as_a_clause(rule: dict[str, Any], told: str) -> None:
    assert filter_words(rule) == told


def test_a_configuration_is_told_field_by_field_and_cut_where_it_is_long() -> None:
    assert config_words({"to": ["a@b.example", "c@d.example"], "read": True, "text": "one\ntwo"}) == (
        "to: a@b.example, c@d.example; read: true; text: one⏎two"
    )
    assert len(config_words({"text": "x" * 1_000})) == len("text: ") + 300
