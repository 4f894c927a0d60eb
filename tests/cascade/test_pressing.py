"""What may be urgent: nothing doubtful without an hour or an alarm of the reader's, and no survey or prize."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gaia_understanding.cascade.asks.solicited import wish
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.judging import finding
from gaia_understanding.cascade.model.pressing import DOUBTFUL, presses
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.cascade.view import look
from gaia_understanding.prepare.extract.sentences import split_sentences
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import last

MakeMail = Callable[..., Prepared]
OWNER = "robin@home.example"
STRANGER = Context(owner=frozenset({OWNER}), first_contact=True)
KNOWN = Context(owner=frozenset({OWNER}), written_to=2, received_before=4, first_contact=False)

_SENDERS = (
    ("pam@friends.example", "Pam Lark"),
    ("kim.otis@home.example", "Kim Otis"),
    ("info@clinic.example", "Clinic"),
    ("noreply@portal.example", ""),
)
_SUBJECTS = ("", "the keys", "Re: roster", "Reminder", "two forms", "access", "note!", "URGENT")
_PARTS = (
    "The key is at the bakery.",
    "Clinic says all is well.",
    "I know I said today.",
    "I am staying at home this morning.",
    "You have two tasks to complete before your visit on the 6th.",
    "Your account could not be reached.",
    "They never called.",
    "Enrolment closes this Friday.",
    "Please sign the sheet.",
    "Could you call her back?",
    "The lock was changed.",
    "It was broken and is mended.",
    "We cannot find the ladder.",
    "Somebody should look at it, not today.",
    "Der Termin ist am Montag.",
    "Sono arrivate le chiavi.",
    "The portal must be renewed.",
    "Nobody came.",
)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_doubtful_is_urgent_without_an_hour_or_an_alarm(mail: MakeMail, seed: int) -> None:
    dice = random.Random(seed)
    doubtful = 0
    for _ in range(120):
        address, name = dice.choice(_SENDERS)
        text = " ".join(dice.sample(_PARTS, dice.randint(1, 4)))
        context = dice.choice((STRANGER, KNOWN))
        message = mail(
            text,
            subject=dice.choice(_SUBJECTS),
            sender=address,
            name=name,
            to=dice.choice(((OWNER,), (OWNER, "jo@home.example"))),
            language=dice.choice(("en", "", "sv")),
        )
        for tier in (BuiltinTier(summaries=False), BuiltinTier(summaries=False, model=False)):
            verdict = tier.judge(message, context)
            doubtful += verdict.confidence <= DOUBTFUL
            if verdict.bucket == "urgent" and verdict.confidence <= DOUBTFUL:
                found, _ = last(finding(message, context, frozenset()))
                assert presses(found), text
    assert doubtful > 10


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Please call them back within 1 hour.", "within 1 hour"),
        ("Could you send me the slides at 14:30 today?", "today"),
        ("I require immediate reversal of the charge.", "immediate"),
        ("Water is pouring through the ceiling.", "Water is pouring"),
        ("I know I said today. You get it on the 19th.", ""),
        ("I am staying at home this morning, Oliver has my tickets.", ""),
        ("When you have a minute, and not today: which of them has a budget?", ""),
        ("Enrolment closes this Friday.", ""),
        ("The post-mortem of the outage is on the wiki, it lasted 19 minutes.", ""),
    ],
)
def test_an_hour_or_an_alarm_is_the_readers_or_none(mail: MakeMail, text: str, words: str) -> None:
    found, _ = last(finding(mail(text, sender="kim.otis@home.example", name="Kim Otis"), KNOWN, frozenset()))
    assert presses(found) == words


def test_what_is_asked_of_somebody_else_presses_nobody_with_a_copy(mail: MakeMail) -> None:
    text = "Gavin, the logo is urgent, I need it online today at 11."
    message = mail(
        text, sender="kim.otis@home.example", name="Kim Otis", to=("gavin@home.example",), cc=(OWNER,)
    )
    found, _ = last(finding(message, KNOWN, frozenset()))
    assert presses(found) == ""


SOLICITED = [
    (
        "URGENT: crypto lottery ends today",
        "Urgent! The crypto lottery closes today at 18:00. Reply now with your wallet.",
    ),
    ("Crypto lottery: your wallet was drawn", "Claim your 2 BTC today before midnight or the prize is lost."),
    ("Quick survey - closes today", "Please complete our survey by 5pm today. It takes two minutes."),
    (
        "URGENT: employee survey closes tonight",
        "Please fill in the employee engagement survey today, it closes at 20:00.",
    ),
    ("Rate your stay", "How was your stay? Please rate us today, the link expires in 24 hours."),
    ("Poll closing in one hour", "Please vote in our poll, it closes in one hour. Win a voucher!"),
    (
        "Sweepstakes entry pending",
        "Immediate action required: confirm your sweepstakes entry today to be in the draw.",
    ),
    ("Giveaway ends today!!", "Enter our giveaway today to win a trip to Rome. Ends at 6pm. Reply YES now."),
    (
        "Umfrage endet heute",
        "Dringend: Bitte füllen Sie den Fragebogen heute bis 17 Uhr aus. Ihre Meinung zählt!",
    ),
]


@pytest.mark.parametrize(("subject", "text"), SOLICITED)
def test_a_survey_or_a_prize_is_never_urgent_however_it_hurries(
    mail: MakeMail, subject: str, text: str
) -> None:
    for address, name in (*_SENDERS, ("winner@coindraw.example", "CoinDraw"), ("hr@home.example", "HR")):
        message = mail(text, subject=subject, sender=address, name=name)
        for tier in (BuiltinTier(summaries=False), BuiltinTier(summaries=False, model=False)):
            verdict = tier.judge(message, STRANGER)
            assert verdict.bucket != "urgent", address
            assert verdict.priority.score < 0.75


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Survey report", "The client wants the survey report at 3 today, can you send it to me by 2?"),
        ("Surveyor", "The surveyor stands at the gate and waits, could you let him in now?"),
        ("Help", "I am locked out and the alarm is on, please come now! PS: take our survey some day."),
        (
            "Competition hearing",
            "The competition authority wants our answer by 5pm today. Please sign the attached letter now.",
        ),
    ],
)
def test_work_that_is_about_surveys_and_contests_may_be_urgent(
    mail: MakeMail, subject: str, text: str
) -> None:
    message = mail(text, subject=subject, sender="kim.otis@home.example", name="Kim Otis")
    assert BuiltinTier().judge(message, KNOWN).bucket == "urgent"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please take part in our short survey.", "take part in our short survey"),
        ("Your wallet was drawn.", "Your wallet was drawn"),
        ("Répondez à notre questionnaire avant ce soir.", "Répondez à notre questionnaire"),
        ("The roof survey is done.", ""),
        ("We won the lottery for the pitch at last, bring the tent.", ""),
        ("Claim the costs of the trip by Friday.", ""),
    ],
)
def test_the_wish_to_take_part_is_told_from_talk_about_it(text: str, found: str) -> None:
    assert wish(look("", text, split_sentences(text)), "") == found
