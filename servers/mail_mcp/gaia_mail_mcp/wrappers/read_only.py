"""A mailbox that can only be read. Entry point: `ReadOnly`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.calendar import NewEvent, Response
from gaia_mail_mcp.mailbox import Applied, Capability, Draft, Unsubscribed
from gaia_mail_mcp.wrappers.base import MailboxWrapper

if TYPE_CHECKING:
    import datetime as dt

    from gaia_email_registry.contract.wire import (
        CalendarEvent,
        Filter,
        FilterAction,
        FilterCriteria,
        Label,
        Vacation,
    )


def _refuse() -> NoReturn:
    raise NeedsApproval(
        "This server is read-only; nothing was changed.", hint="start it without --read-only to allow changes"
    )


class ReadOnly(MailboxWrapper):
    """Refuses every change with `NeedsApproval` and declares no capability, so that no such tool is listed."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """None: all of them are about changing something."""
        return frozenset()

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """Refused."""
        _refuse()

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Refused."""
        _refuse()

    async def delete_label(self, label_id: str) -> Label:
        """Refused."""
        _refuse()

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> Applied:
        """Refused."""
        _refuse()

    async def trash(self, ids: Sequence[str]) -> Applied:
        """Refused."""
        _refuse()

    async def untrash(self, ids: Sequence[str]) -> Applied:
        """Refused."""
        _refuse()

    async def delete(self, ids: Sequence[str]) -> Applied:
        """Refused."""
        _refuse()

    async def snooze(self, ids: Sequence[str], until: str) -> Applied:
        """Refused."""
        _refuse()

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Refused."""
        _refuse()

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """Refused."""
        _refuse()

    async def delete_draft(self, draft_id: str) -> bytes:
        """Refused."""
        _refuse()

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Refused."""
        _refuse()

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Refused."""
        _refuse()

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """Refused."""
        _refuse()

    async def delete_filter(self, filter_id: str) -> Filter:
        """Refused."""
        _refuse()

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Refused."""
        _refuse()

    async def report_phishing(self, ids: Sequence[str]) -> None:
        """Refused."""
        _refuse()

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """Refused."""
        _refuse()

    async def create_event(self, new: NewEvent) -> CalendarEvent:
        """Refused."""
        _refuse()

    async def respond(
        self, event_id: str, response: Response, *, comment: str | None, notify: bool
    ) -> CalendarEvent:
        """Refused."""
        _refuse()

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """Refused."""
        _refuse()

    async def watch(self) -> dt.datetime:
        """Refused."""
        _refuse()

    async def unwatch(self) -> bool:
        """Refused."""
        _refuse()
