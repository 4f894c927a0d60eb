"""The words for days, months and deadlines in each language (`data/dates.txt`). Used by `dates`.

In them `_` is white space, and `|` never occurs except in `ordinal`; weekdays count from Monday as 0, months
from January as 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_email_registry.tables import read_table

Unit = Literal["hour", "day", "week", "month", "year"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords:
    """The words of one language about days.

    Attributes:
        months: A line per month, its spellings separated by spaces.
        weekdays: A line per weekday from Monday on; short forms that are also words must be capitalised in the text
            to count.
        relative: Days from the message's own, and their names.
        units: Units of time, singular and plural.
        numbers: Small numbers as words.
        upcoming: Words before or after a weekday, week or month that mean the one after this.
        current: The same for the one now running or coming.
        past: The same for the one before.
        within: Words before a span of time that ends in the future.
        after_span: Words after one ("from now").
        ago: Words before or after a span that is in the past.
        close: Phrases for the end of a day, week, month or year, up to and including that unit.
        day_joint: Words between day and month, and between month and year.
        ordinal: The text after the number of a day.
        clock_joint: Words between a date and a time of day.
        noon: Midday.
        deadline: Words directly before a date that make it a deadline.
        deadline_after: Words directly after a date that do.
        month_first: True if 3/5 is the fifth of March.
    """

    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    relative: dict[int, str]
    units: dict[Unit, str]
    numbers: tuple[str, ...]
    upcoming: str
    current: str
    past: str
    within: str
    after_span: str
    ago: str
    close: dict[Unit, str]
    day_joint: str
    ordinal: str
    clock_joint: str
    noon: str
    deadline: str
    deadline_after: str
    month_first: bool = False


_UNITS: tuple[Unit, ...] = ("hour", "day", "week", "month", "year")
_RELATIVE = {"today": 0, "tomorrow": 1, "in_two_days": 2, "yesterday": -1, "two_days_ago": -2}


def _words_of(entries: dict[str, str]) -> DateWords:
    lines = {key: " ".join(text.split()) for key, text in entries.items()}
    return DateWords(
        months=_groups(lines["months"]),
        weekdays=_groups(lines["weekdays"]),
        relative={days: lines[key] for key, days in _RELATIVE.items() if key in lines},
        units={unit: lines[unit] for unit in _UNITS},
        numbers=_groups(lines["numbers"]),
        upcoming=lines["upcoming"],
        current=lines["current"],
        past=lines["past"],
        within=lines["within"],
        after_span=lines["after_span"],
        ago=lines["ago"],
        close={unit: lines[f"end_of_{unit}"] for unit in _UNITS if f"end_of_{unit}" in lines},
        day_joint=lines.get("day_joint", ""),
        ordinal=lines["ordinal"],
        clock_joint=lines["clock_joint"],
        noon=lines.get("noon", ""),
        deadline=lines["deadline"],
        deadline_after=lines["deadline_after"],
        month_first="month_first" in lines,
    )


def _groups(line: str) -> tuple[str, ...]:
    return tuple(line.split("; "))


LANGUAGES = {
    code: _words_of(entries)
    for code, entries in read_table("gaia_understanding.prepare.extract", "dates.txt").items()
}
"""The words of each language in which dates are read, by its code (ISO 639-1)."""
