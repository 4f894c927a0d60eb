"""Whom a stranger poses as: each trap beside honest mail that looks like it."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.traps.impersonation import near_links
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

STRANGER = Context(owner=frozenset({"robin@tidemill.example"}), first_contact=True)
KNOWN = Context(owner=frozenset({"robin@tidemill.example"}), first_contact=False, received_before=4)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("language", "name", "domain", "text"),
    [
        (
            "en",
            "Merrow Names",
            "merrow-renewals",
            "The card was refused. Log in and enter another card today.",
        ),
        (
            "de",
            "Zollkasse",
            "zollkasse-freigabe",
            "Um die Sperrung zu vermeiden, bestätigen Sie heute Ihre Daten.",
        ),
        (
            "fr",
            "Caisse Nord",
            "caisse-nord-dossier",
            "Accès limité : confirmez dès aujourd'hui toutes vos données.",
        ),
        ("es", "Banco Sur", "banco-sur-acceso", "Para evitar el bloqueo, confirme hoy mismo sus datos."),
        ("it", "Cassa Alta", "cassa-alta-accesso", "Accesso limitato: confermi oggi tutti i suoi dati."),
        ("pt", "Banco Alto", "banco-alto-acesso", "O acesso foi limitado. Confirme hoje os seus dados."),
        ("nl", "Zorgkas", "zorgkas-controle", "U kunt niet meer inloggen. Bevestig vandaag nog uw gegevens."),
    ],
)
def test_a_word_of_trust_added_to_its_name_convicts_a_stranger_who_asks_for_data(
    mail: MakeMail, judge: Judge, language: str, name: str, domain: str, text: str
) -> None:
    prepared = mail(
        text,
        subject="Notice",
        sender=f"info@{domain}.example",
        name=name,
        language=language,
        links=[("here", f"https://{domain}.example/start")],
    )
    assert judge(prepared, STRANGER).flags.phishing.score >= 0.5
    assert judge(prepared, KNOWN).flags.phishing.score < 0.5


@pytest.mark.parametrize(
    ("name", "sender"),
    [("Merrow Bank", "alerts@merrow-bank.example"), ("Lantern Service", "info@lantern-service.example")],
)
def test_a_word_that_belongs_to_the_name_is_not_added(
    mail: MakeMail, judge: Judge, name: str, sender: str
) -> None:
    found = judge(mail("Your card was refused. Please update your card.", sender=sender, name=name), STRANGER)
    assert not any("added" in reason for reason in found.flags.phishing.reasons)


def test_a_name_in_other_letters_at_the_end_of_the_text_is_told(mail: MakeMail, judge: Judge) -> None:
    text = "Our bank has changed. Please pay to the new account below.\n\nIlse Acker\nAcker Legal"
    honest = mail(text, subject="Invoice", sender="ilse@acker-legal.example", name="Ilse Acker")
    forged = mail(text, subject="Invoice", sender="ilse@acker-iegal.example", name="Ilse Acker")
    told = "written like acker-legal"
    assert any(told in reason for reason in judge(forged, STRANGER).flags.phishing.reasons)
    assert not any(told in reason for reason in judge(honest, STRANGER).flags.phishing.reasons)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://sgnet-documents.example/r", "one letter away"),
        ("https://tidemill-hr.pages.dev/policy", "bears your own name"),
        ("https://tidemill.trellis.example/board", ""),
        ("https://signet-documents.tickets.example/r", ""),
        ("https://tidemill.example/intranet", ""),
    ],
)
def test_a_link_near_the_senders_or_the_users_own_name_is_told(mail: MakeMail, url: str, found: str) -> None:
    prepared = mail("Sign.", sender="dse@signet-documents.example", name="Signet", links=[("open", url)])
    facts = BuiltinTier(model=False).findings(prepared, STRANGER).facts
    reasons = [clue.reason for clue in near_links(facts, frozenset({"tidemill.example"}))]
    assert (found in reasons[0]) if found else reasons == []


def test_an_office_of_the_user_that_writes_from_outside_is_a_trap_and_from_inside_is_not(
    mail: MakeMail, judge: Judge
) -> None:
    text = "All Tidemill staff: read the new policy with your company mail login and acknowledge today."
    links = [("policy", "https://handbook.example/p")]
    outside = mail(text, sender="people@staff-handbook.example", name="People Team", links=links)
    inside = mail(text, sender="people@tidemill.example", name="People Team", links=links)
    assert judge(outside, STRANGER).flags.phishing.score >= 0.5
    assert judge(inside, KNOWN).flags.phishing.score < 0.5


def test_kin_with_a_broken_phone_who_want_money_are_a_trap_and_a_new_address_is_not(
    mail: MakeMail, judge: Judge
) -> None:
    asks = "hallo oma, mein handy ist kaputt. kannst du mir 900 euro auslegen? ich geb es dir morgen zurück"
    tells = "Hallo Mama, das ist meine neue Adresse von der Uni. Bis Sonntag, Lena"
    trap = mail(asks, subject="hallo oma", sender="lena.neu88@gmail.com", name="Lena")
    honest = mail(tells, subject="Uni-Adresse", sender="lena.brandt@gmail.com", name="Lena Brandt")
    assert judge(trap, STRANGER).flags.phishing.score >= 0.5
    assert judge(honest, STRANGER).flags.phishing.score < 0.5


def test_an_archive_with_its_key_beside_it_weighs_when_it_poses_as_an_answer(
    mail: MakeMail, judge: Judge
) -> None:
    text = "Please check the corrected file. The password is 2231."
    trap = mail(
        text,
        subject="Re: Accounts",
        sender="ruth@far-desk.example",
        name="Ruth Calder",
        files=["Accounts.zip"],
    )
    assert judge(trap, STRANGER).flags.phishing.score >= 0.5
    assert judge(trap, KNOWN).flags.phishing.score < 0.5
