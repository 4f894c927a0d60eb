"""Cold sales mail, bills, parcels, changed plans and forged senders: what they want and how it is said."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Bucket, Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


OFFERS = (
    "I noticed that your shop is growing. Companies like yours save a day a week with Stackly. "
    "Open to a quick call?\n\n"
    "If you'd rather not hear from me, just reply stop.",
    "Just bumping this to the top of your inbox. Any thoughts?",
    "I was on your website and saw SEO errors. May I send you our price list?",
    "We help brands with lead generation. Do you have 15 minutes next week?",
    "Gern zeige ich Ihnen in einer kurze Demo, wie wir Unternehmen wie Ihres auf Seite 1 bei Google bringen.",
)


@pytest.mark.parametrize("text", OFFERS)
def test_unasked_for_selling_is_advertising_and_waits_for_no_answer(
    mail: MakeMail, judge: Judge, text: str
) -> None:
    sender = {"sender": "max@stackly.example", "name": "Max at Stackly", "subject": "Quick question"}
    verdict = judge(mail(text, **sender), Context(owner=frozenset({OWNER}), first_contact=True))
    assert verdict.bucket == "low_priority"
    assert verdict.content_category == "promotions"
    assert not verdict.needs_reply
    assert verdict.priority.reason.startswith("Unasked-for sales mail from Max at Stackly: ")


@pytest.mark.parametrize("text", OFFERS)
def test_the_same_words_of_a_correspondent_are_correspondence(
    mail: MakeMail, judge: Judge, text: str
) -> None:
    verdict = judge(mail(text, subject="Stackly"), Context(owner=frozenset({OWNER}), written_to=2))
    assert verdict.content_category == "primary"


@pytest.mark.parametrize(
    "text",
    [
        "Do you have 15 minutes for a quick call about the lease on Thursday?",
        "I came across your shop and would like to order forty chairs. Could you send me a quote?",
        "We are a small school and need someone who repairs our website. Would you have time in May?",
        "Could you show the class a demo of the loom? Twenty minutes would be enough.",
        "Any thoughts on the colour of the door?",
    ],
)
def test_strangers_who_want_something_of_the_user_are_no_sellers(
    mail: MakeMail, judge: Judge, text: str
) -> None:
    context = Context(owner=frozenset({OWNER}), first_contact=True)
    verdict = judge(mail(text, subject="A question", sender="ida@school.example", name="Ida Berg"), context)
    assert verdict.bucket == "actionable"
    assert verdict.needs_reply


@pytest.mark.parametrize(
    ("sender", "subject", "text", "language"),
    [
        ("books@timber.example", "Invoice 88", "Attached is invoice 88 for EUR 410.00, payable by 20 March.", "en"),
        ("konto@holz.example", "Rechnung 88", "Anbei die Rechnung 88 über 410,00 EUR, zahlbar bis 20. März.", "de"),
        ("compta@bois.example", "Facture 88", "Voici la facture 88 de 410,00 €, à régler avant le 20 mars.", "fr"),
        ("noreply@power.example", "Second reminder", "Our invoice for EUR 88.10 is still unpaid.", "en"),
    ],
)  # fmt: skip
def test_a_bill_waits_for_the_user_whoever_sends_it(
    mail: MakeMail, judge: Judge, sender: str, subject: str, text: str, language: str
) -> None:
    verdict = judge(mail(text, subject=subject, sender=sender, name="Timber Yard", language=language))
    assert verdict.bucket == "actionable"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Please find attached invoice 88 for EUR 410.00, already paid by card.", "en"),
        ("Anbei die Rechnung 88 über 410,00 EUR. Der Betrag wird abgebucht.", "de"),
        ("Veuillez trouver ci-joint la facture 88 de 410,00 €, déjà réglée par carte.", "fr"),
        ("The invoice of the plumber was EUR 410.00 in the end, I paid it.", "en"),
        ("The library book is due by Friday, I bring it back.", "en"),
    ],
)
def test_what_is_paid_or_owed_by_others_waits_for_nobody(
    mail: MakeMail, judge: Judge, text: str, language: str
) -> None:
    verdict = judge(mail(text, subject="Bill 88", name="Timber Yard", language=language))
    assert verdict.bucket == "informational"


@pytest.mark.parametrize(
    ("subject", "text", "bucket", "said"),
    [
        (
            "Table for two",
            "Please confirm by tonight, or the table is released.",
            "urgent",
            '"Please confirm by tonight, or the table is released"',
        ),
        (
            "Collect your parcel by 9 March",
            "It waits for you at the kiosk until 9 March.",
            "actionable",
            '"Collect your parcel by 9 March"',
        ),
        (
            "Change to your journey",
            "Your train RE 7 today leaves 20 minutes later, from platform 3.",
            "informational",
            'says "Your train RE 7 today leaves 20 minutes later, from platform 3".',
        ),
        (
            "Your password was changed",
            "The password of your account robin was changed today.",
            "actionable",
            "check whether that was you.",
        ),
    ],
)
def test_machines_are_quoted_with_what_they_want(
    mail: MakeMail, judge: Judge, subject: str, text: str, bucket: Bucket, said: str
) -> None:
    headers = (("Auto-Submitted", "auto-generated"),)
    verdict = judge(
        mail(text, subject=subject, sender="service@lines.example", name="Lines", headers=headers)
    )
    assert verdict.bucket == bucket
    assert said in verdict.priority.reason


def test_a_change_of_plans_stands_above_ordinary_notices(mail: MakeMail, judge: Judge) -> None:
    def score(subject: str) -> float:
        headers = (("Auto-Submitted", "auto-generated"),)
        mailed = mail("Coach 4, seat 12.", subject=subject, sender="service@lines.example", headers=headers)
        return judge(mailed).priority.score

    assert score("Platform change: RE 7") > score("Your timetable for March")


def test_mail_forged_from_the_users_own_address_is_a_warning_and_not_the_users(
    mail: MakeMail, judge: Judge
) -> None:
    headers = (
        ("Authentication-Results", "in.home.example; dmarc=fail"),
        ("Received", "from x by in.home.example; Wed, 4 Mar 2026 09:30:00 +0100"),
    )
    text = "I have recorded you. Send 700 dollars in bitcoin to this wallet."
    verdict = judge(mail(text, subject="Your device", sender=OWNER, name="Robin", headers=headers))
    assert verdict.flags.phishing.score >= 0.5
    assert verdict.bucket == "informational"
    assert (
        verdict.priority.reason
        == f"Looks like phishing: it uses your own address {OWNER} and fails the check."
    )


@pytest.mark.parametrize(
    ("text", "over"),
    [
        (
            "2 chairs EUR 38.00\n1 lamp EUR 9.50\nTotal: EUR 47.50\nThank you for your order.",
            " for EUR 47.50",
        ),
        ("Fare EUR 18.60, paid with the app.", " for EUR 18.60"),
    ],
)
def test_a_receipt_is_told_with_its_total(mail: MakeMail, judge: Judge, text: str, over: str) -> None:
    headers = (("Auto-Submitted", "auto-generated"),)
    mailed = mail(
        text, subject="Your receipt 4711", sender="post@chairs.example", name="Chairs", headers=headers
    )
    verdict = judge(mailed)
    assert verdict.content_category == "receipts"
    assert verdict.priority.reason == f"Receipt from Chairs{over}."
    assert over.removeprefix(" for ") in verdict.summary


@pytest.mark.parametrize(
    ("text", "alarming"),
    [("The number of visitors is down by 8 %.", False), ("The ticket shop is down, nobody can buy.", True)],
)
def test_figures_may_go_down_without_alarm(mail: MakeMail, judge: Judge, text: str, alarming: bool) -> None:
    names = {signal.name for signal in judge(mail(text, subject="Shop")).priority.signals}
    assert ("alarm" in names) is alarming


@pytest.mark.parametrize(
    ("sender", "subject", "text", "category", "bucket"),
    [
        (
            "dana@friends.example",
            "Friday",
            "Thanks for the lift! Your ride on Friday saved us, the taxi fare would have been 40 euros.",
            "primary",
            "informational",
        ),
        (
            "noreply@lines.example",
            "Your booking 4711",
            "Thank you for your booking. The train departs from platform 4. Total: EUR 20.00",
            "receipts",
            "informational",
        ),
        (
            "noreply@shop.example",
            "Your new device is on its way",
            "Your parcel has been shipped.",
            "notifications",
            "informational",
        ),
        (
            "frank@lists.example",
            "Dana Reyes via club",
            "The boats are in the water again.",
            "primary",
            "informational",
        ),
    ],
)
def test_words_of_tickets_and_devices_alone_change_no_plans(
    mail: MakeMail, judge: Judge, sender: str, subject: str, text: str, category: str, bucket: Bucket
) -> None:
    verdict = judge(
        mail(text, subject=subject, sender=sender, name="Lines" if "noreply" in sender else "Dana Reyes")
    )
    assert verdict.content_category == category
    assert verdict.bucket == bucket
    assert not verdict.priority.reason.startswith("Your plans change")
