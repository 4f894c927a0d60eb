"""Dates and numbers in each language's format (CLDR, as in `Intl`). Entries: `date_text`, `number_text`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from gaia_email.app.languages.speaking import Language, current_language


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageFormats:
    """The formats of a language.

    Attributes:
        days: Short names, from Monday.
        months: Short names, from January.
        date: A day, with `{weekday}`, `{day}`, `{month}` and `{year}`.
        group: The separator between thousands.
        decimal: The separator before the fraction.
        grouped_from: The smallest whole number with separators.
    """

    days: tuple[str, ...]
    months: tuple[str, ...]
    date: str
    group: str
    decimal: str
    grouped_from: int = 1_000


FORMATS: Mapping[Language, LanguageFormats] = {
    "en": LanguageFormats(
        days=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
        months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"),
        date="{weekday}, {day} {month} {year}",
        group=",",
        decimal=".",
    ),
    "it": LanguageFormats(
        days=("lun", "mar", "mer", "gio", "ven", "sab", "dom"),
        months=("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"),
        date="{weekday} {day} {month} {year}",
        group=".",
        decimal=",",
    ),
    "es": LanguageFormats(
        days=("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
        months=("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"),
        date="{weekday}, {day} {month} {year}",
        group=".",
        decimal=",",
        grouped_from=10_000,
    ),
    "fr": LanguageFormats(
        days=("lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."),
        months=(
            "janv.",
            "févr.",
            "mars",
            "avr.",
            "mai",
            "juin",
            "juil.",
            "août",
            "sept.",
            "oct.",
            "nov.",
            "déc.",
        ),
        date="{weekday} {day} {month} {year}",
        group="\u202f",
        decimal=",",
    ),
    "de": LanguageFormats(
        days=("Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa.", "So."),
        months=(
            "Jan.",
            "Feb.",
            "März",
            "Apr.",
            "Mai",
            "Juni",
            "Juli",
            "Aug.",
            "Sept.",
            "Okt.",
            "Nov.",
            "Dez.",
        ),
        date="{weekday}, {day}. {month} {year}",
        group=".",
        decimal=",",
    ),
}


def day_text(when: date) -> str:
    """Return a day: `Sat, 28 Nov 2026`."""
    formats = FORMATS[current_language()]
    return formats.date.format(
        weekday=formats.days[when.weekday()],
        day=when.day,
        month=formats.months[when.month - 1],
        year=when.year,
    )


def date_text(when: datetime) -> str:
    """Return a day and its time: `Sat, 28 Nov 2026, 10:00`."""
    return f"{day_text(when)}, {when:%H:%M}"


def number_text(number: float, spec: str = "") -> str:
    """Return a number with thousands separators; `spec` is a Python format such as `+.2f`."""
    formats = FORMATS[current_language()]
    grouping = "," if abs(number) >= formats.grouped_from else ""
    sign, rest = ("+", spec[1:]) if spec.startswith("+") else ("", spec)
    text = format(number, f"{sign}{grouping}{rest}")
    return text.translate({ord(","): formats.group, ord("."): formats.decimal})
