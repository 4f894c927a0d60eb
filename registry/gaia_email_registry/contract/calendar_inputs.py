"""Inputs of the calendar tools and `watch_mailbox`, as pydantic models; `inputs.py` exports them with the others.

A time is RFC 3339 with an offset, a time without one in `time_zone`, or a date, which means midnight in that zone.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from gaia_email_registry.contract.fields import (
    Confirmed,
    Id,
    LongText,
    ShortText,
    Texts,
    ToolInput,
    as_list,
)

CalendarTime = Annotated[str, Field(min_length=1, max_length=64)]
Zone = Annotated[str | None, Field(max_length=64)]
Guests = Annotated[list[ShortText], BeforeValidator(as_list), Field(max_length=200)]


class ListCalendarEvents(ToolInput):
    """Input of `list_calendar_events`; `start` defaults to now, `end` to a week later."""

    start: CalendarTime | None = Field(None, description="Time or date; none for now")
    end: CalendarTime | None = Field(None, description="Exclusive; none for a week")
    time_zone: Zone = Field(None, description="IANA name; none for the calendar's")
    query: ShortText | None = Field(None, description="Words to look for")
    limit: int = Field(100, ge=1, le=1000)
    cursor: Id | None = None


class FindFreeBusy(ToolInput):
    """Input of `find_free_busy`."""

    start: CalendarTime = Field(description="Time or date")
    end: CalendarTime = Field(description="Exclusive")
    time_zone: Zone = None
    calendars: Texts | None = Field(None, description="Addresses; none for one's own")
    minutes: int = Field(30, ge=1, le=1440, description="Shortest free time to name")


class CreateCalendarEvent(Confirmed):
    """Input of `create_calendar_event`; with `event_id` a deleted event is restored, for an undo."""

    title: ShortText
    start: CalendarTime = Field(description="Time, or date for all day")
    end: CalendarTime | None = Field(None, description="Exclusive; none for an hour or a day")
    time_zone: Zone = None
    description: LongText | None = None
    location: ShortText | None = None
    attendees: Guests | None = Field(None, description="Addresses that are invited by mail")
    event_id: Id | None = None


class RespondToInvitation(Confirmed):
    """Input of `respond_to_invitation`: an event, or the message with the invitation."""

    event_id: Id | None = None
    message_id: Id | None = Field(None, description="The message that invites, instead")
    response: Literal["accepted", "declined", "tentative", "needsAction"]
    comment: ShortText | None = None
    notify: bool = Field(True, description="Tell the organizer by mail")
    propose_start: CalendarTime | None = Field(None, description="Another time; not every provider can")
    propose_end: CalendarTime | None = Field(None, description="Exclusive; none for as long as it is")


class DeleteCalendarEvent(Confirmed):
    """Input of `delete_calendar_event`."""

    event_id: Id
    notify: bool = Field(True, description="Tell the guests by mail")


class WatchMailbox(ToolInput):
    """Input of `watch_mailbox`."""

    watch: bool = Field(True, description="False ends it")
