"""The mail tool contract: every tool, its risk, requirements and reversal.

Entry: `TOOLS`, by name. Servers derive their tool lists and annotations from this table, the agent its gate. Input
models are in `inputs.py`, results in `wire.py`, both under the names used here; their JSON Schemas are in
`schemas.json`, so that listing tools builds none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sized
from dataclasses import dataclass
from functools import partial
from typing import Literal

RiskTier = Literal["read", "write", "destructive"]

MANY_MESSAGES = 100
"""A batch change of more messages is destructive: no one checks each of them."""

ASKS_ABOVE = 25
"""A server asks the user before a change of more messages, with any tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One tool of the contract.

    Attributes:
        name: Name used by clients.
        description: Its effect, for the client's model.
        risk: Its tier; `effective_risk` also considers the arguments.
        idempotent: True if a repeated call with the same arguments changes nothing more.
        capability: The required `gaia_mail_mcp.mailbox.Capability`; empty for reading.
        core: True for the 19 tools of the Gmail convention.
        handler: Module of the server framework's `surface` with its function, which has the tool's name.
        input: Name of its model in `inputs.py`.
        output: Name of its result in `wire.py`.
        reversed_by: The tool that its `undo` calls; empty if it cannot be reversed.
    """

    name: str
    description: str
    risk: RiskTier
    handler: str
    input: str
    output: str
    idempotent: bool = False
    capability: str = ""
    core: bool = False
    reversed_by: str = ""


def _tool(
    name: str,
    risk: RiskTier,
    handler: str,
    description: str,
    output: str,
    capability: str = "",
    reversed_by: str = "",
    model: str = "",
    *,
    core: bool = False,
) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=description,
        risk=risk,
        handler=handler,
        input=model or "".join(word.capitalize() for word in name.split("_")),
        output=output,
        idempotent=name in _IDEMPOTENT,
        capability=capability,
        core=core,
        reversed_by=reversed_by,
    )


_core = partial(_tool, core=True)

_IDEMPOTENT = frozenset(
    (
        *("modify_email", "batch_modify_emails", "update_label", "get_or_create_label", "archive_email"),
        *("trash_email", "untrash_email", "mark_read", "star_email", "snooze_email", "update_draft"),
        *("report_spam", "set_vacation", "respond_to_invitation", "watch_mailbox"),
    )
)

_CONVENTION = (
    _core("send_email", "destructive", "sending", "Sends a new email", "SendResult", "send"),
    _core("draft_email", "write", "drafts", "Draft a new email", "DraftResult", "drafts", "delete_draft"),
    _core("read_email", "read", "reading", "Retrieves the content of a specific email", "Email"),
    _core(
        "search_emails",
        "read",
        "reading",
        "Searches for emails using Gmail search syntax",
        "SearchEmailsResult",
    ),
    _core(
        "modify_email",
        "write",
        "moving",
        "Modifies email labels (move to different folders)",
        "WriteResult",
        "modify",
        "modify_email",
    ),
    _core(
        "delete_email",
        "destructive",
        "moving",
        "Moves an email to Trash, or deletes it for good where allowed",
        "WriteResult",
        "modify",
        "untrash_email",
    ),
    _core("list_email_labels", "read", "labels", "Retrieves all available Gmail labels", "LabelsResult"),
    _core(
        "batch_modify_emails",
        "write",
        "moving",
        "Modifies labels for multiple emails in batches",
        "WriteResult",
        "modify",
        "batch_modify_emails",
    ),
    _core(
        "batch_delete_emails",
        "destructive",
        "moving",
        "Moves emails to Trash, or deletes them for good where allowed",
        "WriteResult",
        "modify",
        "untrash_email",
    ),
    _core(
        "create_label",
        "write",
        "labels",
        "Creates a new Gmail label",
        "LabelResult",
        "labels",
        "delete_label",
    ),
    _core(
        "update_label",
        "write",
        "labels",
        "Updates an existing Gmail label",
        "LabelResult",
        "labels",
        "update_label",
    ),
    _core("delete_label", "destructive", "labels", "Deletes a Gmail label", "LabelResult", "labels"),
    _core(
        "get_or_create_label",
        "write",
        "labels",
        "Gets an existing label by name or creates it if it doesn't exist",
        "LabelResult",
        "labels",
        "delete_label",
    ),
    _core(
        "create_filter",
        "destructive",
        "filters",
        "Creates a new Gmail filter with custom criteria and actions",
        "FilterResult",
        "filters",
        "delete_filter",
    ),
    _core("list_filters", "read", "filters", "Retrieves all Gmail filters", "FiltersResult", "filters"),
    _core(
        "get_filter", "read", "filters", "Gets details of a specific Gmail filter", "FilterFound", "filters"
    ),
    _core(
        "delete_filter",
        "destructive",
        "filters",
        "Deletes a Gmail filter",
        "FilterResult",
        "filters",
        "create_filter",
    ),
    _core(
        "create_filter_from_template",
        "destructive",
        "filters",
        "Creates a filter using a pre-defined template for common scenarios",
        "FilterResult",
        "filters",
        "delete_filter",
    ),
    _core(
        "download_attachment",
        "write",
        "attachments",
        "Downloads an email attachment to a specified location",
        "DownloadResult",
    ),
)

_BEYOND = (
    _tool(
        "list_emails",
        "read",
        "reading",
        "A page of message summaries, newest first; give next_cursor back as cursor for the next page.",
        "ListEmailsResult",
    ),
    _tool(
        "read_emails",
        "read",
        "reading",
        "Many messages in one call: summary, full text with headers and attachments, or raw bytes.",
        "ReadEmailsResult",
    ),
    _tool("get_thread", "read", "reading", "A whole conversation, oldest message first.", "ThreadResult"),
    _tool(
        "get_attachment",
        "read",
        "attachments",
        "The content of an attachment: its text, or its bytes in base64url.",
        "AttachmentResult",
    ),
    _tool(
        "sync_emails",
        "read",
        "sync",
        "What was added, changed and removed since a cursor; without one, everything from the start. "
        "Call again with the new cursor while more is true.",
        "SyncResult",
    ),
    _tool(
        "wait_for_changes",
        "read",
        "sync",
        "Returns as soon as mail changed after the cursor, or when timeout_s is over.",
        "WaitResult",
    ),
    _tool(
        "archive_email",
        "write",
        "moving",
        "Takes messages out of the inbox.",
        "WriteResult",
        "modify",
        "batch_modify_emails",
        "MessageIds",
    ),
    _tool(
        "trash_email",
        "write",
        "moving",
        "Moves messages to Trash.",
        "WriteResult",
        "modify",
        "untrash_email",
        "MessageIds",
    ),
    _tool(
        "untrash_email",
        "write",
        "moving",
        "Takes messages out of Trash, back to where they were.",
        "WriteResult",
        "modify",
        "trash_email",
        "MessageIds",
    ),
    _tool(
        "mark_read",
        "write",
        "moving",
        "Marks messages as read or unread.",
        "WriteResult",
        "modify",
        "mark_read",
    ),
    _tool(
        "star_email",
        "write",
        "moving",
        "Stars messages, or takes the star away.",
        "WriteResult",
        "modify",
        "star_email",
    ),
    _tool(
        "snooze_email",
        "write",
        "moving",
        "Takes messages out of the inbox and brings them back, unread, at a given time.",
        "WriteResult",
        "snooze",
        "batch_modify_emails",
    ),
    _tool(
        "report_spam",
        "write",
        "moving",
        "Moves messages to Spam, and with phishing reports them as such where the provider takes reports.",
        "SpamResult",
        "report_spam",
        "batch_modify_emails",
    ),
    _tool(
        "update_draft",
        "write",
        "drafts",
        "Changes a draft; what is not given stays as it is.",
        "DraftResult",
        "drafts",
        "update_draft",
    ),
    _tool("list_drafts", "read", "drafts", "Drafts, newest first.", "DraftsResult", "drafts"),
    _tool("delete_draft", "write", "drafts", "Deletes a draft.", "WriteResult", "drafts", "draft_email"),
    _tool(
        "reply_to_email",
        "destructive",
        "sending",
        "Replies in the thread, quoting the message; with draft the reply is stored, not sent.",
        "DraftResult",
        "drafts",
        "delete_draft",
    ),
    _tool(
        "forward_email",
        "destructive",
        "sending",
        "Forwards a message with its attachments; with draft it is stored, not sent.",
        "DraftResult",
        "drafts",
        "delete_draft",
    ),
    _tool("send_draft", "destructive", "sending", "Sends a draft.", "SendResult", "send"),
    _tool(
        "unsubscribe",
        "destructive",
        "sending",
        "Leaves a mailing list through the one-click header of RFC 8058, never through a link in the text.",
        "UnsubscribeResult",
        "unsubscribe",
    ),
    _tool(
        "list_send_as",
        "read",
        "senders",
        "Addresses that mail can be sent as, with display names and signatures.",
        "SendAsResult",
        "send_as",
    ),
    _tool(
        "get_vacation",
        "read",
        "vacation",
        "The automatic answer to mail that arrives.",
        "VacationFound",
        "vacation",
    ),
    _tool(
        "set_vacation",
        "write",
        "vacation",
        "Switches the automatic answer on (asks first) or off; what is not given stays as it is.",
        "VacationResult",
        "vacation",
        "set_vacation",
    ),
    _tool(
        "list_calendar_events",
        "read",
        "calendar",
        "Events of a time span in order, each instance of a recurring one by itself, and which of them overlap.",
        "EventsResult",
        "calendar",
    ),
    _tool(
        "find_free_busy",
        "read",
        "calendar",
        "When people are busy, and when all of them are free.",
        "FreeBusyResult",
        "calendar",
    ),
    _tool(
        "create_calendar_event",
        "write",
        "calendar",
        "Puts an event into the calendar and says what it overlaps; inviting people asks first.",
        "EventResult",
        "calendar_write",
        "delete_calendar_event",
    ),
    _tool(
        "respond_to_invitation",
        "write",
        "calendar",
        "Accepts or declines an event; telling the organizer asks first.",
        "EventResult",
        "calendar_write",
        "respond_to_invitation",
    ),
    _tool(
        "delete_calendar_event",
        "destructive",
        "calendar",
        "Removes an event, or one instance of a recurring one.",
        "EventResult",
        "calendar_write",
        "create_calendar_event",
    ),
    _tool(
        "watch_mailbox",
        "write",
        "sync",
        "Has the provider push news of this mailbox, so that wait_for_changes wakes at once.",
        "WatchResult",
        "push",
        "watch_mailbox",
    ),
    _tool(
        "server_status",
        "read",
        "sync",
        "Account and what it holds, connection, quota, last sync and last errors of this server.",
        "StatusResult",
    ),
)

TOOLS: Mapping[str, ToolSpec] = {spec.name: spec for spec in (*_CONVENTION, *_BEYOND)}
"""Every tool a mail server can offer, the convention's 19 first."""


def effective_risk(name: str, arguments: Mapping[str, object]) -> RiskTier:
    """Return the tier of one call: the tool's own, raised or lowered by the arguments.

    `batch_modify_emails` on more than `MANY_MESSAGES` is destructive, as is sending mail to others: about an event, or
    as an automatic answer. A reply or forward that is only stored as a draft is a write, a dry run of a filter a read;
    deleting a label only if no message has it is a write. Raises `KeyError` for a tool that is not in the table.
    """
    risk = TOOLS[name].risk
    if name == "batch_modify_emails" and _count(arguments.get("messageIds")) > MANY_MESSAGES:
        return "destructive"
    if name in ("reply_to_email", "forward_email") and arguments.get("draft") is True:
        return "write"
    if name == "delete_label" and arguments.get("unusedOnly") is True:
        return "write"
    if name in ("create_filter", "create_filter_from_template") and arguments.get("dryRun") is True:
        return "read"
    if name == "create_calendar_event" and arguments.get("attendees"):
        return "destructive"
    if name == "set_vacation" and arguments.get("enabled") is not False:
        return "destructive"
    if name == "respond_to_invitation" and arguments.get("notify") is not False:
        return "destructive"
    return risk


def asks(name: str, arguments: Mapping[str, object]) -> bool:
    """Return True if a server asks the user before this call: it is destructive, or changes many messages.

    Raises `KeyError` for a tool that is not in the table.
    """
    risk = effective_risk(name, arguments)
    if risk == "read":
        return False
    most = max(_count(arguments.get(named)) for named in ("messageIds", "ids"))
    return risk == "destructive" or most > ASKS_ABOVE


_KEEPS = frozenset(("UNREAD", "STARRED", "IMPORTANT"))
"""Labels that are flags: removing them does not move a message."""

_PLACES = frozenset(("INBOX", "SPAM", "TRASH"))

MOVING = frozenset(("archive_email", "trash_email", "untrash_email", "report_spam", "snooze_email"))
"""Tools that always move their messages; a label change does so depending on the labels (`moves`)."""


def moves(added: Collection[str], removed: Collection[str]) -> bool:
    """Return True if a label change hides, moves or restores a message: it loses a label, or changes its place."""
    return not _PLACES.isdisjoint(added) or not _KEEPS.issuperset(removed)


def _count(ids: object) -> int:
    """Return the number of ids; for lists sent as JSON text, the commas give an upper bound."""
    if isinstance(ids, str):
        return ids.count(",") + 1
    return len(ids) if isinstance(ids, Sized) else 0
