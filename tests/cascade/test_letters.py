"""A person's own words to the reader are no advertising and no pastime; who sells, and what is passed on, stays so."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.traps.pastime import PastimeKind
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

MakeMail = Callable[..., Prepared]
OWNER = "robin@home.example"
STRANGER = Context(owner=frozenset({OWNER}), first_contact=True)
FRIEND = Context(owner=frozenset({OWNER}), first_contact=False, written_to=3, received_before=5)
PASTIMES: tuple[PastimeKind, ...] = ("chain", "fun", "sale", "event")

_SENDERS = (
    ("pam@friends.example", "Pam Lark"),
    ("kim.otis@home.example", "Kim Otis"),
    ("o.brandt77@gmail.com", "Ole Brandt"),
    ("t.quist@quist-legal.example", "T. Quist"),
)
_SUBJECTS = (
    "",
    "Saturday",
    "haha, the boiler",
    "that joke of yours",
    "Re: the kitchen",
    "minutes of the board",
    "the sale of the old office",
    "Ready for the weekend!!",
)
_OPENINGS = ("", "Hi Robin, ", "Dear Robin,\n\n", "hey, ", "LOL. ")
_MIDDLES = (
    "the plumber came at last and found a spoon in the pipe, so funny.",
    "we buried the old cat under the apple tree, the children sang.",
    "Haha, your face when the lights went out. The spare key is with Ida now.",
    "I passed the report on to the ten people who were at the meeting.",
    "Mum is out of hospital and makes jokes about the food again.",
    "the contract with the mill is signed, the price stays at 40 euros a ton.",
    "no joke, they moved the hearing to the ninth and nobody told me.",
    "the free seat on the committee went to Jonas, everyone welcome him.",
    "I broke the chain of the blue bike and bought a new one, 12.50 at the corner shop.",
    "the commission proposes new rules for power plants; the markets fell and the senator was furious.",
)
_ENDINGS = ("", "\n\nPam", "\nhahaha", " lol", "\nLove, and tell the others 😂", "\nTalk soon!!")


def filed(verdict: Verdict) -> tuple[str, ...]:
    """As what it is put aside: the category, and the kind of pastime."""
    names = [signal.name for signal in verdict.priority.signals]
    return (verdict.content_category, *(kind for kind in PASTIMES if kind in names))


@pytest.mark.parametrize("seed", range(4))
def test_no_letter_that_sells_nothing_is_filed_as_a_promotion_or_a_pastime(mail: MakeMail, seed: int) -> None:
    dice = random.Random(seed)
    judged = 0
    for _ in range(80):
        address, name = dice.choice(_SENDERS)
        subject, context = dice.choice(_SUBJECTS), dice.choice((STRANGER, FRIEND))
        text = dice.choice(_OPENINGS) + dice.choice(_MIDDLES) + dice.choice(_ENDINGS)
        to: Sequence[str] = dice.choice(((OWNER,), (OWNER, "jo@home.example")))
        message = mail(text, subject=subject, sender=address, name=name, to=to)
        for tier in (BuiltinTier(summaries=False), BuiltinTier(summaries=False, model=False)):
            judged += 1
            said = filed(tier.judge(message, context))
            assert "promotions" not in said and len(said) == 1, (address, subject, text, said)
    assert judged == 160


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "the boiler",
            "They came, looked, laughed and left, lol. It is cold here. Bring your coat on Sunday.",
        ),
        ("Chain", "What do I get when I break the chain?"),
        ("Thursday", "Robin, forward my notes to the 12 people in your team, I have no list of them."),
        ("no subject", "I am at your door, forgot my keys haha"),
    ],
)
def test_a_laugh_is_the_tone_of_a_letter_and_not_what_it_is(mail: MakeMail, subject: str, text: str) -> None:
    verdict = BuiltinTier().judge(mail(text, subject=subject), FRIEND)
    assert filed(verdict) == ("primary",)
    assert verdict.bucket != "low_priority"


@pytest.mark.parametrize("text", ["See below, is this ours?", "For your files."])
def test_a_laugh_in_what_was_forwarded_once_makes_no_joke_of_it(mail: MakeMail, text: str) -> None:
    quoted = "> The tenant moved out on Friday, haha.\n> The deposit of 900 euros is open."
    verdict = BuiltinTier().judge(mail(text, subject="FW: flat 4", quoted=quoted), FRIEND)
    assert filed(verdict) == ("primary",)


def test_an_article_that_a_colleague_forwards_is_no_advertising(mail: MakeMail) -> None:
    article = " ".join(
        f"Paragraph {number}: the commission heard the traders, profits soared, and the buyers of the unit offer cash."
        for number in range(40)
    )
    message = mail(article, subject="Summary of the hearing", sender="lee@home.example", name="Lee Moss")
    assert BuiltinTier().judge(message, STRANGER).content_category != "promotions"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "Robin, 20% off all kayaks",
            "Hi Robin, order now and save up to 300 euros, only until Sunday. Shop now!",
        ),
        (
            "A guest post on your blog",
            "Hi, I visited your website. We offer link building and backlinks from high DA sites.",
        ),
        (
            "You have won",
            "Congratulations, you have won the lottery. Claim your prize of 1,000,000 dollars now.",
        ),
    ],
)
def test_a_letter_that_sells_is_still_advertising_or_spam(mail: MakeMail, subject: str, text: str) -> None:
    verdict = BuiltinTier().judge(mail(text, subject=subject, sender="max@offers-and-more.example"), STRANGER)
    assert verdict.content_category == "promotions" or verdict.flags.spam >= 0.5
    assert verdict.bucket == "low_priority"


def test_what_goes_round_for_the_second_time_stays_a_pastime(mail: MakeMail) -> None:
    message = mail("had to laugh", subject="Fwd: FW: two cows in a field", quoted=">> says one cow: LOL")
    assert "fun" in filed(BuiltinTier().judge(message, FRIEND))


def test_a_discussion_is_no_advertising_because_its_list_says_how_to_leave(mail: MakeMail) -> None:
    text = (
        "Zimbabwe and Zambia are different countries, I think you took one for the other.\n\n"
        "To unsubscribe from this group, send an email to: leave@groups.example"
    )
    headers = [
        ("List-Id", "<oddities.groups.example>"),
        ("List-Post", "<mailto:oddities@groups.example>"),
        ("Precedence", "list"),
    ]
    message = mail(
        text,
        subject="Re: [oddities] maps",
        to=("oddities@groups.example",),
        headers=headers,
        in_reply_to="<a@b>",
    )
    assert BuiltinTier().judge(message, STRANGER).content_category != "promotions"
