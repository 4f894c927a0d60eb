"""A brief says what is long overdue once, and read aloud it never stops within a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email.app.documents.brief_parts import LONG_OVERDUE, groups_of
from gaia_email.app.documents.brief_text import brief_text

EMPTY: dict[str, Any] = {"threads": 0, "rows": []}
SECTIONS = ("urgent", "actionable", "informational", "suspicious", "low_priority")


def owed(number: int, days: int) -> dict[str, Any]:
    return {
        "id": f"m{number}",
        "owes": "you",
        "people": [{"name": f"Ann {number}", "address": "ann@example.org"}],
        "subject": f"Plan {number}",
        "why": "Can you look at it?",
        "days": days,
        "until": "2026-10-01T12:00:00+00:00",
        "due": True,
        "late": False,
        "usual_hours": None,
    }


def brief(**more: Any) -> Any:
    return {
        "kind": "evening",
        "date": "2026-11-30",
        "zone": "UTC",
        "messages": 3,
        "threads": 3,
        "unsure": 0,
        "unreadable": 0,
        "email": dict.fromkeys(SECTIONS, EMPTY),
        "events": [],
        "owe": [],
        "owed": [],
        "owe_total": 0,
        "owed_total": 0,
        "archived": [],
        "archived_total": 0,
        "problems": [],
        **more,
    }


def test_what_is_long_overdue_stands_together_and_that_is_said_once() -> None:
    made = brief(owe=[owed(number, 40) for number in range(90)] + [owed(99, 3)], owe_total=91)
    (parts,) = (group.parts for group in groups_of(made) if group.name == "Follow-ups")
    assert [(part.title, part.count) for part in parts] == [
        ("You owe", "1"),
        (f"You owe, {LONG_OVERDUE}", "90"),
    ]
    for form in ("markdown", "html", "print", "speech"):
        text = brief_text(made, form)
        assert text.count("40 working days") == 0 and text.count("20 working days or more") == 1
    assert brief_text(made, "markdown").count("3 working days") == 1


@pytest.mark.parametrize(
    ("subject", "spoken"),
    [
        ("Client portal is down, Kestrel can't download their files", "Client portal is down"),
        ("Could you please send me the numbers of the third quarter", "Could you please send me the numbers"),
        (
            "Minutes of the call with the people from the museum of glass",
            "Minutes of the call with the people",
        ),
        ("locked out!!", "locked out"),
        ("Re: Lunch?", "Re: Lunch"),
        ("Press check", "Press check"),
        ("of the of the of the of the of the", "of"),
        ("", "no subject"),
    ],
)
def test_a_title_that_is_read_aloud_is_whole(subject: str, spoken: str) -> None:
    row: dict[str, Any] = {
        "id": "m1",
        "account": "me@example.org",
        "sender": "Ann",
        "subject": subject,
        "line": "",
        "followup": None,
        "warnings": [],
    }
    email = dict.fromkeys(SECTIONS, EMPTY) | {"urgent": {"threads": 1, "rows": [row]}}
    text = brief_text(brief(email=email), "speech")
    assert f"Ann: {spoken}.\n" in text
    assert text.endswith("That was the evening brief.\n")
    assert all(line.endswith(".") for line in text.splitlines())
