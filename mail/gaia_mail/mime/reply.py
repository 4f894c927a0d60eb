"""Prepares replies and forwards: recipients, subject, thread headers and quote. Entries: `reply_to`, `forward`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from html import escape
from urllib.parse import unquote

from gaia_mail.html_shown import visible_text
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.compose import NewMessage, OutgoingFile
from gaia_mail.mime.model import Attachment, MailboxAddress, ParsedMessage

MAX_REFERENCES = 50
"""Ids of a thread listed in a reply: the first, and the latest ones."""
MAX_QUOTE = 100_000
"""Characters of the original that are quoted."""

REPLY_PREFIXES = (
    "re aw sv antw vs odp ynt rif res ref bls r vá odg atb απ σχετ 回复 回覆 答复 答覆 返信 답장 회신 отв"
)
FORWARD_PREFIXES = "fwd fw wg tr vb doorst i rv enc pd ilt továbbítás 转发 轉寄 転送 전달"
"""Prefixes that mail programs in many languages put before a subject, lower case, without the colon."""

_COUNTER = r"\s{0,3}(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s{0,3}[:：]\s*"
_POST = lazy_pattern(r"(?i)<\s*mailto:([^?>\s]{3,320})")
_NO_REPLY = lazy_pattern(
    r"(?:.*[-_.+])?(?:(?:do|does)?[-_.]?not?[-_.]?(?:reply|respond|answer)|dont[-_.]?(?:reply|respond|answer)"
    r"|mailer-daemon|ne[-_.]?pas[-_.]?repondre|no[-_.]?(?:responder|contestar|responda)|nao[-_.]?respond[ae]r?"
    r"|nicht[-_.]?antworten|keine[-_.]?antwort|non[-_.]?rispondere|niet[-_.]?(?:be)?antwoorden|unattended|bounces?)"
    r"(?:[-_.+\d].*)?\Z"
)
_ID = lazy_pattern(r"<[!-;=?-~]{1,990}>\Z")


def _prefix_pattern(words: str) -> re.Pattern[str]:
    return re.compile(
        rf"\s*(?:{'|'.join(re.escape(word) for word in words.split())}){_COUNTER}", re.IGNORECASE
    )


_REPLY = _prefix_pattern(REPLY_PREFIXES)
_FORWARD = _prefix_pattern(FORWARD_PREFIXES)


def reply_to(original: ParsedMessage, *, own: Collection[str], reply_all: bool) -> NewMessage:
    """Return the basis of a reply to `original`; the caller adds the new text above the quote.

    `own` lists the user's addresses: the one that received the original becomes the sender (else the first, or the
    smallest of a set), and none of them a recipient. `Mail-Reply-To` takes precedence over `Reply-To`, and that over
    `From`. With `reply_all`, `Mail-Followup-To` overrides everything; otherwise the other recipients become Cc, as does
    the mailing list's posting address (`List-Post`, RFC 2369). A reply to the user's own message goes to its
    recipients.
    """
    mine = frozenset(address.lower() for address in own)
    sender = _own_sender(original, own, mine)
    to = _recipients(original, mine)
    cc: list[MailboxAddress] = []
    if reply_all:
        followup = parse_addresses(original.headers.get("mail-followup-to", ""))
        followup_to = _without(followup, mine)
        if followup_to:
            to = followup_to
        else:
            others = (*original.to, *original.cc, *_list_address(original))
            cc = _without(others, mine | {mailbox.address.lower() for mailbox in to})
    return NewMessage(
        sender=sender,
        to=tuple(to),
        cc=tuple(cc),
        subject=reply_subject(original.subject),
        text=quote_text(original),
        in_reply_to=original.message_id if _ID.match(original.message_id) else "",
        references=thread_references(original),
    )


def forward(
    original: ParsedMessage, raw: bytes, *, own: Collection[str] = (), as_attachment: bool = False
) -> NewMessage:
    """Return the basis of a forward of `original`: no recipients yet, its text and files kept.

    With `as_attachment` the unchanged bytes `raw` are attached as message/rfc822, which preserves headers and
    signatures as evidence. Encrypted messages are always forwarded this way.
    """
    mine = frozenset(address.lower() for address in own)
    sender = _own_sender(original, own, mine)
    subject = f"Fwd: {strip_prefixes(original.subject, forwards=True)}".strip()
    references = thread_references(original)
    if as_attachment or original.encrypted:
        name = strip_prefixes(original.subject, forwards=True).replace("/", "-")[:100] or "message"
        file = OutgoingFile(filename=_no_controls(f"{name}.eml"), content_type="message/rfc822", content=raw)
        return NewMessage(sender=sender, subject=subject, attachments=(file,), references=references)
    block = _forward_block(original)
    html = None
    if original.html:
        html = "<br>\n".join(escape(line) for line in block) + "<br><br>\n" + original.html
    shown = [part for part in original.attachments if html and part.inline and _usable_id(part)]
    kept = [part for part in original.attachments if part not in shown]
    return NewMessage(
        sender=sender,
        subject=subject,
        text="\n".join(block) + "\n\n" + _plain_text(original),
        html=html,
        attachments=tuple(_file(part) for part in kept),
        inline=tuple(_file(part, part.content_id) for part in shown),
        references=references,
    )


def reply_subject(subject: str) -> str:
    """Return `Re: ` and the subject without its reply prefixes in any language."""
    return f"Re: {strip_prefixes(subject)}".strip()


def strip_prefixes(subject: str, *, forwards: bool = False) -> str:
    """Remove leading reply prefixes from `subject`, and with `forwards` forward prefixes too."""
    subject = subject.strip()
    for _ in range(50):
        match = _REPLY.match(subject) or (_FORWARD.match(subject) if forwards else None)
        if match is None:
            break
        subject = subject[match.end() :]
    return subject


def thread_references(original: ParsedMessage) -> tuple[str, ...]:
    """Return the `References` of a reply (RFC 5322 section 3.6.4), at most `MAX_REFERENCES`."""
    known = original.references or original.in_reply_to[:1]
    ids = [found for found in dict.fromkeys((*known, original.message_id)) if _ID.match(found)]
    return tuple(ids if len(ids) <= MAX_REFERENCES else [ids[0], *ids[1 - MAX_REFERENCES :]])


def quote_text(original: ParsedMessage) -> str:
    """Return the attribution line and the quoted original, with a blank line above."""
    text = _plain_text(original).strip("\n")
    if not text:
        return ""
    who = original.sender.name or original.sender.address if original.sender else "someone"
    when = f"On {original.date:%Y-%m-%d at %H:%M}, " if original.date else ""
    lines = [">" + ("" if line.startswith(">") or not line else " ") + line for line in text.split("\n")]
    return f"\n\n{when}{who} wrote:\n" + "\n".join(lines) + "\n"


def _own_sender(original: ParsedMessage, own: Collection[str], mine: frozenset[str]) -> MailboxAddress:
    candidates = [*original.to, *original.cc, *original.bcc]
    if original.sender is not None:
        candidates.insert(0, original.sender)
    for mailbox in candidates:
        if mailbox.address.lower() in mine:
            return mailbox
    ordered = list(own) if isinstance(own, Sequence) else sorted(own)
    return MailboxAddress(name="", address=ordered[0] if ordered else "")


def _recipients(original: ParsedMessage, mine: frozenset[str]) -> list[MailboxAddress]:
    author = (original.sender,) if original.sender else ()
    wished = _without(parse_addresses(original.headers.get("mail-reply-to", "")), frozenset())
    answer_to: Iterable[MailboxAddress] = wished or _without(original.reply_to, frozenset()) or author
    found = _without(answer_to, mine)
    if found:
        return found
    return _without(original.to, mine) or _without(answer_to, frozenset())


def _list_address(original: ParsedMessage) -> Sequence[MailboxAddress]:
    """Return the posting address of a mailing list; empty if it accepts no posts."""
    match = _POST.search(original.headers.get("list-post", ""))
    return parse_addresses(unquote(match[1])) if match is not None else ()


def no_reply(address: str) -> bool:
    """Return True if an address indicates that mail to it is not read."""
    return _NO_REPLY.match(address.partition("@")[0].casefold()) is not None


def _without(mailboxes: Iterable[MailboxAddress], unwanted: frozenset[str]) -> list[MailboxAddress]:
    """Return the distinct mailboxes with an address, except unwanted ones."""
    found: dict[str, MailboxAddress] = {}
    for mailbox in mailboxes:
        key = mailbox.address.lower()
        if "@" in key and key not in unwanted:
            found.setdefault(key, mailbox)
    return list(found.values())


def _plain_text(original: ParsedMessage) -> str:
    if original.encrypted:
        return ""
    if original.text.strip() or not original.html:
        return original.text[:MAX_QUOTE]
    return visible_text(original.html)[:MAX_QUOTE]


def _forward_block(original: ParsedMessage) -> list[str]:
    fields = [
        ("From", _join_mailboxes([original.sender] if original.sender else [])),
        ("Date", f"{original.date:%Y-%m-%d %H:%M %z}" if original.date else ""),
        ("Subject", original.subject),
        ("To", _join_mailboxes(original.to[:50])),
        ("Cc", _join_mailboxes(original.cc[:50])),
    ]
    return [
        "---------- Forwarded message ----------",
        *(f"{name}: {value}" for name, value in fields if value),
    ]


def _join_mailboxes(mailboxes: Sequence[MailboxAddress]) -> str:
    return ", ".join(f"{box.name} <{box.address}>" if box.name else box.address for box in mailboxes)


def _usable_id(part: Attachment) -> bool:
    return bool(re.fullmatch(r"[!-;=?-~]{1,200}", part.content_id))


def _file(part: Attachment, content_id: str = "") -> OutgoingFile:
    kind = (
        part.content_type if re.fullmatch(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+", part.content_type) else ""
    )
    return OutgoingFile(
        filename=part.filename,
        content_type=kind or "application/octet-stream",
        content=part.content,
        content_id=content_id,
    )


def _no_controls(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
