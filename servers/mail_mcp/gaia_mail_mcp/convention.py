"""The exact result texts of the Gmail convention, as pure functions named like the tools.

Clients and prompts were written against what Gmail-MCP-Server 1.1.11 answers, so shape, punctuation and
line ends are kept to the letter; its defects (`Type: undefined`, filters that are never found, "found
existing" for a label that was just created) are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from types import MappingProxyType
from typing import TypeGuard

from gaia_email_registry.contract.wire import (
    AttachmentInfo,
    Failure,
    Filter,
    FilterAction,
    FilterCriteria,
    Label,
    Summary,
)
from gaia_mail.printable import one_line as one_line
from gaia_mail_mcp.mailbox import OriginalHeaders

HTML_NOTE = "[Note: This email is HTML-formatted. Plain text version not available.]\n\n"

_SHOWN_ID = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableEmail:
    """What `read_email` shows of a message; `html_only` puts the note before the body."""

    thread_id: str
    subject: str
    sender: str
    to: str
    date: str
    body: str
    html_only: bool
    attachments: Sequence[AttachmentInfo]


def send_email(message_id: str) -> str:
    """A message was sent."""
    return f"Email sent successfully with ID: {message_id}"


def draft_email(draft_id: str) -> str:
    """A draft was stored."""
    return f"Email draft created successfully with ID: {draft_id}"


def read_email(email: ReadableEmail) -> str:
    """Five header lines, the body, and the attachments if there are any."""
    head = (
        f"Thread ID: {one_line(email.thread_id)}\nSubject: {one_line(email.subject)}\n"
        f"From: {one_line(email.sender)}\nTo: {one_line(email.to)}\nDate: {one_line(email.date)}\n\n"
    )
    note = HTML_NOTE if email.html_only else ""
    return head + note + email.body + _attachments(email.attachments)


def _attachments(attachments: Sequence[AttachmentInfo]) -> str:
    if not attachments:
        return ""
    lines = "\n".join(
        f"- {one_line(item['filename']) or 'attachment-' + item['id']} "
        f"({one_line(item['content_type']) or 'application/octet-stream'}, "
        f"{_kilobytes(item['size'])} KB, ID: {item['id']})"
        for item in attachments
    )
    return f"\n\nAttachments ({len(attachments)}):\n{lines}"


def _kilobytes(size: int) -> int:
    """Rounded half up, as JavaScript does."""
    return (size + 512) // 1024


def search_emails(
    hits: Iterable[Summary], written: Mapping[str, OriginalHeaders] = MappingProxyType({})
) -> str:
    """A block a hit with a blank line between; empty when there is none.

    `written` has, by id, what is shown as the message has it; the rest is made from the summary.
    """
    return "\n".join(_hit(hit, written.get(hit["id"])) for hit in hits)


def _hit(hit: Summary, written: OriginalHeaders | None) -> str:
    sender = written.sender if written is not None else address(hit)
    date = written.date if written is not None else header_date(hit["date"])
    return (
        f"ID: {hit['id']}\nSubject: {one_line(hit['subject'])}\nFrom: {one_line(sender)}\n"
        f"Date: {one_line(date)}\n"
    )


def header_date(date: str) -> str:
    """An RFC 3339 time as a Date header writes it (RFC 5322 §3.3); anything else stays as it is."""
    try:
        return format_datetime(datetime.fromisoformat(date))
    except ValueError:
        return date


def address(hit: Summary) -> str:
    """The sender as a From header shows it; empty when there is none."""
    sender = hit["from"]
    if sender["name"] and sender["address"]:
        return f"{sender['name']} <{sender['address']}>"
    return sender["address"] or sender["name"]


def modify_email(message_id: str) -> str:
    """The labels of one message were changed."""
    return f"Email {message_id} labels updated successfully"


def delete_email(message_id: str) -> str:
    """A message was deleted, or moved to Trash."""
    return f"Email {message_id} deleted successfully"


def list_email_labels(labels: Sequence[Label]) -> str:
    """System labels first, then the user's, each with id and name."""
    system = [label for label in labels if label["type"] == "system"]
    user = [label for label in labels if label["type"] != "system"]
    return (
        f"Found {len(labels)} labels ({len(system)} system, {len(user)} user):\n\n"
        f"System Labels:\n{_label_blocks(system)}\nUser Labels:\n{_label_blocks(user)}"
    )


def _label_blocks(labels: Iterable[Label]) -> str:
    return "\n".join(f"ID: {label['id']}\nName: {one_line(label['name'])}\n" for label in labels)


def batch_modify_emails(done: int, failed: Sequence[Failure]) -> str:
    """How many messages were changed, and which were not."""
    return (
        f"Batch label modification complete.\nSuccessfully processed: {done} messages\n"
        f"{_failures('process', failed)}"
    )


def batch_delete_emails(done: int, failed: Sequence[Failure]) -> str:
    """How many messages were deleted, and which were not."""
    return (
        f"Batch delete operation complete.\nSuccessfully deleted: {done} messages\n"
        f"{_failures('delete', failed)}"
    )


def _failures(verb: str, failed: Sequence[Failure]) -> str:
    if not failed:
        return ""
    lines = "\n".join(f"- {item['id'][:_SHOWN_ID]}... ({one_line(item['error'])})" for item in failed)
    return f"Failed to {verb}: {len(failed)} messages\n\nFailed message IDs:\n{lines}"


def create_label(label: Label) -> str:
    """A label was created."""
    return f"Label created successfully:\n{_label(label)}"


def update_label(label: Label) -> str:
    """A label was changed."""
    return f"Label updated successfully:\n{_label(label)}"


def get_or_create_label(label: Label, *, created: bool) -> str:
    """A label, and whether it was there before."""
    how = "created new" if created else "found existing"
    return f"Successfully {how} label:\n{_label(label)}"


def _label(label: Label) -> str:
    return f"ID: {label['id']}\nName: {one_line(label['name'])}\nType: {label['type']}"


def delete_label(name: str) -> str:
    """A label was deleted."""
    return f'Label "{one_line(name)}" deleted successfully.'


def label_not_found(label_id: str) -> str:
    """No such label; the text after `Error: `."""
    return f'Label with ID "{one_line(label_id)}" not found.'


def system_label_kept(label_id: str) -> str:
    """A system label cannot be deleted; the text after `Error: `."""
    return f'Failed to delete label: Cannot delete system label with ID "{one_line(label_id)}".'


def create_filter(found: Filter) -> str:
    """A filter was created."""
    return f"Filter created successfully:\n{_filter(found)}"


def list_filters(filters: Sequence[Filter]) -> str:
    """Every filter with a blank line between."""
    if not filters:
        return "No filters found."
    return f"Found {len(filters)} filters:\n\n" + "\n".join(f"{_filter(found)}\n" for found in filters)


def get_filter(found: Filter) -> str:
    """One filter."""
    return f"Filter details:\n{_filter(found)}"


def _filter(found: Filter) -> str:
    return f"ID: {found['id']}\nCriteria: {pairs(found['criteria'])}\nActions: {pairs(found['action'])}"


def pairs(values: FilterCriteria | FilterAction) -> str:
    """`key: value, key: value`; what is empty or not set is left out, booleans are as JSON writes them."""
    entries: Mapping[str, object] = dict(values)
    return ", ".join(
        f"{key}: {_value(value)}" for key, value in entries.items() if value not in (None, "", [])
    )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if _is_list(value):
        return ", ".join(one_line(str(item)) for item in value)
    return one_line(str(value))


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def delete_filter(filter_id: str) -> str:
    """A filter was deleted."""
    return f'Filter "{one_line(filter_id)}" deleted successfully.'


def filter_not_found(filter_id: str) -> str:
    """No such filter; the text after `Error: `."""
    return f'Filter with ID "{one_line(filter_id)}" not found.'


def create_filter_from_template(template: str, filter_id: str) -> str:
    """A filter was created from a template."""
    return f"Filter created from template '{template}':\nID: {filter_id}\nTemplate used: {template}"


def template_needs(parameter: str, template: str) -> str:
    """A template lacks its parameter; the text after `Error: `."""
    return f"{parameter} is required for {template} template"


def download_attachment(filename: str, size: int, path: str) -> str:
    """An attachment was saved."""
    return (
        f"Attachment downloaded successfully:\nFile: {one_line(filename)}\nSize: {size} bytes\n"
        f"Saved to: {path}"
    )


def download_failed(message: str) -> str:
    """An attachment was not saved; this one has no `Error: ` before it."""
    return f"Failed to download attachment: {message}"


def recipient_invalid(given: str) -> str:
    """A recipient is not an address; the text after `Error: `."""
    return f"Recipient email address is invalid: {one_line(given)}"


def file_missing(path: str) -> str:
    """A file to attach is not there; the text after `Error: `."""
    return f"File does not exist: {one_line(path)}"


def error(message: str) -> str:
    """Any failed call but a download."""
    return f"Error: {message}"
