"""Times of day written next to a date. Entries: `time_after`, `time_before`, `lone_times`.

All of them expect text in lower case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time, timedelta, timezone
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.date_words import LANGUAGES, DateWords
from gaia_understanding.prepare.extract.time_zones import ZONES
from gaia_understanding.prepare.extract.wordlists import alternatives

_ZONE = "|".join(sorted(ZONES, key=lambda name: (-len(name), name)))
_NOON = "|".join(
    noon for noon in sorted({noon for table in LANGUAGES.values() for noon in table.noon.split()}) if noon
)
_CLOCK = (
    r"(?P<clock>(?:(?P<h>[01]?\d|2[0-4])"
    r"(?:(?P<sep>[:.h])(?P<m>[0-5]\d)(?::[0-5]\d)?)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?|\s?(?P<uhr>uhr|heures?|hrs|uur|horas|h)\b)?"
    rf"|(?<!\w)(?P<noon>{_NOON})\b)"
    rf"(?:\s?(?P<zone>{_ZONE})\b)?)(?![\d/%€$£:]|[.,-]\d)"
)


_BEFORE = lazy_pattern(
    rf"(?<![\w:.$€£]){_CLOCK}(?:,|\s(?:on|am|le|el|den|il|op|em|na|this|diesen|dieser|of))?\s$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTime:
    """A time of day with its position in the text; `at` has a zone if the text names one."""

    at: time
    start: int
    end: int


def time_after(text: str, position: int, words: DateWords) -> ClockTime | None:
    """Return the time that directly follows a date ending at `position`, as in "Friday at 3pm"."""
    match = _after(words).match(text, position, position + 48)
    return _reading(match, joint=bool(match and match["joint"])) if match else None


def time_before(text: str, position: int) -> ClockTime | None:
    """Return the time that directly precedes a date starting at `position`, as in "3pm on Friday"."""
    start = max(0, position - 32)
    window = text[start:position]
    if not window[-1:].isspace():
        return None
    match = _BEFORE.search(window)
    if match is None:
        return None
    found = _reading(match, joint=False)
    if found is None:
        return None
    return ClockTime(at=found.at, start=found.start + start, end=position)


def lone_times(text: str, start: int, end: int, words: DateWords) -> ClockTime | None:
    """Return the first time after a word such as "at" between `start` and `end`."""
    for match in _lone(words).finditer(text, start, end):
        found = _reading(match, joint=True)
        if found is not None:
            return found
    return None


def _after(words: DateWords) -> re.Pattern[str]:
    return _compiled_after(words.clock_joint)


def _lone(words: DateWords) -> re.Pattern[str]:
    return _compiled_lone(words.clock_joint)


@lru_cache(maxsize=8)
def _compiled_after(joints: str) -> re.Pattern[str]:
    joint = rf"(?P<joint>(?:{alternatives(joints)})\s{{0,3}})?"
    return re.compile(rf"(?:,|\s[-–]|\s?\()?\s{{0,3}}{joint}{_CLOCK}")


@lru_cache(maxsize=8)
def _compiled_lone(joints: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?P<joint>(?:{alternatives(joints)})\s{{1,3}}){_CLOCK}")


def _reading(match: re.Match[str], *, joint: bool) -> ClockTime | None:
    """Return the time of a clock pattern's match; None for a number that is not a time of day."""
    at: time | None
    at = time(12, 0) if match["noon"] else _digits(match, joint=joint)
    if at is None:
        return None
    zone = match["zone"]
    if zone:
        at = at.replace(tzinfo=timezone(timedelta(minutes=ZONES[zone])))
    return ClockTime(at=at, start=match.start("clock"), end=match.end("clock"))


def _digits(match: re.Match[str], *, joint: bool) -> time | None:
    hour, minute = int(match["h"]), int(match["m"] or 0)
    half = match["half"]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    elif match["sep"] is None:
        if not match["uhr"]:
            return None
    elif match["sep"] == "." and not (joint or match["uhr"]):
        return None
    if hour == 24:
        hour = 0
    return time(hour, minute)
