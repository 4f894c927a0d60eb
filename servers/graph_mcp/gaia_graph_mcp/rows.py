"""A message in the replica, built from Graph's resource. Entries: `ReplicaRow`, `row_of`, `SELECTED`.

Headers are parsed by code that all servers share, so a message has the same summary on every server.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from gaia_email_registry.contract.wire import Address, Summary
from gaia_graph_mcp.calls import Resource, is_object, objects
from gaia_mail.header_facts import MAX_ADDRESSES, HeaderFacts, facts_of, format_date, summary_of
from gaia_mail.mime.scan import normalize, summarize, top_fields
from gaia_mail_mcp.label_names import flags_of

SIZE = "Integer 0xe08"
"""Property of a message's size (PidTagMessageSize), which Graph's message resource lacks."""

SELECTED = {
    "$select": "parentFolderId,conversationId,internetMessageId,subject,from,toRecipients,ccRecipients,bccRecipients,"
    "receivedDateTime,sentDateTime,bodyPreview,hasAttachments,isRead,isDraft,flag,importance,categories,"
    "internetMessageHeaders",
    "$expand": f"singleValueExtendedProperties($filter=id eq '{SIZE}')",
}
"""Properties needed for a row, without the body."""

_OF_ALL = frozenset(
    {
        "parentFolderId",
        "conversationId",
        "subject",
        "toRecipients",
        "receivedDateTime",
        "bodyPreview",
        "hasAttachments",
        "isRead",
        "isDraft",
        "flag",
        "importance",
        "categories",
    }
)
"""Properties that Graph returns for every message if `SELECTED` is requested, even if null."""

_WRITTEN = frozenset(
    {
        "internetMessageId",
        "subject",
        "from",
        "toRecipients",
        "ccRecipients",
        "bccRecipients",
        "receivedDateTime",
        "sentDateTime",
        "internetMessageHeaders",
    }
)
"""Properties that header facts are built from; the facts need all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaRow:
    """One message: its folder, its marks and its fields in lists."""

    id: str
    folder: str
    conversation: str
    when: float
    facts: dict[str, Any]
    snippet: str
    size: int
    has_attachments: bool
    read: bool
    flagged: bool
    important: bool
    draft: bool
    categories: tuple[str, ...]

    @property
    def marks(self) -> tuple[object, ...]:
        """The fields that determine labels and can change."""
        return (self.folder, self.read, self.flagged, self.important, self.draft, self.categories)

    def header(self) -> HeaderFacts:
        """Return the header facts."""
        return HeaderFacts(**self.facts)

    def dump(self) -> str:
        """Serialize the row for the replica."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def load(cls, text: str) -> ReplicaRow:
        """Restore a row from what `dump` wrote."""
        found = json.loads(text)
        found["categories"] = tuple(found["categories"])
        return cls(**found)

    def merge(self, resource: Resource) -> ReplicaRow:
        """Return a copy with the marks, folder and text in the resource; a property that is missing stays as it was.

        A property that is null is cleared. Headers are not changed: check with `rewrites` whether the resource has any.
        """
        flag = resource.get("flag", {"flagStatus": "flagged" if self.flagged else ""})
        snippet = resource.get("bodyPreview", self.snippet) or ""
        return replace(
            self,
            id=str(resource.get("id") or self.id),
            folder=str(resource.get("parentFolderId") or self.folder),
            conversation=str(resource.get("conversationId") or self.conversation),
            snippet=" ".join(str(snippet).split()),
            size=_size(resource) if "singleValueExtendedProperties" in resource else self.size,
            has_attachments=bool(resource.get("hasAttachments", self.has_attachments)),
            read=bool(resource.get("isRead", self.read)),
            flagged=is_object(flag) and flag.get("flagStatus") == "flagged",
            important=resource["importance"] == "high" if "importance" in resource else self.important,
            draft=bool(resource.get("isDraft", self.draft)),
            categories=_categories(resource) if "categories" in resource else self.categories,
        )

    def summary(self, account: str, labels: list[str]) -> Summary:
        """Return the message's summary."""
        return summary_of(
            self.header(),
            message=self.id,
            account=account,
            thread=self.conversation,
            snippet=self.snippet,
            labels=labels,
            flags=flags_of(labels),
            size=self.size,
            has_attachments=self.has_attachments,
        )


def is_whole(resource: Resource) -> bool:
    """Return True if the resource describes a whole message: a delta item may be partial, and a draft has no sender."""
    return resource.keys() >= _OF_ALL and ("from" in resource or resource["isDraft"] is True)


def rewrites(resource: Resource) -> bool:
    """Return True if the resource contains properties of the headers, as after a draft was edited."""
    return not _WRITTEN.isdisjoint(resource)


def row_of(resource: Resource) -> ReplicaRow:
    """Convert a whole message resource to a row."""
    facts = _facts(resource)
    received = _instant(resource.get("receivedDateTime"))
    return ReplicaRow(
        id=str(resource["id"]),
        folder=str(resource.get("parentFolderId", "")),
        conversation=str(resource["id"]),
        when=_seconds(facts.date) or (received.timestamp() if received else 0.0),
        facts=facts._asdict(),
        snippet="",
        size=0,
        has_attachments=False,
        read=False,
        flagged=False,
        important=False,
        draft=False,
        categories=(),
    ).merge(resource)


def _facts(resource: Resource) -> HeaderFacts:
    """Read the header, if there is one. Exchange keeps none for messages written here: use their properties."""
    headers = objects(resource.get("internetMessageHeaders"))
    bcc = _people(resource, "bccRecipients")
    if any(str(one.get("name", "")).lower() == "from" for one in headers):
        lines = (f"{one.get('name')}: {_one_line(one.get('value'))}\r\n" for one in headers)
        head = "".join(lines).encode("utf-8", "replace") + b"\r\n"
        return facts_of(summarize(top_fields(normalize(head)[0])))._replace(bcc=bcc)
    sent = _instant(resource.get("sentDateTime"))
    sender = resource.get("from")
    return HeaderFacts(
        message_id=str(resource.get("internetMessageId") or ""),
        subject=str(resource.get("subject") or ""),
        date=format_date(sent),
        list_id="",
        sender=_person(sender) if is_object(sender) else Address(name="", address=""),
        to=_people(resource, "toRecipients"),
        cc=_people(resource, "ccRecipients"),
        bcc=bcc,
    )


def _people(resource: Resource, name: str) -> list[Address]:
    return [_person(one) for one in objects(resource.get(name))[:MAX_ADDRESSES]]


def _person(recipient: Resource) -> Address:
    """Convert a recipient; Exchange repeats the address as the name if that is missing."""
    found = recipient.get("emailAddress")
    if not is_object(found):
        return Address(name="", address="")
    name, address = str(found.get("name") or ""), str(found.get("address") or "")
    return Address(name="" if name == address else name, address=address)


def _categories(resource: Resource) -> tuple[str, ...]:
    found: object = resource["categories"]
    return tuple(map(str, cast(list[object], found))) if isinstance(found, list) else ()


def _size(resource: Resource) -> int:
    for one in objects(resource.get("singleValueExtendedProperties")):
        value = str(one.get("value", ""))
        if str(one.get("id", "")).lower() == SIZE.lower() and value.isascii() and value.isdigit():
            return int(value[:18])
    return 0


def _instant(text: object) -> dt.datetime | None:
    try:
        found = dt.datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=dt.UTC)


def _seconds(date: str) -> float:
    found = _instant(date)
    try:
        return found.timestamp() if found else 0.0
    except (OverflowError, ValueError):
        return 0.0


def _one_line(value: object) -> str:
    return str(value).replace("\r", " ").replace("\n", " ")
