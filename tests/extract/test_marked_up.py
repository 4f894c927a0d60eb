"""Calendar parts and schema.org blocks: what is stated exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_understanding.prepare.extract.entities import extract_entities
from gaia_understanding.prepare.extract.ics import read_meeting
from gaia_understanding.prepare.extract.json_ld import read_json_ld
from gaia_understanding.prepare.model import JsonValue, Prepared

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "ics"
MakePrepared = Callable[..., Prepared]

INVITATION = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:42@example.com\r\n"
    'ORGANIZER;CN="Kim, Dana":mailto:dana@example.com\r\nSUMMARY:Plan\\, then\r\n  lunch\r\n'
    "DTSTART;TZID=Europe/Berlin:20260305T100000\r\nDURATION:PT1H30M\r\nLOCATION:Room 3\r\n"
    "BEGIN:VALARM\r\nSUMMARY:wake up\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_an_invitation_is_read_exactly() -> None:
    meeting = read_meeting((INVITATION,))
    assert meeting is not None
    assert (meeting.summary, meeting.method, meeting.uid) == ("Plan, then lunch", "REQUEST", "42@example.com")
    assert (meeting.start, meeting.end) == ("2026-03-05T10:00:00+01:00", "2026-03-05T11:30:00+01:00")
    assert (meeting.location, meeting.organizer, meeting.source) == ("Room 3", "dana@example.com", "ics")


def test_a_time_zone_only_the_file_knows_is_understood() -> None:
    zone = (
        "BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0200\r\n"
        "TZOFFSETTO:+0200\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    )
    calendar = (
        f"BEGIN:VCALENDAR\r\n{zone}BEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n"
        "DTSTART;TZID=Office:20260305T100000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    meeting = read_meeting((calendar,))
    assert meeting is not None
    assert meeting.start == "2026-03-05T10:00:00+02:00"


def test_the_series_goes_before_its_changed_occurrences() -> None:
    calendar = (
        "BEGIN:VEVENT\nSUMMARY:moved\nRECURRENCE-ID:20260305T100000Z\nEND:VEVENT\n"
        "BEGIN:VEVENT\nSUMMARY:series\nEND:VEVENT\n"
    )
    meeting = read_meeting((calendar,))
    assert meeting is not None
    assert meeting.summary == "series"


@pytest.mark.parametrize(
    "calendar", ["", "BEGIN:VCALENDAR", "no calendar at all", "BEGIN:VTODO\nSUMMARY:x\nEND:VTODO"]
)
def test_without_an_event_there_is_no_meeting(calendar: str) -> None:
    assert read_meeting((calendar,)) is None


@given(
    st.lists(
        st.sampled_from(
            [*INVITATION.split("\r\n"), "DTSTART:99999999T999999Z", "DURATION:P99999W", ":", ';="']
        )
    )
)
def test_no_shuffled_calendar_raises(lines: list[str]) -> None:
    read_meeting(("\n".join(lines),))


@pytest.mark.skipif(not DATA.exists(), reason="development data not here")
def test_every_calendar_of_the_development_set_gives_its_event() -> None:
    missed: list[str] = []
    for line in (DATA / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        mail = message_from_bytes((DATA / "messages" / row["file"]).read_bytes())
        calendars = tuple(_text(part) for part in mail.walk() if part.get_content_type() == "text/calendar")
        meeting = read_meeting(calendars)
        if row["event"] and (meeting is None or row["summary"] not in (None, meeting.summary)):
            missed.append(row["file"])
    assert missed == []


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(part.get_content_charset() or "utf-8", "replace")


ORDER: dict[str, JsonValue] = {
    "@type": "Order",
    "merchant": {"@type": "Organization", "name": "Paper Shop"},
    "orderNumber": "A-77",
    "price": "24.90",
    "priceCurrency": "EUR",
    "orderDate": "2026-03-01",
}
FLIGHT: dict[str, JsonValue] = {
    "@type": "http://schema.org/FlightReservation",
    "reservationNumber": "RXJ34P",
    "reservationFor": {
        "@type": "Flight",
        "airline": {"@type": "Airline", "name": "Example Air"},
        "departureAirport": {"@type": "Airport", "iataCode": "ZRH"},
        "arrivalAirport": {"@type": "Airport", "iataCode": "LIS"},
        "departureTime": "2026-04-01T08:10:00+02:00",
        "arrivalTime": "2026-04-01T10:00:00+01:00",
    },
}


def test_an_order_is_a_receipt() -> None:
    receipt = read_json_ld((ORDER,)).receipt
    assert receipt is not None
    assert (receipt.merchant, receipt.total, receipt.currency) == ("Paper Shop", "24.90", "EUR")
    assert (receipt.order_number, receipt.date) == ("A-77", "2026-03-01")


def test_a_flight_inside_a_graph_is_an_itinerary() -> None:
    itinerary = read_json_ld(({"@graph": [FLIGHT]},)).itinerary
    assert itinerary is not None
    assert (itinerary.kind, itinerary.reference, itinerary.provider) == ("flight", "RXJ34P", "Example Air")
    assert (itinerary.origin, itinerary.destination) == ("ZRH", "LIS")
    assert itinerary.departs == "2026-04-01T08:10:00+02:00"


def test_parcels_events_and_actions_are_read() -> None:
    marked = read_json_ld(
        (
            {"@type": "ParcelDelivery", "trackingNumber": "JD0001", "carrier": {"name": "Example Post"}},
            {
                "@type": "Event",
                "name": "Concert",
                "startDate": "2026-05-01T20:00",
                "location": {"name": "Hall"},
            },
            {
                "@type": "EmailMessage",
                "potentialAction": {"@type": "ConfirmAction", "name": "Approve expense"},
            },
        )
    )
    assert [(parcel.carrier, parcel.number) for parcel in marked.tracking] == [("Example Post", "JD0001")]
    assert marked.meeting is not None
    assert (marked.meeting.summary, marked.meeting.source) == ("Concert", "json-ld")
    assert [action.description for action in marked.actions] == ["Approve expense"]


def test_schema_org_goes_before_running_text(prepared: MakePrepared) -> None:
    message = prepared("Order #999\nTotal: $5.00", subject="Your order", json_ld=(ORDER,))
    receipt = extract_entities(message).receipt
    assert receipt is not None
    assert receipt.total == "24.90"


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["Order", "FlightReservation", "Event"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["@type", "@graph", "price", "merchant", "reservationFor", "name", "startDate"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(
    st.dictionaries(
        st.sampled_from(["@type", "@graph", "price", "provider", "reservationFor"]), _JSON, max_size=5
    )
)
def test_no_strange_block_raises(block: dict[str, JsonValue]) -> None:
    read_json_ld((block,))
