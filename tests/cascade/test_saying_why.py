"""A reason says what is asked, or what happens if nothing is done, in whole sentences and by the sender's name."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.cascade.wording.lines import quote
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
MACHINE = (("Auto-Submitted", "auto-generated"),)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("subject", "text", "said"),
    [
        (
            "Payment failed",
            "Hi Robin,\n\nyour card was declined. Please update it by 9 March, or your plan ends.",
            "Please update it by 9 March, or your plan ends",
        ),
        (
            "Your domain home.example",
            "Hello,\n\nthe payment failed. Please renew the domain, or it will be deleted on 9 March.\n\nHarbour",
            "Please renew the domain, or it will be deleted on 9 March",
        ),
        (
            "Build failed: house main",
            "Step 4 of the pipeline for the house failed with two errors.",
            "Step 4 of the pipeline for the house failed with two errors",
        ),
        (
            "Zahlung fehlgeschlagen",
            "Guten Tag,\n\nbitte aktualisieren Sie Ihre Karte bis zum 9. März, sonst wird Ihr Vertrag gekündigt.",
            "bitte aktualisieren Sie Ihre Karte bis zum 9. März, sonst wird Ihr Vertrag gekündigt",
        ),
        (
            "Paiement refusé",
            "Bonjour,\n\nmerci de mettre à jour votre carte avant le 9 mars, sinon votre compte sera suspendu.",
            "merci de mettre à jour votre carte avant le 9 mars, sinon votre compte sera suspendu",
        ),
    ],
)
def test_a_notice_says_what_happens_if_nothing_is_done(
    mail: MakeMail, judge: Judge, subject: str, text: str, said: str
) -> None:
    verdict = judge(
        mail(text, subject=subject, sender="service@harbour.example", name="Harbour", headers=MACHINE)
    )
    assert verdict.bucket in ("urgent", "actionable")
    assert verdict.priority.reason.removesuffix(".").split("; ")[0] == f'Harbour says "{said}"'


def test_a_code_says_how_long_it_works_and_when_to_use_it(mail: MakeMail, judge: Judge) -> None:
    text = "Your code is 482 913. It is valid for 10 minutes. Never share it with anyone."
    made = mail(text, subject="Your security code", sender="noreply@bank.example", name="Bank")
    assert judge(made).priority.reason == (
        "Code 482 913 from Bank, valid for 10 minutes; use it if you just asked for it."
    )


@pytest.mark.parametrize(
    ("sender", "called"),
    [
        ("vera.lindholm@studio.example", "Vera"),
        ("rosa@studio.example", "Rosa"),
        ("v.lindholm@studio.example", "V. Lindholm"),
        ("ana_m_de_zubiri@studio.example", "Ana"),
        ("zubiri.de.lago7@studio.example", "Zubiri de Lago"),
        ("b..lindholm@studio.example", "B. Lindholm"),
        ("qv31x@studio.example", "qv31x@studio.example"),
    ],
)
def test_a_sender_without_a_name_is_called_by_the_address(
    mail: MakeMail, judge: Judge, sender: str, called: str
) -> None:
    verdict = judge(mail("Could you send me the signed lease?", subject="Lease", sender=sender, name=""))
    assert verdict.priority.reason == f'{called} asks "Could you send me the signed lease".'


@pytest.mark.parametrize(
    ("sender", "name", "called"),
    [
        ("payroll@home.example", "", "Payroll"),
        ("it.helpdesk@home.example", "", "IT Helpdesk"),
        ("payroll@home.example", "Home", "Payroll"),
        ("payroll@home.example", "HOME Inc.", "Payroll"),
        ("no-reply@home.example", "", "An automatic sender"),
        ("no-reply@harbour-trust.example", "", "Harbour Trust"),
        ("billing@harbour-trust.example", "", "Harbour Trust"),
        ("billing@harbour-trust.example", "Harbour Billing", "Harbour Billing"),
    ],
)
def test_an_office_is_called_by_its_name_and_never_by_the_readers_organisation(
    mail: MakeMail, judge: Judge, sender: str, name: str, called: str
) -> None:
    made = mail(
        "The statement for March is ready.", subject="Statement", sender=sender, name=name, headers=MACHINE
    )
    reason = judge(made, Context(owner=frozenset({OWNER}))).priority.reason
    assert called in reason and "home.example" not in reason and "from Home" not in reason


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        (
            "Please send the plans of the boat house, which was painted twice last summer by the same crew, to Ann.",
            "Please send the plans of the boat house",
        ),
        (
            "We paint the whole hall (all of it, and the stairs that lead to the loft above it) in May",
            "We paint the whole hall",
        ),
        (
            "If the weather holds until the end of the week, we paint the hall, and the stairs follow in the summer.",
            "If the weather holds until the end of the week, we paint the hall",
        ),
        ("Wilson, Christine, and Robin, could you bring the keys?", "could you bring the keys"),
        ("Please, bring the keys.", "Please, bring the keys"),
        ("the colour that the painters of the boat house behind the harbour chose for the northern wall", ""),
    ],
)
def test_a_quotation_too_long_is_a_clause_that_stands_alone(sentence: str, shown: str) -> None:
    assert quote(sentence, 72).strip('"') == shown


@pytest.mark.parametrize(
    ("subject", "text", "reason"),
    [
        ("Fwd: Paint for the hall", "FYI", 'Dana forwards "Paint for the hall".'),
        ("Re: Holidays", "No problem.", 'Dana says "No problem".'),
        ("Fwd: Hall", "Robin H Hart\n\nRoom 4\n\nNorth Hall", 'Dana forwards "Hall".'),
        ("Re: Hall", "Thanks. The paint is dry since noon.", "The paint is dry since noon"),
        ("Re: Hall", "How about the blue paint of last year for the hall?", "asks "),
    ],
)
def test_mail_that_says_little_is_told_by_what_it_is(
    mail: MakeMail, judge: Judge, subject: str, text: str, reason: str
) -> None:
    assert reason in judge(mail(text, subject=subject, in_reply_to="<a@b.example>")).priority.reason


def test_nothing_is_said_to_need_the_reader_without_saying_what_for(mail: MakeMail, judge: Judge) -> None:
    for text in ("Printer in the hall is stuck.", "URGENT!!", "The lift failed again today."):
        for name, sender in (("Dana Reyes", "dana@friends.example"), ("Desk", "desk@lifts.example")):
            reason = judge(mail(text, subject="Lift: error 7", name=name, sender=sender)).priority.reason
            assert "needs you" not in reason and "need you" not in reason, reason


@pytest.mark.parametrize(
    ("subject", "text", "said"),
    [
        (
            "CRITICAL: disk on barn-02 is 96 % full",
            "Host barn-02, volume /scans: 96 % used, 12 GB free. At the current rate it is full in about 5 hours.",
            "CRITICAL: disk on barn-02 is 96 % full",
        ),
        (
            "ALERT: the website of the shop is down",
            "Check https-shop, region north: timeout after 30 s, 3 of 3 probes.",
            "ALERT: the website of the shop is down",
        ),
        (
            "CRITICAL: barn-02",
            "CRITICAL: the disk on barn-02 is 96 % full and fills up within five hours.",
            "CRITICAL: the disk on barn-02 is 96 % full and fills up within five hours",
        ),
    ],
)
def test_an_alarm_says_what_it_is_before_its_details(
    mail: MakeMail, judge: Judge, subject: str, text: str, said: str
) -> None:
    verdict = judge(mail(text, subject=subject, sender="alerts@owl.example", name="Owl", headers=MACHINE))
    assert verdict.priority.reason == f'Owl says "{said}".'
