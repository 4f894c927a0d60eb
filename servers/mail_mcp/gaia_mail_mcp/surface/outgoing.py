"""Builds the messages for the sending and draft tools.

Entries: `build_message`, `reply`, `forward`, `edit_draft`, `find_draft`. The bytes contain Bcc, from which the mailbox
learns those recipients; it removes the header from what it sends.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import SendAs
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.asking.raw import mail_of_raw
from gaia_mail.exchanged import was_exchanged
from gaia_mail.mime import compose
from gaia_mail.mime import reply as replies
from gaia_mail.mime.address import validate_address
from gaia_mail.mime.automatic import not_to_be_answered
from gaia_mail.mime.compose import OutgoingFile
from gaia_mail.mime.encode import fold_text
from gaia_mail.mime.model import MailboxAddress, ParsedMessage
from gaia_mail.mime.read import parse_message
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import StoredMessage
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.jail import load
from gaia_mail_mcp.surface.senders import (
    SendingIdentity,
    drafting_as,
    own_addresses,
    sender_of,
    senders,
)

MAX_DRAFTS_SEARCHED = 1_000
MAX_RECIPIENTS = 500
MAX_WITH_ONE_ID = 20
"""Most messages with the same Message-ID that are checked for one that was sent or received."""
LABELS_READ = 50
"""Messages of a thread whose labels are read at once, from the newest back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMessage:
    """A message ready to be sent or stored: RFC 5322 bytes, and its thread (None: determined by its headers)."""

    raw: bytes
    thread_id: str | None


async def build_message(surface: Surface, given: inputs.SendEmail | inputs.DraftEmail) -> OutgoingMessage:
    """Build the message for `send_email` or `draft_email`.

    Raises:
        BadArgument: A recipient is invalid, or a header would break.
        MailError: A file to attach is not available.
    """
    if isinstance(given, inputs.DraftEmail) and (raw := _given_raw(given)) is not None:
        return OutgoingMessage(raw=raw, thread_id=given.thread_id)
    if isinstance(given, inputs.SendEmail):
        check_head(given)
    parent = await _parent(surface, given)
    answered = parse_message(parent.raw or b"") if parent is not None else None
    found = drafting_as(surface, await senders(surface), given.from_)
    sender = sender_of(found, given.from_ or _reached_address(found, answered), signature=given.signature)
    fields = compose.NewMessage(
        sender=sender.mailbox,
        to=_mailboxes(given.to, "to"),
        cc=_mailboxes(given.cc or (), "cc"),
        bcc=_mailboxes(given.bcc or (), "bcc"),
        subject=given.subject,
        text=sender.signed_text(given.body),
        html=sender.signed_html(given.html_body),
        # The convention drops htmlBody unless mimeType is set; here it is sent.
        mime_type=None if given.html_body and given.mime_type == "text/plain" else given.mime_type,
        attachments=_files(surface, given.attachments),
        in_reply_to=answered.message_id if answered is not None else _id_or_nothing(given.in_reply_to),
        references=replies.thread_references(answered)
        if answered is not None
        else tuple(filter(None, [_id_or_nothing(given.in_reply_to)])),
    )
    thread_id = given.thread_id or (parent.summary["thread_id"] if parent is not None else None)
    return OutgoingMessage(raw=compose.compose_message(fields, keep_bcc=True), thread_id=thread_id)


def check_head(given: inputs.SendEmail) -> None:
    """Refuse a message that cannot be sent, before the user is asked.

    Raises:
        BadArgument: A recipient is invalid or missing, or the subject would break the header.
    """
    if not given.to:
        raise BadArgument("Nobody to send to: name at least one recipient.", argument="to")
    for argument, addresses in (("to", given.to), ("cc", given.cc), ("bcc", given.bcc)):
        _mailboxes(addresses or (), argument)
    fold_text("Subject", given.subject, "subject")


async def reply(surface: Surface, given: inputs.ReplyToEmail) -> OutgoingMessage:
    """Build a reply: new text above the quote, with recipients and threading as in RFC 5322 §3.6.

    Raises:
        NotFound: There is no such message.
        BadArgument: An automatic answer is not allowed, or only to the sender (RFC 3834).
    """
    original = await _message(surface, given.message_id)
    found = await senders(surface)
    parsed = _parse(original)
    start = replies.reply_to(parsed, own=_own(surface, found), reply_all=given.reply_all)
    if given.auto_submitted:
        _require_answerable(parsed, given)
    sender = _answering(found, given, start)
    fields = replace(
        start,
        sender=sender.mailbox,
        text=sender.signed_text(given.body).rstrip("\n") + start.text,
        cc=(*start.cc, *_mailboxes(given.cc or (), "cc")),
        attachments=_files(surface, given.attachments),
        auto_submitted="auto-replied" if given.auto_submitted else "",
    )
    return OutgoingMessage(
        raw=compose.compose_message(fields, keep_bcc=True), thread_id=original.summary["thread_id"]
    )


def _require_answerable(original: ParsedMessage, given: inputs.ReplyToEmail) -> None:
    sender = original.sender.address if original.sender else ""
    reason = not_to_be_answered(original.headers, sender)
    if given.reply_all or given.cc:
        reason = "An automatic answer goes to nobody but the sender (RFC 3834)."
    if reason:
        raise BadArgument(f"{reason} Nothing was sent.", argument="auto_submitted")


async def forward(surface: Surface, given: inputs.ForwardEmail) -> OutgoingMessage:
    """Build a forwarded message with its attachments, in a thread of its own.

    Raises:
        NotFound: There is no such message.
        BadArgument: A recipient is invalid.
    """
    if not given.to and not given.draft:
        raise BadArgument("Nobody to forward to: name at least one recipient.", argument="to")
    original = _whole(await _message(surface, given.message_id))
    found = await senders(surface)
    start = replies.forward(_parse(original), original.raw or b"", own=_own(surface, found))
    sender = _answering(found, given, start)
    body = sender.signed_text(given.body)
    fields = replace(
        start,
        sender=sender.mailbox,
        to=_mailboxes(given.to, "to"),
        text=f"{body.rstrip()}\n\n{start.text}" if body.strip() else start.text,
        html=_above(body, start.html),
    )
    return OutgoingMessage(raw=compose.compose_message(fields, keep_bcc=True), thread_id=None)


async def edit_draft(surface: Surface, raw: bytes, given: inputs.UpdateDraft) -> bytes:
    """Return the draft `raw` with the given fields replaced.

    Raises:
        BadArgument: A recipient is invalid, or a header would break.
    """
    if (whole := _given_raw(given)) is not None:
        return whole
    old = parse_message(raw)
    sender = old.sender
    if sender is None or given.from_:
        sender = sender_of(await senders(surface), given.from_, signature=False).mailbox
    # The old HTML version does not match a new plain text, so it is dropped unless a new one is given too.
    html = given.html_body if given.html_body is not None or given.body is not None else old.html or None
    files = _old_files(old) if given.attachments is None else _files(surface, given.attachments)
    fields = compose.NewMessage(
        sender=sender,
        to=_replace_recipients(given.to, old.to, "to"),
        cc=_replace_recipients(given.cc, old.cc, "cc"),
        bcc=_replace_recipients(given.bcc, old.bcc, "bcc"),
        subject=old.subject if given.subject is None else given.subject,
        text=old.text if given.body is None else given.body,
        html=html,
        attachments=files,
        in_reply_to=old.in_reply_to[0] if old.in_reply_to else "",
        references=old.references,
        message_id=old.message_id,
        auto_submitted="auto-replied" if old.headers.get("auto-submitted") == "auto-replied" else "",
    )
    return compose.compose_message(fields, keep_bcc=True)


async def find_draft(surface: Surface, draft_id: str) -> OutgoingMessage:
    """Return the message of the draft with this id.

    Raises:
        NotFound: There is none.
    """
    for draft in await surface.mailbox.drafts(limit=MAX_DRAFTS_SEARCHED):
        if draft.id == draft_id:
            stored = await surface.mailbox.read([draft.message_id], raw=True)
            if stored:
                return OutgoingMessage(raw=_whole(stored[0]).raw or b"", thread_id=draft.thread_id)
    raise NotFound(
        f"There is no draft with ID {convention.one_line(draft_id)[:200]}; list_drafts shows those there are.",
        argument="draft_id",
    )


async def _parent(surface: Surface, given: inputs.SendEmail | inputs.DraftEmail) -> StoredMessage | None:
    """Return the message to answer: by Message-ID, by the mailbox's id (models pass either), or the thread's newest.

    Drafts and messages in Spam or Trash do not count as the thread's newest: they were neither sent nor received.
    """
    ids: Sequence[str] = ()
    if given.in_reply_to:
        name = given.in_reply_to.strip()
        if "@" in name:
            bare = name.strip("<>").replace('"', "")
            query = parse_query(f'in:anywhere rfc822msgid:"{bare}"')
            page = await surface.mailbox.search(query, limit=MAX_WITH_ONE_ID)
            ids = [await newest_exchanged(surface, page.ids[::-1]) or next(iter(page.ids), "")]
        else:
            ids = [name]
    elif given.thread_id:
        ids = [await newest_exchanged(surface, await surface.mailbox.thread(given.thread_id))]
    found = await surface.mailbox.read(ids, raw=True) if any(ids) else []
    return found[0] if found else None


async def newest_exchanged(surface: Surface, ids: Sequence[str]) -> str:
    """Return the last of these messages that was sent or received; empty if none was."""
    for end in range(len(ids), 0, -LABELS_READ):
        some = ids[max(0, end - LABELS_READ) : end]
        stored = {one.summary["id"]: one.summary for one in await surface.mailbox.read(some, raw=False)}
        for id_ in reversed(some):
            if id_ in stored and was_exchanged(stored[id_]):
                return id_
    return ""


async def _message(surface: Surface, message_id: str) -> StoredMessage:
    found = await surface.mailbox.read([message_id], raw=True)
    if not found:
        raise NotFound(
            f"There is no message with ID {convention.one_line(message_id)[:200]}; search for it again.",
            argument="message_id",
        )
    return found[0]


def _whole(stored: StoredMessage) -> StoredMessage:
    if stored.left_out:
        raise BadArgument(
            f"This message has {len(stored.raw or b'') + stored.left_out:,} bytes, too many to be copied; send a "
            "link to its files instead.",
            argument="message_id",
        )
    return stored


def _parse(stored: StoredMessage) -> ParsedMessage:
    return parse_message(stored.raw or b"")


def _own(surface: Surface, found: Sequence[SendAs]) -> tuple[str, ...]:
    """Return the account's addresses, the default first."""
    return tuple(dict.fromkeys((*own_addresses(found), surface.source.account)))


def _answering(
    found: Sequence[SendAs], given: inputs.ReplyToEmail | inputs.ForwardEmail, start: compose.NewMessage
) -> SendingIdentity:
    """Return the sender of an answer: as requested, else the address that the original was sent to."""
    reached = start.sender.address.casefold()
    usual = next((item["address"] for item in found if item["address"].casefold() == reached), None)
    return sender_of(found, given.from_ or usual, signature=given.signature)


def _reached_address(found: Sequence[SendAs], answered: ParsedMessage | None) -> str | None:
    """Return the account's address that the answered message was sent to."""
    if answered is None:
        return None
    own = {item["address"].casefold(): item["address"] for item in found}
    reached = (mailbox.address.casefold() for mailbox in (*answered.to, *answered.cc))
    return next((own[address] for address in reached if address in own), None)


def _mailboxes(given: Iterable[str], argument: str) -> tuple[MailboxAddress, ...]:
    mailboxes: list[MailboxAddress] = []
    for text in given:
        try:
            mailboxes.append(validate_address(text))
        except BadArgument:
            raise BadArgument(convention.recipient_invalid(text[:200]), argument=argument) from None
    if len(mailboxes) > MAX_RECIPIENTS:
        raise BadArgument(f"More than {MAX_RECIPIENTS} recipients in {argument}.", argument=argument)
    return tuple(mailboxes)


def _replace_recipients(
    given: list[str] | None, old: tuple[MailboxAddress, ...], argument: str
) -> tuple[MailboxAddress, ...]:
    return old if given is None else _mailboxes(given, argument)


def _files(surface: Surface, paths: list[str] | None) -> tuple[OutgoingFile, ...]:
    return tuple(
        OutgoingFile(
            filename=name,
            content_type=mimetypes.guess_type(name)[0] or "application/octet-stream",
            content=content,
        )
        for name, content in load(surface.settings.attachment_dir, paths or [])
    )


def _old_files(old: ParsedMessage) -> tuple[OutgoingFile, ...]:
    return tuple(
        OutgoingFile(filename=part.filename, content_type=part.content_type, content=part.content)
        for part in old.attachments
    )


def _above(text: str, html: str | None) -> str | None:
    """Return the user's text above the forwarded HTML."""
    if html is None or not text.strip():
        return html
    from html import escape

    return "<br>\n".join(escape(line) for line in text.rstrip().splitlines()) + "<br><br>\n" + html


def _id_or_nothing(given: str | None) -> str:
    """Return a Message-ID in angle brackets; an invalid one becomes empty, since it would break the thread."""
    name = (given or "").strip().strip("<>")
    return f"<{name}>" if "@" in name and name.isprintable() and " " not in name else ""


def _given_raw(given: inputs.DraftEmail | inputs.UpdateDraft) -> bytes | None:
    return mail_of_raw(given.model_dump(mode="json", by_alias=True, exclude_none=True))
