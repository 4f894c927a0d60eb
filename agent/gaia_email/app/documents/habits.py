"""The document of `habits`. Entry: `habits_document`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.document import Count, Ratio, Version, clean

if TYPE_CHECKING:
    from gaia_email.triage.learn.habits import Habits

HABITS_COLUMNS = ("address", "name", "received", "answered", "answer_h", "theirs_h", "depth")


class PersonRow(TypedDict):
    """Somebody whom the owner writes to and hears from: how often, and how soon each answers (hours)."""

    name: str
    address: str
    received: Count
    answered: Count
    answer_h: float
    theirs_h: float | None
    depth: Count


class NewsletterRow(TypedDict):
    """Somebody who writes to many, and how many mails of theirs there are."""

    name: str
    address: str
    count: Count


class HabitsDocument(TypedDict):
    """What `habits` prints; hours have one decimal, `languages` are shares of what was written."""

    schema_version: Version
    messages: Count
    people: list[PersonRow]
    newsletters: list[NewsletterRow]
    name: str
    signature: str
    languages: dict[str, Ratio]
    zone_minutes: int | None
    answer_h: float | None
    exemplars: Count


HABITS_DOCUMENTS: dict[str, object] = {"habits": HabitsDocument}


def people_rows(found: Habits) -> list[PersonRow]:
    """Who counts as close, the closest first."""
    return [
        {
            "name": clean(one.name),
            "address": clean(one.address),
            "received": one.received,
            "answered": one.answered,
            "answer_h": round(one.answer_h, 1),
            "theirs_h": None if one.theirs_h is None else round(one.theirs_h, 1),
            "depth": one.depth,
        }
        for one in found.people
    ]


def habits_document(found: Habits) -> HabitsDocument:
    """What the mailbox shows of its owner; hours have one decimal."""
    return {
        "schema_version": 1,
        "messages": found.messages,
        "people": people_rows(found),
        "newsletters": [
            {"name": clean(one.name), "address": clean(one.address), "count": one.count}
            for one in found.newsletters
        ],
        "name": clean(found.name),
        "signature": clean(found.signature),
        "languages": {name: round(share, 2) for name, share in found.languages.items()},
        "zone_minutes": found.zone,
        "answer_h": None if found.answer_h is None else round(found.answer_h, 1),
        "exemplars": found.exemplars,
    }
