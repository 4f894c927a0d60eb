"""Dates and times of day in running text, resolved against the message's own date. Entry: `find_dates`.

Relative words ("tomorrow", "next Tuesday", "in two days") count from the message's date in its own zone,
never from today's. A weekday alone is the next one after the message; "next" moves to the following week
(Monday to Sunday). A day and month without a year take the year that puts them nearest to the message, mostly
ahead.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.clock import ClockTime, lone_times, time_after, time_before
from gaia_understanding.prepare.extract.date_forms import CJK, NUMERIC, Forms, forms_for, languages_for
from gaia_understanding.prepare.extract.date_words import LANGUAGES
from gaia_understanding.prepare.extract.model import DateMention
from gaia_understanding.prepare.extract.view import TextView

MAX_DATES = 50

_CLOCK = lazy_pattern(r"\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b|uhr\b|h\b|h\d\d|(?<=:\d\d))")
_BEFORE_SHORT = (
    *(
        "on",
        "by",
        "before",
        "until",
        "till",
        "due",
        "due:",
        "date",
        "date:",
        "from",
        "since",
        "for",
        "thru",
        "deadline",
    ),
    *(
        "deadline:",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "day",
        "day,",
        "am",
        "le",
        "du",
        "au",
        "el",
        "del",
        "al",
        "il",
    ),
    *("em", "dia", "op"),
)
_CLOSING = (
    "within",
    "innerhalb",
    "binnen",
    "d'ici",
    "sous ",
    "entro",
    "no prazo",
    "eod",
    "cob",
    "eow",
    "end of",
    "close of",
)
_MAX_PLACES = 40
_SAME_BREATH = 200
# The text around a date word that can belong to it: "tomorrow" takes less than "5" in "Friday the 5th of
# May".
_NARROW = (20, 24)
_WIDE = (40, 44)


@dataclass(slots=True, kw_only=True)
class FoundDate:
    """A date with its place in the text. `day` and `at` are the resolved parts; `at` is None for a whole day."""

    start: int
    end: int
    day: date
    at: time | None
    deadline: bool
    text: str
    value: str

    def mention(self) -> DateMention:
        """Return the entity that is published."""
        return DateMention(text=self.text, value=self.value, deadline=self.deadline)


def find_dates(view: TextView, sent: datetime | None) -> tuple[FoundDate, ...]:
    """Return every date in `view`, in order of appearance, at most `MAX_DATES`.

    If `sent` is None, only dates with a year can be resolved; the others are left out.
    """
    finder = _Finder(view, sent)
    finder.numeric()
    for language in languages_for(view.language):
        finder.add_word_dates(forms_for(language))
    finder.lone_times()
    return finder.result()


class _Finder:
    """A collection of dates that do not overlap; those added earlier win."""

    def __init__(self, view: TextView, sent: datetime | None) -> None:
        self.view = view
        self.text = view.text
        self.lower = view.lower
        self.sent = sent
        self.found: list[FoundDate] = []
        self.following_week = 0
        self.main = forms_for(view.language if view.language in LANGUAGES else "en")

    def result(self) -> tuple[FoundDate, ...]:
        return _join(sorted(self.found, key=lambda found: found.start), self.text, self.main)[:MAX_DATES]

    def add(self, start: int, end: int, day: date | None, forms: Forms, at: time | None = None) -> None:
        if day is None or len(self.found) >= MAX_DATES:
            return
        if any(start < other.end and other.start < end for other in self.found):
            return
        deadline = _is_deadline(self.lower, start, end, forms)
        if at is None:
            clock = time_after(self.lower, end, forms.words)
            if clock is None:
                clock = time_before(self.lower, start)
            if clock is not None:
                at = clock.at
                start, end = min(start, clock.start), max(end, clock.end)
                deadline = deadline or _is_deadline(self.lower, start, end, forms)
        self.found.append(
            FoundDate(
                start=start,
                end=end,
                day=day,
                at=at,
                deadline=deadline,
                text=self.text[start:end],
                value=_iso(day, at, self.sent),
            )
        )

    def numeric(self) -> None:
        if not self.view.digits:
            return
        for position in self.view.digits:
            match = NUMERIC.match(self.text, position)
            if match is not None:
                day, at = self._numeric_day(match)
                self.add(match.start(), match.end(), day, self.main, at)
        if "月" in self.text or "日" in self.text or "天" in self.text:
            for match in CJK.finditer(self.text):
                self.add(match.start(), match.end(), self._cjk_day(match), self.main)

    def _cjk_day(self, match: re.Match[str]) -> date | None:
        if match["rel"]:
            ahead = {"明日": 1, "明天": 1, "明後日": 2}.get(match["rel"], 0)
            return self.sent.date() + timedelta(days=ahead) if self.sent else None
        return self._day(match["y"], int(match["m"]), int(match["d"]), ahead=False)

    def _numeric_day(self, match: re.Match[str]) -> tuple[date | None, time | None]:
        if match["iso_y"]:
            day = _date(int(match["iso_y"]), int(match["iso_m"]), int(match["iso_d"]))
            return day, _iso_time(match)
        if match["ymd_y"]:
            return _date(int(match["ymd_y"]), int(match["ymd_m"]), int(match["ymd_d"])), None
        if match["a"]:
            month, day_of_month = self._order(int(match["a"]), int(match["b"]), match["sep"])
            year = int(match["y"]) + (2000 if len(match["y"]) == 2 else 0)
            return _date(year, month, day_of_month), None
        first, second = int(match["sa"]), int(match["sb"])
        if match["ssep"] == "." and not match["stop"]:
            return None, None
        if match["ssep"] == "/" and not self._dated_context(match.start()):
            return None, None
        month, day_of_month = self._order(first, second, match["ssep"])
        return self._day(None, month, day_of_month, ahead=True), None

    def _dated_context(self, start: int) -> bool:
        """Return True if the words before `3/5` leave no other reading: "on 3/5", "by 3/5"."""
        before = self.text[max(0, start - 14) : start].lower().rstrip(" (")
        return before.endswith(_BEFORE_SHORT)

    def _order(self, first: int, second: int, separator: str) -> tuple[int, int]:
        """Return month and day of two numbers: by the only possible reading, else by language and zone."""
        if first > 12:
            return second, first
        if second > 12:
            return first, second
        if separator == "." or self.view.language not in ("en", ""):
            return second, first
        return (first, second) if self._american() else (second, first)

    def _american(self) -> bool:
        """Return True for English text that counts as American, unless the sender's zone or domain says otherwise."""
        offset = self.sent.utcoffset() if self.sent else None
        hours = offset.total_seconds() / 3600 if offset is not None else 0
        return self.view.region in ("", "us") and hours <= 0

    def add_word_dates(self, forms: Forms) -> None:
        """Add the dates of one language that are written in words."""
        for start, end in _windows(self.view, forms):
            for match in forms.pattern.finditer(self.lower, start, end):
                self.add(match.start(), match.end(), self._worded_day(match, forms), forms)

    def _worded_day(self, match: re.Match[str], forms: Forms) -> date | None:
        group = "mon" if match["mon"] else "mon2"
        month = match[group]
        if month:
            if self.text[match.start(group) : match.end(group)] in ("may", "mar"):
                return None
            number = int(match["d"] or match["d2"])
            ahead = _is_deadline(self.lower, match.start(), match.end(), forms)
            return self._day(match["y"] or match["y2"], forms.months[month], number, ahead=ahead)
        if self.sent is None:
            return None
        today = self.sent.date()
        if match["rel"]:
            return today + timedelta(days=forms.relative[_normalize(match["rel"])])
        if match["close"]:
            return _close_of(forms.close[_normalize(match["close"])], today)
        if match["close_month"]:
            first = self._day(None, forms.months[match["mon3"]], 1, ahead=True)
            return first.replace(day=monthrange(first.year, first.month)[1]) if first else None
        if match["wd"]:
            name = self.text[match.start("wd") : match.end("wd")]
            return _weekday(match, name, forms, today, following=match.start() < self.following_week)
        day = _span(match, forms, today)
        if match["turn3"] and day is not None and _normalize(match["turn3"]) in forms.upcoming:
            self.following_week = match.end() + _SAME_BREATH
        return day

    def _day(self, year: str | None, month: int, day: int, *, ahead: bool) -> date | None:
        if year:
            return _date(int(year), month, day)
        if self.sent is None:
            return None
        today = self.sent.date()
        back = 7 if ahead else 120
        for candidate in (today.year - 1, today.year, today.year + 1):
            resolved = _date(candidate, month, day)
            if resolved is not None and -back <= (resolved - today).days < 366 - back:
                return resolved
        return _date(today.year, month, day)

    def lone_times(self) -> None:
        """Add "at 3pm" and the like as a time on the message's own day, unless a date is near."""
        if self.sent is None or not self.view.digits:
            return
        for position in self.view.digits:
            match = _CLOCK.match(self.lower, position)
            if match is None:
                continue
            start, end = max(0, position - 16), min(len(self.lower), match.end() + 10)
            clock = lone_times(self.lower, start, end, self.main.words)
            if clock is not None and not self._near(clock):
                self.add(clock.start, clock.end, self.sent.date(), self.main, clock.at)

    def _near(self, clock: ClockTime) -> bool:
        return any(other.start - 60 < clock.end and clock.start < other.end + 60 for other in self.found)


def _join(found: list[FoundDate], text: str, forms: Forms) -> tuple[FoundDate, ...]:
    """Return the dates with "end of day" and the date next to it merged."""
    joined: list[FoundDate] = []
    for item in found:
        last = joined[-1] if joined else None
        if last is not None and text[last.end : item.start].strip(" ,").lower() in ("", "on", "of", "am"):
            closing, other = (last, item) if _closes_day(last, forms) else (item, last)
            if _closes_day(closing, forms) and item.start - last.end < 8:
                joined[-1] = FoundDate(
                    start=last.start,
                    end=item.end,
                    day=other.day,
                    at=other.at,
                    deadline=True,
                    text=text[last.start : item.end],
                    value=other.value,
                )
                continue
        joined.append(item)
    return tuple(joined)


def _closes_day(found: FoundDate, forms: Forms) -> bool:
    return forms.close.get(_normalize(found.text)) == "day"


def _normalize(phrase: str) -> str:
    return " ".join(phrase.lower().split())


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _iso_time(match: re.Match[str]) -> time | None:
    if not match["iso_h"]:
        return None
    at = time(int(match["iso_h"]), int(match["iso_min"]), int(match["iso_s"] or 0))
    zone = match["iso_z"]
    if not zone:
        return at
    if zone in "Zz":
        zone = "+00:00"
    offset = datetime.strptime(zone.replace(":", ""), "%z").tzinfo
    return at.replace(tzinfo=offset)


def _iso(day: date, at: time | None, sent: datetime | None) -> str:
    if at is None:
        return day.isoformat()
    if at.tzinfo is None and sent is not None:
        at = at.replace(tzinfo=sent.tzinfo)
    return datetime.combine(day, at).isoformat()


def _weekday(
    match: re.Match[str], written: str, forms: Forms, today: date, *, following: bool
) -> date | None:
    name = match["wd"]
    if name in forms.short_weekdays and (not written.istitle() or name in ("sat", "sun")):
        return None
    number = forms.weekdays[name]
    turn = _normalize(match["turn"] or match["turn2"] or "")
    if turn in forms.past:
        return today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    if turn in forms.upcoming or (following and not turn):
        monday = today + timedelta(days=7 - today.weekday())
        return monday + timedelta(days=number)
    ahead = (number - today.weekday()) % 7
    if ahead == 0 and not turn:
        ahead = 7
    return today + timedelta(days=ahead)


def _span(match: re.Match[str], forms: Forms, today: date) -> date | None:
    if match["turn3"]:
        unit = forms.units[_normalize(match["unit3"])]
        turn = _normalize(match["turn3"])
        if turn in forms.upcoming:
            return _start_of_next(unit, today)
        if turn in forms.past or unit != "week":
            return None
        return _close_of(unit, today)
    number = match["n"] or match["n2"] or match["n4"]
    unit = forms.units[_normalize(match["unit"] or match["unit2"] or match["unit4"])]
    count = int(number) if number.isdigit() else forms.numbers[number]
    past = bool(match["ago"]) or (
        bool(match["after"]) and _normalize(match["after"]) in _phrases(forms.words.ago)
    )
    return _shift(today, unit, -count if past else count)


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.replace("_", " ") for phrase in text.split())


def _shift(today: date, unit: str, count: int) -> date | None:
    if unit in ("hour", "day", "week"):
        days = {"hour": count // 24 if count >= 0 else 0, "day": count, "week": 7 * count}[unit]
        return today + timedelta(days=days)
    months = today.month - 1 + (count if unit == "month" else 12 * count)
    year, month = today.year + months // 12, months % 12 + 1
    if not 1 <= year <= 9999:
        return None
    return date(year, month, min(today.day, monthrange(year, month)[1]))


def _start_of_next(unit: str, today: date) -> date | None:
    if unit == "week":
        return today + timedelta(days=7 - today.weekday())
    if unit == "month":
        return _shift(today.replace(day=1), "month", 1)
    if unit == "year":
        return date(today.year + 1, 1, 1)
    return today + timedelta(days=1)


def _close_of(unit: str, today: date) -> date:
    """Return the last day of the running week (its Friday), month or year; today itself for a day."""
    if unit == "week":
        return today + timedelta(days=(4 - today.weekday()) % 7)
    if unit == "month":
        return today.replace(day=monthrange(today.year, today.month)[1])
    if unit == "year":
        return date(today.year, 12, 31)
    return today


_OPENING_HOURS = lazy_pattern(
    r"(?:von|from|between|de|dalle|das|van|tussen)\s\d{1,2}(?:[:.h]\d\d)?\s?(?:uhr|uur|am|pm|h)?\s?(?:bis|until|till|to|tot"
    r"|à|a|alle|às)\s$"
)
"""The end of a stretch of hours ("from 9 until 6") is not a deadline."""


def _is_deadline(lower: str, start: int, end: int, forms: Forms) -> bool:
    before = lower[max(0, start - 34) : start]
    if before and forms.deadline_before.search(before):
        return _OPENING_HOURS.search(before) is None
    if lower.startswith(_CLOSING, start, start + 12):
        return True
    return forms.deadline_behind.match(lower, end, end + 24) is not None


def _windows(view: TextView, forms: Forms) -> list[tuple[int, int]]:
    """Return the parts of the text around words that any date of the language needs, merged if they touch."""
    lower, tokens = view.lower, view.tokens
    anchors: list[tuple[int, int, int]] = []
    for lead in tokens & forms.leads:
        if lead in forms.triggers:
            before, after = _NARROW if lead in forms.relative else _WIDE
            anchors += [(start, before, after) for start in _positions(lower, lead, forms)]
        for phrase, words in forms.led.get(lead, ()):
            if words <= tokens:
                anchors += [(start, *_WIDE) for start in _positions(lower, phrase, forms)]
    if not tokens.isdisjoint(forms.months):
        for closer in tokens.intersection(forms.closers):
            positions = _positions(lower, closer, forms)
            anchors += [(start, *_WIDE) for start in positions if _month_follows(lower, start, forms)]
    if not anchors:
        return []
    windows: list[tuple[int, int]] = []
    size = len(lower)
    for anchor, before, after in sorted(anchors):
        start, end = max(0, anchor - before), min(size, anchor + after)
        while end < size and lower[end].isalnum() and end - anchor < 80:
            end += 1
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    return windows


def _positions(lower: str, token: str, forms: Forms) -> list[int]:
    """Return the positions of `token`: a month only near a number or "end of", a unit only after a count."""
    month, unit = token in forms.months, token in forms.units
    positions: list[int] = []
    position = lower.find(token)
    while position >= 0 and len(positions) < _MAX_PLACES:
        end = position + len(token)
        if month:
            fits = _digit_near(lower, position, end)
        else:
            fits = not unit or forms.counted.search(lower, max(0, position - 14), position) is not None
        if fits:
            positions.append(position)
        position = lower.find(token, end)
    return positions


def _month_follows(lower: str, start: int, forms: Forms) -> bool:
    return any(word.rstrip(".,;:!?)") in forms.months for word in lower[start : start + 32].split()[1:4])


def _digit_near(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - 8) : start] + text[end : end + 6]
    return any(character.isdigit() for character in around)
