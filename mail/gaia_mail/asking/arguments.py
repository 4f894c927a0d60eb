"""Renders every argument of a tool call in the approval question, for servers and agent.

Entries: `require_renderers`, `argument_lines`. A call with an argument that has no renderer is refused: no one can
approve what a question omits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeGuard

from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.text import harmless

MOST = 2_000
"""Characters of a value shown on one line; a longer value ends with the number of omitted characters and its digest."""

QuestionPart = Literal[
    "people",
    "from",
    "subject",
    "text",
    "html",
    "files",
    "messages",
    "labels",
    "draft",
    "raw",
    "effect",
    "filter",
]
"""A part of the question that renders an argument specially; `effect` is its first sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentLine:
    """A line `label: value`. An argument equal to `usual` changes nothing and has no line."""

    label: str
    usual: object = None


Renderer: TypeAlias = "QuestionPart | ArgumentLine"


def _line(label: str, usual: object = None) -> ArgumentLine:
    return ArgumentLine(label=label, usual=usual)


_BATCH = {"batchSize": _line("Messages in a request", 50)}
_FORMATS: Mapping[str, Renderer] = {
    "to": "people",
    "cc": "people",
    "bcc": "people",
    "subject": "subject",
    "body": "text",
    "from": "from",
    "attachments": "files",
}
_COMPOSED: Mapping[str, Renderer] = {
    **_FORMATS,
    "htmlBody": "html",
    "mimeType": _line("Sent as", "text/plain"),
    "threadId": _line("Conversation ID"),
    "inReplyTo": _line("Answers the message"),
    "signature": _line("Adds your signature", False),
}
_ANSWERED: Mapping[str, Renderer] = {
    "message_id": "messages",
    "body": "text",
    "from": "from",
    "signature": _line("Adds your signature", False),
    "draft": "effect",
}
_VISIBILITY: Mapping[str, Renderer] = {
    "messageListVisibility": _line("In the list of messages"),
    "labelListVisibility": _line("In the list of labels"),
}
_FILTER: Mapping[str, Renderer] = {
    **{
        f"criteria.{name}": "filter"
        for name in (
            "from",
            "to",
            "subject",
            "query",
            "negatedQuery",
            "hasAttachment",
            "excludeChats",
            "size",
            "sizeComparison",
        )
    },
    "action.addLabelIds": "filter",
    "action.removeLabelIds": "filter",
    "action.forward": "people",
    "dryRun": _line("Only tries it", False),
}
_TEMPLATE: Mapping[str, Renderer] = {
    "template": _line("Template"),
    "parameters.senderEmail": _line("Sender"),
    "parameters.subjectText": _line("Subject contains"),
    "parameters.searchText": _line("Contains"),
    "parameters.listIdentifier": _line("Mailing list"),
    "parameters.sizeInBytes": _line("Larger than, in bytes"),
    "parameters.labelIds": _line("Label IDs"),
    "parameters.archive": _line("Takes it out of the inbox"),
    "parameters.markAsRead": _line("Marks it as read"),
    "parameters.markImportant": _line("Marks it as important"),
    "dryRun": _line("Only tries it", False),
}
_IDS: Mapping[str, Renderer] = {"ids": "messages"}

RENDERERS: Mapping[str, Mapping[str, Renderer]] = {
    "send_email": _COMPOSED,
    "draft_email": {**_COMPOSED, "raw": "raw"},
    "reply_to_email": {
        **_ANSWERED,
        "reply_all": _line("Answers everybody on the message", False),
        "cc": "people",
        "attachments": "files",
        "auto_submitted": _line("Marked as automatic", False),
    },
    "forward_email": {**_ANSWERED, "to": "people"},
    "send_draft": {"draft_id": "draft"},
    "update_draft": {**_FORMATS, "html_body": "html", "draft_id": "draft", "raw": "raw"},
    "delete_draft": {"draft_id": "draft"},
    "modify_email": {
        "messageId": "messages",
        "labelIds": "labels",
        "addLabelIds": "labels",
        "removeLabelIds": "labels",
    },
    "batch_modify_emails": {
        "messageIds": "messages",
        "addLabelIds": "labels",
        "removeLabelIds": "labels",
        "perMessage.*.add": "labels",
        "perMessage.*.remove": "labels",
        "perMessage.*.snooze_until": "labels",
        **_BATCH,
    },
    "delete_email": {"messageId": "messages", "permanent": "effect"},
    "batch_delete_emails": {"messageIds": "messages", "permanent": "effect", **_BATCH},
    "archive_email": _IDS,
    "trash_email": _IDS,
    "untrash_email": _IDS,
    "mark_read": {**_IDS, "read": "effect"},
    "star_email": {**_IDS, "starred": "effect"},
    "report_spam": {**_IDS, "phishing": "effect"},
    "snooze_email": {**_IDS, "until": "effect"},
    "unsubscribe": {"message_id": "messages"},
    "create_label": {"name": _line("Name"), **_VISIBILITY},
    "get_or_create_label": {"name": _line("Name"), **_VISIBILITY},
    "update_label": {"id": _line("Label ID"), "name": _line("New name"), **_VISIBILITY},
    "delete_label": {"id": _line("Label ID"), "unusedOnly": _line("Only if no message has it", False)},
    "create_filter": _FILTER,
    "create_filter_from_template": _TEMPLATE,
    "delete_filter": {"filterId": _line("Filter ID")},
    "download_attachment": {
        "messageId": "messages",
        "attachmentId": _line("Attachment ID"),
        "filename": _line("Saved as"),
        "savePath": _line("Folder"),
    },
    "set_vacation": {
        "enabled": "effect",
        "subject": "subject",
        "body": "text",
        "html_body": "html",
        "start": _line("Starts"),
        "end": _line("Ends"),
        "contacts_only": _line("Only to contacts"),
        "domain_only": _line("Only inside your organisation"),
    },
    "create_calendar_event": {
        "title": _line("Title"),
        "start": _line("Starts"),
        "end": _line("Ends"),
        "time_zone": _line("Time zone"),
        "location": _line("Place"),
        "description": "text",
        "attendees": "people",
        "event_id": _line("Brings back the event"),
    },
    "respond_to_invitation": {
        "event_id": _line("Event ID"),
        "message_id": "messages",
        "response": "effect",
        "comment": "text",
        "notify": "effect",
        "propose_start": _line("Asks for another time, from"),
        "propose_end": _line("Asks for another time, until"),
    },
    "delete_calendar_event": {"event_id": _line("Event ID"), "notify": "effect"},
    "watch_mailbox": {"watch": "effect"},
}
"""Tool → argument → renderer, for every tool that changes something. `perMessage.*` matches each message."""


def require_renderers(tool: str, arguments: Mapping[str, object]) -> None:
    """Refuse a call that a question cannot show completely.

    Raises:
        BadArgument: The tool or one of its arguments has no renderer.
    """
    known = RENDERERS.get(tool)
    if known is None:
        raise BadArgument(
            f"This version cannot show what {harmless(tool)[:60]} would do, so it is refused.",
            argument="tool",
        )
    for path, value in leaves(arguments):
        if path not in known and not (value in ({}, []) and _is_object(known, path)):
            raise BadArgument(
                f"This version cannot show the argument {harmless(path)[:60]} of {tool}, so the call is refused.",
                argument=path[:60],
            )


def _is_object(known: Mapping[str, Renderer], path: str) -> bool:
    return any(one.startswith(f"{path}.") for one in known)


def leaves(arguments: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield every value of a call with its path; a list of strings counts as one value, as does an empty object."""
    yield from _leaves(arguments, "")


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    if is_object(value) and (value or not path):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{'*' if path == 'perMessage' else name}".lstrip("."))
    elif _is_list(value) and any(is_object(one) or _is_list(one) for one in value):
        for one in value:
            yield from _leaves(one, f"{path}[]")
    else:
        yield path, value


def argument_lines(tool: str, arguments: Mapping[str, object]) -> list[str]:
    """Return the lines for arguments rendered as lines, in the order of the table."""
    given = dict(leaves(arguments))
    return [
        f"{renderer.label}: {shown_value(given[path])}"
        for path, renderer in RENDERERS[tool].items()
        if isinstance(renderer, ArgumentLine) and path in given and given[path] != renderer.usual
    ]


def shown_value(value: object) -> str:
    """Return a value as one line, unique per value: a digest covers omitted or escaped characters."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        return "yes" if value else "no"
    elif _is_list(value) and all(isinstance(one, str) for one in value):
        return ", ".join(_item(one) for one in value) or "(none)"
    else:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return cut(text) if text else "(empty)"


def _item(value: object) -> str:
    """Return one string of a list, quoted if it could pass for two."""
    text = str(value)
    return shown_value(json.dumps(text, ensure_ascii=False) if "," in text else text)


def cut(text: str, most: int = MOST) -> str:
    """Return `text` on one line; if it was cut or escaped, a digest of the whole text follows."""
    shown = harmless(text[:most])
    left = len(text) - most
    if left > 0:
        return f"{shown} [{left:,} more characters, SHA-256 {digest_of(text)}]"
    return shown if shown == text else f"{shown} [characters escaped, SHA-256 {digest_of(text)}]"


def digest_of(text: str) -> str:
    """Return the first 16 digits of a text's SHA-256: enough to tell two texts apart."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """Return True for a JSON object."""
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, (list, tuple))
