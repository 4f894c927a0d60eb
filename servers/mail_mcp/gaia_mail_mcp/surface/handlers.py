"""Which handler does which tool: the surface's half of the contract's table. Entry: `HANDLERS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from gaia_mail_mcp.surface import (
    attachments,
    calendar,
    drafts,
    filters,
    labels,
    moving,
    reading,
    senders,
    sending,
    sync,
    vacation,
    watching,
)
from gaia_mail_mcp.surface.call import Bound, Surface


class Binds(Protocol):
    """A handler, whatever its input model."""

    def bind(self, surface: Surface, arguments: Mapping[str, object]) -> Bound:
        """Read the arguments; the call is ready to run."""
        ...


HANDLERS: Mapping[str, Binds] = {
    "send_email": sending.send_email,
    "draft_email": drafts.draft_email,
    "read_email": reading.read_email,
    "search_emails": reading.search_emails,
    "modify_email": moving.modify_email,
    "delete_email": moving.delete_email,
    "list_email_labels": labels.list_email_labels,
    "batch_modify_emails": moving.batch_modify_emails,
    "batch_delete_emails": moving.batch_delete_emails,
    "create_label": labels.create_label,
    "update_label": labels.update_label,
    "delete_label": labels.delete_label,
    "get_or_create_label": labels.get_or_create_label,
    "create_filter": filters.create_filter,
    "list_filters": filters.list_filters,
    "get_filter": filters.get_filter,
    "delete_filter": filters.delete_filter,
    "create_filter_from_template": filters.create_filter_from_template,
    "download_attachment": attachments.download_attachment,
    "list_emails": reading.list_emails,
    "read_emails": reading.read_emails,
    "get_thread": reading.get_thread,
    "get_attachment": attachments.get_attachment,
    "sync_emails": sync.sync_emails,
    "wait_for_changes": sync.wait_for_changes,
    "archive_email": moving.archive_email,
    "trash_email": moving.trash_email,
    "untrash_email": moving.untrash_email,
    "mark_read": moving.mark_read,
    "star_email": moving.star_email,
    "snooze_email": moving.snooze_email,
    "report_spam": moving.report_spam,
    "update_draft": drafts.update_draft,
    "list_drafts": drafts.list_drafts,
    "delete_draft": drafts.delete_draft,
    "reply_to_email": sending.reply_to_email,
    "forward_email": sending.forward_email,
    "send_draft": sending.send_draft,
    "unsubscribe": sending.unsubscribe,
    "list_send_as": senders.list_send_as,
    "get_vacation": vacation.get_vacation,
    "set_vacation": vacation.set_vacation,
    "list_calendar_events": calendar.list_calendar_events,
    "find_free_busy": calendar.find_free_busy,
    "create_calendar_event": calendar.create_calendar_event,
    "respond_to_invitation": calendar.respond_to_invitation,
    "delete_calendar_event": calendar.delete_calendar_event,
    "watch_mailbox": watching.watch_mailbox,
    "server_status": sync.server_status,
}
