"""Speech acts that lie close together: asking, putting up a choice, inviting, changing, promising."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Context, SpeechAct, Verdict
from gaia_understanding.prepare.model import Prepared


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("act", "text"),
    [
        ("propose", "I can come on Monday or on Thursday. Which day suits you better?"),
        ("propose", "Would Tuesday at ten be convenient for you?"),
        ("propose", "I would suggest the small room. Do you agree?"),
        ("meet", "We celebrate on Saturday 14 March at six. Let me know if you can make it."),
        ("meet", "You are invited to our housewarming on Friday evening. Will you be there?"),
        ("request", "Could you send me the signed lease?"),
        ("amend", "The rehearsal has been postponed. It is on Thursday, at the usual time."),
        ("commit", "I'll bring the ladder back at the weekend."),
        ("deliver", "Attached are the plans that you asked for."),
        ("fyi", "The bakery on Mill Street has new owners."),
    ],
)
def test_the_main_act_is_what_the_reader_would_act_on(
    mail: MakeMail, judge: Judge, act: SpeechAct, text: str
) -> None:
    assert judge(mail(text, subject="Hello")).speech_act == act


@pytest.mark.parametrize(
    "text",
    [
        "Please upload the form in the members' portal by 20 March.",
        "Please transfer the amount, quoting your member number.",
        "Please ring me.",
    ],
)
def test_what_is_done_elsewhere_wants_no_answer(mail: MakeMail, judge: Judge, text: str) -> None:
    verdict = judge(mail(text, subject="Membership"))
    assert verdict.bucket == "actionable"
    assert not verdict.needs_reply


def test_a_promise_far_down_in_a_long_letter_is_not_what_it_is_about(mail: MakeMail, judge: Judge) -> None:
    letter = "The garden is full of frogs this year. " * 20 + "We'll write again in June."
    assert judge(mail(letter, subject="Frogs")).speech_act == "fyi"


def machine(mail: MakeMail, text: str, subject: str) -> Prepared:
    return mail(
        text,
        subject=subject,
        sender="no-reply@service.example",
        name="Service",
        headers=(("Auto-Submitted", "auto-generated"),),
    )


@pytest.mark.parametrize(
    ("bucket", "subject", "text"),
    [
        ("actionable", "Your application", "Please complete the missing section in the portal by 30 March."),
        ("urgent", "Your application", "The call closes today at 17:00. Your draft has not been submitted."),
        (
            "urgent",
            "New payee",
            "A payee was added to your account. Was this you? If not, block the account.",
        ),
        (
            "urgent",
            "Flight XY 12",
            "Your flight today at 15:40 has been cancelled. Please choose another one.",
        ),
        (
            "informational",
            "Your donation",
            "Your donation was received. Please keep this message as a receipt.",
        ),
        ("informational", "Your policy", "Your policy was renewed. There is nothing you need to do."),
    ],
)
def test_what_machines_need_and_how_soon(
    mail: MakeMail, judge: Judge, bucket: str, subject: str, text: str
) -> None:
    verdict = judge(machine(mail, text, subject))
    assert verdict.bucket == bucket
    assert not verdict.needs_reply
