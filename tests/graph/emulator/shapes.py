"""Checks requests and answers against Microsoft's own types. Entry: `wrong_in`.

`microsoft_types.json` has the names of properties and values as msgraph-sdk 1.65 knows them; whoever asks for a
property, sends one or answers one that its type does not have is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

_KNOWN = json.loads((Path(__file__).parent / "microsoft_types.json").read_text(encoding="utf-8"))
TYPES: dict[str, list[str]] = _KNOWN["types"]
VALUES: dict[str, list[str]] = _KNOWN["values"]

INSIDE = {
    "from": "recipient",
    "sender": "recipient",
    "organizer": "recipient",
    "toRecipients": "recipient",
    "ccRecipients": "recipient",
    "bccRecipients": "recipient",
    "fromAddresses": "recipient",
    "sentToAddresses": "recipient",
    "forwardTo": "recipient",
    "emailAddress": "emailAddress",
    "flag": "followupFlag",
    "internetMessageHeaders": "internetMessageHeader",
    "singleValueExtendedProperties": "singleValueLegacyExtendedProperty",
    "attendees": "attendee",
    "responseStatus": "responseStatus",
    "location": "location",
    "body": "itemBody",
    "proposedNewTime": "timeSlot",
    "scheduleItems": "scheduleItem",
    "conditions": "messageRulePredicates",
    "exceptions": "messageRulePredicates",
    "actions": "messageRuleActions",
    "withinSizeRange": "sizeRange",
    "automaticRepliesSetting": "automaticRepliesSetting",
    "AttachmentItem": "attachmentItem",
    **dict.fromkeys(
        ("start", "end", "startTime", "endTime", "scheduledStartDateTime", "scheduledEndDateTime"),
        "dateTimeTimeZone",
    ),
}
"""Which type is behind a property."""

LIMITED = {
    "importance": "importance",
    "markImportance": "importance",
    "flagStatus": "followupFlagStatus",
    "response": "responseType",
    "showAs": "freeBusyStatus",
    "externalAudience": "externalAudienceScope",
    "contentType": "bodyType",
    "attachmentType": "attachmentType",
}
"""Which properties have few values; those of the same name elsewhere are free."""

ACTIONS = {
    "move": {"destinationId"},
    "accept": {"comment", "sendResponse"},
    "decline": {"comment", "sendResponse", "proposedNewTime"},
    "tentativelyAccept": {"comment", "sendResponse", "proposedNewTime"},
    "getSchedule": {"schedules", "startTime", "endTime", "availabilityViewInterval"},
    "createUploadSession": {"AttachmentItem"},
    "createReply": {"comment", "message"},
    "send": set[str](),
    "permanentDelete": set[str](),
}
_RESOURCES = (
    (r"/subscriptions(/[^/]+)?", "subscription"),
    (r".*/messageRules(/[^/]+)?", "messageRule"),
    (r".*/mailboxSettings", "mailboxSettings"),
    (r".*/automaticRepliesSetting", "automaticRepliesSetting"),
    (r".*/(calendarView|events(/[^/]+)?)", "event"),
    (r".*/getSchedule", "scheduleInformation"),
    (r".*/createUploadSession", "uploadSession"),
    (r".*/attachments", "fileAttachment"),
    (r".*/messages(/delta|/[^/]+|/[^/]+/move)?", "message"),
    (r".*/mailFolders(/delta|/[^/]+|/[^/]+/childFolders)?", "mailFolder"),
)


def wrong_in(path: str, query: dict[str, str], sent: bytes, answered: bytes) -> list[str]:
    """What of a request or an answer Microsoft has no name for; empty for what is not JSON."""
    kind = next((kind for pattern, kind in _RESOURCES if re.fullmatch(pattern, path)), "")
    last = path.rpartition("/")[2]
    found: list[str] = []
    request, answer = _parsed(sent), _parsed(answered)
    if last in ACTIONS:
        small = [name[:1].lower() + name[1:] if name not in ACTIONS[last] else name for name in request]
        found += [f"{path} takes no {name}" for name in small if name not in ACTIONS[last]]
        request = {name: value for name, value in request.items() if name in INSIDE}
        for name, value in request.items():
            found += _in(INSIDE[name], value)
    elif kind:
        found += _in(kind, request)
    if kind:
        found += [f"{kind} has no {name}" for name in _named(query) if name not in TYPES[kind]]
        found += [
            wrong for item in cast(list[Any], answer.get("value", [answer])) for wrong in _in(kind, item)
        ]
    return found


def _in(kind: str, value: object) -> Iterator[str]:
    if isinstance(value, list):
        for one in cast(list[object], value):
            yield from _in(kind, one)
        return
    for name, inner in cast(dict[str, object], value).items() if isinstance(value, dict) else ():
        if name.startswith("@") or name == "error":
            continue
        if name not in TYPES[kind]:
            yield f"{kind} has no {name}"
        elif name == "status" and kind == "attendee":
            yield from _in("responseStatus", inner)
        elif name in LIMITED and isinstance(inner, str) and kind != "fileAttachment":
            limited = VALUES[LIMITED[name]]
            if not (kind == "attachmentItem" and name == "contentType") and inner not in limited:
                yield f"{kind}.{name} is never {inner}"
        elif name in INSIDE:
            yield from _in(INSIDE[name], inner)


def _named(query: dict[str, str]) -> list[str]:
    return [name for name in query.get("$select", "").split(",") if name]


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        found: object = json.loads(body or b"{}")
    except ValueError:
        return {}
    return cast(dict[str, Any], found) if isinstance(found, dict) else {}
