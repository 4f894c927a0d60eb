"""Verdicts that would contradict themselves, on mail by many kinds of sender who leaves out names, dates and links."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.cascade.terse_mail import (
    DEMANDS,
    EMERGENCIES,
    HONEST,
    NAMELESS,
    NOTES,
    OFFERS,
    QUESTIONS,
    TAKEN_BACK,
    TONES,
    TRIFLES,
    Mail,
)

OWNER = "alex@northfield.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


def judged(make: MakeMail, mail: Mail, context: Context | None = None) -> Verdict:
    sender, subject, text = mail
    name, _, address = sender.rpartition("<")
    prepared = make(text, subject=subject, sender=address.rstrip(">"), name=name.strip(), to=(OWNER,))
    return BuiltinTier().judge(prepared, context or Context(owner=frozenset({OWNER}), first_contact=True))


def subject_of(value: Mail) -> str:
    return value[1]


@pytest.mark.parametrize("offer", OFFERS, ids=subject_of)
def test_a_seller_who_hurries_is_never_urgent(mail: MakeMail, offer: Mail) -> None:
    assert judged(mail, offer).bucket in ("low_priority", "informational")


@pytest.mark.parametrize("calm", TAKEN_BACK, ids=subject_of)
def test_an_alarm_that_asks_for_nothing_by_its_own_word_is_not_urgent(mail: MakeMail, calm: Mail) -> None:
    assert judged(mail, calm).bucket != "urgent"


@pytest.mark.parametrize("note", NOTES, ids=subject_of)
def test_a_short_friendly_note_of_a_stranger_is_not_put_away_unread(mail: MakeMail, note: Mail) -> None:
    assert judged(mail, note).bucket != "low_priority"


@pytest.mark.parametrize("letter", NAMELESS, ids=subject_of)
def test_a_sender_without_a_name_is_an_ordinary_case(mail: MakeMail, letter: Mail) -> None:
    assert judged(mail, letter).bucket != "low_priority"


@pytest.mark.parametrize("question", QUESTIONS, ids=subject_of)
def test_a_question_of_one_line_is_no_offer(mail: MakeMail, question: Mail) -> None:
    verdict = judged(mail, question)
    assert verdict.bucket in ("actionable", "urgent")
    assert verdict.content_category == "primary"


@pytest.mark.parametrize("letter", TONES, ids=subject_of)
def test_business_mail_without_a_date_is_not_urgent_for_its_tone(mail: MakeMail, letter: Mail) -> None:
    assert judged(mail, letter).bucket != "urgent"


@pytest.mark.parametrize("report", EMERGENCIES, ids=subject_of)
def test_an_emergency_needs_somebody_though_nothing_is_asked(mail: MakeMail, report: Mail) -> None:
    assert judged(mail, report).bucket in ("urgent", "actionable")


@pytest.mark.parametrize("trifle", TRIFLES, ids=subject_of)
def test_a_trifle_due_tomorrow_is_not_urgent(mail: MakeMail, trifle: Mail) -> None:
    assert judged(mail, trifle).bucket != "urgent"


@pytest.mark.parametrize("demand", DEMANDS, ids=subject_of)
@pytest.mark.parametrize("before", [0, 5, 40])
def test_money_wanted_by_who_presses_is_warned_of_however_often_he_wrote(
    mail: MakeMail, demand: Mail, before: int
) -> None:
    known = Context(owner=frozenset({OWNER}), first_contact=not before, received_before=before)
    verdict = judged(mail, demand, known)
    assert verdict.flags.phishing.score >= 0.5
    assert verdict.flags.phishing.reasons
    assert verdict.bucket in ("low_priority", "informational")
    assert not verdict.needs_reply


@pytest.mark.parametrize("letter", HONEST, ids=subject_of)
def test_honest_mail_about_money_secrets_or_mishaps_is_not_accused(mail: MakeMail, letter: Mail) -> None:
    assert judged(mail, letter).flags.phishing.score < 0.5
