"""Journeys and stays in running text: flights, trains, hotels. Entry: `find_itinerary`."""

from __future__ import annotations

import re

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.dates import FoundDate
from gaia_understanding.prepare.extract.model import Itinerary
from gaia_understanding.prepare.extract.view import TextView

_TABLE = WordTable("gaia_understanding.prepare.extract", "itinerary.txt")

_FLIGHT_WORDS = _TABLE.words("flight_words")
_TRAIN_WORDS = _TABLE.words("train_words")
_HOTEL_WORDS = _TABLE.words("hotel_words")
_MAX_TEXT = 8_000
TRAVEL_WORDS = _FLIGHT_WORDS | _TRAIN_WORDS | _HOTEL_WORDS
_BOOKED = _TABLE.pattern("booked", r"\b(?:", r")\b")
"""For text in lower case."""
_FLIGHT = lazy_pattern(
    r"(?<![\w-])(?P<airline>[A-Z]{2}|[A-Z]\d|\d[A-Z])\s?(?P<number>\d{2,4})(?![\w%]|[.,:/-]\d)"
)
_TRAIN = _TABLE.pattern("train", r"(?<![\w-])(?:", r")\s?\d{1,5}(?!\w)")
_TIMED_TRAIN = lazy_pattern(
    r"\d{1,2}[:.]\d\d (?:o'clock )?train\b|\btrain (?:at|departs|leaves)|\bZug um|\btrain de \d|\btreno delle"
)
_CALLED_FLIGHT = lazy_pattern(
    r"\b(?:flights?|flug|vol|vuelo|volo|voo|vlucht)(?: (?:number|no\.?|nr\.?|n°))?:? ?$", re.IGNORECASE
)
_ROUTE = lazy_pattern(
    r"(?<!\w)\(?(?P<from>[A-Z]{3})\)?\s?(?:[-–—→>]{1,2}|to|nach|vers|à|a|para)\s?\(?(?P<to>[A-Z]{3})\)?(?!\w)"
)
_AIRPORT = lazy_pattern(r"\((?P<code>[A-Z]{3})\)")
_TOWNS = lazy_pattern(
    r"\b(?:from|von|de|da|van)\s(?P<from>[A-ZÀ-Ý][\w.'-]{1,20}(?: [A-ZÀ-Ý][\w.'-]{1,20}){0,2})"
    r"\s(?:to|nach|à|a|para|naar)\s(?P<to>[A-ZÀ-Ý][\w.'-]{1,20}(?: [A-ZÀ-Ý][\w.'-]{1,20}){0,2})"
)
_REFERENCE = lazy_pattern(
    r"\b(?:PNR|(?:booking|reservation|confirmation|record|reference|buchungs?|reservierungs?"
    r"|réservation|reserva|localizador|prenotazione|boekings?|auftrags?|ticket|e-ticket)"
    r"(?:[ -]?(?:reference|code|number|locator|no\.?|nr\.?|nummer|n°|ref\.?|id))?|dossier|code "
    r"de réservation|codice prenotazione)"
    r"(?:\s(?:is|ist|lautet))?\s?[:#]{0,2}\s{0,3}(?P<ref>(?-i:[A-Z0-9][A-Z0-9-]{4,15}))(?!\w)",
    re.IGNORECASE,
)
_HOTEL_NAME = _TABLE.pattern("hotel_name")
_CHECK_IN = lazy_pattern(r"check[- ]?in|arriv|anreise|arrivée|entrada|llegada|aankomst", re.IGNORECASE)
_CHECK_OUT = lazy_pattern(r"check[- ]?out|depart|abreise|départ|salida|partenza|saída|vertrek", re.IGNORECASE)
# Two letters and digits that occur in travel mail without being a flight.
_NOT_AIRLINES = _TABLE.words("not_airlines")


def find_itinerary(
    view: TextView, subject: str, provider: str, dates: tuple[FoundDate, ...]
) -> Itinerary | None:
    """Return the journey or stay that the message confirms; None if it is about none.

    Origin and destination are airport codes or towns as written. `departs` and `arrives` are the first two
    dates of the message; for a hotel, those of check-in and check-out.
    """
    if not view.digits:
        return None
    tokens = view.tokens
    lowered = subject.lower()
    flight = not tokens.isdisjoint(_FLIGHT_WORDS) or any(
        word in lowered for word in ("flight", "flug", "vuelo")
    )
    train = not tokens.isdisjoint(_TRAIN_WORDS)
    hotel = not tokens.isdisjoint(_HOTEL_WORDS)
    if not (flight or train or hotel):
        return None
    text = view.text[:_MAX_TEXT]
    if _BOOKED.search(lowered) is None and _BOOKED.search(view.lower, 0, _MAX_TEXT) is None:
        return None
    if flight:
        found = _journey("flight", text, provider, dates)
        if found is not None:
            return found
    if train:
        found = _journey("train", text, provider, dates)
        if found is not None:
            return found
    return _stay(text, provider, dates) if hotel else None


def _journey(kind: str, text: str, provider: str, dates: tuple[FoundDate, ...]) -> Itinerary | None:
    origin, destination = _route(text)
    reference = _reference(text)
    if kind == "flight":
        number = _flight_number(text, placed=bool(reference or origin))
    else:
        number = _TRAIN.search(text) is not None or (
            bool(origin and reference) and _TIMED_TRAIN.search(text) is not None
        )
    if not number or not (reference or origin or dates):
        return None
    instants = [found.value for found in dates if not found.deadline][:2]
    return Itinerary(
        kind=kind,
        reference=reference,
        origin=origin,
        destination=destination,
        departs=instants[0] if instants else "",
        arrives=instants[1] if len(instants) > 1 else "",
        provider=provider,
    )


def _flight_number(text: str, *, placed: bool) -> bool:
    """Return True if a flight is named; if no route is given, the word for it must be right before it."""
    return any(
        match["airline"] not in _NOT_AIRLINES
        and (placed or _CALLED_FLIGHT.search(text[max(0, match.start() - 16) : match.start()]) is not None)
        for match in _FLIGHT.finditer(text)
    )


def _route(text: str) -> tuple[str, str]:
    route = _ROUTE.search(text)
    if route is not None:
        return route["from"], route["to"]
    codes = [match["code"] for match in _AIRPORT.finditer(text)][:2]
    if len(codes) == 2:
        return codes[0], codes[1]
    towns = _TOWNS.search(text)
    return (towns["from"], towns["to"]) if towns else ("", "")


def _reference(text: str) -> str:
    for match in _REFERENCE.finditer(text):
        if any(character.isdigit() for character in match["ref"]) or len(match["ref"]) == 6:
            return match["ref"]
    return ""


def _stay(text: str, provider: str, dates: tuple[FoundDate, ...]) -> Itinerary | None:
    arrives = _beside(_CHECK_IN, text, dates)
    leaves = _beside(_CHECK_OUT, text, dates)
    if not arrives or not leaves:
        return None
    name = _HOTEL_NAME.search(text)
    return Itinerary(
        kind="hotel",
        reference=_reference(text),
        origin="",
        destination=name[0] if name else "",
        departs=arrives,
        arrives=leaves,
        provider=name[0] if name else provider,
    )


def _beside(label: re.Pattern[str], text: str, dates: tuple[FoundDate, ...]) -> str:
    for match in label.finditer(text):
        for found in dates:
            if 0 <= found.start - match.end() <= 40 and "\n\n" not in text[match.end() : found.start]:
                return found.value
    return ""
