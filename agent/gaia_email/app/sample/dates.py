"""Dates inside the sample's texts: `{+2d|weekday}` becomes the weekday two days after the message. Entry: `fill`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_SLOT = re.compile(r"\{([+-]\d+)([dh])\|([a-z]+)(?::([a-z]{2}|\d{4}))?\}")

WEEKDAYS = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "de": ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    "fr": ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    "es": ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    "it": ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
    "pt": [
        "segunda-feira",
        "terça-feira",
        "quarta-feira",
        "quinta-feira",
        "sexta-feira",
        "sábado",
        "domingo",
    ],
    "nl": ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"],
}
MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    "it": (
        [
            "gennaio",
            "febbraio",
            "marzo",
            "aprile",
            "maggio",
            "giugno",
            "luglio",
            "agosto",
            "settembre",
            "ottobre",
            "novembre",
            "dicembre",
        ]
    ),
    "pt": [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
    "nl": [
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ],
}


def fill(text: str, date: datetime) -> str:
    """Replace every slot in `text` by that day or time, relative to `date`.

    A slot is an offset in days or hours, a form and perhaps a language: `{+1d|weekday:de}`. Forms: `weekday`,
    `date` (12 March), `iso` (2026-03-12), `short` (12.03.), `time` (14:30), `clock` (2:30 pm) and `ics`.
    `ics` is written in UTC, with the hour of `date` or with one of its zone: `{+1d|ics:1400}` is two in the
    afternoon.

    Raises:
        KeyError: The form or the language is unknown.
    """

    def replace(match: re.Match[str]) -> str:
        amount = int(match[1])
        then = date + (timedelta(days=amount) if match[2] == "d" else timedelta(hours=amount))
        if match[3] == "ics":
            return _ics(then, match[4])
        return _render(then, match[3], match[4] or "en")

    return _SLOT.sub(replace, text)


def _ics(then: datetime, wall_clock: str | None) -> str:
    """Format a time for calendars, optionally at another hour ("1430") of the same day."""
    hour, minute = (int(wall_clock[:2]), int(wall_clock[2:])) if wall_clock else (then.hour, 0)
    then = then.replace(hour=hour, minute=minute)
    return f"{then.astimezone(UTC):%Y%m%dT%H%M00Z}"


def _render(then: datetime, form: str, language: str) -> str:
    forms = {
        "weekday": WEEKDAYS[language][then.weekday()],
        "date": f"{then.day}{'.' if language == 'de' else ''} {MONTHS[language][then.month - 1]}",
        "month": MONTHS[language][then.month - 1],
        "year": f"{then.year}",
        "iso": f"{then:%Y-%m-%d}",
        "short": f"{then:%d.%m.}",
        "time": f"{then.hour:02d}:00",
        "clock": f"{(then.hour - 1) % 12 + 1}:00 {'am' if then.hour < 12 else 'pm'}",
    }
    return forms[form]
