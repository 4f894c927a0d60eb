"""Phishing by kinds of evidence: which together convict, which alone must not, and what calms."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
AT_WORK = Context(owner=frozenset({"robin@northwind.example"}), first_contact=True)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("sender", "name", "url", "text"),
    [
        (
            "service@paypal.com",
            "",
            "http://192.0.2.7/webscr",
            "Dear member, your account has been limited. Confirm your billing records.",
        ),
        (
            "aw-confirm@ebay.com",
            "eBay",
            "http://garden-shop.example/x/",
            "Your registration will be suspended. Update your account information.",
        ),
        (
            "info@plum-and-peach.example",
            "DHL Express",
            "http://plum-and-peach.example/pay",
            "Your parcel is waiting. A small fee of 1.95 EUR is due.",
        ),
        (
            "desk@far-away.example",
            "IT Help Desk",
            "https://mailbox-form.weebly.com/",
            "Dear user, your mailbox has exceeded its limit. Re-validate your mailbox in 24 hours.",
        ),
    ],
)
def test_a_claim_an_ask_and_a_foreign_target_convict(
    mail: MakeMail, judge: Judge, sender: str, name: str, url: str, text: str
) -> None:
    prepared = mail(text, sender=sender, name=name, subject="Notice", links=[("Click here", url)])
    assert judge(prepared).flags.phishing.score >= 0.5


@pytest.mark.parametrize(
    ("sender", "name", "url", "text"),
    [
        # A link that leads elsewhere, nothing claimed and nothing asked.
        ("dana@friends.example", "Dana Reyes", "http://192.0.2.7/photos", "The photos are up."),
        # An ask of a service that leads to its own page.
        (
            "billing@paper.example",
            "The Paper",
            "https://paper.example/account",
            "We could not process your payment. Please update your payment method.",
        ),
        # A brand's own mail that leads to the brand.
        (
            "payments@amazon.co.uk",
            "Amazon.co.uk",
            "https://www.amazon.co.uk/orders",
            "Please update your payment method within 3 days or your order will be cancelled.",
        ),
        # A counter of clicks.
        (
            "hello@pottery.example",
            "Mara's Pottery",
            "https://pottery.us1.list-manage.com/track",
            "Complete your order within 24 hours. You may pay with PayPal.",
        ),
    ],
)
def test_one_kind_of_evidence_is_not_enough(
    mail: MakeMail, judge: Judge, sender: str, name: str, url: str, text: str
) -> None:
    prepared = mail(text, sender=sender, name=name, subject="Notice", links=[("Open", url)])
    assert judge(prepared).flags.phishing.score < 0.5


@pytest.mark.parametrize(
    ("sender", "name", "text"),
    [
        (
            "ceo.office.301@gmail.com",
            "Ida Storm",
            "I need you to buy gift cards for a client, keep it confidential.",
        ),
        (
            "jamie.fowler.1@gmail.com",
            "Jamie Fowler",
            "I changed banks. Please update my direct deposit to the new bank account before the next payroll.",
        ),
        (
            "x91@mailgrove.example",
            "",
            "I installed a trojan and recorded a video of you with your webcam. Send 900 USD in bitcoin.",
        ),
    ],
)
def test_stories_that_need_no_link_convict(
    mail: MakeMail, judge: Judge, sender: str, name: str, text: str
) -> None:
    verdict = judge(mail(text, sender=sender, name=name, subject="Hello"), AT_WORK)
    assert verdict.flags.phishing.score >= 0.5
    assert verdict.flags.phishing.reasons


def test_extortion_under_the_users_own_address_convicts_without_any_check(
    mail: MakeMail, judge: Judge
) -> None:
    text = "I have full access to your device and made a video. Pay 800 USD in bitcoin to my wallet."
    assert judge(mail(text, sender=OWNER, name="", subject="Hello")).flags.phishing.score >= 0.5


def test_a_warning_about_phishing_is_no_phishing(mail: MakeMail, judge: Judge) -> None:
    text = (
        "There are fake mails signed PayPal that say your account has been suspended, verify your account. "
        "It is phishing: do not click the link and report them."
    )
    prepared = mail(text, sender="it@home.example", name="IT", subject="Beware of fake mails")
    assert judge(prepared).flags.phishing.score < 0.5


def test_a_correspondent_is_believed_more_than_a_stranger(mail: MakeMail, judge: Judge) -> None:
    prepared = mail(
        "Our new bank account is on the invoice.", sender="noor@paper.example", name="Noor van Dijk"
    )

    def score(written_to: int) -> float:
        known = Context(owner=frozenset({OWNER}), first_contact=not written_to, written_to=written_to)
        return judge(prepared, known).flags.phishing.score

    assert score(3) < score(0) < 0.5


def test_an_answer_that_nobody_asked_for_is_strange(mail: MakeMail, judge: Judge) -> None:
    text = "Please pay the invoice to the new bank account below."

    def score(in_reply_to: str) -> float:
        prepared = mail(text, subject="Invoice 7", sender="ilse@brandt.example", in_reply_to=in_reply_to)
        return judge(prepared, AT_WORK).flags.phishing.score

    assert score("<before@northwind.example>") > score("")


@pytest.mark.parametrize("sender", ["people@northwind-hr.example", "it@north-wind.example"])
def test_the_users_own_organisation_is_not_to_be_borrowed(mail: MakeMail, judge: Judge, sender: str) -> None:
    text = "Please sign in with your password and confirm your bank details by 5 pm."
    verdict = judge(mail(text, sender=sender, name="People Team"), AT_WORK)
    assert verdict.flags.phishing.score >= 0.5
    assert any("northwind.example" in reason for reason in verdict.flags.phishing.reasons)


def test_a_known_organisation_in_the_name_of_a_stranger_is_told(mail: MakeMail, judge: Judge) -> None:
    context = Context(
        owner=frozenset({OWNER}), first_contact=True, known_domains=frozenset({"brandtlegal.example"})
    )
    text = "Please open the secure document and sign in with your password."
    prepared = mail(
        text, sender="doc@other.example", name="Brandtlegal Office", links=[("Open", "https://p.example/")]
    )
    verdict = judge(prepared, context)
    assert verdict.flags.phishing.score >= 0.5
    assert any("brandtlegal.example" in reason for reason in verdict.flags.phishing.reasons)


@pytest.mark.parametrize(
    ("files", "convicts"),
    [
        (["invoice.pdf.exe"], True),
        (["VoiceMessage.htm"], True),
        (["invoice.pdf"], False),
        (["photos.zip"], False),
    ],
)
def test_attachments_that_run_or_ask_for_a_password_convict(
    mail: MakeMail, judge: Judge, files: list[str], convicts: bool
) -> None:
    text = "You have a new voice message. Open the attached file and sign in to your mailbox to listen."
    prepared = mail(
        text, sender="vm@gateway.example", name="Voice Service", subject="Voice message", files=files
    )
    assert (judge(prepared, AT_WORK).flags.phishing.score >= 0.5) is convicts


def test_a_program_between_colleagues_is_ordinary(mail: MakeMail, judge: Judge) -> None:
    context = Context(owner=frozenset({"robin@northwind.example"}), first_contact=False, written_to=3)
    prepared = mail(
        "The script and the report.", sender="ravi@northwind.example", files=["build.js", "cover.html"]
    )
    assert judge(prepared, context).flags.phishing.score < 0.5


@pytest.mark.parametrize(
    "url",
    [
        "https://bafyexample.ipfs.dweb.link/x.html#robin@home.example",
        "data:text/html;base64,PGh0bWw+",
    ],
)
def test_links_that_carry_the_reader_or_a_whole_page_weigh(mail: MakeMail, judge: Judge, url: str) -> None:
    text = "Dear user, 7 messages are quarantined. Release messages within 24 hours."

    def score(target: str) -> float:
        prepared = mail(text, sender="mx@relay.example", name="Mail", links=[("Release", target)])
        return judge(prepared).flags.phishing.score

    assert score(url) > score("https://relay.example/queue")


def test_many_hostile_words_are_weighed_in_bounded_time(mail: MakeMail, judge: Judge) -> None:
    text = "dear " + "a " * 3000 + "update " * 2000 + "your " * 2000 + "dear a b c d e f " * 300
    prepared = mail(
        text, sender="a@b.example", links=[("click " * 500, "https://x.example/" + "@" * 900)] * 300
    )
    assert 0 <= judge(prepared).flags.phishing.score <= 1


@pytest.mark.parametrize(
    ("name", "domain", "false"),
    [
        ("Monarch Bank", "rnonarchbank.example", True),
        ("Wave Wallet Ltd", "vvavewallet.example", True),
        ("Hillside Club", "hi11sideclub.example", True),
        ("Monarch Bank", "monarchbank.example", False),
        ("Clover Bakery", "clover-bakery.example", False),
        ("Café Noël", "cafenoel.example", False),
        ("Monarch Bank", "mnb.example", False),
    ],
)
def test_a_domain_that_is_the_senders_own_name_in_other_letters_is_a_claim(
    mail: MakeMail, name: str, domain: str, false: bool
) -> None:
    found = BuiltinTier().findings(
        mail("We noticed a new sign-in. Cancel it here.", name=name, sender=f"alerts@{domain}"), AT_WORK
    )
    assert any("looks like" in reason for reason in found.phishing.reasons) is false
