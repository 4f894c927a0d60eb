"""Purchases in running text: merchant, total, date and order number. Entry: `find_receipt`."""

from __future__ import annotations

import re
from datetime import datetime

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.dates import FoundDate
from gaia_understanding.prepare.extract.model import Receipt
from gaia_understanding.prepare.extract.money import FoundMoney
from gaia_understanding.prepare.extract.view import TextView

_TABLE = WordTable("gaia_understanding.prepare.extract", "receipts.txt")

_MAX_SUBJECT = 300

_PURCHASE = _TABLE.pattern("purchase", r"\b(?:", r")\b")
"""For text in lower case."""
_TOTAL = _TABLE.pattern("total", r"(?:", r")[^\n\d]{0,30}$", flags=re.IGNORECASE)
_NOT_TOTAL = _TABLE.pattern("not_total", r"(?:", r")[^\n\d]{0,24}$", flags=re.IGNORECASE)
_ORDER_NUMBER = _TABLE.pattern("order_number", flags=re.IGNORECASE)
_NUMBERED = lazy_pattern(r"\d")


def find_receipt(
    view: TextView,
    subject: str,
    merchant: str,
    money: tuple[FoundMoney, ...],
    dates: tuple[FoundDate, ...],
    sent: datetime | None,
) -> Receipt | None:
    """Return the purchase that the message is a receipt for; None if it is about none.

    It needs a word for one in the subject or text, and an amount called the total or an order's number.
    `merchant` is the sender's name; without another date the message's own is the purchase's.
    """
    subject = subject[:_MAX_SUBJECT]
    if not money and not _NUMBERED.search(subject) and not view.digits:
        return None
    in_subject = _PURCHASE.search(subject.lower())
    if in_subject is None and (not money or _PURCHASE.search(view.lower, 0, 4_000) is None):
        return None
    total = _total(view, money)
    number = _order_number(subject) or _order_number(view.text[:8_000])
    if total is None and (not number or in_subject is None):
        return None
    return Receipt(
        merchant=merchant,
        total=total.money.amount if total else "",
        currency=total.money.currency if total else "",
        date=_date(dates, sent),
        order_number=number,
    )


def _total(view: TextView, money: tuple[FoundMoney, ...]) -> FoundMoney | None:
    """Return the last amount that the words before it call a total."""
    total: FoundMoney | None = None
    for item in money:
        before = view.text[max(0, item.start - 48) : item.start]
        if _TOTAL.search(before) and not _NOT_TOTAL.search(before):
            total = item
    return total


def _order_number(text: str) -> str:
    for match in _ORDER_NUMBER.finditer(text):
        number = match["number"].rstrip("-/")
        if not re.fullmatch(r"(?:19|20)\d\d(?:-\d\d-\d\d)?", number):
            return number
    return ""


def _date(dates: tuple[FoundDate, ...], sent: datetime | None) -> str:
    """Return a day in the text up to the message's own, else the message's own."""
    if sent is None:
        return ""
    for found in dates:
        if not found.deadline and 0 <= (sent.date() - found.day).days <= 31:
            return found.day.isoformat()
    return sent.date().isoformat()
