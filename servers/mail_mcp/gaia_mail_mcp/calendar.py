"""The `CalendarStore` protocol: what a mailbox with `Capability.CALENDAR` has besides.

Events are those of the account's own main calendar. Times in and out are aware; an all-day event lasts from
midnight to midnight in the calendar's time zone, whatever the clocks do in between (RFC 5545 §3.6.1).
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
    """A time span, both ends aware, the end exclusive; `time_zone` is the IANA name to show times in."""

    start: dt.datetime
    end: dt.datetime
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """Events that touch a window, by their start; instances instead of recurring events."""

    events: tuple[CalendarEvent, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyTimes:
    """When a calendar is busy; `error` where that is not known."""

    calendar: str
    spans: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCalendarEvent:
    """An event to be made. Both ends are aware times in `time_zone`, or both are dates for all day.

    With `event_id` the deleted event of that id comes back; where that is impossible one like it is made.
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
    """Another time for a meeting; both ends are aware times in `time_zone`."""

    start: dt.datetime
    end: dt.datetime
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswers:
    """Which answers to an invitation a provider has beyond yes, no and perhaps."""

    take_back: bool = True
    """`needsAction`, after another answer."""
    propose: bool = False
    """Another time, with no or perhaps."""
    keeps_declined: bool = True
    """Whether an event that was declined stays, so that one can still change one's mind."""


@runtime_checkable
class CalendarStore(Protocol):
    """A calendar; `Capability.CALENDAR_WRITE` says whether the second half works."""

    async def calendar_zone(self) -> str:
        """The IANA name of the calendar's time zone."""
        ...

    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """What touches the window and has the words of `query`."""
        ...

    async def event(self, event_id: str) -> CalendarEvent:
        """One event; `NotFound` when there is none."""
        ...

    async def invitation(self, uid: str) -> CalendarEvent:
        """The event with that iCalendar UID (RFC 5545 §3.8.4.7); `NotFound` when there is none."""
        ...

    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[BusyTimes]:
        """When each is busy, by address; the account's own when none is named."""
        ...

    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """Make it; attendees are told by mail. Made once, however often the network breaks."""
        ...

    def answering(self) -> InvitationAnswers:
        """What `respond` can do."""
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
        """Answer an invitation; `notify` tells the organizer by mail, `propose` asks them for another time.

        Raises:
            BadArgument: Not invited, or `answering` says that the provider has no such answer.
        """
        ...

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """Remove it; answers what it was. `notify` tells the guests by mail."""
        ...


@runtime_checkable
class Watchable(Protocol):
    """What a mailbox with `Capability.PUSH` has besides."""

    async def watch(self) -> dt.datetime:
        """Have the provider push news, from now until what is answered; again to renew."""
        ...

    async def unwatch(self) -> bool:
        """End that; whether there was anything to end."""
        ...
