"""Phrases about days for a reason: something is due, takes place, or has passed. Entries: `due`, `late`."""

from __future__ import annotations

from datetime import date, timedelta

from gaia_understanding.cascade.facts import days_until
from gaia_understanding.cascade.fading import PastDate, local_time, today_of
from gaia_understanding.cascade.priority import RuleFindings
from gaia_understanding.cascade.tables import word_list
from gaia_understanding.cascade.wording.lines import one_line

_MONTHS = word_list("January February March April May June July August September October November December")
_DAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_UNNAMED_DAYS = ("end of", "close of")
SOON = 14
"""The days ahead from which a deadline is not worth naming yet."""
_LONG_AGO = 366
"""The days back beyond which a date is history rather than a deadline."""


def due(found: RuleFindings, words: str) -> str:
    """Return `; due Friday` or `; was due 3 May`; empty without a near deadline or if `words` names it already.

    The sender's own word for the day is kept as long as it is true: "tomorrow" is another day the day after.
    """
    facts, days = found.facts, found.urgency.days
    sent = facts.message.date
    deadline = one_line(found.urgency.deadline).rstrip(".,; ")
    if not deadline or days is None or sent is None:
        return _overdue(found, words)
    if days > SOON or deadline.lower() in words.lower():
        return ""
    today = today_of(facts)
    if today is not None and today != sent.date():
        return f"; due {day_words(sent.date() + timedelta(days=days), today)}"
    return format_day(found, "due", deadline)


def _overdue(found: RuleFindings, words: str) -> str:
    """Return the latest deadline that had passed when the message was written."""
    sent = found.facts.message.date
    if sent is None:
        return ""
    past = [
        (days, mention.text)
        for mention in found.facts.entities.dates
        if mention.deadline
        and (days := days_until(mention.value, sent)) is not None
        and -_LONG_AGO <= days < 0
    ]
    if not past:
        return ""
    days, text = max(past)
    if one_line(text).lower() in words.lower():
        return ""
    return f"; was due {day_words(sent.date() + timedelta(days=days), today_of(found.facts) or sent.date())}"


def format_day(found: RuleFindings, verb: str, day: str) -> str:
    """Return `; wanted tonight`: a verb, and a day in the sender's own words."""
    if found.facts.prepared.language not in ("", "en"):
        return f'; {verb} "{day}"'
    if day.lower().startswith(_UNNAMED_DAYS):
        return f"; {verb} by the {day}"
    return f"; {verb} at {day}" if day[:1].isdigit() and ":" in day[:5] else f"; {verb} {day}"


def late(what: PastDate) -> str:
    """Return `; the date passed on 3 May`, or the day since which a message that names none has waited."""
    said = "the date passed on" if what.named else "it has waited since"
    return f"; {said} {day_words(what.day, what.today)}"


def day_words(day: date, today: date) -> str:
    """Return `3 May`, with the year if it is not the year of `today`."""
    year = f" {day.year}" if day.year != today.year else ""
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"


def on_day(found: RuleFindings, start: str) -> str:
    """Return ` on Tuesday, 24 November at 11:00` on the message's own clock; empty if `start` is not ISO 8601."""
    sent = found.facts.message.date
    if sent is None:
        return ""
    instant = local_time(start, sent)
    if instant is None:
        return ""
    clock = f" at {instant.hour:02}:{instant.minute:02}" if "T" in start else ""
    return f" on {_DAYS[instant.weekday()]}, {instant.day} {_MONTHS[instant.month - 1]}{clock}"
