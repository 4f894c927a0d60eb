"""A message as the replica keeps it, made of Graph's resource. Entries: `ReplicaRow`, `row_of`, `SELECTED`.

Headers are read by the reader that every server shares, so a message has the same summary whoever serves it.
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
"""The property of a message's size (PidTagMessageSize), which Graph's message resource lacks."""

SELECTED = {
    "$select": "parentFolderId,conversationId,internetMessageId,subject,from,toRecipients,ccRecipients,bccRecipients,"
    "receivedDateTime,sentDateTime,bodyPreview,hasAttachments,isRead,isDraft,flag,importance,categories,"
    "internetMessageHeaders",
    "$expand": f"singleValueExtendedProperties($filter=id eq '{SIZE}')",
}
"""What a row is made of; no body."""

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
"""What Graph gives of every message whose `SELECTED` properties are asked for, though as null."""

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
"""What header facts are made of, all together: one of them by itself does not say them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaRow:
    """One message: where it is, its marks, and what lists show of it."""

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
        """What of it can change, as far as labels show it."""
        return (self.folder, self.read, self.flagged, self.important, self.draft, self.categories)

    def header(self) -> HeaderFacts:
        """Its header facts."""
        return HeaderFacts(**self.facts)

    def dumped(self) -> str:
        """As text for the replica."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def loaded(cls, text: str) -> ReplicaRow:
        """What `dumped` wrote."""
        found = json.loads(text)
        found["categories"] = tuple(found["categories"])
        return cls(**found)

    def changed(self, resource: Resource) -> ReplicaRow:
        """The same with what is told of its marks, its place and its text; what is not named is as it was.

        A property that is there and null is cleared. Of its headers `rewrites` says whether they are told of.
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
        """The message in a list."""
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
    """Whether it says all of a message; an item of delta may say only what changed, and a draft has no sender."""
    return resource.keys() >= _OF_ALL and ("from" in resource or resource["isDraft"] is True)


def rewrites(resource: Resource) -> bool:
    """Whether it tells of what header facts are made of, as where a draft was edited."""
    return not _WRITTEN.isdisjoint(resource)


def row_of(resource: Resource) -> ReplicaRow:
    """A whole message resource as a row."""
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
    ).changed(resource)


def _facts(resource: Resource) -> HeaderFacts:
    """By the header where there is one; Exchange keeps none of what was written here, so those by properties."""
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
    """Exchange writes the address in the place of a name that is missing."""
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
