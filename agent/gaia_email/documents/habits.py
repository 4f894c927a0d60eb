"""The document of `habits`. Entry: `habits_document`."""

from __future__ import annotations

from dataclasses import asdict

from gaia_email.documents.classify import Json, clean
from gaia_email.documents.schema_parts import (
    COUNT,
    NUMBER,
    SHARE,
    TEXT,
    VERSION,
    Schema,
    listed,
    optional,
    record,
)
from gaia_email.learn.habits import Habits

HABITS_COLUMNS = ("address", "name", "received", "answered", "answer_h", "theirs_h", "depth")

HABITS_SCHEMAS: dict[str, Schema] = {
    "habits": record(
        schema_version=VERSION,
        messages=COUNT,
        people=listed(
            record(
                name=TEXT,
                address=TEXT,
                received=COUNT,
                answered=COUNT,
                answer_h=NUMBER,
                theirs_h=optional(NUMBER),
                depth=COUNT,
            )
        ),
        newsletters=listed(record(name=TEXT, address=TEXT, count=COUNT)),
        name=TEXT,
        signature=TEXT,
        languages={"type": "object", "additionalProperties": SHARE},
        zone_minutes=optional({"type": "integer"}),
        answer_h=optional(NUMBER),
        exemplars=COUNT,
    )
}


def people_rows(found: Habits) -> list[Json]:
    """Who counts as close, the closest first."""
    return [
        {
            **asdict(one),
            "name": clean(one.name),
            "address": clean(one.address),
            "answer_h": round(one.answer_h, 1),
            "theirs_h": None if one.theirs_h is None else round(one.theirs_h, 1),
        }
        for one in found.people
    ]


def habits_document(found: Habits) -> Json:
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
