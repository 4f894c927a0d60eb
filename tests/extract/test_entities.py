"""All entities of a message together: links, codes, receipts, invitations, journeys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaia_mail.mime.model import MailboxAddress
from gaia_understanding.prepare.extract.entities import extract_entities
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.prepare.model import Prepared

MakePrepared = Callable[..., Prepared]


def test_an_empty_message_holds_nothing(prepared: MakePrepared) -> None:
    assert extract_entities(prepared("")) == Entities()


def test_a_receipt_in_prose_has_total_number_and_day(prepared: MakePrepared) -> None:
    text = "Thank you for your order!\n\nSubtotal: 20,00 €\nShipping: 4,90 €\nTotal: 24,90 €\n\nOrder number: 4711-22"
    shop = MailboxAddress(name="Paper Shop", address="noreply@shop.example")
    receipt = extract_entities(prepared(text, subject="Your order", sender=shop)).receipt
    assert receipt is not None
    assert (receipt.merchant, receipt.total, receipt.currency) == ("Paper Shop", "24.90", "EUR")
    assert (receipt.order_number, receipt.date) == ("4711-22", "2026-03-02")


@pytest.mark.parametrize(
    "text", ["Dinner was $40, fun evening.", "The total number of guests is 30.", "Lunch?"]
)
def test_ordinary_mail_about_money_is_no_receipt(prepared: MakePrepared, text: str) -> None:
    assert extract_entities(prepared(text, subject="Yesterday")).receipt is None


def test_a_flight_booking_in_prose_is_an_itinerary(prepared: MakePrepared) -> None:
    text = (
        "Your booking is confirmed.\nBooking reference: RXJ34P\nFlight LX 2086 from Zurich (ZRH) to Lisbon (LIS)\n"
        "Departure: 1 April 2026 at 08:10\nArrival: 1 April 2026 at 10:00"
    )
    itinerary = extract_entities(prepared(text, subject="Your flight")).itinerary
    assert itinerary is not None
    assert (itinerary.kind, itinerary.reference) == ("flight", "RXJ34P")
    assert (itinerary.origin, itinerary.destination) == ("ZRH", "LIS")
    assert itinerary.departs.startswith("2026-04-01T08:10")
    assert itinerary.arrives.startswith("2026-04-01T10:00")


def test_a_hotel_stay_has_check_in_and_check_out(prepared: MakePrepared) -> None:
    text = (
        "Reservation confirmed at Hotel Seeblick.\nCheck-in: 5 May 2026\nCheck-out: 8 May 2026\n"
        "Confirmation number: 884412"
    )
    itinerary = extract_entities(prepared(text, subject="Reservation")).itinerary
    assert itinerary is not None
    assert (itinerary.kind, itinerary.departs, itinerary.arrives) == ("hotel", "2026-05-05", "2026-05-08")
    assert (itinerary.destination, itinerary.reference) == ("Hotel Seeblick", "884412")


def test_talk_about_flying_is_no_itinerary(prepared: MakePrepared) -> None:
    assert extract_entities(prepared("My flight was 2 hours late, what a day.")).itinerary is None


@pytest.mark.parametrize(
    ("language", "text", "start"),
    [
        ("en", "Can we meet on Thursday at 3pm in Room 12?", "2026-03-05T15:00:00+01:00"),
        ("de", "Wollen wir uns morgen um 14:30 treffen?", "2026-03-03T14:30:00+01:00"),
        ("fr", "On peut se voir jeudi à 14h30 pour une réunion ?", "2026-03-05T14:30:00+01:00"),
        ("es", "¿Podemos vernos mañana a las 15:00 para la reunión?", "2026-03-03T15:00:00+01:00"),
    ],
)
def test_a_meeting_proposed_in_prose_has_its_time(
    prepared: MakePrepared, language: str, text: str, start: str
) -> None:
    meeting = extract_entities(prepared(text, language=language, subject="Budget")).meeting
    assert meeting is not None
    assert (meeting.start, meeting.summary, meeting.source) == (start, "Budget", "text")
    assert meeting.organizer == "dana@example.com"


@pytest.mark.parametrize(
    "text", ["We met on Thursday at 3pm and it went well.", "Let's meet some time!", "The sale ends Friday."]
)
def test_reports_and_vague_wishes_are_no_meetings(prepared: MakePrepared, text: str) -> None:
    assert extract_entities(prepared(text)).meeting is None


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Thanks again,\nMarta Silva\nHead of Sales", ("Marta Silva",)),
        ("Kind regards,\nkindly noted", ()),
        ("Hi Sam,\n\nRachel Green has a conflict.\n\nBest,\nDana", ("Sam", "Rachel Green", "Dana")),
        ("Hello Anna and Tom,\n\nall set.", ("Anna", "Tom")),
        ("Liebe Frau Müller,\n\nvielen Dank.", ("Müller",)),
        ("Hi all,\n\nit will rain in San Francisco. Mark the date.", ()),
        ("please review the bill, john", ()),
    ],
)
def test_people_are_named_conservatively(prepared: MakePrepared, text: str, people: tuple[str, ...]) -> None:
    assert extract_entities(prepared(text)).people == people


def test_phone_numbers_of_the_signature_count_too(prepared: MakePrepared) -> None:
    assert extract_entities(prepared("Call me.", signature="Dana\nTel. +49 30 1234567")).phones == (
        "+49 30 1234567",
    )


_WORDS = (
    "$ 1.234,56 tomorrow by Friday at 3pm please code 123456 Hi Sam , ? total order # flight LX 2086 (ZRH) check-in "
    "1Z İ ß 年 2026-03-05 ' morgen 99999 in days 1000000000000 https://a.example + ( ) 31.12.9999 next month ago \x00"
)
_PIECES = st.sampled_from([*_WORDS.split(" "), "\n", "\n\n", "\ud800"])


@given(
    st.lists(_PIECES, max_size=40),
    st.sampled_from(["", "en", "de", "fr", "es", "it", "pt", "nl", "ja", "xx"]),
)
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_nothing_raises_and_every_text_stands_in_the_message(
    prepared: MakePrepared, pieces: list[str], language: str
) -> None:
    text = " ".join(pieces)
    message = prepared(text, language=language)
    found = extract_entities(message)
    assert found == extract_entities(message)
    quoted = [mention.text for mention in found.dates] + [money.text for money in found.money]
    quoted += [
        *found.people,
        *found.urls,
        *found.phones,
        *found.codes,
        *(item.text for item in found.action_items),
    ]
    assert [quote for quote in quoted if quote not in text] == []


@given(st.text(max_size=300))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_text_raises(prepared: MakePrepared, text: str) -> None:
    extract_entities(prepared(text, language="", subject=text[:40], date=None))


_HOSTILE = (
    ("you ", 6000),
    ("a", 25_000),
    ("1 ", 12_000),
    ("(", 25_000),
    ("can you ", 3000),
    ("$1", 10_000),
    ("in 3 days ", 2500),
    ("\n", 25_000),
    ("- ", 12_000),
    ("total order # ", 1800),
    ("Hi Anna ", 5000),
    ("https://a", 3000),
    ("code ", 5000),
    ("please, let's ", 1500),
    ("Anna Tom ", 2500),
)


@pytest.mark.parametrize("text", [piece * times for piece, times in _HOSTILE])
@pytest.mark.timeout(5)
def test_hostile_text_takes_bounded_time(prepared: MakePrepared, text: str) -> None:
    found = extract_entities(prepared(text, language="en"))
    assert len(found.dates) <= 50
    assert len(found.money) <= 50
    assert len(found.action_items) <= 60
