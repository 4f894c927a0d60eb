"""Parse times of day and days of the week into parts of a cron line. Entries: `time_of`, `schedule_of`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gaia_email_automations.authoring.template import choice_question, time_question
from gaia_email_automations.definition import JsonObject

_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?: ?(am|pm|a\.m\.|p\.m\.|o'clock|h|hours))?")
_NAMED = {"noon": (12, 0), "midnight": (0, 0)}
_MORNING, _EVENING = ("morning",), ("afternoon", "evening", "night")
UNSURE_HOURS = range(1, 7)
"""Hours that are ambiguous between morning and afternoon if no other word decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleInWords:
    """A schedule trigger, the questions it leaves open, and the assumptions made."""

    trigger: JsonObject
    fields: JsonObject = field(default_factory=dict[str, Any])
    notes: tuple[str, ...] = ()


def time_of(said: str, part: str = "") -> tuple[int, int] | None:
    """Return hour and minute; None if the text is not a time, or is ambiguous."""
    said = said.strip().lower()
    if said in _NAMED:
        return _NAMED[said]
    match = _TIME.fullmatch(said)
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").replace(".", "")
    if half in ("am", "pm") and not 1 <= hour <= 12:
        return None
    if half == "pm" or (not half and part in _EVENING and hour < 12):
        hour = hour % 12 + 12
    elif half == "am":
        hour %= 12
    elif not half and match[2] is None and part not in _MORNING and hour in UNSURE_HOURS:
        return None
    return (hour, minute) if hour < 24 and minute < 60 else None


def schedule_of(
    said: Mapping[str, str],
    weekdays: Mapping[str, str],
    zone: str,
    *,
    month: bool = False,
    week: bool = False,
) -> ScheduleInWords:
    """Return the schedule that the parts of a sentence describe.

    Args:
        said: `count` and `unit`; or `days`, `part` of the day and `time`; missing parts are empty.
        weekdays: The cron field for each word for days.
        zone: The user's time zone; empty if unknown.
        month: True for each month.
        week: True for each week.
    """
    fields: JsonObject = {}
    notes: list[str] = []
    if unit := said.get("unit") or said.get("each"):
        cron = _every(int(said.get("count") or 1), unit)
        if cron is None:
            asked = "Every how many minutes? Clocks divide the hour."
            fields["minutes"] = {"type": "integer", "title": asked, "enum": [5, 10, 15, 20, 30]}
            cron = "*/<<minutes>> * * * *"
    else:
        day = "*"
        if week:
            day, days = "<<weekday>>", ["1", "2", "3", "4", "5", "6", "0"]
            fields["weekday"] = choice_question("On which day of the week, 0 for Sunday?", days)
        elif not month:
            day = days_of(said.get("days", ""), weekdays)
        cron = f"{_clock(said, fields, notes)} {'1' if month else '*'} * {day}"
    if not zone:
        asked = "In which time zone? Such as Europe/Berlin."
        fields["zone"] = {"type": "string", "title": asked, "maxLength": 60, "examples": ["UTC"]}
    trigger: JsonObject = {"type": "schedule", "cron": cron, "timezone": zone or "<<zone>>", "missed": "once"}
    return ScheduleInWords(trigger=trigger, fields=fields, notes=tuple(notes))


def _clock(said: Mapping[str, str], fields: JsonObject, notes: list[str]) -> str:
    """Return minute and hour of a cron line; if unknown, as holes whose question is added to `fields`."""
    time = said.get("time", "")
    part = said.get("part") or said.get("days", "").lower().removeprefix("every ").removeprefix("each ")
    at = time_of(time, part) if time else _NAMED.get(part)
    if at is None:
        asked = f"{time}: in the morning or in the afternoon?" if time else "At what time?"
        fields["time"] = time_question(f"{asked} Such as 07:30.")
        return "<<time.minute>> <<time.hour>>"
    if time.isdigit():
        notes.append(f"{time} is taken for {at[0]:02}:{at[1]:02}.")
    return f"{at[1]} {at[0]}"


def days_of(said: str, weekdays: Mapping[str, str]) -> str:
    """Return the cron field for days such as `monday and thursday`."""
    found: list[str] = []
    for word in re.split(r", and |, | and ", said.lower()):
        one = re.sub(r"^(?:every|each|on) ", "", word)
        found.append(weekdays.get(one) or weekdays[one.removesuffix("s")])
    return "*" if "*" in found else ",".join(dict.fromkeys(found))


def _every(count: int, unit: str) -> str | None:
    """Return the cron line for every so many minutes or hours; None if cron cannot space them evenly."""
    if unit.startswith("hour"):
        return "0 * * * *" if count == 1 else f"0 */{count} * * *" if 24 % max(count, 1) == 0 else None
    if count and 60 % count == 0:
        return "0 * * * *" if count == 60 else f"*/{count} * * * *" if count > 1 else "* * * * *"
    return None
