"""A mailbox from which nothing is sent. Entry point: `NoSend`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.mailbox import Capability, Unsubscribed
from gaia_mail_mcp.wrappers.base import MailboxWrapper

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria, Vacation

_REFUSAL = "This server was started with --no-send; save a draft instead and send it yourself."


class NoSend(MailboxWrapper):
    """Refuses to send, to unsubscribe, to forward by a filter, to answer by itself; drafts are possible."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """All that sends nothing."""
        return self.inner.capabilities - {Capability.SEND, Capability.UNSUBSCRIBE}

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Always `NeedsApproval`."""
        raise NeedsApproval(_REFUSAL)

    async def send_draft(self, draft_id: str) -> str:
        """Always `NeedsApproval`."""
        raise NeedsApproval(_REFUSAL)

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """`NeedsApproval` for a filter that forwards mail; others are passed on."""
        if action.get("forward"):
            raise NeedsApproval(_REFUSAL, argument="action.forward")
        return await super().create_filter(criteria, action)

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Always `NeedsApproval`."""
        raise NeedsApproval(_REFUSAL)

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """`NeedsApproval` for one that answers; it can be switched off."""
        if vacation["enabled"]:
            raise NeedsApproval("This server was started with --no-send; an automatic answer would send.")
        return await super().set_vacation(vacation)
