"""A reason says what was seen; that nothing is needed it says only in the mail's own words."""

from __future__ import annotations

import pytest

from gaia_understanding.cascade.asks.denials import own_words
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from tests.cascade.conftest import OWNER, Judge, MakeMail
from tests.cascade.denials import denies

MACHINE = (("Auto-Submitted", "auto-generated"),)
DEMANDS = (
    (
        "Annual declaration",
        "The annual declaration has to be handed in by Friday. Late ones are not accepted.",
    ),
    ("Refund 88-120", "Your refund of EUR 240.00 was prepared and waits for approval in your account."),
    ("Sunday", "Hello love, we are cooking the big pot on Sunday and there is a chair for you and the boys."),
    ("Access review", "Access of everyone who has not confirmed is removed on Friday."),
    (
        "The Weekly Loaf newsletter",
        "In this issue: rye. Vote for the loaf of the year until Friday. Unsubscribe here.",
    ),
    ("Re: boxes", "Thanks, perfect! The van key is with you then?"),
    ("Re: boxes", "Thanks, perfect!"),
    ("Your receipt 4711", "2 chairs EUR 38.00\nTotal: EUR 38.00\nPlease countersign and send it back."),
    ("I am away", "I am out of the office until Monday. In urgent cases write to desk@chairs.example."),
)


@pytest.mark.parametrize(("subject", "text"), DEMANDS)
@pytest.mark.parametrize("headers", [(), MACHINE], ids=["a person", "a machine"])
@pytest.mark.parametrize("model", [True, False], ids=["with the model", "by rules"])
def test_no_mail_that_says_no_such_thing_is_told_to_want_nothing(
    mail: MakeMail, subject: str, text: str, headers: tuple[tuple[str, str], ...], model: bool
) -> None:
    made = mail(text, subject=subject, sender="desk@chairs.example", name="Chairs", headers=headers)
    reason = BuiltinTier(model=model).judge(made, Context(owner=frozenset({OWNER}))).priority.reason
    assert not denies(reason), reason
    assert 'it says "no' not in reason.lower(), reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The heating was serviced on Monday. No action is needed on your side.", "No action is needed"),
        ("Die Heizung wurde am Montag gewartet. Es besteht kein Handlungsbedarf.", "kein Handlungsbedarf"),
    ],
)
def test_the_words_of_a_mail_that_says_so_are_quoted(
    mail: MakeMail, judge: Judge, text: str, words: str
) -> None:
    made = mail(text, subject="Heating", sender="desk@chairs.example", name="Chairs", headers=MACHINE)
    assert judge(made).priority.reason == f'Automatic notice from Chairs: "Heating"; it says "{words}".'


@pytest.mark.parametrize(
    "text",
    [
        "If you have paid already, no action is needed.",
        "No action is needed unless the meter reads more than 400.",
        "No reply needed, but please bring the key.",
        "Falls Sie bezahlt haben, besteht kein Handlungsbedarf.",
        "No further action was taken by the council.",
    ],
)
def test_words_under_a_condition_do_not_count(mail: MakeMail, text: str) -> None:
    found = BuiltinTier().findings(mail(text, subject="Meter"), Context())
    assert own_words(found.facts.view) == ""


def test_words_that_nothing_is_needed_are_left_out_where_something_is_asked(
    mail: MakeMail, judge: Judge
) -> None:
    verdict = judge(mail("No reply needed. Could you bring the key on Friday?", subject="Key"))
    assert verdict.priority.reason.startswith('Dana asks "Could you bring the key on Friday"')
    assert "No reply" not in verdict.priority.reason


def test_a_day_that_a_notice_names_is_told(mail: MakeMail, judge: Judge) -> None:
    text = "We collect old paint. Bring it to the depot by Friday."
    made = mail(text, subject="Paint", sender="desk@depot.example", name="Depot", headers=MACHINE)
    verdict = judge(made)
    assert verdict.bucket == "informational"
    assert verdict.priority.reason == 'Automatic notice from Depot: "Bring it to the depot by Friday".'


def test_who_is_copied_in_is_told_what_is_asked(mail: MakeMail, judge: Judge) -> None:
    made = mail(
        "Lee, could you send me the signed lease by Friday?",
        subject="Lease",
        to=["lee@other.example"],
        cc=[OWNER],
    )
    assert judge(made).priority.reason == (
        'You are copied in; Dana asks "could you send me the signed lease by Friday".'
    )
