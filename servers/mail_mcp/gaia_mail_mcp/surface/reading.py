"""Tools that read messages: `read_email`, `search_emails`, `list_emails`, `read_emails`, `get_thread`."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import (
    Email,
    ListEmailsResult,
    ReadEmailsResult,
    SearchEmailsResult,
    ThreadResult,
)
from gaia_email_registry.errors import NotFound
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import IdPage, ReadFormat, StoredMessage
from gaia_mail_mcp.surface import texts
from gaia_mail_mcp.surface.amount import MOST_RAW, MOST_SHOWN, MOST_SUMMARIES, read_within
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles

DEFAULT_HITS = 10
MAX_HITS = 500


@handles(inputs.ReadEmail)
async def read_email(surface: Surface, given: inputs.ReadEmail) -> ToolReply:
    """Return one message, as the convention's text and as a full `Email`."""
    stored = await surface.mailbox.read([given.message_id], raw=True)
    if not stored:
        raise no_message(given.message_id)
    limit = int(given.max_body_length) if given.max_body_length and given.max_body_length >= 1 else None
    email, readable = texts.readable(stored[0])
    readable = texts.as_written(readable, stored[0].raw or b"")
    shown = convention.read_email(texts.cut_body(readable, limit))
    return ToolReply(text=texts.with_cut(shown, email), data=email)


@handles(inputs.SearchEmails)
async def search_emails(surface: Surface, given: inputs.SearchEmails) -> ToolReply:
    """Return a page of hits, newest first."""
    limit = min(max(int(given.max_results or DEFAULT_HITS), 1), MAX_HITS)
    page, found = await _page(surface, given.query, limit, given.page_token)
    emails = [item.summary for item in found]
    answer: SearchEmailsResult = {
        "emails": emails,
        "next_cursor": page.next_cursor,
        "total_estimate": page.total,
        "total_is_exact": page.exact,
    }
    written = {item.summary["id"]: item.written for item in found if item.written is not None}
    shown = convention.search_emails(emails, written)
    return ToolReply(text=texts.with_more(shown, len(emails), page), data=answer)


@handles(inputs.ListEmails)
async def list_emails(surface: Surface, given: inputs.ListEmails) -> ToolReply:
    """Return a page of summaries, newest first."""
    query = given.query or ""
    if given.label is not None:
        label = given.label.replace('"', " ")
        query = f'label:"{label}" ({query})' if query else f'label:"{label}"'
    page, found = await _page(surface, query, given.limit, given.cursor)
    emails = [item.summary for item in found]
    answer: ListEmailsResult = {"emails": emails, "next_cursor": page.next_cursor}
    return ToolReply(text=texts.summaries(emails, page.next_cursor), data=answer)


@handles(inputs.ReadEmails)
async def read_emails(surface: Surface, given: inputs.ReadEmails) -> ToolReply:
    """Return many messages, the ids that do not exist, and those for which the result has no room."""
    emails, shown, left_out = await _read(surface, given.ids, given.format, most_of_one=given.max_bytes)
    missing: list[str] = []
    if len(emails) < len(given.ids):
        known = {email["id"] for email in emails} | set(left_out)
        missing = [message_id for message_id in given.ids if message_id not in known]
    answer: ReadEmailsResult = {"emails": emails, "missing": missing}
    if left_out:
        answer["left_out"] = left_out
    return ToolReply(text=texts.with_left_out(texts.with_missing(shown, missing), left_out), data=answer)


@handles(inputs.GetThread)
async def get_thread(surface: Surface, given: inputs.GetThread) -> ToolReply:
    """Return a conversation, oldest first; if it is too long, its newest messages."""
    ids = await surface.mailbox.thread(given.thread_id)
    emails, shown, left_out = await _read(surface, ids, given.format, newest=True)
    answer: ThreadResult = {"thread_id": given.thread_id, "emails": emails}
    if left_out:
        answer["left_out"] = left_out
    return ToolReply(text=texts.with_left_out(shown, left_out), data=answer)


def no_message(message_id: str) -> NotFound:
    """Return the error for an unknown message id."""
    return NotFound(
        f"There is no message with ID {convention.one_line(message_id)[:200]}; search for it again.",
        argument="messageId",
    )


async def _page(
    surface: Surface, query: str, limit: int, cursor: str | None
) -> tuple[IdPage, list[StoredMessage]]:
    from gaia_mail.query.grammar import parse_query

    page = await surface.mailbox.search(parse_query(query), limit=limit, cursor=cursor)
    return page, await surface.mailbox.read(page.ids, raw=False)


async def _read(
    surface: Surface,
    ids: Sequence[str],
    how: ReadFormat,
    *,
    newest: bool = False,
    most_of_one: int | None = None,
) -> tuple[list[Email], str, list[str]]:
    """Return the messages, their text, and the ids for which there was no room; `newest` keeps the last ones."""
    if how == "summary":
        kept = ids[-MOST_SUMMARIES:] if newest else ids[:MOST_SUMMARIES]
        stored = await surface.mailbox.read(kept, raw=False)
        summaries: list[Email] = [texts.email_of(item.summary) for item in stored]
        left_out = list(ids[:-MOST_SUMMARIES] if newest else ids[MOST_SUMMARIES:])
        return summaries, texts.summaries(summaries, None), left_out
    step = -1 if newest else 1
    wanted = ids[::step]
    if how == "raw":
        emails, left_out = await read_within(
            surface.mailbox, wanted, _with_raw, MOST_RAW, most_of_one=most_of_one
        )
        shown = f"{len(emails)} messages; their bytes are in structuredContent, emails[].raw."
        return emails[::step], shown, left_out[::step]
    pairs, left_out = await read_within(surface.mailbox, wanted, _shown, MOST_SHOWN, most_of_one=most_of_one)
    shown = texts.BETWEEN.join(shown for _, shown in pairs[::step])
    return [email for email, _ in pairs[::step]], shown, left_out[::step]


def _shown(item: StoredMessage) -> tuple[tuple[Email, str], int]:
    email, readable = texts.readable(item)
    shown = texts.with_cut(f"ID: {email['id']}\n{convention.read_email(readable)}", email)
    return (email, shown), len(shown) + texts.amount(email)


def _with_raw(item: StoredMessage) -> tuple[Email, int]:
    """Return the summary with the bytes as padded base64url (RFC 4648 §5); `defects` if bytes are missing."""
    email = texts.email_of(item.summary)
    email["raw"] = base64.urlsafe_b64encode(item.raw or b"").decode("ascii")
    if item.left_out:
        email["defects"] = texts.left_out(item)
    return email, len(item.raw or b"")
