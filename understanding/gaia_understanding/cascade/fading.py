"""Lower old messages by the clock of their mailbox (docs/decisions/0002). Entries: `fade`, `steady`.

A deadline that has passed makes nothing urgent, and old mail matters less. The clock is the date of the
mailbox's newest message; without one (`Context.age_s` is 0) a message is judged as of its own date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, date, datetime, timedelta

from gaia_understanding.cascade.asks.urgency import Urgency
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.verdict import Bucket, Context

DAY = 86_400.0
FADES: tuple[tuple[Bucket, float, Bucket], ...] = (
    ("urgent", 7 * DAY, "actionable"),
    ("actionable", 180 * DAY, "informational"),
)
"""A bucket, the age in seconds after which it no longer applies, and the bucket that replaces it."""

WAITS = 14 * DAY
"""The age in seconds from which undated mail that needs the user has waited too long, if no habit is known."""
LEAST_WAIT, MOST_WAIT = 3 * DAY, 28 * DAY
"""The bounds of that age, in seconds, if the user's habit with the sender is known."""
WINDOWS = 3
"""The multiple of the user's usual answering time after which an answer is late."""
_NAMED_DAYS = {"wanted_today": 0, "changed_today": 0, "one_time_code": 0, "wanted_tomorrow": 1}
"""Cues for a day that the sender names, and how many days after the sending it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastDate:
    """The date that makes a message past or overdue.

    Attributes:
        named: True if the message names the day: a deadline, a day on which something is wanted, an appointment. False
            if the message is merely old, and the day is that of its sending.
        day: The date.
        today: The day by the mailbox's clock.
    """

    named: bool
    day: date
    today: date


def fade(facts: RuleFacts, urgency: Urgency, bucket: Bucket) -> tuple[Bucket, PastDate | None]:
    """Return the present bucket of a message that was in `bucket` on its own day, and its past date, if any."""
    age, sent = facts.context.age_s, facts.message.date
    if age <= 0 or bucket not in ("urgent", "actionable"):
        return bucket, None
    today = _later(sent, age) if sent is not None else None
    named = _find_day(facts, urgency) if sent is not None else None
    passed = named is not None and today is not None and named < today
    now: Bucket = "actionable" if passed and bucket == "urgent" else bucket
    for fading, after, becomes in FADES:
        if now == fading and age > after:
            now = becomes
    if sent is None or today is None:
        return now, None
    if named is not None and passed:
        return now, PastDate(named=True, day=named, today=today)
    waited = now == "actionable" and named is None and age > waits_for(facts.context)
    return now, PastDate(named=False, day=sent.date(), today=today) if waited or now != bucket else None


def waits_for(context: Context) -> float:
    """Return the age in seconds from which undated mail that needs the user has waited too long."""
    usual = context.usual_wait_s
    return WAITS if usual is None else min(MOST_WAIT, max(LEAST_WAIT, WINDOWS * usual))


EVER = 1e12
"""An age that no message reaches, in seconds."""


def steady(facts: RuleFacts, urgency: Urgency) -> tuple[float, float]:
    """Return the ages, both excluded, between which time changes nothing about this message; (0, 0) at age 0.

    This module and `wording.timing` may use the age only through the marks counted here: whether there is an
    age, the steps of `FADES`, the longest wait, the day after the sending, the day after the named day, and
    the year.
    """
    age, sent = facts.context.age_s, facts.message.date
    if age <= 0:
        return 0.0, 0.0
    marks = [0.0, EVER, waits_for(facts.context), *(after for _, after, _ in FADES)]
    if sent is not None:
        first = sent.date()
        midnight = DAY - (sent - sent.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
        today = _later(sent, age)
        days = [first + timedelta(days=1)]
        days += [date(year, 1, 1) for year in (today.year, today.year + 1) if year <= MAXYEAR]
        named = _find_day(facts, urgency)
        if named is not None and named < date.max:
            days.append(named + timedelta(days=1))
        marks += (midnight + ((day - first).days - 1) * DAY for day in days)
    if age in marks:  # exactly on a mark: some of the marks above act from it on, others only after it
        return age, age
    return max(mark for mark in marks if mark < age), min(mark for mark in marks if mark > age)


def today_of(facts: RuleFacts) -> date | None:
    """Return the day by the mailbox's clock, on the sender's calendar; None for a message without a date."""
    sent = facts.message.date
    return None if sent is None else _later(sent, facts.context.age_s)


def _later(sent: datetime, age_s: float) -> date:
    try:
        return (sent + timedelta(seconds=max(0.0, age_s))).date()
    except OverflowError:
        return sent.date()


def _find_day(facts: RuleFacts, urgency: Urgency) -> date | None:
    """Return the day by which the message wants something or on which it takes place; None if it names none."""
    sent = facts.message.date
    if sent is None:
        return None
    appointment = _appointment(facts, sent)
    if appointment is not None:
        return appointment
    if urgency.deadline and urgency.days is not None:
        return _add_days(sent, urgency.days)
    days = [_NAMED_DAYS[cue.name] for cue in urgency.cues if cue.name in _NAMED_DAYS]
    return _add_days(sent, max(days)) if days else None


def _add_days(sent: datetime, days: int) -> date | None:
    try:
        return sent.date() + timedelta(days=days)
    except OverflowError:
        return None


def _appointment(facts: RuleFacts, sent: datetime) -> date | None:
    """Return the last day of an invitation in a calendar part; None if it recurs (RFC 5545 section 3.8.5)."""
    meeting = facts.entities.meeting
    if meeting is None or not meeting.method or any("\nRRULE" in text for text in facts.message.calendars):
        return None
    instant = local_time(meeting.end or meeting.start, sent)
    return None if instant is None else instant.date()


def local_time(value: str, sent: datetime) -> datetime | None:
    """Return an ISO 8601 time on the clock of the message's own date; None if `value` is not a time."""
    try:
        instant = datetime.fromisoformat(value)
        return instant.astimezone(sent.tzinfo) if instant.tzinfo is not None else instant
    except (OverflowError, ValueError):
        return None
