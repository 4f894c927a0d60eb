"""A day's events, from a calendar or from invitations in mail. Entries: `AgendaEvent`, `events_of_mail`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from gaia_email.triage.followups.standing import ThreadMail, instant


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaEvent:
    """An event.

    Attributes:
        account: Whose calendar or mail it is of.
        id: The event's id in the calendar, or that of the message that invites.
        title: What it is called.
        start: When it starts, epoch seconds.
        end: When it ends; the same as `start` where that is unknown.
        all_day: It has no hours.
        location: Where.
        people: How many others take part, as far as that is known.
        attendees: Their addresses, lower case.
        response: What the owner answered: `accepted`, `declined`, `tentative`, `needs-action`; empty where nobody asks.
        from_mail: It is known from an invitation only.
    """

    account: str
    id: str
    title: str
    start: float
    end: float
    all_day: bool = False
    location: str = ""
    people: int = 0
    attendees: frozenset[str] = frozenset()
    response: str = ""
    from_mail: bool = False


def events_of_mail(
    account: str, messages: Iterable[ThreadMail], zone: tzinfo, *, start: float, end: float
) -> list[AgendaEvent]:
    """The events of a span that invitations in mail tell of; the newest word on an event counts.

    Only who invited moves or cancels: what another sender says under the same UID is an event of its own. An event that
    repeats is known by its first time only.
    """
    newest: dict[tuple[str, str], ThreadMail] = {}
    answered: set[str] = set()
    for one in sorted(messages, key=lambda message: (message.date, message.own, message.id)):
        note = one.note
        if not note.invitation:
            continue
        key = note.uid or one.id
        if note.invitation in ("REQUEST", "CANCEL", "PUBLISH"):
            newest[key, one.sender] = one
        elif note.invitation == "REPLY" and one.own:
            answered.add(key)
    found: list[AgendaEvent] = []
    for (key, _), one in newest.items():
        starts = instant(one.note.starts, zone, end_of_day=False)
        if one.note.invitation == "CANCEL" or starts is None or not start <= starts < end:
            continue
        ends = instant(one.note.ends, zone, end_of_day=False)
        found.append(
            AgendaEvent(
                account=account,
                id=one.id,
                title=one.note.title,
                start=starts,
                end=max(starts, ends or starts),
                all_day=is_day(one.note.starts),
                location=one.note.place,
                people=len(one.recipients | frozenset({one.sender} if not one.own else ())),
                attendees=one.recipients | frozenset({one.sender} if not one.own else ()),
                response="" if one.own or key in answered else "needs-action",
                from_mail=True,
            )
        )
    return sorted(found, key=lambda event: (event.start, event.id))


def is_day(text: str) -> bool:
    """Whether an ISO 8601 text names a day without an hour."""
    return len(text) <= len("2026-01-31")


def day_bounds(day: date, zone: tzinfo) -> tuple[float, float]:
    """When a day begins and ends in a zone, epoch seconds; the end is exclusive, and not always 24 hours later."""
    first = datetime(day.year, day.month, day.day, tzinfo=zone)
    following = date.fromordinal(day.toordinal() + 1)
    return first.timestamp(), datetime(
        following.year, following.month, following.day, tzinfo=zone
    ).timestamp()
