"""Amounts of money with their currency. Entry: `find_money`.

An amount needs a currency sign, an ISO 4217 code in capitals, or a currency's name. Both ways of writing
decimals are read: `1.234,56` and `1,234.56`. A range (`€20–25`, `between 20 and 25 euros`) gives both ends; a
minus directly before an amount is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.model import Money
from gaia_understanding.prepare.extract.money_words import (
    CURRENCY_NAMES,
    MONEY,
    NUMBER_WORDS,
    read_codes,
    written_amounts,
)
from gaia_understanding.prepare.extract.view import TextView, tokens_of

MAX_MONEY = 50

_SIGNS = read_codes("signs")
_DOLLARS = {"ca": "CAD", "au": "AUD", "nz": "NZD", "sg": "SGD", "hk": "HKD", "mx": "MXN"}
_CROWNS = {"sv": "SEK", "da": "DKK", "no": "NOK", "nb": "NOK", "nn": "NOK", "is": "ISK"}
_CROWN_REGIONS = {"se": "SEK", "dk": "DKK", "no": "NOK", "is": "ISK"}
_CODES = MONEY.word_list("codes")
_CODE_SET = frozenset(_CODES)
CURRENCY_WORDS = frozenset(map(str.lower, _CODES)) | MONEY.words("currency_words")
_MAGNITUDES = {name: int(zeros) for name, zeros in read_codes("magnitudes").items()}
_SIGN_CHARACTERS = "$€£¥￥₹₩₽₺₴₪฿₫₱円元"

_NUMBER = (
    r"(?P<n>\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?(?!\d)|\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?"
    r"|\d{1,12}(?:[.,]\d{1,4})?)"
)
_MAGNITUDE = (
    r"(?:\s?(?P<mag>k|m|mio|million(?:en|s)?|millones|milioni|milhões|miljoen|bn|billion|mrd|milliards"
    r"|miljard)\b\.?(?:\s(?=(?:de|di|d['’])\s?(?:euros?|dollars?))(?:de\s|di\s|d['’]))?)?"
)
_BEFORE = lazy_pattern(
    r"(?<![\w$€£])(?P<c>(?:us|ca|au|nz|hk|mx|cn|[acsr])?[$¥]|[€£¥￥₹₩₽₺₴₪฿₫₱]|s?fr\.|rs\.?|kr\.?|"
    + "|".join(_CODES).lower()
    + r")\s?(?P<sign>[-–])?\s?$",
    re.IGNORECASE,
)
_AMOUNT = lazy_pattern(_NUMBER + r"(?:[.,][-–]{1,2})?" + _MAGNITUDE, re.IGNORECASE)
_CENTS = lazy_pattern(r"[ \u00a0]?(?P<c>cents?|centimes|p)(?!\w)", re.IGNORECASE)
_CENTS_AFTER = lazy_pattern(r"€(\d\d)(?!\d)")
"""`12€50`."""
_SECOND = lazy_pattern(r"\s?[-–—]\s?(?=\d)" + _NUMBER + _MAGNITUDE + r"(?![\w%/:]|[.,-]\d)", re.IGNORECASE)
_FIRST = lazy_pattern(
    r"(?:(?<![\w.,:/-])|(?<=[( ]))"
    + _NUMBER
    + _MAGNITUDE
    + r"\s?(?P<j>[-–—]|(?:to|and|bis|und|et|à|y|a|e|tot|en)(?=\s))\s?$",
    re.IGNORECASE,
)
_BETWEEN = lazy_pattern(r"\b(?:between|from|zwischen|von|entre|de|tra|fra|da|tussen|van)\s$", re.IGNORECASE)
_MINUS = "-−–"
_AFTER = lazy_pattern(
    r"(?:[.,][-–]{1,2})?[ \u00a0\u202f]?(?P<c>[€£¥$₹₩₽₺₴₪฿₫₱円元]|zł|kč|"
    r"(?:zl|ft|s?fr|kr|euros?|dollars?|pounds|francs|franken|quid|yen|rupees|"
    + "|".join(_CODES).lower()
    + r")(?!\w))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMoney:
    """An amount with its place in the text."""

    start: int
    end: int
    money: Money
    number: str = ""
    """The digits as written."""
    signed_before: bool = False
    """True if the currency precedes the number."""


def find_money(view: TextView) -> tuple[FoundMoney, ...]:
    """Return every amount with a currency, in order of appearance, at most `MAX_MONEY`."""
    text = view.text
    tokens = tokens_of(view.lower) if view.partial else view.tokens
    spelled = not (tokens.isdisjoint(CURRENCY_NAMES) or tokens.isdisjoint(NUMBER_WORDS))
    found: list[FoundMoney] = []
    if view.digits and (
        any(sign in text for sign in _SIGN_CHARACTERS) or not tokens.isdisjoint(CURRENCY_WORDS)
    ):
        reached = 0
        for position in view.digits:
            if position < reached or len(found) >= MAX_MONEY:
                continue
            item = _at(view, position)
            if item is not None:
                found += _with_range(view, item, reached)
                reached = found[-1].end
    if spelled:
        found = sorted([*found, *_find_amount_words(view)], key=lambda item: item.start)
    return tuple(found[:MAX_MONEY])


def _find_amount_words(view: TextView) -> list[FoundMoney]:
    return [
        FoundMoney(
            start=start,
            end=end,
            money=Money(text=view.text[start:end], amount=str(value), currency=currency),
        )
        for start, end, value, currency in written_amounts(view.lower)
    ]


def _with_range(view: TextView, item: FoundMoney, reached: int) -> list[FoundMoney]:
    """Return the amount, with the other end of its range if it has one."""
    text, currency = view.text, item.money.currency
    if item.signed_before:
        second = _SECOND.match(text, item.end)
        if second is None:
            return [item]
        other = _amount(view, second["n"], second["mag"], currency, second.start("n"), second.end())
        if second["mag"] and item.money.amount == _decimal(item.number, view.language, 0):
            low = _decimal(item.number, view.language, _MAGNITUDES[second["mag"].lower()])
            item = replace(item, money=item.money._replace(amount=low))
        return [item, other]
    head = text[max(reached, item.start - 24) : item.start]
    first = _FIRST.search(head) if head[-1:] in " -–—" or head[-1:].isspace() else None
    if first is None:
        return [item]
    offset = item.start - len(head)
    if first["j"] not in "-–—" and not _BETWEEN.search(
        text[max(0, offset + first.start() - 10) : offset + first.start()]
    ):
        return [item]
    start, end = offset + first.start("n"), offset + first.end("n")
    return [_amount(view, first["n"], first["mag"], currency, start, end), item]


def _amount(
    view: TextView, number: str, letters: str | None, currency: str, start: int, end: int
) -> FoundMoney:
    magnitude = _MAGNITUDES[letters.lower()] if letters else 0
    money = Money(
        text=view.text[start:end], amount=_decimal(number, view.language, magnitude), currency=currency
    )
    return FoundMoney(start=start, end=end, money=money, number=number)


def _at(view: TextView, position: int) -> FoundMoney | None:
    text = view.text
    if position and text[position - 1] in ".,":
        return None
    amount = _AMOUNT.match(text, position)
    if amount is None:
        return None
    before = _BEFORE.search(text[max(0, position - 6) : position])
    if before is not None and _is_currency(before["c"]):
        start, end, sign = position - (len(before[0])), amount.end(), before["c"]
    elif position and text[position - 1].isalnum():
        return None
    else:
        after = _AFTER.match(text, amount.end())
        if after is None or not _is_currency(after["c"]):
            return _cents(view, amount)
        start, end, sign = position, after.end(), after["c"]
        whole = _CENTS_AFTER.match(text, amount.end())
        if whole is not None and amount["n"].isdigit():
            written = Money(
                text=text[start : whole.end()], amount=f"{amount['n']}.{whole[1]}", currency="EUR"
            )
            return FoundMoney(start=start, end=whole.end(), money=written)
    magnitude = _MAGNITUDES[amount["mag"].lower()] if amount["mag"] else 0
    if end < len(text) and text[end].isalnum() and not amount["mag"]:
        return None
    minus = "-" if before is not None and before["sign"] == "-" else ""
    if not minus and start and text[start - 1] in _MINUS and not text[max(0, start - 2) : start - 1].strip():
        minus, start = "-", start - 1
    money = Money(
        text=text[start:end],
        amount=minus + _decimal(amount["n"], view.language, magnitude),
        currency=_currency(sign, view),
    )
    return FoundMoney(
        start=start, end=end, money=money, number=amount["n"], signed_before=before is not None and not minus
    )


def _cents(view: TextView, amount: re.Match[str]) -> FoundMoney | None:
    """Find less than one of a currency: `99 cents`, and `85p` in a text with pounds."""
    match = _CENTS.match(view.text, amount.end())
    if match is None or len(amount["n"]) > 2 or amount["mag"]:
        return None
    pence = match["c"] == "p"
    if pence and "£" not in view.text:
        return None
    currency = "GBP" if pence else "USD" if view.language in ("", "en") and "€" not in view.text else "EUR"
    money = Money(
        text=view.text[amount.start() : match.end()], amount=f"0.{amount['n']:0>2}", currency=currency
    )
    return FoundMoney(start=amount.start(), end=match.end(), money=money)


def _is_currency(sign: str) -> bool:
    """Return False for a three-letter code that is not in capitals: "100 try" is not Turkish lira."""
    return len(sign) != 3 or not sign.isalpha() or sign.upper() not in _CODE_SET or sign.isupper()


def _currency(sign: str, view: TextView) -> str:
    if sign in _CODE_SET:
        return sign
    sign = sign.lower()
    if sign == "$" and view.region in _DOLLARS:
        return _DOLLARS[view.region]
    if sign in ("kr", "kr."):
        return _CROWN_REGIONS.get(view.region) or _CROWNS.get(view.language, "")
    if sign == "¥" and (view.language == "zh" or view.region == "cn"):
        return "CNY"
    if sign in ("rs", "rs."):
        return "INR" if view.region == "in" else ""
    return _SIGNS.get(sign) or _SIGNS.get(sign + ".", "")


def _decimal(number: str, language: str, magnitude: int) -> str:
    """Return the number with a decimal point and no grouping, e.g. `1.234,56` → `1234.56`."""
    plain = (
        number.replace(" ", "").replace("\u00a0", "").replace("\u202f", "").replace("'", "").replace("’", "")
    )
    point, comma = plain.rfind("."), plain.rfind(",")
    if point >= 0 and comma >= 0:
        grouping, decimal = (",", ".") if point > comma else (".", ",")
        plain = plain.replace(grouping, "").replace(decimal, ".")
    elif point >= 0 or comma >= 0:
        separator = "." if point >= 0 else ","
        plain = (
            plain.replace(separator, "")
            if _groups(plain, separator, magnitude)
            else plain.replace(separator, ".")
        )
    if not magnitude:
        return plain
    return format((Decimal(plain) * 10**magnitude).normalize(), "f")


def _groups(plain: str, separator: str, magnitude: int) -> bool:
    """Return True if the only kind of separator in `plain` groups thousands rather than starting decimals."""
    if plain.count(separator) > 1:
        return True
    whole, _, rest = plain.partition(separator)
    return len(rest) == 3 and not magnitude and whole != "0"
