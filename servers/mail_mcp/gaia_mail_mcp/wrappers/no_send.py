"""A mailbox from which nothing is sent. Entry point: `NoSend`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.wrappers.base import MailboxWrapper

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria

_REFUSAL = "This server was started with --no-send; save a draft instead and send it yourself."


class NoSend(MailboxWrapper):
    """Refuses `send` and `send_draft`, an unsubscribe, and a filter that forwards; drafts are still possible."""

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

    async def unsubscribe(self, message_id: str) -> None:
        """Always `NeedsApproval`."""
        raise NeedsApproval(_REFUSAL)
