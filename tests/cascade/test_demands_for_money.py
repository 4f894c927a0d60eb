"""Money demanded without any link, by bosses and payees who are none; and honest mail about money."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_mail.mime.receiving import FieldPosition
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
KNOWN_SERVER = frozenset({FieldPosition(host="home.example", server="home.example", below=0)})
PROVED = (
    ("Authentication-Results", "in.home.example; dkim=pass; spf=pass; dmarc=pass"),
    ("Received", "from out.home.example by in.home.example; Wed, 4 Mar 2026 09:30:00 +0100"),
)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


def context(mails: int = 0, *, answers: int = 0, owner: str = OWNER) -> Context:
    """What is known after so many mails and answers."""
    return Context(
        owner=frozenset({owner}),
        first_contact=not mails and not answers,
        received_before=mails,
        written_to=answers,
        receivers=KNOWN_SERVER,
    )


def judged(prepared: Prepared, known: Context) -> Verdict:
    return BuiltinTier().judge(prepared, known)


BOSSES = [
    (
        "ines@falk-group.example",
        "Ines Falk",
        "Confidential",
        "We are buying a company, and our lawyer will send you the wire instructions. Do not discuss it with "
        "anyone.\n\nInes Falk\nCEO",
    ),
    (
        "ceo@home.example",
        "Ines Falk",
        "Transfer",
        "Please process a wire transfer of $42,300 right away. Tell nobody yet.",
    ),
    (
        "cfo@home.example",
        "",
        "Vendor payment",
        "We have to release the payment to the new vendor this morning. Confirm when done.",
    ),
    (
        "ines.falk@home.example",
        "Ines Falk, CEO",
        "Quick one",
        "I need you to pay an invoice of 18,400 EUR today. I am boarding, so only email.",
    ),
    (
        "ines.falk.ceo@gmail.com",
        "Ines Falk",
        "Request",
        "Robin, can you arrange a payment for me before noon? I can't talk, I'm in a meeting.",
    ),
    (
        "office@falk-partners.example",
        "Ines Falk (CEO)",
        "Confidential",
        "I want you to wire 75,000 to our lawyers today. It stays between us until signing.",
    ),
    (
        "director1@mail-exec.example",
        "Managing Director",
        "Acquisition",
        "Send the funds to the escrow account this afternoon. Strictly confidential.",
    ),
    (
        "ceo@home.example",
        "Ines Falk",
        "Gift cards",
        "Get five gift cards for clients now and send me the codes. I am in a conference.",
    ),
    (
        "president@home.example",
        "Prof. Falk",
        "Payment",
        "Kindly make the payment below immediately, the supplier is waiting. I'm unavailable by phone.",
    ),
    (
        "gf@gmx.net",
        "Ines Falk, Geschäftsführerin",
        "Überweisung",
        "Bitte überweisen Sie heute noch 24.800 Euro an den neuen Partner. Streng vertraulich.",
    ),
    (
        "direction@mail.example",
        "Directeur général",
        "Virement",
        "Effectuez un virement de 31 000 euros aujourd'hui. N'en parlez à personne.",
    ),
    (
        "jefe@gmail.com",
        "Director general",
        "Transferencia",
        "Necesito que haga una transferencia de 12.000 euros hoy mismo. Es confidencial, no lo comente.",
    ),
    (
        "capo@libero.it",
        "Amministratore delegato",
        "Bonifico",
        "Disponga un bonifico urgente di 9.800 euro entro oggi. Massima riservatezza.",
    ),
    (
        "presidente@mail.example",
        "Diretor geral",
        "Transferência",
        "Faça uma transferência de 15.000 euros hoje. Fica entre nós.",
    ),
    (
        "baas@ziggo.nl",
        "Algemeen directeur",
        "Betaling",
        "Maak vandaag nog 8.500 euro over. Houd dit onder ons.",
    ),
]
"""Senders, names, subjects and texts of people who pose as the boss."""

PAYEES = [
    (
        "jo.moor@consult.example",
        "Jo Moor",
        "New IBAN",
        "Please use our new IBAN for the payment of invoice 22.",
    ),
    (
        "accounts@partner-books.example",
        "Lena Moor",
        "Our bank details",
        "Our bank details have changed. Please pay the open invoices to the new account below today.",
    ),
    (
        "lena@suppliers.example",
        "Lena Moor",
        "Remittance",
        "Due to an audit we cannot receive payments on the usual account. Kindly transfer to our new bank "
        "account.",
    ),
    (
        "robin.colleague@gmail.com",
        "Dana Reyes",
        "Salary",
        "I have changed banks. Please update my direct deposit before the next payroll.",
    ),
    (
        "kasse@handel.example",
        "Lena Moor",
        "Neue Bankverbindung",
        "Unsere Bankverbindung hat sich geändert. Bitte zahlen Sie die offene Rechnung ab sofort auf das neue "
        "Konto.",
    ),
    (
        "compta@fourni.example",
        "Lena Moor",
        "Nouveau RIB",
        "Voici notre nouveau RIB. Merci de régler la facture aujourd'hui sur le nouveau compte.",
    ),
]
"""Of people who want to be paid elsewhere."""


@pytest.mark.parametrize(("sender", "name", "subject", "text"), BOSSES + PAYEES)
@pytest.mark.parametrize("mails", [0, 4])
def test_a_demand_for_money_by_nobody_you_know_is_marked_and_never_urgent_however_often(
    mail: MakeMail, sender: str, name: str, subject: str, text: str, mails: int
) -> None:
    verdict = judged(mail(text, sender=sender, name=name, subject=subject), context(mails))
    assert verdict.flags.phishing.score >= 0.5, verdict.flags.phishing
    assert verdict.flags.phishing.reasons
    assert verdict.bucket in ("informational", "low_priority")


HONEST = [
    (
        "w.hart@law.example",
        "Will Hart",
        "Closing",
        "Please wire the closing funds of $84,000 to our trust account today; call me to verify the "
        "instructions.\n\nWill Hart\nManaging Partner",
    ),
    (
        "tom@school.example",
        "Tom Hill",
        "Trip",
        "Please pay the deposit of 40 pounds for the trip today.\n\nTom Hill\nPrincipal",
    ),
    (
        "payments@moor.example",
        "Payments",
        "Your payout",
        "Your payment will be sent to your new bank account ending in 22 today.",
    ),
    (
        "treasury@home.example",
        "Treasury",
        "Payment failed",
        "The wire of $42,000 to Moor Ltd failed and has to be sent again today. Escalate to the CFO.",
    ),
    (
        "kim@club.example",
        "Kim Stone",
        "Fees",
        "Our bank details have not changed. Please pay the fees by Friday.",
    ),
    (
        "tom@home.example",
        "Tom Berg",
        "Invoice 4471",
        "Hi Robin, could you pay invoice 4471 from Moor Ltd by Friday? It is in the shared folder.",
    ),
    (
        "tom@home.example",
        "Tom Berg, CFO",
        "Budget",
        "The payments for March are in the sheet. Can you check them before the meeting?",
    ),
    (
        "billing@moor.example",
        "Moor Ltd",
        "Invoice 2026-118",
        "Please find attached our invoice over 1,240.00 EUR, payable within 30 days by bank transfer.",
    ),
    (
        "lena@moor.example",
        "Lena Moor",
        "Reminder: invoice 118",
        "Our invoice 118 was due last week. Please make the payment today. Regards, Lena Moor, Director",
    ),
    (
        "office@tax-lind.example",
        "Lind Accountants",
        "VAT for February",
        "The advance VAT of 3,180 EUR is due on 10 March. Please transfer it in time, or we can file for an "
        "extension.",
    ),
    (
        "alerts@secure.bank.example",
        "Alder Bank",
        "Transfer executed",
        "Your transfer of 420.00 EUR to Moor Ltd was made today.",
    ),
    (
        "noreply@payroll.example",
        "Payroll",
        "Payslip",
        "Your salary was sent to the bank account ending in 2207 today.",
    ),
    (
        "dana@gmail.com",
        "Dana Reyes",
        "Dinner",
        "Are you free tonight? I can pay you back for the tickets.",
    ),
    (
        "news@finance-weekly.example",
        "Finance Weekly",
        "CEO fraud",
        "A CEO asked for an urgent wire transfer, and it was a scam. How to spot such fraud.",
    ),
    (
        "ceo@moor.example",
        "Ines Moor",
        "Partnership",
        "I am the CEO of Moor Ltd and would like to speak about your tools. Are you available on Thursday?",
    ),
    (
        "ceo@home.example",
        "Ines Falk",
        "All hands",
        "Please send me your slides today. The board wants to see the payments project.",
    ),
    (
        "kasse@handel.example",
        "Handel GmbH",
        "Rechnung 77",
        "Anbei die Rechnung über 310,00 Euro. Bitte überweisen Sie den Betrag bis zum 20. März.",
    ),
    (
        "compta@fourni.example",
        "Fourni SARL",
        "Facture 12",
        "Veuillez trouver la facture 12. Règlement par virement à 30 jours.",
    ),
    (
        "verein@sport.example",
        "Sportverein",
        "Beitrag",
        "Der Beitrag von 60 Euro wird heute eingezogen. Eine Überweisung ist nicht nötig.",
    ),
    (
        "anna@moor.example",
        "Anna Moor",
        "Deposit",
        "Could you wire the deposit of 500 EUR for the hall this week? The contract is attached. Anna, events "
        "director",
    ),
]
"""Senders, names, subjects and texts of honest people who write of money, or of bosses who do not."""


@pytest.mark.parametrize(("sender", "name", "subject", "text"), HONEST)
@pytest.mark.parametrize("mails", [0, 4])
def test_honest_mail_about_money_and_bosses_is_not_marked(
    mail: MakeMail, sender: str, name: str, subject: str, text: str, mails: int
) -> None:
    verdict = judged(mail(text, sender=sender, name=name, subject=subject), context(mails))
    assert verdict.flags.phishing.score < 0.5, verdict.flags.phishing


@pytest.mark.parametrize(("sender", "name", "subject", "text"), BOSSES[1:3] + BOSSES[8:9])
def test_the_real_boss_is_believed_once_proved_or_answered(
    mail: MakeMail, sender: str, name: str, subject: str, text: str
) -> None:
    proved = mail(text, sender=sender, name=name, subject=subject, headers=PROVED)
    plain = mail(text, sender=sender, name=name, subject=subject)
    assert judged(proved, context()).flags.phishing.score < 0.5
    assert judged(plain, context(3, answers=2)).flags.phishing.score < 0.5
    forged = mail(text, sender=sender, name=name, subject=subject, headers=PROVED[::-1])
    assert judged(forged, context()).flags.phishing.score >= 0.5


def test_a_known_boss_whose_answers_go_elsewhere_is_not_believed(mail: MakeMail) -> None:
    sender, name, subject, text = BOSSES[1]
    asked = mail(text, sender=sender, name=name, subject=subject, reply_to=("ines.falk@mail-exec.example",))
    assert judged(asked, context(3)).flags.phishing.score >= 0.5
    private = mail(text, sender=sender, name=name, subject=subject, reply_to=("ines.falk@gmail.com",))
    verdict = judged(private, context(3, answers=2))
    assert verdict.flags.phishing.score >= 0.5
    assert verdict.bucket in ("informational", "low_priority")


def test_the_mark_says_who_is_not_proved(mail: MakeMail) -> None:
    sender, name, subject, text = BOSSES[1]
    reasons = judged(mail(text, sender=sender, name=name, subject=subject), context()).flags.phishing.reasons
    assert any("home.example" in reason and "proves" in reason for reason in reasons), reasons
