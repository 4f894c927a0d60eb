"""Read schema.org blocks of HTML mail: orders, reservations, parcels, events, actions. Entry: `read_json_ld`.

A sender's statements here are exact, so they precede anything found in running text. Source:
<https://schema.org> and Google's email markup reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gaia_understanding.prepare.extract.model import ActionItem, Itinerary, Meeting, Receipt, Tracking
from gaia_understanding.prepare.model import JsonValue

_MAX_NODES = 400
_MAX_DEPTH = 6
_MAX_FIELD = 300

JsonLdNode = dict[str, JsonValue]


@dataclass(slots=True)
class MarkedUpData:
    """The statements in the blocks of one message."""

    receipt: Receipt | None = None
    itinerary: Itinerary | None = None
    meeting: Meeting | None = None
    tracking: list[Tracking] = field(default_factory=list[Tracking])
    actions: list[ActionItem] = field(default_factory=list[ActionItem])


_RESERVATIONS = {
    "FlightReservation": "flight",
    "TrainReservation": "train",
    "BusReservation": "bus",
    "LodgingReservation": "hotel",
    "RentalCarReservation": "car",
    "EventReservation": "event",
}
_PURCHASES = ("Order", "Invoice")
_EVENTS = (
    "Event",
    "BusinessEvent",
    "SocialEvent",
    "EducationEvent",
    "MusicEvent",
    "Festival",
    "TheaterEvent",
)
_ASKING_ACTIONS = ("ConfirmAction", "RsvpAction", "ReviewAction", "SaveAction", "PayAction", "UpdateAction")


def read_json_ld(blocks: tuple[JsonLdNode, ...]) -> MarkedUpData:
    """Return the first purchase, journey and event, and every parcel and action. Never raises."""
    marked = MarkedUpData()
    for node in _nodes(blocks):
        kind = _type(node)
        if kind in _PURCHASES:
            marked.receipt = marked.receipt or _receipt(node, kind)
        elif kind in _RESERVATIONS:
            marked.itinerary = marked.itinerary or _itinerary(node, _RESERVATIONS[kind])
        elif kind == "ParcelDelivery":
            number = _text(node, "trackingNumber")
            if number and len(marked.tracking) < 20:
                carrier = _name(node, "carrier") or _name(node, "provider")
                marked.tracking.append(Tracking(carrier=carrier, number=number))
        elif kind in _EVENTS:
            marked.meeting = marked.meeting or _meeting(node)
        elif kind in _ASKING_ACTIONS and len(marked.actions) < 10:
            name = _text(node, "name")
            if name:
                marked.actions.append(ActionItem(text=name, description=name, owner="user", due=""))
    return marked


def _nodes(blocks: tuple[JsonLdNode, ...]) -> Iterator[JsonLdNode]:
    """Yield every object of the blocks, outer before inner, in order; bounded in number and depth."""
    waiting: list[tuple[JsonValue, int]] = [(block, 0) for block in reversed(blocks)]
    seen = 0
    while waiting and seen < _MAX_NODES:
        value, depth = waiting.pop()
        seen += 1
        inner: list[JsonValue] = []
        if isinstance(value, dict):
            yield value
            inner = list(value.values())
        elif isinstance(value, list):
            inner = value
        if depth < _MAX_DEPTH:
            waiting.extend(
                (item, depth + 1) for item in reversed(inner[:100]) if isinstance(item, dict | list)
            )


def _type(node: JsonLdNode) -> str:
    kind = node.get("@type")
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return kind.rpartition("/")[2] if isinstance(kind, str) else ""


def _text(node: JsonLdNode | None, key: str) -> str:
    value = node.get(key) if node else None
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, str):
        return value.strip()[:_MAX_FIELD]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def _inner(node: JsonLdNode | None, key: str) -> JsonLdNode | None:
    value = node.get(key) if node else None
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else None


def _name(node: JsonLdNode | None, key: str) -> str:
    """Return the `name` of the object under `key`, or the text itself."""
    inner = _inner(node, key)
    return _text(inner, "name") if inner else _text(node, key)


def _receipt(node: JsonLdNode, kind: str) -> Receipt:
    due = _inner(node, "totalPaymentDue") if kind == "Invoice" else None
    due = due or _inner(node, "priceSpecification") or _inner(node, "acceptedOffer")
    total = _text(due, "price") or _text(due, "value") or _text(node, "price")
    currency = _text(due, "priceCurrency") or _text(due, "currency") or _text(node, "priceCurrency")
    return Receipt(
        merchant=_name(node, "merchant")
        or _name(node, "seller")
        or _name(node, "provider")
        or _name(node, "broker"),
        total=total,
        currency=currency.upper() if len(currency) == 3 else "",
        date=_text(node, "orderDate") or _text(node, "paymentDueDate"),
        order_number=_text(node, "orderNumber")
        or _text(node, "confirmationNumber")
        or _text(node, "accountId"),
    )


def _itinerary(node: JsonLdNode, kind: str) -> Itinerary:
    trip = _inner(node, "reservationFor")
    reference = _text(node, "reservationNumber") or _text(node, "reservationId")
    if kind == "hotel":
        return Itinerary(
            kind=kind,
            reference=reference,
            origin="",
            destination=_text(trip, "name"),
            departs=_text(node, "checkinTime") or _text(node, "checkinDate"),
            arrives=_text(node, "checkoutTime") or _text(node, "checkoutDate"),
            provider=_text(trip, "name") or _name(node, "provider"),
        )
    if kind == "car":
        return Itinerary(
            kind=kind,
            reference=reference,
            origin=_name(node, "pickupLocation"),
            destination=_name(node, "dropoffLocation"),
            departs=_text(node, "pickupTime"),
            arrives=_text(node, "dropoffTime"),
            provider=_name(node, "provider") or _name(trip, "rentalCompany"),
        )
    if kind == "event":
        return Itinerary(
            kind=kind,
            reference=reference,
            origin="",
            destination=_name(trip, "location"),
            departs=_text(trip, "startDate"),
            arrives=_text(trip, "endDate"),
            provider=_text(trip, "name"),
        )
    return _journey(node, trip, kind, reference)


def _journey(node: JsonLdNode, trip: JsonLdNode | None, kind: str, reference: str) -> Itinerary:
    stop = {"flight": "Airport", "train": "Station", "bus": "BusStop"}[kind]
    provider = {"flight": "airline", "train": "trainCompany", "bus": "busCompany"}[kind]
    return Itinerary(
        kind=kind,
        reference=reference,
        origin=_station(trip, "departure" + stop),
        destination=_station(trip, "arrival" + stop),
        departs=_text(trip, "departureTime"),
        arrives=_text(trip, "arrivalTime"),
        provider=_name(trip, provider) or _name(trip, "provider") or _name(node, "provider"),
    )


def _station(trip: JsonLdNode | None, key: str) -> str:
    """Return an airport's IATA code, or any other stop's name."""
    return _text(_inner(trip, key), "iataCode") or _name(trip, key)


def _meeting(node: JsonLdNode) -> Meeting | None:
    start = _text(node, "startDate")
    if not start:
        return None
    return Meeting(
        summary=_text(node, "name"),
        start=start,
        end=_text(node, "endDate"),
        location=_name(node, "location"),
        organizer=_name(node, "organizer"),
        method="",
        uid="",
        source="json-ld",
    )
