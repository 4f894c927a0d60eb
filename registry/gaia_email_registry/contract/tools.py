"""The mail tool contract: every tool, how risky it is, what it needs and what takes it back.

Entry: `TOOLS`, by name. Servers derive what they list and the annotations from this table, the agent its
gate. Input models are in `inputs.py`, results in `wire.py`, both under the names given here; the JSON
Schemas made from them are in `schemas.json`, so that listing tools builds none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sized
from dataclasses import dataclass
from typing import Literal

RiskTier = Literal["read", "write", "destructive"]

MANY_MESSAGES = 100
"""A batch change of more messages than this counts as destructive: nobody looks at each of them."""

ASKS_ABOVE = 25
"""A server asks a person about a change of more messages than this, whichever tool makes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One tool of the contract.

    Attributes:
        name: As clients call it.
        description: What it does, for the client's model.
        risk: Its tier; `effective_risk` also looks at the arguments.
        idempotent: Whether calling it again with the same arguments changes nothing more.
        capability: The `gaia_mail_mcp.mailbox.Capability` a mailbox must have; empty for reading.
        core: Whether it belongs to the 19 tools of the Gmail convention.
        input: Name of its model in `inputs.py`.
        output: Name of its result in `wire.py`.
        reversed_by: The tool that its `undo` calls; empty where nothing reverses it.
    """

    name: str
    description: str
    risk: RiskTier
    input: str
    output: str
    idempotent: bool = False
    capability: str = ""
    core: bool = False
    reversed_by: str = ""


def _core(
    name: str, risk: RiskTier, description: str, output: str, capability: str = "", reversed_by: str = ""
) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=description,
        risk=risk,
        input="".join(word.capitalize() for word in name.split("_")),
        output=output,
        idempotent=name in _IDEMPOTENT,
        capability=capability,
        core=True,
        reversed_by=reversed_by,
    )


def _more(
    name: str,
    risk: RiskTier,
    description: str,
    output: str,
    capability: str = "",
    reversed_by: str = "",
    model: str = "",
) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=description,
        risk=risk,
        input=model or "".join(word.capitalize() for word in name.split("_")),
        output=output,
        idempotent=name in _IDEMPOTENT,
        capability=capability,
        reversed_by=reversed_by,
    )


NEUTRAL = {
    "Searches for emails using Gmail search syntax": "Searches for emails by words and operators such as from:, "
    "subject:, label:, has:attachment and newer_than:7d",
    "Gmail search query (e.g., 'from:example@gmail.com')": "Search query (e.g., 'from:ann@example.com')",
    "Gmail search query (e.g., 'has:attachment')": "Search query (e.g., 'has:attachment')",
    "Search in Gmail syntax": "Search query (e.g., 'from:ann@example.com has:attachment')",
    "Retrieves all available Gmail labels": "Retrieves all available labels",
    "Creates a new Gmail label": "Creates a new label",
    "Updates an existing Gmail label": "Updates an existing label",
    "Deletes a Gmail label": "Deletes a label",
    "Creates a new Gmail filter": "Creates a new filter",
    "Retrieves all Gmail filters": "Retrieves all filters",
    "Gets details of a specific Gmail filter": "Gets details of a specific filter",
    "Deletes a Gmail filter": "Deletes a filter",
}
"""Texts of the convention that name Gmail, and what servers of other mailboxes say instead."""


def neutral(text: str) -> str:
    """Return descriptions of the contract as the server of a mailbox that is not Gmail gives them."""
    for said, instead in NEUTRAL.items():
        text = text.replace(said, instead)
    return text


_IDEMPOTENT = frozenset(
    (
        "modify_email",
        "batch_modify_emails",
        "update_label",
        "get_or_create_label",
        "archive_email",
        "trash_email",
        "untrash_email",
        "mark_read",
        "star_email",
        "snooze_email",
        "update_draft",
        "report_spam",
        "set_vacation",
        "respond_to_invitation",
        "watch_mailbox",
    )
)

_CONVENTION = (
    _core("send_email", "destructive", "Sends a new email", "SendResult", "send"),
    _core("draft_email", "write", "Draft a new email", "DraftResult", "drafts", "delete_draft"),
    _core("read_email", "read", "Retrieves the content of a specific email", "Email"),
    _core("search_emails", "read", "Searches for emails using Gmail search syntax", "SearchEmailsResult"),
    _core(
        "modify_email",
        "write",
        "Modifies email labels (move to different folders)",
        "WriteResult",
        "modify",
        "modify_email",
    ),
    _core(
        "delete_email",
        "destructive",
        "Moves an email to Trash, or deletes it for good where allowed",
        "WriteResult",
        "modify",
        "untrash_email",
    ),
    _core("list_email_labels", "read", "Retrieves all available Gmail labels", "LabelsResult"),
    _core(
        "batch_modify_emails",
        "write",
        "Modifies labels for multiple emails in batches",
        "WriteResult",
        "modify",
        "batch_modify_emails",
    ),
    _core(
        "batch_delete_emails",
        "destructive",
        "Moves emails to Trash, or deletes them for good where allowed",
        "WriteResult",
        "modify",
        "untrash_email",
    ),
    _core("create_label", "write", "Creates a new Gmail label", "LabelResult", "labels", "delete_label"),
    _core(
        "update_label", "write", "Updates an existing Gmail label", "LabelResult", "labels", "update_label"
    ),
    _core("delete_label", "destructive", "Deletes a Gmail label", "LabelResult", "labels"),
    _core(
        "get_or_create_label",
        "write",
        "Gets an existing label by name or creates it if it doesn't exist",
        "LabelResult",
        "labels",
        "delete_label",
    ),
    _core(
        "create_filter",
        "destructive",
        "Creates a new Gmail filter with custom criteria and actions",
        "FilterResult",
        "filters",
        "delete_filter",
    ),
    _core("list_filters", "read", "Retrieves all Gmail filters", "FiltersResult", "filters"),
    _core("get_filter", "read", "Gets details of a specific Gmail filter", "FilterFound", "filters"),
    _core(
        "delete_filter", "destructive", "Deletes a Gmail filter", "FilterResult", "filters", "create_filter"
    ),
    _core(
        "create_filter_from_template",
        "destructive",
        "Creates a filter using a pre-defined template for common scenarios",
        "FilterResult",
        "filters",
        "delete_filter",
    ),
    _core(
        "download_attachment",
        "write",
        "Downloads an email attachment to a specified location",
        "DownloadResult",
    ),
)

_BEYOND = (
    _more(
        "list_emails",
        "read",
        "A page of message summaries, newest first; give next_cursor back as cursor for the next page.",
        "ListEmailsResult",
    ),
    _more(
        "read_emails",
        "read",
        "Many messages in one call: summary, full text with headers and attachments, or raw bytes.",
        "ReadEmailsResult",
    ),
    _more("get_thread", "read", "A whole conversation, oldest message first.", "ThreadResult"),
    _more(
        "get_attachment",
        "read",
        "The content of an attachment: its text, or its bytes in base64url.",
        "AttachmentResult",
    ),
    _more(
        "sync_emails",
        "read",
        "What was added, changed and removed since a cursor; without one, everything from the start. "
        "Call again with the new cursor while more is true.",
        "SyncResult",
    ),
    _more(
        "wait_for_changes",
        "read",
        "Returns as soon as mail changed after the cursor, or when timeout_s is over.",
        "WaitResult",
    ),
    _more(
        "archive_email",
        "write",
        "Takes messages out of the inbox.",
        "WriteResult",
        "modify",
        "batch_modify_emails",
        "MessageIds",
    ),
    _more(
        "trash_email",
        "write",
        "Moves messages to Trash.",
        "WriteResult",
        "modify",
        "untrash_email",
        "MessageIds",
    ),
    _more(
        "untrash_email",
        "write",
        "Takes messages out of Trash, back to where they were.",
        "WriteResult",
        "modify",
        "trash_email",
        "MessageIds",
    ),
    _more("mark_read", "write", "Marks messages as read or unread.", "WriteResult", "modify", "mark_read"),
    _more(
        "star_email",
        "write",
        "Stars messages, or takes the star away.",
        "WriteResult",
        "modify",
        "star_email",
    ),
    _more(
        "snooze_email",
        "write",
        "Takes messages out of the inbox and brings them back, unread, at a given time.",
        "WriteResult",
        "snooze",
        "batch_modify_emails",
    ),
    _more(
        "report_spam",
        "write",
        "Moves messages to Spam, and with phishing reports them as such where the provider takes reports.",
        "SpamResult",
        "report_spam",
        "batch_modify_emails",
    ),
    _more(
        "update_draft",
        "write",
        "Changes a draft; what is not given stays as it is.",
        "DraftResult",
        "drafts",
        "update_draft",
    ),
    _more("list_drafts", "read", "Drafts, newest first.", "DraftsResult", "drafts"),
    _more("delete_draft", "write", "Deletes a draft.", "WriteResult", "drafts", "draft_email"),
    _more(
        "reply_to_email",
        "destructive",
        "Replies in the thread, quoting the message; with draft the reply is stored, not sent.",
        "DraftResult",
        "drafts",
        "delete_draft",
    ),
    _more(
        "forward_email",
        "destructive",
        "Forwards a message with its attachments; with draft it is stored, not sent.",
        "DraftResult",
        "drafts",
        "delete_draft",
    ),
    _more("send_draft", "destructive", "Sends a draft.", "SendResult", "send"),
    _more(
        "unsubscribe",
        "destructive",
        "Leaves a mailing list through the one-click header of RFC 8058, never through a link in the text.",
        "UnsubscribeResult",
        "unsubscribe",
    ),
    _more(
        "list_send_as",
        "read",
        "Addresses that mail can be sent as, with display names and signatures.",
        "SendAsResult",
        "send_as",
    ),
    _more("get_vacation", "read", "The automatic answer to mail that arrives.", "VacationFound", "vacation"),
    _more(
        "set_vacation",
        "write",
        "Switches the automatic answer on (asks first) or off; what is not given stays as it is.",
        "VacationResult",
        "vacation",
        "set_vacation",
    ),
    _more(
        "list_calendar_events",
        "read",
        "Events of a time span in order, each instance of a recurring one by itself, and which of them overlap.",
        "EventsResult",
        "calendar",
    ),
    _more(
        "find_free_busy",
        "read",
        "When people are busy, and when all of them are free.",
        "FreeBusyResult",
        "calendar",
    ),
    _more(
        "create_calendar_event",
        "write",
        "Puts an event into the calendar and says what it overlaps; inviting people asks first.",
        "EventResult",
        "calendar_write",
        "delete_calendar_event",
    ),
    _more(
        "respond_to_invitation",
        "write",
        "Accepts or declines an event; telling the organizer asks first.",
        "EventResult",
        "calendar_write",
        "respond_to_invitation",
    ),
    _more(
        "delete_calendar_event",
        "destructive",
        "Removes an event, or one instance of a recurring one.",
        "EventResult",
        "calendar_write",
        "create_calendar_event",
    ),
    _more(
        "watch_mailbox",
        "write",
        "Has the provider push news of this mailbox, so that wait_for_changes wakes at once.",
        "WatchResult",
        "push",
        "watch_mailbox",
    ),
    _more(
        "server_status",
        "read",
        "Account and what it holds, connection, quota, last sync and last errors of this server.",
        "StatusResult",
    ),
)

TOOLS: Mapping[str, ToolSpec] = {spec.name: spec for spec in (*_CONVENTION, *_BEYOND)}
"""Every tool a mail server can offer, the convention's 19 first."""


def effective_risk(name: str, arguments: Mapping[str, object]) -> RiskTier:
    """The tier of one call: its tool's, but arguments can make a call more or less dangerous.

    `batch_modify_emails` on more than `MANY_MESSAGES` is destructive, and so is what sends mail to others: about an
    event, or in answer to whatever arrives. A reply or forward that is only stored as a draft is a write, a filter
    that is only tried a read; a label that is removed only where no message carries it is a write.
    `KeyError` for a tool that is not in the table.
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
    """Whether a server asks a person before this call: it is destructive, or it touches many messages at once.

    `KeyError` for a tool that is not in the table.
    """
    risk = effective_risk(name, arguments)
    if risk == "read":
        return False
    most = max(_count(arguments.get(named)) for named in ("messageIds", "ids"))
    return risk == "destructive" or most > ASKS_ABOVE


_KEEPS = frozenset(("UNREAD", "STARRED", "IMPORTANT"))
"""Labels that are flags: without them a message is where it was."""

_PLACES = frozenset(("INBOX", "SPAM", "TRASH"))

MOVING = frozenset(("archive_email", "trash_email", "untrash_email", "report_spam", "snooze_email"))
"""Tools that move every message they are given; of a change of labels it depends on the labels (`moves`)."""


def moves(added: Collection[str], removed: Collection[str]) -> bool:
    """Whether that change of labels hides, moves or brings back a message: it leaves a label, or changes its place."""
    return not _PLACES.isdisjoint(added) or not _KEEPS.issuperset(removed)


def _count(ids: object) -> int:
    """How many ids are given; clients also send lists as JSON text, where commas bound the number."""
    if isinstance(ids, str):
        return ids.count(",") + 1
    return len(ids) if isinstance(ids, Sized) else 0
