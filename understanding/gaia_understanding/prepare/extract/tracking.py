"""Parcel numbers. Entry: `find_tracking`.

A number that only one carrier's form fits and whose check digit is right counts by itself (UPS, the Universal
Postal Union's S10); the others need words about shipping in the message and their carrier's name near.
Sources: UPU standard S10; USPS Publication 199 (check digit); carriers' public format descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.model import Tracking
from gaia_understanding.prepare.extract.view import TextView

_TABLE = WordTable("gaia_understanding.prepare.extract", "tracking.txt")

MAX_TRACKING = 20

_SHIPPING = _TABLE.phrases("shipping")


def _ups_ok(number: str) -> bool:
    total = 0
    for index, character in enumerate(number[2:17]):
        value = int(character) if character.isdigit() else (ord(character) - 63) % 10
        total += value * (2 if index % 2 else 1)
    return number[17] == str(-total % 10)


def _s10_ok(number: str) -> bool:
    total = sum(
        int(digit) * weight for digit, weight in zip(number[2:10], (8, 6, 4, 2, 3, 5, 9, 7), strict=True)
    )
    check = 11 - total % 11
    return int(number[10]) == {10: 0, 11: 5}.get(check, check)


def _mod10_3_1(number: str) -> bool:
    digits = [int(digit) for digit in number]
    total = sum(digit * (3 if index % 2 == 0 else 1) for index, digit in enumerate(reversed(digits[:-1])))
    return digits[-1] == -total % 10


def _fedex_ok(number: str) -> bool:
    total = sum(int(digit) * weight for digit, weight in zip(number[:11], (3, 1, 7) * 4, strict=False))
    return int(number[11]) == total % 11 % 10


def _dhl_express_ok(number: str) -> bool:
    return int(number[:9]) % 7 == int(number[9])


def _always(number: str) -> bool:
    return bool(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """A carrier's form of numbers; the message must contain one of `names` unless there are none."""

    carrier: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool]
    names: tuple[str, ...] = ()


_FORMS = (
    _Form(carrier="UPS", pattern=lazy_pattern(r"1Z[0-9A-Z]{15}\d"), valid=_ups_ok),
    _Form(carrier="", pattern=lazy_pattern(r"[A-Z]{2}\d{9}[A-Z]{2}"), valid=_s10_ok),
    _Form(
        carrier="USPS",
        pattern=lazy_pattern(r"(?:9[1-5]\d{20}|420\d{5}9[1-5]\d{20})"),
        valid=lambda n: _mod10_3_1(n[-22:]),
    ),
    _Form(carrier="Amazon", pattern=lazy_pattern(r"TB[ACMR]\d{12}"), valid=_always),
    _Form(carrier="DHL", pattern=lazy_pattern(r"JJD\d{14,18}|JVGL\d{8,14}"), valid=_always),
    _Form(carrier="FedEx", pattern=lazy_pattern(r"\d{12}"), valid=_fedex_ok, names=("fedex",)),
    _Form(carrier="FedEx", pattern=lazy_pattern(r"\d{15}"), valid=_mod10_3_1, names=("fedex",)),
    _Form(carrier="DHL", pattern=lazy_pattern(r"\d{10}"), valid=_dhl_express_ok, names=("dhl",)),
    _Form(carrier="DHL", pattern=lazy_pattern(r"\d{12}|\d{20}"), valid=_always, names=("dhl",)),
    _Form(carrier="DPD", pattern=lazy_pattern(r"\d{14}[0-9A-Z]?"), valid=_always, names=("dpd",)),
    _Form(carrier="GLS", pattern=lazy_pattern(r"\d{11,12}|[0-9A-Z]{8}"), valid=_always, names=("gls",)),
    _Form(carrier="Hermes", pattern=lazy_pattern(r"H?\d{14,20}"), valid=_always, names=("hermes", "evri")),
    _Form(carrier="PostNL", pattern=lazy_pattern(r"3S[0-9A-Z]{11,15}"), valid=_always, names=("postnl",)),
)
_POSTS = {
    "GB": "Royal Mail",
    "US": "USPS",
    "DE": "DHL",
    "FR": "La Poste",
    "CH": "Swiss Post",
    "CN": "China Post",
    "CA": "Canada Post",
    "AU": "Australia Post",
    "NL": "PostNL",
    "AT": "Österreichische Post",
    "ES": "Correos",
    "IT": "Poste Italiane",
    "JP": "Japan Post",
}

_NUMBER = lazy_pattern(
    r"(?<![\w#/=.-])(?=[A-Z]*\d)(?:[0-9A-Z]{8,34}|\d{4}(?: \d{4}){2,4}(?: \d{1,4})?)(?![\w-])"
)
_LABEL = _TABLE.pattern(
    "label", r"(?:", r")(?:\s(?:is|ist|lautet|est|es|è|é))?\s?[:#]?\s{0,3}$", flags=re.IGNORECASE
)


def find_tracking(view: TextView) -> tuple[Tracking, ...]:
    """Return parcel numbers in order of appearance, each once, without spaces; at most `MAX_TRACKING`."""
    if not view.digits or not any(word in view.lower for word in _SHIPPING):
        return ()
    found: dict[str, Tracking] = {}
    for match in _NUMBER.finditer(view.text):
        number = match[0].replace(" ", "")
        if number in found:
            continue
        labelled = _LABEL.search(view.text[max(0, match.start() - 48) : match.start()]) is not None
        carrier = _carrier(number, view.lower, labelled=labelled)
        if carrier is not None:
            found[number] = Tracking(carrier=carrier, number=number)
            if len(found) >= MAX_TRACKING:
                break
    return tuple(found.values())


def _carrier(number: str, lower: str, *, labelled: bool) -> str | None:
    """Return the carrier; `""` if only a label shows that this is a parcel, None if it is not one."""
    for form in _FORMS:
        if form.names and not any(name in lower for name in form.names):
            continue
        if form.pattern.fullmatch(number) and form.valid(number):
            if form.names and not labelled:
                continue
            return form.carrier or _POSTS.get(number[-2:], "")
    return "" if labelled and len(number) >= 8 else None
