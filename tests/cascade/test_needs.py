"""Needs that are told without a word that asks are heard; what is settled, or somebody else's, is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.model import Prepared

MakeMail = Callable[..., Prepared]
OWNER = "robin@home.example"
STRANGER = Context(owner=frozenset({OWNER}), first_contact=True)


@pytest.mark.parametrize(
    ("subject", "text", "language"),
    [
        ("Double charge", "I was charged twice for my March order.", "en"),
        ("My bill", "Hello, the amount of 49 EUR was taken from my card two times this month.", "en"),
        ("Subscription", "I cancelled my subscription in May and you still take 9.99 every month.", "en"),
        ("Order 4411", "The lamp arrived broken.", "en"),
        ("Wrong size", "You sent me the wrong size.", "en"),
        ("Parcel", "My parcel never came.", "en"),
        ("Heating", "There has been no heating in flat 4 since Sunday.", "en"),
        ("Login", "I cannot log in to my account since yesterday.", "en"),
        ("Quarterly report", "The quarterly report is due tomorrow.", "en"),
        ("Q3 report", "Q3 report is due in one day.", "en"),
        ("Figures", "The figures for the board are due tomorrow at 9.", "en"),
        ("Doppelt belastet", "Mir wurde die Rechnung 4711 zweimal abgebucht.", "de"),
        ("Bericht", "Der Bericht ist morgen fällig.", "de"),
    ],
)
def test_a_need_is_heard_though_no_word_asks(mail: MakeMail, subject: str, text: str, language: str) -> None:
    message = mail(text, subject=subject, sender="pam@friends.example", name="Pam Lark", language=language)
    for tier in (BuiltinTier(), BuiltinTier(model=False)):
        verdict = tier.judge(message, STRANGER)
        assert verdict.bucket in ("urgent", "actionable")
        assert verdict.speech_act == "request"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Report", "The quarterly report is due tomorrow, I am nearly done."),
        ("Done", "I was charged twice but they have paid it back."),
        ("Kim", "Kim was charged twice at the hotel, what a mess."),
        ("Rent", "The rent is due tomorrow and will be taken by direct debit."),
        ("Baby", "The baby is due in May."),
        ("Lamp", "My lamp arrived broken but the shop sent me a new one."),
        ("Band room", "With the new limits on crowds we can't open the band room, so Friday is off."),
    ],
)
def test_what_is_settled_or_seen_to_or_another_persons_asks_nothing(
    mail: MakeMail, subject: str, text: str
) -> None:
    message = mail(text, subject=subject, sender="pam@home.example", name="Pam Lark")
    for tier in (BuiltinTier(), BuiltinTier(model=False)):
        verdict = tier.judge(message, STRANGER)
        assert verdict.bucket == "informational", tier.model
        assert not verdict.needs_reply


def test_a_need_told_to_a_list_is_not_the_readers(mail: MakeMail) -> None:
    headers = [("List-Id", "<users.tool.example>"), ("List-Post", "<mailto:users@tool.example>")]
    message = mail(
        "I cannot log in to my account since yesterday.",
        subject="[users] login",
        to=("users@tool.example",),
        headers=headers,
    )
    assert BuiltinTier().judge(message, STRANGER).bucket == "informational"


def test_who_demands_something_at_once_is_in_a_hurry(mail: MakeMail) -> None:
    text = "An unauthorized charge of $900 is on my card. I require immediate reversal in writing."
    verdict = BuiltinTier().judge(mail(text, subject="Charge", name="Pam Lark"), STRANGER)
    assert "immediate" in [signal.evidence for signal in verdict.priority.signals]
