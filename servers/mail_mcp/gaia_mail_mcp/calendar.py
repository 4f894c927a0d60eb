"""Protocols of mailboxes with a calendar (`CalendarStore`) or with push notifications (`Watchable`).

Events are those of the account's own main calendar. All times are timezone-aware; an all-day event lasts from midnight
to midnight in the calendar's time zone, across clock changes too (RFC 5545 §3.6.1).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import CalendarEvent

Response = Literal["accepted", "declined", "tentative", "needsAction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWindow:
    """A time span with aware ends, the end exclusive; `time_zone` is the IANA zone for the times in results."""

    start: dt.datetime
    end: dt.datetime
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """Events that touch a window, ordered by start; recurring events are expanded."""

    events: tuple[CalendarEvent, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyTimes:
    """Busy times of a calendar; `error` is the reason if they are not available."""

    calendar: str
    spans: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCalendarEvent:
    """A new event. Start and end are aware times in `time_zone`, or dates for an all-day event.

    `event_id` restores the deleted event with that id; a provider that cannot do so creates a similar event.
    """

    title: str
    start: dt.datetime | dt.date
    end: dt.datetime | dt.date
    time_zone: str
    description: str = ""
    location: str = ""
    attendees: tuple[str, ...] = ()
    event_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterProposal:
    """A proposed new time for a meeting; both ends are aware times in `time_zone`."""

    start: dt.datetime
    end: dt.datetime
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswers:
    """Responses to an invitation that a provider supports besides yes, no and maybe."""

    take_back: bool = True
    """True if a response can be withdrawn with `needsAction`."""
    propose: bool = False
    """True if a "no" or "maybe" can propose another time."""
    keeps_declined: bool = True
    """True if a declined event stays in the calendar, so that the response can still be changed."""


@runtime_checkable
class CalendarStore(Protocol):
    """A calendar; writing needs `Capability.CALENDAR_WRITE`."""

    async def calendar_zone(self) -> str:
        """Return the IANA name of the calendar's time zone."""
        ...

    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """Return the events that touch the window and contain the words of `query`."""
        ...

    async def event(self, event_id: str) -> CalendarEvent:
        """Return an event; raises `NotFound` if there is none."""
        ...

    async def invitation(self, uid: str) -> CalendarEvent:
        """Return the event with this iCalendar UID (RFC 5545 §3.8.4.7); raises `NotFound` if there is none."""
        ...

    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[BusyTimes]:
        """Return the busy times of each calendar, given by address; without any, those of the account's own."""
        ...

    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """Create an event and notify the attendees by mail. A retry after a network failure creates no second event."""
        ...

    def answering(self) -> InvitationAnswers:
        """Return the responses that `respond` supports."""
        ...

    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        """Answer an invitation; `notify` sends the organizer an email, `propose` suggests another time.

        Raises:
            BadArgument: The account is not invited, or the provider does not support the response.
        """
        ...

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """Delete an event and return it as it was; `notify` sends the guests an email."""
        ...


@runtime_checkable
class Watchable(Protocol):
    """A mailbox with `Capability.PUSH`."""

    async def watch(self) -> dt.datetime:
        """Start or renew push notifications; return when they end."""
        ...

    async def unwatch(self) -> bool:
        """Stop push notifications; return True if any were active."""
        ...
