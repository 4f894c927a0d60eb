"""Messages and folders as Graph writes them, read by Python's own email package. Entries: `message`, `folder`.

Shapes: https://learn.microsoft.com/graph/api/resources/message and .../mailfolder.
"""

from __future__ import annotations

import datetime as dt
import email.policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache
from typing import Any

from tests.graph.emulator.account import Account, Folder, Item

Json = dict[str, Any]
SIZE = "Integer 0xe08"


def parsed(raw: bytes) -> EmailMessage:
    """The message as Python reads it."""
    found = BytesParser(policy=email.policy.default).parsebytes(raw)
    assert isinstance(found, EmailMessage)
    return found


def etag_of(item: Item) -> str:
    """What changes with every change of it."""
    return f'W/"{item.changed}"'


@lru_cache(maxsize=4096)
def _read(raw: bytes) -> Json:
    """The properties that a message itself has, which nobody may change: a message is told again and again."""
    found = parsed(raw)
    date = _date(found)
    return {
        "internetMessageId": found.get("Message-ID"),
        "subject": found.get("Subject", ""),
        "from": _first(found, "From"),
        "sender": _first(found, "From"),
        "toRecipients": _people(found, "To"),
        "ccRecipients": _people(found, "Cc"),
        "bccRecipients": _people(found, "Bcc"),
        "receivedDateTime": date or "2026-03-02T00:00:00Z",
        "sentDateTime": date,
        "bodyPreview": _text(found)[:255],
        "hasAttachments": any(True for _ in found.iter_attachments()),
        "internetMessageHeaders": [
            {"name": name, "value": str(value)} for name, value in found.items() if name.lower() != "bcc"
        ],
    }


def message(item: Item, select: str = "", *, size: bool = False) -> Json:
    """A message resource with the properties of `$select`."""
    everything: Json = {
        "parentFolderId": item.folder,
        "conversationId": item.conversation,
        "isRead": item.read,
        "isDraft": item.draft,
        "flag": {"flagStatus": "flagged" if item.flagged else "notFlagged"},
        "importance": "high" if item.important else "normal",
        "categories": list(item.categories),
        **_read(item.raw),
    }
    wanted = [name for name in select.split(",") if name] or [
        name for name in everything if name != "internetMessageHeaders"
    ]
    answer: Json = {"@odata.etag": etag_of(item), "id": item.id}
    answer |= {name: everything[name] for name in wanted if name in everything}
    if size:
        answer["singleValueExtendedProperties"] = [{"id": SIZE, "value": str(len(item.raw))}]
    return answer


CHANGING = {
    "read": ("isRead",),
    "flagged": ("flag",),
    "important": ("importance",),
    "draft": ("isDraft",),
    "categories": ("categories",),
    "raw": (
        "subject",
        "from",
        "toRecipients",
        "ccRecipients",
        "bccRecipients",
        "bodyPreview",
        "hasAttachments",
        "internetMessageHeaders",
    ),
}
"""The properties that show a change of each of an item's."""


def changes_of(item: Item, known: int, select: str, *, size: bool) -> Json:
    """What delta tells of a message that was told before: its id, its folder, and what changed after `known`."""
    whole = message(item, select, size=size)
    changed = {name for name, at in item.last.items() if at > known}
    names = {"@odata.etag", "id", "parentFolderId", *(told for name in changed for told in CHANGING[name])}
    if "raw" in changed:
        names.add("singleValueExtendedProperties")
    return {name: value for name, value in whole.items() if name in names}


def folder(found: Folder, account: Account) -> Json:
    """A mailFolder resource."""
    inside = [item for item in account.items.values() if item.folder == found.id]
    return {
        "id": found.id,
        "displayName": found.name,
        "parentFolderId": found.parent,
        "childFolderCount": sum(one.parent == found.id for one in account.folders.values()),
        "totalItemCount": len(inside),
        "unreadItemCount": sum(not item.read for item in inside),
        "isHidden": False,
    }


def _date(found: EmailMessage) -> str | None:
    if not found.get("Date"):
        return None
    instant = parsedate_to_datetime(str(found["Date"]))
    return instant.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _people(found: EmailMessage, name: str) -> list[Json]:
    pairs = getaddresses([str(value) for value in found.get_all(name, [])])
    return [{"emailAddress": {"name": shown or address, "address": address}} for shown, address in pairs]


def _first(found: EmailMessage, name: str) -> Json | None:
    return next(iter(_people(found, name)), None)


def _text(found: EmailMessage) -> str:
    body = found.get_body(("plain", "html"))
    if body is None:
        return ""
    try:
        return str(body.get_content()).strip()
    except LookupError:  # a character set that nobody knows
        content = body.get_payload(decode=True)
        return content.decode("latin-1").strip() if isinstance(content, bytes) else ""
