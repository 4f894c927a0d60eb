"""Questions about events: the message to others, and its recipients."""

from __future__ import annotations

import json

from gaia_email_registry.contract import inputs
from gaia_mail.mime.address import parse_addresses
from gaia_mail_mcp import convention
from gaia_mail_mcp.calendar_time import rfc3339
from gaia_mail_mcp.surface import calendar
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.questions.mail import describe_people
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion, digest, join_values, printable


async def about_event(
    surface: Surface,
    given: inputs.CreateCalendarEvent | inputs.RespondToInvitation | inputs.DeleteCalendarEvent,
) -> ApprovalQuestion:
    """Return the question about an event, with the notification of others and its recipients."""
    store = calendar.store_of(surface)
    match given:
        case inputs.CreateCalendarEvent():
            new = await calendar.new_event(store, given)
            guests = [address for text in new.attendees for address in parse_addresses(text)]
            lines = [
                f"Create this event and invite {len(guests)} {'guest' if len(guests) == 1 else 'guests'}?",
                *await describe_people(surface, "Guest", "guest", guests),
                f"Title: {convention.one_line(new.title)}",
                f"When: {rfc3339(new.start)} to {rfc3339(new.end)} ({new.time_zone})",
            ]
            lines += [f"Where: {convention.one_line(new.location)}"] if new.location else []
            lines += (
                [f"It is the deleted event {join_values([new.event_id])}, brought back"]
                if new.event_id
                else []
            )
            text = "\n".join(lines) + f"\n\n{printable(new.description)}"
            return ApprovalQuestion(text=text.rstrip())
        case inputs.RespondToInvitation():
            event = await calendar.invited_to(surface, given)
            organizer = event["organizer"]
            whom = convention.one_line(_shown(organizer["name"], organizer["address"]))
            comment = f"\nComment: {convention.one_line(given.comment)}" if given.comment else ""
            other = await calendar.proposal(store, event, given)
            comment += f"\nOther time: {rfc3339(other.start)} to {rfc3339(other.end)}" if other else ""
            told = f"tell {whom}" if given.notify else "tell nobody"
            asked = f"Answer {given.response} and {told}?"
            return ApprovalQuestion(
                text=f"{asked}\n{calendar.event_line(event)}{comment}", content=_whole(event)
            )
        case inputs.DeleteCalendarEvent():
            event = await store.event(given.event_id)
            guests_told = [guest["address"] for guest in event["attendees"] if not guest["me"]]
            told = f" and tell {join_values(guests_told)}" if given.notify and guests_told else ""
            return ApprovalQuestion(
                text=f"Delete this event{told}?\n{calendar.event_line(event)}", content=_whole(event)
            )


def _whole(event: object) -> str:
    return digest([json.dumps(event, sort_keys=True, default=str).encode()])


def _shown(name: str, address: str) -> str:
    return f"{name} <{address}>" if name else address
