"""Reasons and summaries read as a person would say them."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("fields", "text", "reason"),
    [
        (
            {"subject": "Lease"},
            "Hi Robin,\n\nCould you send me the signed lease?",
            'Dana asks "Could you send me the signed lease".',
        ),
        (
            {
                "subject": "The Weekly Loaf newsletter",
                "sender": "news@loaf.example",
                "name": "The Weekly Loaf",
            },
            "In this issue: rye. Unsubscribe here.",
            'Newsletter from The Weekly Loaf: "The Weekly Loaf newsletter".',
        ),
        ({"subject": "Re: boxes"}, "Thanks, perfect!", 'Dana says "Thanks, perfect".'),
        (
            {"subject": "Verify", "sender": "x@paypa1.com", "name": "PayPal"},
            "Your account has been limited. Verify your account.",
            "Looks like phishing: the sender's domain paypa1.com looks like paypal.com.",
        ),
        (
            {"subject": "Your verification code", "sender": "noreply@mail.example", "name": "Mailhouse"},
            "Your verification code is 482913.",
            "Code 482913 from Mailhouse; use it if you just asked for it.",
        ),
    ],
)
def test_the_reason_says_it_in_one_plain_sentence(
    mail: MakeMail, judge: Judge, fields: dict[str, object], text: str, reason: str
) -> None:
    assert judge(mail(text, **fields)).priority.reason == reason


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "Hi Robin,\n\nI hope you are well.\n\nThe roof is finished and dry.\n\nDana",
            "The roof is finished and dry.",
        ),
        ("View in browser\n\nHello,\n\nThe roof is finished and dry.", "The roof is finished and dry."),
        ("Dear Robin,\n\nCould you send me the signed lease?\n\nBest", "Could you send me the signed lease?"),
        (
            "https://friends.example/photos\n\nThe photos of the roof are there.",
            "The photos of the roof are there.",
        ),
    ],
)
def test_the_summary_skips_what_says_nothing(mail: MakeMail, judge: Judge, text: str, summary: str) -> None:
    assert judge(mail(text, subject="Roof")).summary == summary


@pytest.mark.parametrize("text", ["", "Roof finished.", "Hi Robin,\n\nroof finished"])
def test_a_summary_never_says_the_subject_again(mail: MakeMail, judge: Judge, text: str) -> None:
    assert judge(mail(text, subject="Re: Roof finished")).summary == ""


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Anne,\n\nThanks. I shall join.", "I shall join"),
        ("Mark and Meredith --\n\nthe memo is finished and signed.", "the memo is finished and signed"),
        ("<<plan v2.doc>>\n\nThe plan has two new pages on noise.", "The plan has two new pages on noise"),
        ("03/15/2026 05:35 PM\n\nThe notes of the visit are ready.", "The notes of the visit are ready"),
    ],
)
def test_a_reason_quotes_neither_salutation_nor_debris(
    mail: MakeMail, judge: Judge, text: str, quoted: str
) -> None:
    assert f'"{quoted}"' in judge(mail(text, subject="Re: Visit")).priority.reason


def test_a_quotation_ends_neither_in_an_abbreviation_nor_in_a_dangling_word(
    mail: MakeMail, judge: Judge
) -> None:
    text = (
        "Any written statement about the works on the roof must be received by Ms. Lindqvist at the office of the "
        "parish in the old town before the tenth of the month."
    )
    reason = judge(mail(text, subject="Statement")).priority.reason
    assert 'Ms"' not in reason and 'by"' not in reason and 'the"' not in reason


def test_what_is_only_a_link_is_named_by_its_host(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(mail("https://maps.example/walks/42?from=here", subject="https://maps.example/walks/42"))
    assert verdict.priority.reason.endswith("sends a link to maps.example.")
    assert verdict.summary == "A link to maps.example"


def test_a_long_request_is_quoted_from_where_it_asks(mail: MakeMail, judge: Judge) -> None:
    text = (
        "Since the landlord wants to know before the end of the season how many of us are staying in the house and "
        "who has a car of their own, could you tell me your plans?"
    )
    reason = judge(mail(text, subject="House")).priority.reason
    assert reason == 'Dana asks "could you tell me your plans".'


def test_quotation_marks_in_a_reason_are_balanced(mail: MakeMail, judge: Judge) -> None:
    reason = judge(
        mail('Could you ask Lee what "a quiet evening" means for the neighbours?', subject="x")
    ).priority.reason
    assert reason.count('"') == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Could you send me the key?", 'Dana asks "Could you send me the key".'),
        ("The pump failed again and the cellar is under water.", 'Dana writes "The pump failed again'),
        (
            "You must sign the lease before Monday noon, says the agency.",
            'Dana writes "You must sign the lease',
        ),
    ],
)
def test_only_questions_and_requests_are_asked(mail: MakeMail, judge: Judge, text: str, reason: str) -> None:
    said = judge(mail(text, subject="", sender="dana@friends.example", name="Dana Lee")).priority.reason
    assert said.startswith(reason.removesuffix("."))


@pytest.mark.parametrize(
    ("subject", "text", "reason"),
    [
        (
            "Bill",
            "The chairman met with Rep. Doug Ose on Wednesday. More tomorrow.",
            'Dana writes "The chairman met with Rep. Doug Ose on Wednesday".',
        ),
        (
            "Hearing",
            "18 CFR 385.401. The rules were changed by the agency last week.",
            'Dana writes "The rules were changed by the agency last week".',
        ),
        (
            "Meeting",
            "W.J. Tauzin, Chairman\n\nThe House Committee on Energy and Commerce\n\nThe members met on Monday.",
            'Dana writes "The members met on Monday".',
        ),
        ("Re: numbers", "07:29 AM ---------------------------", 'Dana sends "numbers".'),
        ("Fwd: the plan", "Content-Transfer-Encoding: quoted-printable", 'Dana forwards "the plan".'),
        ("Week", "I shall be in Lisbon on Thursday.", 'Dana writes "I shall be in Lisbon on Thursday".'),
        (
            "Slides",
            "This is an early draft and should be revised, but it explains the structure.",
            'Dana writes "This is an early draft and should be revised, but it explains the structure".',
        ),
    ],
)
def test_whole_sentences_that_tell_something_are_quoted(
    mail: MakeMail, judge: Judge, subject: str, text: str, reason: str
) -> None:
    assert judge(mail(text, subject=subject)).priority.reason == reason


def test_an_offer_that_a_person_hands_on_is_not_theirs(mail: MakeMail, judge: Judge) -> None:
    text = (
        "To unsubscribe see the bottom of this newsletter.\n\nFor a free trial go to our site. Save 20 % this week, "
        "with the discount code ENERGY. Limited time offer, subscribe today!"
    )
    reason = judge(mail(text, subject="FW: Prices today")).priority.reason
    assert reason == 'Dana Reyes forwards "Prices today", which looks like advertising.'


def test_a_sentence_that_only_tells_is_written_and_not_asked(mail: MakeMail, judge: Judge) -> None:
    told = mail("The committee will give us notice when a decision is reached.", subject="Room")
    reason = judge(told).priority.reason
    assert "asks" not in reason
    asked = judge(
        mail("Do you know who has posted this ad: Senior Editor, code 4.", subject="Ad")
    ).priority.reason
    assert asked.startswith("Dana asks ")
