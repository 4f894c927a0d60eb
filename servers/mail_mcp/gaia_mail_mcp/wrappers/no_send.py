"""A mailbox from which nothing is sent. Entry point: `NoSend`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.calendar import CounterProposal, NewCalendarEvent, Response
from gaia_mail_mcp.mailbox import Capability, Unsubscribed
from gaia_mail_mcp.wrappers.base import MailboxWrapper

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import (
        CalendarEvent,
        Filter,
        FilterAction,
        FilterCriteria,
        Vacation,
    )

REFUSAL = "This server was started with --no-send; save a draft instead and send it yourself."
NO_ANSWERING = "This server was started with --no-send; an automatic answer would send."
NO_INVITING = "This server was started with --no-send, so it tells nobody about events."


class NoSend(MailboxWrapper):
    """Refuses to send, to unsubscribe, to forward by a filter, to answer by itself, to tell others about events.

    Drafts are possible, and so is a calendar that only its owner sees.
    """

    @property
    def capabilities(self) -> frozenset[Capability]:
        """All that sends nothing."""
        return self.inner.capabilities - {Capability.SEND, Capability.UNSUBSCRIBE}

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Always `NeedsApproval`."""
        raise NeedsApproval(REFUSAL)

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Always `NeedsApproval`."""
        raise NeedsApproval(REFUSAL)

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """`NeedsApproval` for a filter that forwards mail; others are passed on."""
        if action.get("forward"):
            raise NeedsApproval(REFUSAL, argument="action.forward")
        return await super().create_filter(criteria, action)

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Always `NeedsApproval`."""
        raise NeedsApproval(REFUSAL)

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """`NeedsApproval` for one that answers; it can be switched off."""
        if vacation["enabled"]:
            raise NeedsApproval(NO_ANSWERING)
        return await super().set_vacation(vacation)

    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """`NeedsApproval` for an event with guests; others are passed on."""
        if new.attendees:
            raise NeedsApproval(NO_INVITING, argument="attendees")
        return await super().create_event(new)

    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        """`NeedsApproval` when it would tell the organizer."""
        if notify:
            raise NeedsApproval(NO_INVITING, argument="notify", hint="Set notify to false.")
        return await super().respond(event_id, response, comment=comment, notify=notify, propose=propose)

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """`NeedsApproval` when it would tell the guests."""
        if notify:
            raise NeedsApproval(NO_INVITING, argument="notify", hint="Set notify to false.")
        return await super().delete_event(event_id, notify=notify)
