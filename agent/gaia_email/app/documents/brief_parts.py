"""A brief as groups of parts with lines, the input of every renderer. Entry: `groups_of`.

Untrusted text is passed through unchanged: the renderer escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from math import ceil
from zoneinfo import ZoneInfo

from gaia_email.app.documents.brief import BriefDocument, BriefEvent, BriefRow
from gaia_email.app.documents.cards.wording import HEADINGS
from gaia_email.app.documents.followups import FollowupRow

_EMPTY = {"Email": "No mail.", "Calendar": "No events.", "Follow-ups": "Nothing is owed.", "Archived": ""}
_SIDES = ("You owe", "They owe")
_ALOUD = frozenset({"Urgent", "Needs you", "Events", *_SIDES})
"""Titles of the parts whose lines are read aloud; of the others only the count is read."""

LONG_OVERDUE_DAYS = 20
LONG_OVERDUE = f"overdue for {LONG_OVERDUE_DAYS} working days or more"
"""Four weeks; from then on, follow-ups are grouped and no longer show how many days each has waited."""

_PEOPLE = 3
"""Maximum number of people listed for a thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefLine:
    """One line of a part.

    Attributes:
        lead: The person it is about, or its time.
        text: The subject or title.
        note: Place, waiting time or deadline; empty for none.
        below: The most informative sentence; empty for none.
        id: The message; empty if no message shows it.
        due: True if it should have been done by now.
        draft: True if the user would usually have answered by now.
    """

    lead: str
    text: str
    note: str = ""
    below: str = ""
    id: str = ""
    due: bool = False
    draft: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefPart:
    """Lines under one title; `count` is the total, and the number of lines shown if that is smaller."""

    title: str
    count: str
    lines: tuple[BriefLine, ...]
    emoji: str = ""
    is_aloud: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefGroup:
    """Parts under one heading; `empty` is the text shown if there are none."""

    name: str
    empty: str
    parts: tuple[BriefPart, ...]


def groups_of(document: BriefDocument) -> list[BriefGroup]:
    """Return mail, calendar, follow-ups and archived messages as groups; empty parts are left out."""
    mail = list[BriefPart]()
    for name, (emoji, title) in HEADINGS.items():
        section = document["email"][name]
        mail.append(_part(title, section["threads"], map(_mail_line, section["rows"]), emoji=emoji))
    zone = _zone(document)
    events = _part("Events", len(document["events"]), (_event_line(one, zone) for one in document["events"]))
    owe = _sides(_SIDES[0], document["owe_total"], document["owe"])
    owed = _sides(_SIDES[1], document["owed_total"], document["owed"])
    rows = (BriefLine(lead=one["subject"] or one["id"], text=one["why"]) for one in document["archived"])
    archived = _part("By the agent", document["archived_total"], rows)
    groups = {"Email": mail, "Calendar": [events], "Follow-ups": [*owe, *owed], "Archived": [archived]}
    found = [
        BriefGroup(name=name, empty=_EMPTY[name], parts=tuple(one for one in parts if one.count != "0"))
        for name, parts in groups.items()
    ]
    return [one for one in found if one.parts or one.empty]


def heading(document: BriefDocument) -> str:
    """Return the heading, such as `Morning brief, Monday 30 November 2026`."""
    day = date.fromisoformat(document["date"])
    return f"{document['kind'].capitalize()} brief, {day:%A} {day.day} {day:%B %Y}"


def coverage(document: BriefDocument) -> str:
    """Return the number of messages read, of unsure threads and of unreadable messages, in words."""
    told = f"{document['messages']:,} messages in {document['threads']:,} threads"
    told += f", unsure about {document['unsure']:,}"
    return told + (f", {document['unreadable']:,} could not be read" if document["unreadable"] else "")


def waits(row: FollowupRow) -> str:
    """Return the waiting time, the deadline and the user's usual answering time; empty if none is known."""
    days = row["days"]
    told = [f"for {days} working day{'s' if days > 1 else ''}"] if days else []
    told += [f"due {row['until'][:10]}"] if row["until"] else []
    late = f"{', '.join(told)}{' (overdue)' if row['due'] else ''}".strip()
    return "; ".join(filter(None, (late, usually(row))))


def usually(row: FollowupRow) -> str:
    """Return how soon the user usually answers these people; empty if unknown."""
    hours = row["usual_hours"]
    if hours is None:
        return ""
    days, whole = ceil(hours / 24), max(1, ceil(hours))
    within = f"{days} days" if hours > 24 else f"{whole} hours" if whole > 1 else "an hour"
    return f"you usually answer within {within}"


def people_of(row: FollowupRow) -> str:
    """Return the names of the people on the other side of a thread."""
    return ", ".join(one["name"] or one["address"] for one in row["people"][:_PEOPLE]) or "somebody"


def _part(title: str, total: int, lines: Iterable[BriefLine], *, emoji: str = "") -> BriefPart:
    rows = tuple(lines)
    count = f"{total}, {len(rows)} shown" if 0 < len(rows) < total else str(total)
    if title in _SIDES and total and not rows:
        count += ", named above"
    return BriefPart(title=title, emoji=emoji, count=count, lines=rows, is_aloud=title in _ALOUD)


def _mail_line(row: BriefRow) -> BriefLine:
    owed = row["followup"]
    side = "" if owed is None else "you owe" if owed["owes"] == "you" else "they owe"
    return BriefLine(
        lead=row["sender"],
        text=row["subject"],
        note="" if owed is None else ", ".join(filter(None, (side, _wait_noted(owed)))),
        below=row["line"],
        id=row["id"],
        due=owed is not None and owed["due"],
        draft=owed is not None and owed["late"],
    )


def _wait_noted(row: FollowupRow) -> str:
    return "long overdue" if is_long_overdue(row) else waits(row)


def is_long_overdue(row: FollowupRow) -> bool:
    """True if it is so long overdue that the exact number of days is no longer useful."""
    return row["due"] and row["days"] >= LONG_OVERDUE_DAYS


def _sides(title: str, total: int, rows: Sequence[FollowupRow]) -> list[BriefPart]:
    """Return the parts for one side, with long-overdue threads in a part of their own."""
    old = [row for row in rows if is_long_overdue(row)]
    found = [_part(title, total - len(old), (_followup_line(row) for row in rows if row not in old))]
    if old:
        lines = (replace(_followup_line(row), note=usually(row), due=False) for row in old)
        found.append(_part(f"{title}, {LONG_OVERDUE}", len(old), lines))
    return found


def _followup_line(row: FollowupRow) -> BriefLine:
    return BriefLine(
        lead=people_of(row),
        text=row["subject"],
        note=waits(row),
        below=row["why"],
        id=row["id"],
        due=row["due"],
        draft=row["late"],
    )


def _event_line(event: BriefEvent, zone: tzinfo) -> BriefLine:
    """Return an event as a line: its local time, place, number of participants, and any open invitation."""
    start, end = (
        f"{datetime.fromisoformat(event[side]).astimezone(zone):%H:%M}" for side in ("start", "end")
    )
    when = "all day" if event["all_day"] else start if start == end else f"{start} to {end}"
    notes = [event["location"]] if event["location"] else []
    if event["people"]:
        notes.append(f"with {event['people']} other{'s' if event['people'] > 1 else ''}")
    if event["response"] == "needs-action":
        notes.append("not answered yet")
    return BriefLine(
        lead=when,
        text=event["title"],
        note=", ".join(notes),
        id=event["id"] if event["from_mail"] else "",
    )


def _zone(document: BriefDocument) -> tzinfo:
    """Return the time zone in which a brief was made."""
    try:
        return ZoneInfo(document["zone"])
    except (KeyError, ValueError, OSError):
        made = datetime.fromisoformat(document["made_at"])
        match = re.fullmatch(r"UTC([+-])(\d\d):(\d\d)", document["zone"])
        if match is None:
            return made.tzinfo or UTC
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(-offset if match[1] == "-" else offset)
