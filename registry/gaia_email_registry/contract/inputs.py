"""Inputs of the tools as pydantic models, imported when a tool is first called.

Names, types, enums and defaults of the convention's 19 tools match those that Gmail MCP clients were built against
(Gmail-MCP-Server 1.1.11, `tools/list`). An argument has a description only if its name and type leave a question open,
because a model reads the list in every conversation. `arguments.py` parses calls into these models.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

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
    to: Texts
    subject: ShortText
    body: LongText = Field(description="Plain text")
    html_body: LongText | None = Field(None, description="HTML text")
    mime_type: MimeType = "text/plain"
    cc: Texts | None = None
    bcc: Texts | None = None
    thread_id: Id | None = Field(None, description="Thread to reply in")
    in_reply_to: ShortText | None = Field(None, description="Message replied to")
    attachments: Texts | None = Field(None, description="File paths")
    from_: ShortText | None = Field(None, alias="from")
    signature: bool = False


class SendEmail(_Compose, Confirmed):
    """Input of `send_email`."""


class DraftEmail(_Compose):
    """Input of `draft_email`; `raw` (base64url of RFC 5322 bytes) overrides the rest, for an undo."""

    raw: LongText | None = None


class ReadEmail(ConventionInput):
    """Input of `read_email`; `max_body_length` limits the body to that many characters."""

    message_id: Id
    max_body_length: Number | None = None


class SearchEmails(ConventionInput):
    """Input of `search_emails`; `page_token` is the `next_cursor` of an earlier page."""

    query: ShortText = Field(description="Gmail search query (e.g., 'from:example@gmail.com')")
    max_results: Number | None = None
    page_token: Id | None = Field(None, description="next_cursor of the page before")


class ModifyEmail(ConventionInput, Confirmed):
    """Input of `modify_email`."""

    message_id: Id
    label_ids: Texts | None = Field(None, description="Same as addLabelIds")
    add_label_ids: Texts | None = None
    remove_label_ids: Texts | None = None


class DeleteEmail(ConventionInput, Confirmed):
    """Input of `delete_email`; without `permanent` the message goes to Trash."""

    message_id: Id
    permanent: bool = False


class ListEmailLabels(ConventionInput):
    """Input of `list_email_labels`."""


class LabelChange(ToolInput):
    """Labels to add to and remove from one message."""

    add: Texts = Field([])
    remove: Texts = Field([])
    snooze_until: ShortText | None = None
    """Time to snooze it until, applied after the labels, for an undo that restores a snooze."""


class BatchModifyEmails(ConventionInput):
    """Input of `batch_modify_emails`.

    `per_message` maps an id to additional changes of its own, for an undo on messages that differed before.
    """

    message_ids: Texts
    add_label_ids: Texts | None = None
    remove_label_ids: Texts | None = None
    batch_size: Number = 50
    per_message: Annotated[
        dict[Id, LabelChange] | None, BeforeValidator(from_json), WithJsonSchema({"type": "object"})
    ] = None
    confirm: Confirm = None


class BatchDeleteEmails(ConventionInput, Confirmed):
    """Input of `batch_delete_emails`; without `permanent` the messages go to Trash."""

    message_ids: Texts
    batch_size: Number = 50
    permanent: bool = False


class _Visibility(ConventionInput):
    message_list_visibility: Literal["show", "hide"] | None = None
    label_list_visibility: Literal["labelShow", "labelShowIfUnread", "labelHide"] | None = None


class CreateLabel(_Visibility):
    """Input of `create_label`."""

    name: Id


class UpdateLabel(_Visibility):
    """Input of `update_label`."""

    id: Id
    name: Id | None = Field(None, description="New name")


class DeleteLabel(ConventionInput, Confirmed):
    """Input of `delete_label`; with `unused_only` a label in use is refused."""

    id: Id
    unused_only: bool = False


class GetOrCreateLabel(_Visibility):
    """Input of `get_or_create_label`."""

    name: Id


class FilterCriteriaInput(ConventionInput):
    """Criteria of a filter."""

    from_: ShortText | None = Field(None, alias="from")
    to: ShortText | None = None
    subject: ShortText | None = None
    query: ShortText | None = Field(None, description="Gmail search query (e.g., 'has:attachment')")
    negated_query: ShortText | None = Field(None, description="Must not match")
    has_attachment: bool | None = None
    exclude_chats: bool | None = None
    size: Number | None = Field(None, description="Bytes")
    size_comparison: Literal["unspecified", "smaller", "larger"] | None = None


class FilterActionInput(ConventionInput):
    """Action of a filter."""

    add_label_ids: Texts | None = None
    remove_label_ids: Texts | None = None
    forward: ShortText | None = Field(None, description="Address to forward to")


class CreateFilter(ConventionInput, Confirmed):
    """Input of `create_filter`; `dry_run` only counts the messages it would match."""

    criteria: Annotated[FilterCriteriaInput, BeforeValidator(from_json)]
    action: Annotated[FilterActionInput, BeforeValidator(from_json)]
    dry_run: bool = Field(False, description="Only count matches")


class ListFilters(ConventionInput):
    """Input of `list_filters`."""


class GetFilter(ConventionInput):
    """Input of `get_filter`."""

    filter_id: Id


class DeleteFilter(ConventionInput, Confirmed):
    """Input of `delete_filter`."""

    filter_id: Id


class TemplateParameters(ConventionInput):
    """Parameters of a filter template."""

    sender_email: ShortText | None = Field(None, description="For fromSender")
    subject_text: ShortText | None = Field(None, description="For withSubject")
    search_text: ShortText | None = Field(None, description="For containingText")
    list_identifier: ShortText | None = Field(None, description="For mailingList")
    size_in_bytes: Number | None = Field(None, description="For largeEmails")
    label_ids: Texts | None = Field(None, description="Labels to add")
    archive: bool | None = None
    mark_as_read: bool | None = None
    mark_important: bool | None = None


FilterTemplate = Literal[
    "fromSender", "withSubject", "withAttachments", "largeEmails", "containingText", "mailingList"
]


class CreateFilterFromTemplate(ConventionInput, Confirmed):
    """Input of `create_filter_from_template`."""

    template: FilterTemplate
    parameters: Annotated[TemplateParameters, BeforeValidator(from_json)]
    dry_run: bool = Field(False, description="Only count matches")


class DownloadAttachment(ConventionInput):
    """Input of `download_attachment`; `save_path` is below the configured directory."""

    message_id: Id
    attachment_id: Id
    filename: ShortText | None = Field(None, description="Default: its own")
    save_path: ShortText | None = Field(None, description="Directory below the one for downloads")


class ListEmails(ToolInput):
    """Input of `list_emails`; without label and query, everything except Spam and Trash."""

    label: Id | None = Field(None, description="Label id, such as INBOX")
    query: ShortText | None = Field(None, description="Search in Gmail syntax")
    limit: int = Field(50, ge=1, le=1000)
    cursor: Id | None = None


class ReadEmails(ToolInput):
    """Input of `read_emails`."""

    ids: Ids
    format: Format = Field("full", description="raw: base64url of its bytes")
    max_bytes: int | None = Field(None, ge=1_000, description="Size limit of each message")


class GetThread(ToolInput):
    """Input of `get_thread`."""

    thread_id: Id
    format: Format = "full"


class GetAttachment(ToolInput):
    """Input of `get_attachment`."""

    message_id: Id
    attachment_id: Id = Field(description="As read_emails lists it")
    max_bytes: int = Field(1_000_000, ge=1, le=25_000_000)


class SyncEmails(ToolInput):
    """Input of `sync_emails`."""

    cursor: Id | None = None
    limit: int = Field(500, ge=1, le=5000)


class WaitForChanges(ToolInput):
    """Input of `wait_for_changes`."""

    cursor: Id | None = Field(None, description="Cursor of sync_emails; none for now")
    timeout_s: float = Field(60, ge=0, le=600)


class MessageIds(Confirmed):
    """Input of tools that only take message ids."""

    ids: Ids


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
    """Input of `update_draft`; omitted fields stay unchanged. `raw` replaces the whole draft, for an undo."""

    empty_counts: ClassVar[frozenset[str]] = frozenset(
        {"to", "cc", "bcc", "subject", "body", "html_body", "attachments"}
    )
    draft_id: Id
    to: Texts | None = None
    cc: Texts | None = None
    bcc: Texts | None = None
    subject: ShortText | None = None
    body: LongText | None = Field(None, description="Plain text")
    html_body: LongText | None = Field(None, description="HTML text")
    attachments: Texts | None = Field(None, description="File paths that replace those there")
    from_: ShortText | None = Field(None, alias="from", description="One of list_send_as")
    raw: LongText | None = None


class ListDrafts(ToolInput):
    """Input of `list_drafts`."""

    limit: int = Field(50, ge=1, le=500)


class DeleteDraft(Confirmed):
    """Input of `delete_draft`."""

    draft_id: Id


class ReplyToEmail(Confirmed):
    """Input of `reply_to_email`; `auto_submitted` marks the reply as automatic, under the rules of RFC 3834."""

    message_id: Id
    body: LongText = Field(description="Text above the quote")
    reply_all: bool = False
    cc: Texts | None = Field(None, description="More Cc recipients")
    attachments: Texts | None = Field(None, description="Files to attach")
    from_: ShortText | None = Field(None, alias="from", description="One of list_send_as")
    signature: bool = False
    draft: bool = False
    auto_submitted: bool = False


class ForwardEmail(Confirmed):
    """Input of `forward_email`."""

    message_id: Id
    to: Texts
    body: LongText = Field("", description="Text above the forwarded message")
    from_: ShortText | None = Field(None, alias="from", description="One of list_send_as")
    signature: bool = False
    draft: bool = False


class SendDraft(Confirmed):
    """Input of `send_draft`."""

    draft_id: Id


class Unsubscribe(Confirmed):
    """Input of `unsubscribe`."""

    message_id: Id = Field(description="A message of the list")


class ServerStatus(ToolInput):
    """Input of `server_status`."""


class ListSendAs(ToolInput):
    """Input of `list_send_as`."""


class GetVacation(ToolInput):
    """Input of `get_vacation`."""


class SetVacation(Confirmed):
    """Input of `set_vacation`; omitted fields stay unchanged, an empty time removes it."""

    empty_counts: ClassVar[frozenset[str]] = frozenset({"subject", "body", "html_body", "start", "end"})
    enabled: bool
    subject: ShortText | None = None
    body: LongText | None = Field(None, description="Plain text")
    html_body: LongText | None = Field(None, description="HTML text; wins over body")
    start: ShortText | None = Field(None, description="RFC 3339 time; empty for none")
    end: ShortText | None = Field(None, description="The same")
    contacts_only: bool | None = Field(None, description="Only to contacts")
    domain_only: bool | None = Field(None, description="Only inside the organisation")
