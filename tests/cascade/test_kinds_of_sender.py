"""What kind of sender it is, by structure (firms, papers, shops, the user's machines), and how soon they want what."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.kinds.cohorts import cohort_of
from gaia_understanding.cascade.model.combine import spam_score
from gaia_understanding.cascade.sender.sender import read
from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = frozenset({"robin@home.example"})
SERIAL = Context(owner=OWNER, first_contact=False, received_before=4)
FRIEND = Context(owner=OWNER, first_contact=False, received_before=4, written_to=2)
STRANGER = Context(owner=OWNER, first_contact=True)
LEAVE = (("List-Unsubscribe", "<https://shop.example/u>"),)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("name", "address", "kind"),
    [
        ("Clínica Almazara", "visitas@clinica-almazara.example", "role"),
        ("Statwise", "keys@statwise.example", "role"),
        ("Kata Bergmann", "bergmann@holzbau-bergmann.example", "person"),
        ("Łukasz Nowak", "lukasz@nowak-szyldy.example", "person"),
        ("Marek Acker", "m@acker-print.example", "person"),
        ("Gail Porter", "gail@portersplumbing.example", "person"),
        ("Xochitl Reyes", "xochitl@reyes.example", "person"),
    ],
)
def test_a_firm_under_its_own_name_is_no_person(mail: MakeMail, name: str, address: str, kind: str) -> None:
    facts = BuiltinTier(model=False).findings(mail("Hello.", name=name, sender=address), SERIAL).facts
    assert read(facts.message, facts.lists, OWNER).kind == kind


@pytest.mark.parametrize(
    ("sender", "category", "context", "cohort"),
    [
        ("citas@clinic.example", "notifications", SERIAL, "transactional"),
        ("no-reply@clinic.example", "receipts", STRANGER, "transactional"),
        ("monitor@home.example", "notifications", SERIAL, "intra_org"),
        ("payslips@home.example", "receipts", SERIAL, "transactional"),
        ("offers@shop.example", "promotions", SERIAL, "newsletters"),
        ("offers@shop.example", "promotions", STRANGER, "first_contact"),
        ("offers@shop.example", "promotions", FRIEND, "cross_org"),
        ("lee@shop.example", "promotions", SERIAL, "cross_org"),
        ("notify@circles.example", "social", SERIAL, "social"),
    ],
)
def test_what_a_machine_sends_and_how_often_says_whose_mail_it_is(
    mail: MakeMail, sender: str, category: Category, context: Context, cohort: Cohort
) -> None:
    facts = BuiltinTier(model=False).findings(mail("Hello.", sender=sender, name=""), context).facts
    assert cohort_of(facts, category) == cohort


@pytest.mark.parametrize(
    ("sender", "subject", "text", "category"),
    [
        ("club@shop.example", "Your points are about to end", "Use them for a discount.", "promotions"),
        ("redaktion@blatt.example", "Der Montag", "Was diese Woche wichtig war.", "newsletters"),
        ("hello@cache.example", "#212: the cache that never forgot", "A story about caches.", "newsletters"),
    ],
)
def test_a_way_to_unsubscribe_alone_makes_no_paper(
    mail: MakeMail, judge: Judge, sender: str, subject: str, text: str, category: Category
) -> None:
    prepared = mail(text, subject=subject, sender=sender, name="", headers=LEAVE)
    assert judge(prepared, SERIAL).content_category == category


@pytest.mark.parametrize(
    ("subject", "text", "links", "bucket"),
    [
        (
            "Sign in to Inkwell",
            "Use the link to sign in. The link expires in 15 minutes.",
            True,
            "actionable",
        ),
        ("482 913 is your code", "Your login code: 482 913. It is valid for 5 minutes.", False, "actionable"),
        ("www.home.example expires in 19 hours", "Automatic renewal failed 6 times.", False, "urgent"),
        ("www.home.example expires in 19 days", "Automatic renewal failed once.", False, "actionable"),
        (
            "Penalty Charge Notice",
            "The penalty charge is £50. If you pay by 14 March it is £25.",
            False,
            "actionable",
        ),
    ],
)
def test_machines_are_as_urgent_as_what_they_say_and_no_more(
    mail: MakeMail, judge: Judge, subject: str, text: str, links: bool, bucket: Bucket
) -> None:
    to = [("Sign in", "https://inkwell.example/m?t=99")] if links else []
    prepared = mail(text, subject=subject, sender="no-reply@inkwell.example", name="Inkwell", links=to)
    assert judge(prepared, SERIAL).bucket == bucket


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "Quick question",
            "Reply with a number: 1. not interested 2. chased by a bear. I'll close your file. My last email.",
        ),
        (
            "Your page",
            "I'd love to get a link added on your page, $120 or three links from DR60+ sites. Guest post too?",
        ),
        (
            "WXYZ",
            "WATCH IT TRADE. Set to explode, 5-day target $3.50. Get in before the news gets out. Stock alert!",
        ),
        (
            "Vos droits",
            "Vos droits à la formation seront perdus. Prise en charge, tablette offerte. Répondez OUI.",
        ),
        (
            "Su web",
            "Su página no sale en la primera página de Google para sus palabras clave. Sin permanencia. Consultor SEO.",
        ),
    ],
)
def test_the_schemes_of_today_are_spam_of_strangers_and_not_of_friends(
    mail: MakeMail, judge: Judge, subject: str, text: str
) -> None:
    prepared = mail(text, subject=subject, sender="jack@linkbridge.example", name="Jack Morrow")
    assert judge(prepared, STRANGER).flags.spam >= 0.5
    assert judge(prepared, FRIEND).flags.spam < 0.5


def test_who_lets_one_leave_at_home_and_leads_nowhere_else_is_not_accused_for_the_models_sake(
    mail: MakeMail,
) -> None:
    def score(url: str, text: str) -> float:
        prepared = mail(text, sender="visit@shop.example", name="Expo", headers=LEAVE, links=[("badge", url)])
        return spam_score(BuiltinTier(model=False).findings(prepared, STRANGER), 0.8)

    assert score("https://shop.example/badge", "Your badge waits.") < 0.5
    assert score("https://elsewhere.example/badge", "Your badge waits.") >= 0.5
    assert score("https://shop.example/badge", "Our casino: 200 free spins wait.") >= 0.5
