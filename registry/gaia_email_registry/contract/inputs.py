"""What each tool takes, as pydantic models; imported when a tool is first called.

Names, types, enums, defaults and descriptions of the convention's 19 tools are those that Gmail MCP clients
were built against (Gmail-MCP-Server 1.1.11, `tools/list`). `arguments.py` reads a call into one.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from gaia_email_registry.contract.account_inputs import GetVacation as GetVacation
from gaia_email_registry.contract.account_inputs import ListSendAs as ListSendAs
from gaia_email_registry.contract.account_inputs import SetVacation as SetVacation
from gaia_email_registry.contract.arguments import read_arguments as read_arguments
from gaia_email_registry.contract.calendar_inputs import CreateCalendarEvent as CreateCalendarEvent
from gaia_email_registry.contract.calendar_inputs import DeleteCalendarEvent as DeleteCalendarEvent
from gaia_email_registry.contract.calendar_inputs import FindFreeBusy as FindFreeBusy
from gaia_email_registry.contract.calendar_inputs import ListCalendarEvents as ListCalendarEvents
from gaia_email_registry.contract.calendar_inputs import RespondToInvitation as RespondToInvitation
from gaia_email_registry.contract.calendar_inputs import WatchMailbox as WatchMailbox
from gaia_email_registry.contract.fields import (
    Confirm,
    Confirmed,
    Format,
    Id,
    Ids,
    LongText,
    Number,
    ShortText,
    Texts,
    from_json,
)
from gaia_email_registry.contract.fields import ConventionInput as ConventionInput
from gaia_email_registry.contract.fields import ToolInput as ToolInput

MimeType = Literal["text/plain", "text/html", "multipart/alternative"]


class _Compose(ConventionInput):
    to: Texts = Field(description="List of recipient email addresses")
    subject: ShortText = Field(description="Email subject")
    body: LongText = Field(
        description="Email body content (used for text/plain or when htmlBody not provided)"
    )
    html_body: LongText | None = Field(None, description="HTML version of the email body")
    mime_type: MimeType = Field("text/plain", description="Email content type")
    cc: Texts | None = Field(None, description="List of CC recipients")
    bcc: Texts | None = Field(None, description="List of BCC recipients")
    thread_id: Id | None = Field(None, description="Thread ID to reply to")
    in_reply_to: ShortText | None = Field(None, description="Message ID being replied to")
    attachments: Texts | None = Field(None, description="List of file paths to attach to the email")
    from_: ShortText | None = Field(None, alias="from")
    signature: bool = False


class SendEmail(_Compose, Confirmed):
    """Input of `send_email`."""


class DraftEmail(_Compose):
    """Input of `draft_email`; `raw` (base64url of RFC 5322 bytes) wins over the rest: what an undo sends."""

    raw: LongText | None = None


class ReadEmail(ConventionInput):
    """Input of `read_email`; `max_body_length` cuts the shown body at that many characters."""

    message_id: Id = Field(description="ID of the email message to retrieve")
    max_body_length: Number | None = None


class SearchEmails(ConventionInput):
    """Input of `search_emails`; `page_token` is the `next_cursor` of an earlier page."""

    query: ShortText = Field(description="Gmail search query (e.g., 'from:example@gmail.com')")
    max_results: Number | None = Field(None, description="Maximum number of results to return")
    page_token: Id | None = None


class ModifyEmail(ConventionInput, Confirmed):
    """Input of `modify_email`."""

    message_id: Id = Field(description="ID of the email message to modify")
    label_ids: Texts | None = Field(None, description="List of label IDs to apply")
    add_label_ids: Texts | None = Field(None, description="List of label IDs to add to the message")
    remove_label_ids: Texts | None = Field(None, description="List of label IDs to remove from the message")


class DeleteEmail(ConventionInput, Confirmed):
    """Input of `delete_email`; without `permanent` the message goes to Trash."""

    message_id: Id = Field(description="ID of the email message to delete")
    permanent: bool = False


class ListEmailLabels(ConventionInput):
    """Input of `list_email_labels`."""

    described: ClassVar[str] = "Retrieves all available Gmail labels"


class LabelChange(ToolInput):
    """What to add to and remove from one message."""

    add: Texts = Field([])
    remove: Texts = Field([])
    snooze_until: ShortText | None = None
    """Snooze it until then, after the labels: what an undo needs that brings a snooze back."""


class BatchModifyEmails(ConventionInput):
    """Input of `batch_modify_emails`.

    `per_message` maps an id to its own change, beside what all get: what an undo needs where messages
    differed before.
    """

    message_ids: Texts = Field(description="List of message IDs to modify")
    add_label_ids: Texts | None = Field(None, description="List of label IDs to add to all messages")
    remove_label_ids: Texts | None = Field(None, description="List of label IDs to remove from all messages")
    batch_size: Number = Field(50, description="Number of messages to process in each batch (default: 50)")
    per_message: Annotated[
        dict[Id, LabelChange] | None, BeforeValidator(from_json), WithJsonSchema({"type": "object"})
    ] = None
    confirm: Confirm = None


class BatchDeleteEmails(ConventionInput, Confirmed):
    """Input of `batch_delete_emails`; without `permanent` the messages go to Trash."""

    message_ids: Texts = Field(description="List of message IDs to delete")
    batch_size: Number = Field(50, description="Number of messages to process in each batch (default: 50)")
    permanent: bool = False


class _Visibility(ConventionInput):
    message_list_visibility: Literal["show", "hide"] | None = Field(
        None, description="Whether to show or hide the label in the message list"
    )
    label_list_visibility: Literal["labelShow", "labelShowIfUnread", "labelHide"] | None = Field(
        None, description="Visibility of the label in the label list"
    )


class CreateLabel(_Visibility):
    """Input of `create_label`."""

    described: ClassVar[str] = "Creates a new Gmail label"
    name: Id = Field(description="Name for the new label")


class UpdateLabel(_Visibility):
    """Input of `update_label`."""

    described: ClassVar[str] = "Updates an existing Gmail label"
    id: Id = Field(description="ID of the label to update")
    name: Id | None = Field(None, description="New name for the label")


class DeleteLabel(ConventionInput, Confirmed):
    """Input of `delete_label`; with `unused_only` a label that a message carries is refused."""

    described: ClassVar[str] = "Deletes a Gmail label"
    id: Id = Field(description="ID of the label to delete")
    unused_only: bool = False


class GetOrCreateLabel(_Visibility):
    """Input of `get_or_create_label`."""

    described: ClassVar[str] = "Gets an existing label by name or creates it if it doesn't exist"
    name: Id = Field(description="Name of the label to get or create")


class FilterCriteriaInput(ConventionInput):
    """What a filter matches."""

    from_: ShortText | None = Field(None, alias="from", description="Sender email address to match")
    to: ShortText | None = Field(None, description="Recipient email address to match")
    subject: ShortText | None = Field(None, description="Subject text to match")
    query: ShortText | None = Field(None, description="Gmail search query (e.g., 'has:attachment')")
    negated_query: ShortText | None = Field(None, description="Text that must NOT be present")
    has_attachment: bool | None = Field(None, description="Whether to match emails with attachments")
    exclude_chats: bool | None = Field(None, description="Whether to exclude chat messages")
    size: Number | None = Field(None, description="Email size in bytes")
    size_comparison: Literal["unspecified", "smaller", "larger"] | None = Field(
        None, description="Size comparison operator"
    )


class FilterActionInput(ConventionInput):
    """What a filter does."""

    add_label_ids: Texts | None = Field(None, description="Label IDs to add to matching emails")
    remove_label_ids: Texts | None = Field(None, description="Label IDs to remove from matching emails")
    forward: ShortText | None = Field(None, description="Email address to forward matching emails to")


class CreateFilter(ConventionInput, Confirmed):
    """Input of `create_filter`; with `dry_run` it is only told which messages it would match."""

    described: ClassVar[str] = "Creates a new Gmail filter"
    criteria: Annotated[FilterCriteriaInput, BeforeValidator(from_json)] = Field(
        description="Criteria for matching emails"
    )
    action: Annotated[FilterActionInput, BeforeValidator(from_json)] = Field(
        description="Actions to perform on matching emails"
    )
    dry_run: bool = False


class ListFilters(ConventionInput):
    """Input of `list_filters`."""

    described: ClassVar[str] = "Retrieves all Gmail filters"


class GetFilter(ConventionInput):
    """Input of `get_filter`."""

    described: ClassVar[str] = "Gets details of a specific Gmail filter"
    filter_id: Id = Field(description="ID of the filter to retrieve")


class DeleteFilter(ConventionInput, Confirmed):
    """Input of `delete_filter`."""

    described: ClassVar[str] = "Deletes a Gmail filter"
    filter_id: Id = Field(description="ID of the filter to delete")


class TemplateParameters(ConventionInput):
    """What a filter template is filled with."""

    sender_email: ShortText | None = Field(None, description="Sender email (for fromSender template)")
    subject_text: ShortText | None = Field(None, description="Subject text (for withSubject template)")
    search_text: ShortText | None = Field(
        None, description="Text to search for (for containingText template)"
    )
    list_identifier: ShortText | None = Field(
        None, description="Mailing list identifier (for mailingList template)"
    )
    size_in_bytes: Number | None = Field(
        None, description="Size threshold in bytes (for largeEmails template)"
    )
    label_ids: Texts | None = Field(None, description="Label IDs to apply")
    archive: bool | None = Field(None, description="Whether to archive (skip inbox)")
    mark_as_read: bool | None = Field(None, description="Whether to mark as read")
    mark_important: bool | None = Field(None, description="Whether to mark as important")


FilterTemplate = Literal[
    "fromSender", "withSubject", "withAttachments", "largeEmails", "containingText", "mailingList"
]


class CreateFilterFromTemplate(ConventionInput, Confirmed):
    """Input of `create_filter_from_template`."""

    described: ClassVar[str] = "Creates a filter using a pre-defined template"
    template: FilterTemplate = Field(description="Pre-defined filter template to use")
    parameters: Annotated[TemplateParameters, BeforeValidator(from_json)] = Field(
        description="Template-specific parameters"
    )
    dry_run: bool = False


class DownloadAttachment(ConventionInput):
    """Input of `download_attachment`; `save_path` is below the configured directory."""

    message_id: Id = Field(description="ID of the email message containing the attachment")
    attachment_id: Id = Field(description="ID of the attachment to download")
    filename: ShortText | None = Field(
        None, description="Filename to save the attachment as (if not provided, uses original filename)"
    )
    save_path: ShortText | None = Field(
        None, description="Directory path to save the attachment (defaults to current directory)"
    )


class ListEmails(ToolInput):
    """Input of `list_emails`; without label and query everything but Spam and Trash."""

    label: Id | None = Field(None, description="Label id, such as INBOX")
    query: ShortText | None = Field(None, description="Search in Gmail syntax")
    limit: int = Field(50, ge=1, le=1000, description="Messages a page")
    cursor: Id | None = Field(None, description="next_cursor of the page before")


class ReadEmails(ToolInput):
    """Input of `read_emails`."""

    ids: Ids = Field(description="Message ids")
    format: Format = Field("full", description="How much of each message; raw is base64url of its bytes")
    max_bytes: int | None = Field(None, ge=1_000, description="Bytes of each at most")


class GetThread(ToolInput):
    """Input of `get_thread`."""

    thread_id: Id = Field(description="Thread id of any message in it")
    format: Format = Field("full", description="How much of each message")


class GetAttachment(ToolInput):
    """Input of `get_attachment`."""

    message_id: Id = Field(description="Message id")
    attachment_id: Id = Field(description="Attachment id, as read_emails lists it")
    max_bytes: int = Field(1_000_000, ge=1, le=25_000_000, description="Bytes at most")


class SyncEmails(ToolInput):
    """Input of `sync_emails`."""

    cursor: Id | None = Field(None, description="Cursor of the last answer; none to start")
    limit: int = Field(500, ge=1, le=5000, description="Changes an answer")


class WaitForChanges(ToolInput):
    """Input of `wait_for_changes`."""

    cursor: Id | None = Field(None, description="Cursor of sync_emails; none for now")
    timeout_s: float = Field(60, ge=0, le=600, description="Seconds to wait at most")


class MessageIds(Confirmed):
    """Input of the tools that take nothing but messages."""

    ids: Ids = Field(description="Message ids")


class ReportSpam(MessageIds):
    """Input of `report_spam`."""

    phishing: bool = Field(False, description="Report them as phishing too")


class MarkRead(MessageIds):
    """Input of `mark_read`."""

    read: bool = Field(True, description="False marks as unread")


class StarEmail(MessageIds):
    """Input of `star_email`."""

    starred: bool = Field(True, description="False takes the star away")


class SnoozeEmail(MessageIds):
    """Input of `snooze_email`."""

    until: ShortText = Field(description="RFC 3339 time with offset, as in 2030-01-31T08:00:00+01:00")


class UpdateDraft(Confirmed):
    """Input of `update_draft`; what is not given stays. `raw` replaces all of it: what an undo sends."""

    empty_counts: ClassVar[frozenset[str]] = frozenset(
        {"to", "cc", "bcc", "subject", "body", "html_body", "attachments"}
    )
    draft_id: Id = Field(description="Draft id")
    to: Texts | None = Field(None, description="Recipients")
    cc: Texts | None = Field(None, description="Cc recipients")
    bcc: Texts | None = Field(None, description="Bcc recipients")
    subject: ShortText | None = Field(None, description="Subject")
    body: LongText | None = Field(None, description="Plain text")
    html_body: LongText | None = Field(None, description="HTML text")
    attachments: Texts | None = Field(None, description="Files that replace the attachments")
    from_: ShortText | None = Field(None, alias="from", description="Address to send as")
    raw: LongText | None = None


class ListDrafts(ToolInput):
    """Input of `list_drafts`."""

    limit: int = Field(50, ge=1, le=500, description="Drafts at most")


class DeleteDraft(Confirmed):
    """Input of `delete_draft`."""

    draft_id: Id = Field(description="Draft id")


class ReplyToEmail(Confirmed):
    """Input of `reply_to_email`; `auto_submitted` marks it as automatic, under the rules of RFC 3834."""

    message_id: Id = Field(description="Message to reply to")
    body: LongText = Field(description="What to write above the quote")
    reply_all: bool = Field(False, description="Also to everybody else on the message")
    cc: Texts | None = Field(None, description="More Cc recipients")
    attachments: Texts | None = Field(None, description="Files to attach")
    from_: ShortText | None = Field(None, alias="from", description="Address of list_send_as to send as")
    signature: bool = Field(False, description="Append its signature")
    draft: bool = Field(False, description="Store it as a draft instead of sending")
    auto_submitted: bool = False


class ForwardEmail(Confirmed):
    """Input of `forward_email`."""

    message_id: Id = Field(description="Message to forward")
    to: Texts = Field(description="Recipients")
    body: LongText = Field("", description="What to write above it")
    from_: ShortText | None = Field(None, alias="from", description="Address of list_send_as to send as")
    signature: bool = Field(False, description="Append its signature")
    draft: bool = Field(False, description="Store it as a draft instead of sending")


class SendDraft(Confirmed):
    """Input of `send_draft`."""

    draft_id: Id = Field(description="Draft id")


class Unsubscribe(Confirmed):
    """Input of `unsubscribe`."""

    message_id: Id = Field(description="A message of the list")


class ServerStatus(ToolInput):
    """Input of `server_status`."""
