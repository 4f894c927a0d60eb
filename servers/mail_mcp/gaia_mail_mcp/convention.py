"""Result texts of the Gmail convention, as pure functions named like the tools.

Clients and prompts were written for the results of Gmail-MCP-Server 1.1.11, so wording, punctuation and line ends are
kept exactly. Its defects are not: `Type: undefined`, filters that are never found, and "found existing" for a label
that was just created.
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
    """Fields of a message in `read_email`; `html_only` puts the note before the body."""

    thread_id: str
    subject: str
    sender: str
    to: str
    date: str
    body: str
    html_only: bool
    attachments: Sequence[AttachmentInfo]


def send_email(message_id: str) -> str:
    """Return the text for a sent message."""
    return f"Email sent successfully with ID: {message_id}"


def draft_email(draft_id: str) -> str:
    """Return the text for a stored draft."""
    return f"Email draft created successfully with ID: {draft_id}"


def read_email(email: ReadableEmail) -> str:
    """Return five header lines, the body, and the attachments if there are any."""
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
    """Round half up, as JavaScript does."""
    return (size + 512) // 1024


def search_emails(
    hits: Iterable[Summary], written: Mapping[str, OriginalHeaders] = MappingProxyType({})
) -> str:
    """Return one block per hit, separated by blank lines; empty if there are none.

    `written` contains, by id, the headers as the sender wrote them; without an entry they are built from the summary.
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
    """Format an RFC 3339 time like a Date header (RFC 5322 §3.3); any other text is unchanged."""
    try:
        return format_datetime(datetime.fromisoformat(date))
    except ValueError:
        return date


def address(hit: Summary) -> str:
    """Format the sender like a From header; empty if there is none."""
    sender = hit["from"]
    if sender["name"] and sender["address"]:
        return f"{sender['name']} <{sender['address']}>"
    return sender["address"] or sender["name"]


def modify_email(message_id: str) -> str:
    """Return the text for a message with changed labels."""
    return f"Email {message_id} labels updated successfully"


def delete_email(message_id: str) -> str:
    """Return the text for a message that was deleted or moved to Trash."""
    return f"Email {message_id} deleted successfully"


def list_email_labels(labels: Sequence[Label]) -> str:
    """Return the system labels, then the user's, each with id and name."""
    system = [label for label in labels if label["type"] == "system"]
    user = [label for label in labels if label["type"] != "system"]
    return (
        f"Found {len(labels)} labels ({len(system)} system, {len(user)} user):\n\n"
        f"System Labels:\n{_label_blocks(system)}\nUser Labels:\n{_label_blocks(user)}"
    )


def _label_blocks(labels: Iterable[Label]) -> str:
    return "\n".join(f"ID: {label['id']}\nName: {one_line(label['name'])}\n" for label in labels)


def batch_modify_emails(done: int, failed: Sequence[Failure]) -> str:
    """Return the number of changed messages and the failures."""
    return (
        f"Batch label modification complete.\nSuccessfully processed: {done} messages\n"
        f"{_failures('process', failed)}"
    )


def batch_delete_emails(done: int, failed: Sequence[Failure]) -> str:
    """Return the number of deleted messages and the failures."""
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
    """Return the text for a new label."""
    return f"Label created successfully:\n{_label(label)}"


def update_label(label: Label) -> str:
    """Return the text for a changed label."""
    return f"Label updated successfully:\n{_label(label)}"


def get_or_create_label(label: Label, *, created: bool) -> str:
    """Return the text for a label that was found or created."""
    how = "created new" if created else "found existing"
    return f"Successfully {how} label:\n{_label(label)}"


def _label(label: Label) -> str:
    return f"ID: {label['id']}\nName: {one_line(label['name'])}\nType: {label['type']}"


def delete_label(name: str) -> str:
    """Return the text for a deleted label."""
    return f'Label "{one_line(name)}" deleted successfully.'


def label_not_found(label_id: str) -> str:
    """Return the error for an unknown label, without `Error: `."""
    return f'Label with ID "{one_line(label_id)}" not found.'


def system_label_kept(label_id: str) -> str:
    """Return the error for deleting a system label, without `Error: `."""
    return f'Failed to delete label: Cannot delete system label with ID "{one_line(label_id)}".'


def create_filter(found: Filter) -> str:
    """Return the text for a new filter."""
    return f"Filter created successfully:\n{_filter(found)}"


def list_filters(filters: Sequence[Filter]) -> str:
    """Return all filters, separated by blank lines."""
    if not filters:
        return "No filters found."
    return f"Found {len(filters)} filters:\n\n" + "\n".join(f"{_filter(found)}\n" for found in filters)


def get_filter(found: Filter) -> str:
    """Return the text for one filter."""
    return f"Filter details:\n{_filter(found)}"


def _filter(found: Filter) -> str:
    return f"ID: {found['id']}\nCriteria: {pairs(found['criteria'])}\nActions: {pairs(found['action'])}"


def pairs(values: FilterCriteria | FilterAction) -> str:
    """Return `key: value, key: value`, with booleans as in JSON; empty and unset values are left out."""
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
    """Return the text for a deleted filter."""
    return f'Filter "{one_line(filter_id)}" deleted successfully.'


def filter_not_found(filter_id: str) -> str:
    """Return the error for an unknown filter, without `Error: `."""
    return f'Filter with ID "{one_line(filter_id)}" not found.'


def create_filter_from_template(template: str, filter_id: str) -> str:
    """Return the text for a filter created from a template."""
    return f"Filter created from template '{template}':\nID: {filter_id}\nTemplate used: {template}"


def template_needs(parameter: str, template: str) -> str:
    """Return the error for a template without its parameter, without `Error: `."""
    return f"{parameter} is required for {template} template"


def download_attachment(filename: str, size: int, path: str) -> str:
    """Return the text for a saved attachment."""
    return (
        f"Attachment downloaded successfully:\nFile: {one_line(filename)}\nSize: {size} bytes\n"
        f"Saved to: {path}"
    )


def download_failed(message: str) -> str:
    """Return the error for an attachment that was not saved; it never starts with `Error: `."""
    return f"Failed to download attachment: {message}"


def recipient_invalid(given: str) -> str:
    """Return the error for an invalid recipient, without `Error: `."""
    return f"Recipient email address is invalid: {one_line(given)}"


def file_missing(path: str) -> str:
    """Return the error for a missing file to attach, without `Error: `."""
    return f"File does not exist: {one_line(path)}"


def error(message: str) -> str:
    """Return the text of any failed call except a download."""
    return f"Error: {message}"
