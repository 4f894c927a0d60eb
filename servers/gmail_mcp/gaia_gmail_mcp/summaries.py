"""Converts Gmail's message resources to our summaries. Entries: `summary_of`, `summary_of_raw`."""

from __future__ import annotations

import base64
import binascii
import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gaia_gmail_mcp.calls import GmailCall, Resource, get
from gaia_gmail_mcp.units import Units
from gaia_mail.header_facts import facts_of
from gaia_mail.header_facts import summary_of as summary_of_facts
from gaia_mail.mime.scan import normalize, summarize, top_fields
from gaia_mail.mime.words import decode_words
from gaia_mail.snippet import glance
from gaia_mail_mcp.label_names import flags_of
from gaia_mail_mcp.mailbox import OriginalHeaders

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary

_HEADERS = ("From", "To", "Cc", "Subject", "Date", "Message-ID")
_METADATA = "id,threadId,labelIds,snippet,sizeEstimate,payload(mimeType,headers)"
_RAW = "id,threadId,labelIds,raw"


def metadata_call(message_id: str) -> GmailCall:
    """Return the call that reads the fields of a summary."""
    query = {"format": "metadata", "metadataHeaders": _HEADERS}
    return get("messages", message_id, units=Units.MESSAGE, query=query, fields=_METADATA)


def raw_call(message_id: str) -> GmailCall:
    """Return the call that reads the whole message."""
    return get("messages", message_id, units=Units.MESSAGE, query={"format": "raw"}, fields=_RAW)


def raw_of(resource: Resource) -> bytes:
    """Decode the RFC 5322 bytes of a message; empty if they cannot be decoded."""
    text: str = resource.get("raw", "")
    try:
        return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return b""


def summary_of(resource: Resource, account: str) -> tuple[Summary, OriginalHeaders]:
    """Build a summary from metadata, which lists no parts: `multipart/mixed` counts as having attachments."""
    payload: Resource = resource.get("payload", {})
    lines = (f"{item['name']}: {_one_line(item['value'])}\r\n" for item in payload.get("headers", ()))
    head = "".join(lines).encode("utf-8", "surrogateescape") + b"\r\n"
    found, written = _summary(head, resource, account)
    found["snippet"] = html.unescape(resource.get("snippet", ""))
    found["size"] = int(resource.get("sizeEstimate", 0))
    found["has_attachments"] = payload.get("mimeType") == "multipart/mixed"
    return found, written


def summary_of_raw(resource: Resource, raw: bytes, account: str) -> tuple[Summary, OriginalHeaders]:
    """Build an exact summary from the whole message."""
    found, written = _summary(raw, resource, account)
    found["snippet"], found["has_attachments"] = glance(raw)
    found["size"] = len(raw)
    return found, written


def with_labels(summary: Summary, labels: Iterable[str]) -> Summary:
    """Return a copy of the summary with other labels."""
    found = summary.copy()
    found["labels"] = sorted(labels)
    found["flags"] = flags_of(found["labels"])
    return found


def _summary(raw: bytes, resource: Resource, account: str) -> tuple[Summary, OriginalHeaders]:
    labels: list[str] = sorted(resource.get("labelIds", ()))
    fields = top_fields(normalize(raw)[0])
    summary = summary_of_facts(
        facts_of(summarize(fields)),
        message=resource["id"],
        account=account,
        thread=str(resource.get("threadId") or resource["id"]),
        snippet="",
        labels=labels,
        flags=flags_of(labels),
        size=0,
        has_attachments=False,
    )
    sender, date = (decode_words(fields.first.get(name, "")) for name in ("from", "date"))
    return summary, OriginalHeaders(sender=sender, date=date)


def _one_line(value: str) -> str:
    return value.replace("\r", " ").replace("\n", " ")
