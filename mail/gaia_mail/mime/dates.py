"""Parses the `Date` of a message in any common format. Entry: `parse_date`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern

EARLIEST, LATEST = 1970, 2100
"""Years accepted in mail; any other is a broken clock or a trick to stay on top of a list."""

_MONTH_NAMES = (
    ("jan",),
    ("feb",),
    ("mar", "mär", "mrz"),
    ("apr", "avr"),
    ("may", "mai", "mag", "maj"),
    ("jun", "giu"),
    ("jul", "lug"),
    ("aug", "ago", "aoû"),
    ("sep", "set"),
    ("oct", "okt", "ott", "out"),
    ("nov",),
    ("dec", "dez", "dic", "déc", "des"),
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names}
"""English month names (RFC 5322), and those that localized senders write by mistake."""

_ZONES = {
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0,
    "edt": -240, "est": -300, "cdt": -300, "cst": -360, "mdt": -360, "mst": -420, "pdt": -420, "pst": -480,
    "bst": 60, "cet": 60, "met": 60, "cest": 120, "mest": 120, "eet": 120, "eest": 180, "msk": 180,
    "jst": 540, "kst": 540,
}  # fmt: skip
"""Minutes east of UTC: the zones of RFC 5322 section 4.3 and unambiguous ones in use."""

_COMMENT = lazy_pattern(r"\([^()]*\)?")
_ZONE = r"(?:\s*(?:GMT|UTC?)?\s*([+-]\d{1,2}:?\d{2})|\s*([A-Za-z]{1,5})\b)?"
_USUAL = lazy_pattern(
    r"(?:[A-Z][a-z]{2}, )?([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) ([+-][0-9]{4})\Z"
)
_RFC = lazy_pattern(
    r"(?:[^\W\d]{2,12}\.?,?\s*)?(\d{1,2})(?:\s+|\s?-\s?)([^\W\d]{3,10})\.?(?:[\s,]+|\s?-\s?)(\d{1,5})[\s,]+"
    r"(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?(?:\s*([AaPp])\.?[Mm]\b\.?)?" + _ZONE
)
_ASCTIME = lazy_pattern(
    r"(?:[^\W\d]{2,12},?\s+)?([^\W\d]{3,10})\s+(\d{1,2}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+"
    r"(?:([+-]\d{4})\s+|([A-Za-z]{1,5})\s+)?(\d{4})(?:\s*([+-]\d{4}))?"
)
_ISO = lazy_pattern(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?" + _ZONE
)


def parse_date(value: str) -> datetime | None:
    """Parse a date as an aware datetime; None if it is invalid or outside 1970 to 2100.

    Accepts RFC 5322 with its obsolete forms (two-digit years, named zones, no seconds, comments), asctime and ISO 8601.
    `-0000`, unknown and missing zones count as UTC.
    """
    text = value[:200].strip()
    if "(" in text:
        text = _COMMENT.sub(" ", text).strip()
    for reader in (_read_rfc, _read_iso, _read_asctime):
        try:
            found = reader(text)
        except (ValueError, OverflowError):
            return None
        if found is not None:
            return found
    return None


def _read_rfc(text: str) -> datetime | None:
    usual = _USUAL.match(text)
    if usual is not None:
        day, month_name, year, hour, minute, second, offset = usual.groups()
        return _build(
            int(year), _month(month_name), int(day), int(hour), int(minute), int(second), offset, None
        )
    match = _RFC.match(text)
    if match is None:
        return None
    day, month_name, year, hour, minute, second, half, offset, zone = match.groups()
    month = _month(month_name)
    hours = int(hour)
    if half is not None:
        hours = hours % 12 + (12 if half in "pP" else 0)
    return _build(_year(year), month, int(day), hours, int(minute), int(second or 0), offset, zone)


def _read_iso(text: str) -> datetime | None:
    match = _ISO.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, offset, zone = match.groups()
    return _build(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), offset, zone)


def _read_asctime(text: str) -> datetime | None:
    match = _ASCTIME.match(text)
    if match is None:
        return None
    month, day, hour, minute, second, offset, zone, year, late = match.groups()
    return _build(
        int(year), _month(month), int(day), int(hour), int(minute), int(second or 0), offset or late, zone
    )


def _build(
    year: int, month: int, day: int, hour: int, minute: int, second: int, offset: str | None, zone: str | None
) -> datetime | None:
    if not EARLIEST <= year <= LATEST or not month:
        return None
    return datetime(
        year, month, day, hour, minute, min(second, 59) if second < 61 else second, 0, _zone(offset, zone)
    )


def _month(name: str) -> int:
    return _MONTHS.get(name[:3].lower(), 0)


def _year(text: str) -> int:
    year = int(text)
    if len(text) <= 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


@lru_cache(maxsize=256)
def _zone(offset: str | None, name: str | None) -> timezone:
    minutes = 0
    if offset is not None:
        digits = offset[1:].replace(":", "").rjust(4, "0")
        minutes = int(digits[:2]) * 60 + int(digits[2:])
        if minutes > 15 * 60 or int(digits[2:]) > 59:
            minutes = 0
        if offset[0] == "-":
            minutes = -minutes
    elif name is not None:
        minutes = _ZONES.get(name.lower(), 0)
    return timezone(timedelta(minutes=minutes)) if minutes else UTC
