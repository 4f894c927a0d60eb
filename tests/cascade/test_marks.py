"""Marks of the program that made a message, and what tells a publication from mail nobody asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.traps.generators import is_random
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.model import Prepared

PICTURES = "<html>" + "<img src='https://shop.example/p.png'>" * 9
HOME = [("Item", f"https://www.shop.example/item/{number}") for number in range(14)]
TRACE = [("Return-Path", "<b@shop.example>"), ("Received", "from mail.shop.example by mx.home.example")]
OFFER = (
    "Be the lucky winner of our giveaway. Lowest prices, buy now. To be removed from this list, click below."
)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


def marked(prepared: Prepared) -> set[str]:
    return set(BuiltinTier().features(prepared, Context()).facts)


def laid_out(prepared: Prepared, html: str) -> Prepared:
    message = replace(prepared.message, html=html, message_id="<1@shop.example>")
    return replace(prepared, message=message, text_from="html")


@pytest.mark.parametrize(
    ("headers", "subject", "mark"),
    [
        ([("X-Mailer", "Microsoft Outlook Express 6.00")], "Hello", "made:forged"),
        ([("X-Mailer", "r0AkzpUU4cjo0KGo3lCruA5aS")], "Hello", "made:random"),
        ([("X-Priority", "1 (Highest)")], "Hello", "made:important"),
        ([("Importance", "High")], "Hello", "made:important"),
        ([], "Best rates now          qxvzt", "subject tailed"),
        ([], "to the heaven gjOQ1LUGEh3axIEp2anbbYD", "subject tailed"),
        ([("Received", "from offers.example (unknown [203.0.113.7]) by mx")], "Hello", "relay:nameless"),
    ],
)
def test_what_senders_in_series_leave_behind_is_seen(
    mail: MakeMail, headers: list[tuple[str, str]], subject: str, mark: str
) -> None:
    assert mark in marked(mail("Some words.", subject=subject, headers=headers))


@pytest.mark.parametrize(
    "headers",
    [
        [("X-Mailer", "Microsoft Outlook Express 6.00"), ("X-MimeOLE", "Produced By Microsoft MimeOLE")],
        [("X-Mailer", "Microsoft Outlook 16.0")],
        [("X-Mailer", "Apple Mail (2.3445.104.8)"), ("X-Priority", "3")],
    ],
)
def test_ordinary_programs_leave_no_such_mark(mail: MakeMail, headers: list[tuple[str, str]]) -> None:
    found = marked(mail("Some words.", subject="Minutes of the meeting 2026", headers=headers))
    assert not [name for name in found if name.startswith("made:") or name == "subject tailed"]


@pytest.mark.parametrize(
    "word", ["invoice", "INVOICE", "iPhone", "McDonald", "2026-03-04", "RE20417", "GitHub"]
)
def test_words_and_numbers_are_not_random(word: str) -> None:
    assert not is_random(word)


def test_the_same_words_weigh_less_in_a_publication_of_ones_own_house(mail: MakeMail) -> None:
    fields = {"subject": "Our July picks", "sender": "news@shop.example", "name": "Shop", "headers": TRACE}
    tier = BuiltinTier(model=False)
    plain = tier.judge(mail(OFFER, **fields, links=HOME[:1]), Context()).flags.spam
    shop = tier.judge(laid_out(mail(OFFER, **fields, links=HOME), PICTURES), Context()).flags.spam
    away = [("Item", f"https://elsewhere{number}.example/") for number in range(14)]
    strange = laid_out(mail(OFFER, **{**fields, "headers": ()}, links=away), PICTURES)
    assert shop < plain <= tier.judge(strange, Context()).flags.spam


def test_how_to_leave_a_mailing_is_no_scheme_by_itself(mail: MakeMail) -> None:
    text = (
        "The walks of this week are listed below. If you would like to be removed from this list, or wish to be "
        "removed from all our mailings, opt out on the page of the club."
    )
    assert BuiltinTier(model=False).judge(mail(text, subject="Walks of the week"), Context()).flags.spam < 0.3


def test_markup_is_told_by_its_pictures(mail: MakeMail) -> None:
    prepared = mail("Some words.")
    assert "pictures:many" in marked(laid_out(prepared, PICTURES))
    assert {"pictures:none", "markup:red"} <= marked(laid_out(prepared, "<font color=red>now</font>"))
    assert not [name for name in marked(prepared) if name.startswith(("pictures:", "markup:"))]
