"""A day's events, from a calendar or from invitations in mail. Entries: `AgendaEvent`, `events_of_mail`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from gaia_email.triage.followups.standing import ThreadMail, instant


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaEvent:
    """A calendar event.

    Attributes:
        account: The account of the calendar or mailbox.
        id: The event's id in the calendar, or the id of the inviting message.
        title: The event's title.
        start: Start, epoch seconds.
        end: End, epoch seconds; equal to `start` if unknown.
        all_day: True if the event has no hours.
        location: The place.
        people: Number of other participants, as far as known.
        attendees: Their addresses, lower case.
        response: The owner's answer: `accepted`, `declined`, `tentative`, `needs-action`; empty if none is expected.
        from_mail: True if the event is known from an invitation only.
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
    """Return the events in a time span that messages invite to; the newest message about an event counts.

    Only the sender of an invitation can move or cancel it: a message from another sender with the same UID is a
    separate event. A recurring event is included at its first occurrence only.
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
    """Return True if an ISO 8601 text is a date without a time."""
    return len(text) <= len("2026-01-31")


def day_bounds(day: date, zone: tzinfo) -> tuple[float, float]:
    """Return the start and end of a day in a zone, epoch seconds.

    The end is exclusive, and not always 24 hours after the start.
    """
    first = datetime(day.year, day.month, day.day, tzinfo=zone)
    following = date.fromordinal(day.toordinal() + 1)
    return first.timestamp(), datetime(
        following.year, following.month, following.day, tzinfo=zone
    ).timestamp()
