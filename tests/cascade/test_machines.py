"""What machines send: categories, alerts that need a person, and noise that does not."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
UNSUBSCRIBE = (("List-Unsubscribe", "<https://news.example/u/1>"),)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("sender", "subject", "text", "category"),
    [
        (
            "noreply@shop.example",
            "Your order #4711",
            "Thanks for your order. Order total: $20.00",
            "receipts",
        ),
        (
            "noreply@laden.example",
            "Bestellbestätigung",
            "Vielen Dank für Ihre Bestellung. Gesamtbetrag 20 €",
            "receipts",
        ),
        (
            "noreply@boutique.example",
            "Confirmation de commande",
            "Merci pour votre commande. Montant total 20 €",
            "receipts",
        ),
        (
            "noreply@tienda.example",
            "Confirmación de pedido",
            "Gracias por tu compra. Importe total 20 €",
            "receipts",
        ),
        (
            "noreply@negozio.example",
            "Conferma ordine",
            "Grazie per il tuo ordine. Importo totale 20 €",
            "receipts",
        ),
        (
            "noreply@loja.example",
            "Confirmação do pedido",
            "Obrigado pela sua compra. Valor total 20 €",
            "receipts",
        ),
        (
            "noreply@winkel.example",
            "Orderbevestiging",
            "Bedankt voor je bestelling. Totaalbedrag 20 €",
            "receipts",
        ),
        (
            "tracking@parcels.example",
            "Your parcel is out for delivery",
            "Track your parcel here.",
            "receipts",
        ),
        (
            "news@loaf.example",
            "The Weekly Loaf newsletter",
            "In this issue: rye. Unsubscribe here.",
            "newsletters",
        ),
        (
            "redaktion@brot.example",
            "Newsletter März",
            "In dieser Ausgabe: Roggen. Newsletter abbestellen.",
            "newsletters",
        ),
        (
            "info@pain.example",
            "Notre newsletter",
            "Dans ce numéro : le seigle. Se désabonner.",
            "newsletters",
        ),
        (
            "offers@shop.example",
            "50% off everything",
            "Shop now, sale ends tonight! Unsubscribe",
            "promotions",
        ),
        ("angebote@laden.example", "20 % Rabatt", "Jetzt kaufen! Rabattcode BROT. Abmelden", "promotions"),
        ("notifications@facebookmail.com", "Lee commented on your photo", "See the comment", "social"),
        ("noreply@circles.example", "Lee started following you", "You have new followers", "social"),
        (
            "notifications@code.example",
            "Build passed on main",
            "The pipeline is green. Do not reply.",
            "notifications",
        ),
        ("system@nas.example", "Backup completed", "This is an automated message.", "notifications"),
    ],
)
def test_machine_mail_finds_its_category_without_headers(
    mail: MakeMail, judge: Judge, sender: str, subject: str, text: str, category: Category
) -> None:
    verdict = judge(mail(text, subject=subject, sender=sender, name=""))
    assert verdict.content_category == category
    assert not verdict.needs_reply


@pytest.mark.parametrize(
    ("language", "subject", "text"),
    [
        ("en", "LAST CHANCE: ends tonight!!!", "Hurry! 70% off, act now, shop now. Unsubscribe."),
        (
            "en",
            "Urgent: your cart is waiting",
            "Use code NOW. Limited time! Free shipping today. Unsubscribe.",
        ),
        ("de", "Nur noch heute!", "Jetzt sichern: Angebote, Gutschein, letzte Chance. Abmelden."),
        ("fr", "Dernières heures !", "Profitez de nos soldes, offre exclusive. Se désabonner."),
        ("es", "¡Termina hoy!", "Últimas horas: ofertas y descuentos. Darse de baja."),
    ],
)
def test_promotional_urgency_never_counts(
    mail: MakeMail, judge: Judge, language: str, subject: str, text: str
) -> None:
    verdict = judge(
        mail(
            text,
            subject=subject,
            sender="deals@shop.example",
            name="Shop",
            headers=UNSUBSCRIBE,
            language=language,
        )
    )
    assert verdict.bucket == "low_priority"
    assert verdict.flags.bulk


@pytest.mark.parametrize(
    ("sender", "subject", "text", "buckets"),
    [
        (
            "billing@host.example",
            "Your payment failed",
            "We could not charge your card. Please update it.",
            {"actionable", "urgent"},
        ),
        (
            "noreply@bank.example",
            "Card declined",
            "Your card was declined at the bookshop.",
            {"actionable", "urgent"},
        ),
        (
            "noreply@mail.example",
            "Your verification code",
            "Your verification code is 482913.",
            {"actionable", "urgent"},
        ),
        ("ci@code.example", "Build failed on main", "3 tests failed.", {"actionable", "urgent"}),
        (
            "no-reply@account.example",
            "New sign-in to your account",
            "Was this you?",
            {"actionable", "urgent"},
        ),
        ("alerts@monitor.example", "CRITICAL: shop.example is down", "HTTP 503 since 09:12.", {"urgent"}),
        (
            "noreply@praxis.example",
            "Termin bestätigen",
            "Bitte bestätigen Sie Ihren Termin.",
            {"actionable", "urgent"},
        ),
        (
            "noreply@dentist.example",
            "Please confirm your appointment",
            "Tuesday, 10:00.",
            {"actionable", "urgent"},
        ),
        (
            "no-reply@sign.example",
            "Signature requested: lease",
            "Please review and sign.",
            {"actionable", "urgent"},
        ),
    ],
)
def test_machine_mail_that_needs_a_person_is_not_buried(
    mail: MakeMail, judge: Judge, sender: str, subject: str, text: str, buckets: set[Bucket]
) -> None:
    verdict = judge(mail(text, subject=subject, sender=sender, name=""))
    assert verdict.bucket in buckets
    assert not verdict.needs_reply


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Payment received", "Thank you for your payment of $20.00. No action is required."),
        ("[RESOLVED] shop.example is down", "All clear, back to normal."),
        ("Your order has shipped", "Your parcel is on its way."),
        ("Your statement is ready", "Your monthly statement is ready to view."),
        ("Invoice 77", "The amount due will be automatically charged to your card."),
    ],
)
def test_machine_mail_where_all_is_well_is_only_news(
    mail: MakeMail, judge: Judge, subject: str, text: str
) -> None:
    verdict = judge(mail(text, subject=subject, sender="noreply@service.example", name="Service"))
    assert verdict.bucket == "informational"


@pytest.mark.parametrize(
    ("sender", "headers", "context", "cohort"),
    [
        ("dana@friends.example", (), Context(owner=frozenset({OWNER}), vip=True), "vip"),
        (
            "dana@friends.example",
            (),
            Context(owner=frozenset({OWNER}), received_before=5, written_to=4),
            "vip",
        ),
        ("dana@friends.example", UNSUBSCRIBE, Context(owner=frozenset({OWNER})), "newsletters"),
        ("loaf@substack.com", (), Context(owner=frozenset({OWNER})), "newsletters"),
        ("messages-noreply@linkedin.com", (), Context(owner=frozenset({OWNER})), "social"),
        ("noreply@shop.example", (), Context(owner=frozenset({OWNER}), first_contact=True), "transactional"),
        ("lee@other.example", (), Context(owner=frozenset({OWNER}), first_contact=True), "first_contact"),
        ("lee@mail.home.example", (), Context(owner=frozenset({OWNER})), "intra_org"),
        ("lee@other.example", (), Context(owner=frozenset({OWNER})), "cross_org"),
        ("lee@gmail.com", (), Context(owner=frozenset({OWNER})), "default"),
        ("lee@gmail.com", (), Context(owner=frozenset({"robin@gmail.com"})), "default"),
    ],
)
def test_the_first_cohort_that_matches_wins(
    mail: MakeMail,
    judge: Judge,
    sender: str,
    headers: tuple[tuple[str, str], ...],
    context: Context,
    cohort: Cohort,
) -> None:
    subject = "Your order #12" if sender.startswith("noreply@") else "Hello"
    text = (
        "Thanks for your order. Order total: $20.00" if sender.startswith("noreply@") else "The cat is fine."
    )
    verdict = judge(mail(text, subject=subject, sender=sender, name="", headers=headers), context)
    assert verdict.cohort == cohort


@pytest.mark.parametrize("vip", [True, False])
def test_cohorts_that_trust_the_sender_do_not_hold_for_mail_that_fails_dmarc(
    mail: MakeMail, judge: Judge, vip: bool
) -> None:
    headers = (
        ("Authentication-Results", "in.home.example; dmarc=fail"),
        ("Received", "from x by in.home.example; Wed, 4 Mar 2026 09:30:00 +0100"),
    )
    verdict = judge(
        mail("The cat is fine.", sender="lee@home.example", headers=headers),
        Context(owner=frozenset({OWNER}), vip=vip),
    )
    assert verdict.cohort == "default"


def test_an_out_of_office_note_asks_nothing(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(
        mail(
            "I am away until Monday. Please contact Lee if it is urgent.",
            subject="Automatic reply: boxes",
            headers=(("Auto-Submitted", "auto-replied"),),
        )
    )
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply
