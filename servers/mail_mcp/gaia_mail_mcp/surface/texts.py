"""Texts and structures of messages for the reading tools, beyond the fixed texts of the convention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gaia_email_registry.contract.wire import AttachmentInfo, Email, Summary
from gaia_mail.html_shown import visible_text
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.read import parse_message, texts_as_written
from gaia_mail_mcp import convention
from gaia_mail_mcp.convention import ReadableEmail
from gaia_mail_mcp.mailbox import IdPage, StoredMessage

MOST_OF_ONE = 400_000
"""Most characters of a message's text, and of its HTML, in a result; half as many for all its headers."""

_SHORT = 500
"""Longest plain text that may be just a note to view the message as HTML."""

_NOTE = lazy_pattern(r"(?i)\bhtml\b|\bbrowser\b|\be?-?mail[ -](?:client|program|reader|software)\b")

BETWEEN = "\n\n----------\n\n"
"""Separator between several messages shown in full."""


def readable(stored: StoredMessage) -> tuple[Email, ReadableEmail]:
    """Return a stored message as an `Email` with `format: full`, and as it is shown."""
    message = parse_message(stored.raw or b"")
    attachments = attachment_infos(message)
    email = email_of(stored.summary)
    text, html = message.text[:MOST_OF_ONE], message.html[:MOST_OF_ONE]
    email["headers"] = _headers(message)
    email["text"] = text
    email["attachments"] = attachments
    email["defects"] = [*message.defects, *left_out(stored)]
    if html:
        email["html"] = html
    cut = [
        name
        for name, whole, kept in (("text", message.text, text), ("html", message.html, html))
        if len(kept) < len(whole)
    ]
    if cut:
        email["cut"] = cut
    plain = bool(message.text) and not _is_stub(message.text, message.html)
    shown = ReadableEmail(
        thread_id=stored.summary["thread_id"],
        subject=message.subject,
        sender=message.headers.get("from", ""),
        to=message.headers.get("to", ""),
        date=message.headers.get("date", ""),
        body=text if plain else html,
        html_only=bool(message.html) and not plain,
        attachments=attachments,
    )
    return email, shown


def as_written(email: ReadableEmail, raw: bytes) -> ReadableEmail:
    """Return a copy with the body exactly as the archived server shows it, with the message's own line ends."""
    text, html = texts_as_written(raw)
    body = html if email.html_only else text
    return replace(email, body=body[:MOST_OF_ONE]) if body.strip() else email


def _is_stub(text: str, html: str) -> bool:
    """Return True if a plain text is empty or just a note to view the message as HTML."""
    if not html:
        return False
    if not text.strip():
        return True
    if len(text) > _SHORT or _NOTE.search(text) is None:
        return False
    return len(visible_text(html)) > len(text)


def left_out(stored: StoredMessage) -> list[str]:
    """Return a note about a message that was too large to be read completely."""
    if not stored.left_out:
        return []
    read = len(stored.raw or b"")
    return [f"the message has {read + stored.left_out:,} bytes; only the first {read:,} were read"]


def email_of(summary: Summary) -> Email:
    """Return a new `Email` with only the summary."""
    return {
        "id": summary["id"],
        "account": summary["account"],
        "thread_id": summary["thread_id"],
        "message_id": summary["message_id"],
        "subject": summary["subject"],
        "from": summary["from"],
        "to": summary["to"],
        "cc": summary["cc"],
        "date": summary["date"],
        "snippet": summary["snippet"],
        "labels": summary["labels"],
        "flags": summary["flags"],
        "size": summary["size"],
        "has_attachments": summary["has_attachments"],
    }


def attachment_infos(message: ParsedMessage) -> list[AttachmentInfo]:
    """Return the attachments without their content."""
    return [
        {"id": part.id, "filename": part.filename, "content_type": part.content_type, "size": part.size}
        for part in message.attachments
    ]


def cut_body(email: ReadableEmail, limit: int | None) -> ReadableEmail:
    """Return a copy with at most `limit` characters of body and a note about the rest; None keeps all of it."""
    if limit is None or len(email.body) <= limit:
        return email
    more = len(email.body) - limit
    return replace(email, body=f"{email.body[:limit]}\n[{more} more characters]")


def summaries(emails: Sequence[Summary], next_cursor: str | None) -> str:
    """Return one block per message, separated by blank lines, and how to get the next page."""
    blocks = [
        f"ID: {email['id']}\nThread ID: {email['thread_id']}\n"
        f"Subject: {convention.one_line(email['subject'])}\n"
        f"From: {convention.one_line(convention.address(email))}\nDate: {email['date']}\n"
        f"Labels: {', '.join(email['labels'])}\n"
        for email in emails
    ]
    if next_cursor is not None:
        blocks.append(f"Next cursor: {next_cursor}\n")
    return "\n".join(blocks) if blocks else "No messages."


def with_more(shown: str, count: int, page: IdPage) -> str:
    """Add the number of hits and how to get the next page; the last page is unchanged."""
    if page.next_cursor is None:
        return shown
    total = f"{page.total:,}" if page.exact else f"at least {page.total:,}"
    return f"{shown}\n{count:,} of {total} shown. For more, repeat the search with pageToken: {page.next_cursor}\n"


def amount(email: Email) -> int:
    """Return the characters of a message in a structured result, ignoring its short lists."""
    headers = email.get("headers", {})
    return (
        len(email.get("text", ""))
        + len(email.get("html", ""))
        + sum(len(name) + sum(map(len, values)) for name, values in headers.items())
    )


def with_cut(shown: str, email: Email) -> str:
    """Add how to get the rest of a message that was cut."""
    if not email.get("cut"):
        return shown
    return f"{shown}\n\n[This message is longer than shown; read_emails with format raw gives all of it.]"


def with_left_out(shown: str, left_out: Sequence[str]) -> str:
    """Add how to get the messages for which there was no room."""
    if not left_out:
        return shown
    first = ", ".join(convention.one_line(message_id)[:200] for message_id in left_out[:100])
    more = f" and {len(left_out) - 100} more (structuredContent, left_out)" if len(left_out) > 100 else ""
    return f"{shown}\n\nLeft out, because the answer would be too long; read them with read_emails: {first}{more}"


def _headers(message: ParsedMessage) -> dict[str, list[str]]:
    """Return the headers by name, as many as fit."""
    headers: dict[str, list[str]] = {}
    left = MOST_OF_ONE // 2
    for name, values in message.headers.group_by_name():
        left -= len(name) + sum(map(len, values))
        if left < 0:
            break
        headers[name] = list(values)
    return headers


def with_missing(shown: str, missing: Sequence[str]) -> str:
    """Add the ids that do not exist."""
    if not missing:
        return shown
    names = ", ".join(convention.one_line(message_id)[:200] for message_id in missing)
    return f"{shown}\n\nNot found: {names}"
