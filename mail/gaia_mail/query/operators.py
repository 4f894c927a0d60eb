"""The operators of the search grammar and the readers of their values: `read_value`, `OPERATORS`."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable
from typing import Literal

from gaia_mail.query.nodes import Age, AgeUnit, Date, Field, Node, Size, TextField

IN_VALUES = (
    "inbox",
    "sent",
    "drafts",
    "trash",
    "spam",
    "anywhere",
    "archive",
    "snoozed",
    "starred",
    "important",
    "unread",
)
IS_VALUES = ("unread", "read", "starred", "important", "snoozed", "muted", "sent", "draft")
HAS_VALUES = (
    "attachment",
    "userlabels",
    "nouserlabels",
    "drive",
    "document",
    "spreadsheet",
    "presentation",
    "youtube",
)
CATEGORIES = (
    "primary",
    "social",
    "promotions",
    "updates",
    "forums",
    "reservations",
    "purchases",
)

_SPELLINGS = {
    ("in", "draft"): "drafts",
    ("in", "bin"): "trash",
    ("in", "junk"): "spam",
    ("in", "all"): "anywhere",
    ("in", "archived"): "archive",
    ("is", "drafts"): "draft",
    ("is", "unseen"): "unread",
    ("is", "seen"): "read",
    ("is", "flagged"): "starred",
    ("has", "attachments"): "attachment",
    ("category", "promotion"): "promotions",
    ("category", "update"): "updates",
    ("category", "forum"): "forums",
    ("category", "personal"): "primary",
}
"""Alternative spellings of values, with the canonical one."""

_CLOSED: dict[TextField, tuple[str, ...]] = {"is": IS_VALUES, "has": HAS_VALUES, "category": CATEGORIES}

TEXT_FIELDS: dict[str, TextField] = {
    "from": "from",
    "to": "to",
    "cc": "cc",
    "bcc": "bcc",
    "deliveredto": "deliveredto",
    "subject": "subject",
    "label": "label",
    "in": "in",
    "is": "is",
    "has": "has",
    "category": "category",
    "filename": "filename",
    "list": "list",
    "rfc822msgid": "rfc822msgid",
}

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)([kmg]?)b?", re.IGNORECASE | re.ASCII)
_LARGEST = 10**15 - 1
_SIZE_UNIT = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}
_OLDEST = 99999
_AGE = re.compile(r"(\d{1,5})([hdwmy])", re.IGNORECASE | re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_EPOCH = re.compile(r"\d{6,11}", re.ASCII)


def read_value(operator: str, value: str) -> Node | str:
    """Return the term for `operator:value`, or a sentence that explains the correct form if the value is wrong."""
    if operator in TEXT_FIELDS:
        return _text(TEXT_FIELDS[operator], value)
    return _VALUE_READERS[operator](value)


def near_operator(name: str) -> str:
    """Return the operator closest to a misspelt name, or an empty string."""
    import difflib

    near = difflib.get_close_matches(name, OPERATORS, n=1, cutoff=0.6)
    return near[0] if near else ""


def _text(field: TextField, value: str) -> Node | str:
    if field == "rfc822msgid":
        value = value.strip("<> ")
        return Field(name=field, value=value) if value else "'rfc822msgid:' needs a Message-ID."
    if field not in ("in", "is", "has", "category"):
        return Field(name=field, value=value)
    lower = value.lower().replace(" ", "-")
    lower = _SPELLINGS.get((field, lower), lower)
    if field == "in":
        return Field(name=field, value=lower if lower in IN_VALUES else value)
    if lower in _CLOSED[field]:
        return Field(name=field, value=lower)
    return f"'{field}:' takes {_join_values(_CLOSED[field])}, not '{value}'."


def _join_values(values: tuple[str, ...]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"


def _size(comparison: Literal["larger", "smaller"], value: str) -> Node | str:
    found = _SIZE.fullmatch(value)
    if found is None:
        return f"'{value}' is not a size; write bytes, or 500K, 10M, 1G."
    octets = int(float(found[1]) * _SIZE_UNIT[found[2].lower()])
    return Size(comparison=comparison, octets=min(octets, _LARGEST))


def _date(comparison: Literal["after", "before"], value: str) -> Node | str:
    if _EPOCH.fullmatch(value):
        return Date(comparison=comparison, instant=int(value), is_day=False)
    day = _day(value)
    if day is None:
        return f"'{value}' is not a date; write YYYY/MM/DD, YYYY-MM-DD or seconds since 1970."
    return Date(comparison=comparison, instant=calendar.timegm(day.timetuple()), is_day=True)


def _day(value: str) -> dt.date | None:
    found = _YEAR_FIRST.fullmatch(value)
    if found is not None:
        year, month, day = int(found[1]), int(found[2]), int(found[3])
    else:
        found = _YEAR_LAST.fullmatch(value)
        if found is None:
            return None
        month, day, year = int(found[1]), int(found[2]), int(found[3])
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


_AGE_UNITS: dict[str, tuple[AgeUnit, int]] = {
    "h": ("h", 1),
    "d": ("d", 1),
    "w": ("d", 7),
    "m": ("m", 1),
    "y": ("y", 1),
}


def _age(comparison: Literal["newer", "older"], value: str) -> Node | str:
    found = _AGE.fullmatch(value)
    if found is None:
        return f"'{value}' is not an age; write 2d, 3m or 1y (days, months, years)."
    unit, factor = _AGE_UNITS[found[2].lower()]
    return Age(comparison=comparison, amount=min(int(found[1]) * factor, _OLDEST), unit=unit)


_VALUE_READERS: dict[str, Callable[[str], Node | str]] = {
    "larger": lambda value: _size("larger", value),
    "smaller": lambda value: _size("smaller", value),
    "size": lambda value: _size("larger", value),
    "before": lambda value: _date("before", value),
    "older": lambda value: _date("before", value),
    "after": lambda value: _date("after", value),
    "newer": lambda value: _date("after", value),
    "older_than": lambda value: _age("older", value),
    "newer_than": lambda value: _age("newer", value),
}
"""`size:` means larger; `older:` and `newer:` mean before and after, as in Gmail's help."""

OPERATORS: tuple[str, ...] = (*TEXT_FIELDS, *_VALUE_READERS)
"""Every operator name, without the colon."""
