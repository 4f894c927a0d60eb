"""Labelled messages: journeys and stays, people, and who is to do what by when, in many languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gaia_understanding.cascade.understand import decode
from gaia_understanding.prepare.extract.entities import extract_entities
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.prepare.pipeline import prepare


def entities(body: str, subject: str = "hello") -> Entities:
    """What is found in a mail of Monday, 2 March 2026, from Ann Lee to Sam Ray."""
    head = f"From: Ann Lee <ann@example.com>\nTo: Sam Ray <sam@acme.example>\nSubject: {subject}\n"
    date = "Date: Mon, 02 Mar 2026 09:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\n"
    return extract_entities(prepare(decode(f"{head}{date}{body}\n".encode())))


TRIPS = [
    (
        "Your flight is booked",
        "Booking reference: X7K2LM\nFlight BA 117 from London (LHR) to New York (JFK)\nDeparts 12 "
        "March 2026 at 14:05, arrives 17:10.",
        ("flight", "X7K2LM", "LHR", "JFK", "2026-03-12T14:05"),
    ),
    (
        "Ihre Buchung",
        "Ihre Buchungsbestätigung, Buchungscode ABC123. Flug LH 2034 von München nach Berlin am 5. "
        "April 2026 um 07:15.",
        ("flight", "ABC123", "München", "Berlin", "2026-04-05T07:15"),
    ),
    (
        "Votre réservation",
        "Billet confirmé. TGV 6607 de Paris à Lyon le 14 mars 2026 à 8h58. Dossier QWERTY.",
        ("train", "QWERTY", "Paris", "Lyon", "2026-03-14T08:58"),
    ),
    (
        "Buchung",
        "Ihre Reise: ICE 577 von Hamburg nach Stuttgart am 20.03.2026 um 09:01 Uhr. Auftragsnummer 7GH2K9",
        ("train", "7GH2K9", "Hamburg", "Stuttgart", "2026-03-20T09:01"),
    ),
    (
        "Hotel confirmation",
        "Your reservation at Hotel Miramar is confirmed. Confirmation number 88213. "
        "Check-in: 3 May 2026, check-out: 6 May 2026.",
        ("hotel", "88213", "", "Hotel Miramar", "2026-05-03"),
    ),
    (
        "Reserva confirmada",
        "Reserva confirmada en Hotel Prado. Entrada: 3 de mayo de 2026. Salida: 5 de mayo de 2026. "
        "Localizador KLM882",
        ("hotel", "KLM882", "", "Hotel Prado", "2026-05-03"),
    ),
    (
        "Prenotazione",
        "Prenotazione confermata: Frecciarossa 9524 da Roma a Milano, 12 aprile 2026 ore 10:00. "
        "Codice prenotazione R8T2WQ",
        ("train", "R8T2WQ", "Roma", "Milano", "2026-04-12T10:00"),
    ),
    (
        "Boeking",
        "Je boeking is bevestigd. Vlucht KL 1001 van Amsterdam naar Londen op 8 juni 2026 om 09:20. "
        "Boekingscode PQ3R7T",
        ("flight", "PQ3R7T", "Amsterdam", "Londen", "2026-06-08T09:20"),
    ),
    (
        "Vuelo",
        "Su vuelo IB 3166 de Madrid a París está confirmado. 9 de mayo de 2026, 12:30. Código de reserva JX4T8P",
        ("flight", "JX4T8P", "Madrid", "París", "2026-05-09T12:30"),
    ),
    (
        "Train tickets",
        "Your booking is confirmed. Eurostar 9031 from London St Pancras to Paris Nord, Saturday 4 "
        "April 2026, 11:31. Booking reference RTXPLM",
        ("train", "RTXPLM", "London St Pancras", "Paris Nord", "2026-04-04T11:31"),
    ),
    (
        "Your trip",
        "You're booked on the 10:15 train from Leeds to York on 14 March 2026. Ticket reference TKT88120.",
        ("train", "TKT88120", "Leeds", "York", "2026-03-14"),
    ),
    (
        "Hotelbuchung",
        "Ihre Buchung im Hotel Alpenhof ist bestätigt. Anreise: 10.07.2026, Abreise: 17.07.2026. "
        "Buchungsnummer 442918",
        ("hotel", "442918", "", "Hotel Alpenhof", "2026-07-10"),
    ),
    ("lunch", "I took the train and the hotel was nice. Flight prices went up 30% in 2026.", None),
    (
        "hotel news",
        "Our hotel group opens 12 new hotels. Book now from 99 EUR a night until 30 June 2026.",
        None,
    ),
    ("pc", "The RE 300 flight case and AB 1200 mixer are confirmed for Friday.", None),
]


PEOPLE: Sequence[tuple[str, list[str]]] = [
    (
        "Hi Sam,\n\nPlease ask Maria Lopez and John for the plan.\n\nThanks,\nAnn",
        ["John", "Maria Lopez", "Sam"],
    ),
    ("Dear Mr Ray,\n\nDr. Helen Marsh will call you. Kind regards\nAnn Lee", ["Helen Marsh", "Ray"]),
    ("Hallo Sam,\n\nFrau Krüger und Herr Maier kommen auch. Viele Grüße\nAnn", ["Krüger", "Maier", "Sam"]),
    (
        "Bonjour Sam,\n\nMme Perrin et Luc Ferrand seront là.\n\nCordialement\nClaire Perrin",
        ["Luc Ferrand", "Perrin", "Sam"],
    ),
    (
        "Hola Sam,\n\nla señora Prado y Jorge vienen mañana. Saludos,\nMarta",
        ["Jorge", "Marta", "Prado", "Sam"],
    ),
    (
        "Met with Priya Shah (Delta) and Tom O'Brien yesterday; Wei Zhang joins later.",
        ["Priya Shah", "Tom O'Brien", "Wei Zhang"],
    ),
    (
        "The board (Anna Schmidt, Peter Novak, Lucía Prado) agreed.",
        ["Anna Schmidt", "Lucía Prado", "Peter Novak"],
    ),
    ("Will the bill pass in May? Mark my words, grace period ends Friday in San Jose.", []),
    ("Best Buy and Home Depot deliver to New York on Monday.", []),
    ("Hi team,\n\nplease welcome Ines Vogel, our new head of QA.\n\nCheers,\nAnn", ["Ines Vogel"]),
    (
        "Beste Sam,\n\nSanne de Bos en Piet van Dijk komen. Groeten,\nAnn",
        ["Piet van Dijk", "Sam", "Sanne de Bos"],
    ),
    ("Ciao Sam, ti ho messo in contatto con Giulia Riva. A presto, Paolo", ["Giulia Riva", "Paolo", "Sam"]),
]

ACTIONS: Sequence[tuple[str, list[tuple[str, str]]]] = [
    ("Hi Sam,\n\nplease send me the contract by Friday.\n\nAnn", [("user", "2026-03-06")]),
    (
        "Sam, could you book the room for Thursday 5 March? And Priya, please order lunch.",
        [("user", "2026-03-05"), ("Priya", "")],
    ),
    (
        "Action items:\n- Sam: draft the offer by 10 March\n- Priya: call Delta\n- Tom to update "
        "the plan by Wednesday",
        [("user", "2026-03-10"), ("Priya", ""), ("Tom", "2026-03-04")],
    ),
    (
        "Next steps:\n1. @Priya - send slides\n2. Sam - review budget (due 6 March)",
        [("Priya", ""), ("user", "2026-03-06")],
    ),
    ("Kannst du mir bitte bis Mittwoch die Zahlen schicken?", [("user", "2026-03-04")]),
    ("Pourriez-vous m'envoyer le devis avant vendredi ?", [("user", "2026-03-06")]),
    ("¿Puedes revisar el informe antes del jueves?", [("user", "2026-03-05")]),
    ("Mi mandi la fattura entro venerdì?", [("user", "2026-03-06")]),
    ("Você pode enviar o contrato até sexta-feira?", [("user", "2026-03-06")]),
    ("Kun je de offerte voor vrijdag sturen?", [("user", "2026-03-06")]),
    ("Before the meeting on Wednesday, please add your priorities to the doc.", [("user", "2026-03-04")]),
    (
        "Your password will expire in 3 days. Reset it now: https://sso.acme.example/reset",
        [("user", "2026-03-05")],
    ),
    ("Thanks for the slides! I'll send the minutes tomorrow.", []),
    ("Let me know if you have any questions.", []),
    ("We could meet for lunch some day.", []),
    ("Maria will send the deck on Friday, nothing to do for you.", []),
    ("Please find attached the report.", []),
    (
        "Tom, can you fix the build? Sam, please review the PR by tomorrow.",
        [("Tom", ""), ("user", "2026-03-03")],
    ),
    ("I need the signed form back by 12/03/2026, please.", [("user", "2026-12-03")]),
    ("Don't forget to submit your timesheet today.", [("user", "2026-03-02")]),
    (
        "Bitte:\n- Vertrag unterschreiben\n- Rechnung bis 9. März zahlen",
        [("user", ""), ("user", "2026-03-09")],
    ),
]


@pytest.mark.parametrize(("subject", "body", "wanted"), TRIPS)
def test_a_journey_or_stay_is_read_from_its_confirmation(
    subject: str, body: str, wanted: tuple[str, ...] | None
) -> None:
    trip = entities(body, subject).itinerary
    if wanted is None:
        assert trip is None
    else:
        assert trip is not None
        assert (trip.kind, trip.reference, trip.origin, trip.destination) == wanted[:4]
        assert trip.departs.startswith(wanted[4])


@pytest.mark.parametrize(("body", "wanted"), PEOPLE)
def test_people_whom_a_text_names_are_found(body: str, wanted: list[str]) -> None:
    assert sorted(entities(body).people) == wanted


@pytest.mark.parametrize(("body", "wanted"), ACTIONS)
def test_who_is_to_do_something_and_by_when(body: str, wanted: list[tuple[str, str]]) -> None:
    assert [(item.owner, item.due) for item in entities(body).action_items] == wanted
