"""Which handler does which tool: the surface's half of the contract's table. Entry: `HANDLERS`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast

from gaia_mail_mcp.surface.call import BoundCall, Surface


class Binds(Protocol):
    """A handler, whatever its input model."""

    def bind(self, surface: Surface, arguments: Mapping[str, object]) -> BoundCall:
        """Read the arguments; the call is ready to run."""
        ...


_MODULES: Mapping[str, str] = {
    "send_email": "sending",
    "draft_email": "drafts",
    "read_email": "reading",
    "search_emails": "reading",
    "modify_email": "moving",
    "delete_email": "moving",
    "list_email_labels": "labels",
    "batch_modify_emails": "moving",
    "batch_delete_emails": "moving",
    "create_label": "labels",
    "update_label": "labels",
    "delete_label": "labels",
    "get_or_create_label": "labels",
    "create_filter": "filters",
    "list_filters": "filters",
    "get_filter": "filters",
    "delete_filter": "filters",
    "create_filter_from_template": "filters",
    "download_attachment": "attachments",
    "list_emails": "reading",
    "read_emails": "reading",
    "get_thread": "reading",
    "get_attachment": "attachments",
    "sync_emails": "sync",
    "wait_for_changes": "sync",
    "archive_email": "moving",
    "trash_email": "moving",
    "untrash_email": "moving",
    "mark_read": "moving",
    "star_email": "moving",
    "snooze_email": "moving",
    "report_spam": "moving",
    "update_draft": "drafts",
    "list_drafts": "drafts",
    "delete_draft": "drafts",
    "reply_to_email": "sending",
    "forward_email": "sending",
    "send_draft": "sending",
    "unsubscribe": "sending",
    "list_send_as": "senders",
    "get_vacation": "vacation",
    "set_vacation": "vacation",
    "list_calendar_events": "calendar",
    "find_free_busy": "calendar",
    "create_calendar_event": "calendar",
    "respond_to_invitation": "calendar",
    "delete_calendar_event": "calendar",
    "watch_mailbox": "watching",
    "server_status": "sync",
}
"""Tool → the module beside this one that has its handler, under the tool's own name."""


class _Handlers(Mapping[str, Binds]):
    """Imports a module when one of its tools is called: who lists mail needs nothing of what writes it."""

    def __getitem__(self, tool: str) -> Binds:
        return cast(Binds, getattr(import_module(f"gaia_mail_mcp.surface.{_MODULES[tool]}"), tool))

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


HANDLERS: Mapping[str, Binds] = _Handlers()
"""Every tool's handler."""
