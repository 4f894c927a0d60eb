"""Describes a mail from the exact bytes to be sent: content and recipients. Entry: `mail_shown`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from gaia_mail.asking.digest import mail_digest
from gaia_mail.asking.people import AddressField, KnownPerson, recipients, same
from gaia_mail.html_shown import html_shown, says_the_same
from gaia_mail.mime.address import MAX_ADDRESSES, parse_addresses
from gaia_mail.mime.bodies import MESSAGE_TYPES, OTHER_VERSIONS, BodyParts, gather
from gaia_mail.mime.charset import decode_text
from gaia_mail.mime.headers import HeaderFields, parse_parameters
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.read import MANY_RECIPIENTS
from gaia_mail.mime.scan import normalize, scan_headers, top_fields
from gaia_mail.mime.transfer import decode_transfer
from gaia_mail.mime.walk import Leaf, Tree, walk
from gaia_mail.mime.words import decode_words

_PEOPLE: tuple[tuple[str, AddressField], ...] = (
    ("from", "from"),
    ("sender", "sender"),
    ("reply-to", "reply_to"),
    ("disposition-notification-to", "receipt"),
    ("return-receipt-to", "receipt"),
    ("x-confirm-reading-to", "receipt"),
    ("to", "to"),
    ("cc", "cc"),
    ("bcc", "bcc"),
)
"""Header fields that name people (RFC 5322 §3.6.2 f., RFC 8098 §2.1 and its forerunners), and their roles."""

_USUAL = frozenset(name for name, _ in _PEOPLE) | {
    "date",
    "subject",
    "message-id",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "content-language",
    "user-agent",
    "x-mailer",
}
"""Fields that every mail has or that are shown in another way; every other field is listed with its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentShown:
    """A part other than the text. `subject` is the subject of an attached message, empty for any other part."""

    name: str
    content_type: str
    size: int
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailShown:
    """A mail as shown to the user. Texts are unescaped, as they would be sent.

    Attributes:
        senders: The people in `From`.
        from_account: True if the mail is from the account itself, and no other `Sender` is named.
        sent_by: The people in the `Sender` field, if there is one.
        reply_to: The people in `Reply-To`.
        replies_elsewhere: True if an answer would go to someone other than the senders.
        receipts: The addresses for which the mail requests a receipt.
        recipients: Every address in To, Cc and Bcc, repetitions included.
        subject: Decoded.
        text: The plain text; empty if there is none.
        html_text: The HTML as text with link targets, if it differs from the plain text; else empty.
        hidden: HTML content that no reader shows.
        attachments: All other parts, including calendar entries.
        headers: Unusual header fields with their values: some trigger programs.
        unread: Descriptions of parts that could not be read as written.
        digest: `mail_digest` of the message; differs for any other mail.
    """

    senders: tuple[KnownPerson, ...]
    from_account: bool
    sent_by: tuple[KnownPerson, ...]
    reply_to: tuple[KnownPerson, ...]
    replies_elsewhere: bool
    receipts: tuple[KnownPerson, ...]
    recipients: tuple[KnownPerson, ...]
    subject: str
    text: str
    html_text: str
    hidden: tuple[str, ...]
    attachments: tuple[AttachmentShown, ...]
    headers: tuple[tuple[str, str], ...]
    unread: tuple[str, ...]
    digest: str


def mail_shown(
    raw: bytes,
    *,
    own: Collection[str],
    known: Collection[str] | None,
    in_text: Collection[str],
    usual: Collection[str] | None = None,
) -> MailShown:
    """Read the exact bytes to be sent, `Bcc` included; never raises.

    Args:
        raw: The message (RFC 5322).
        own: The addresses of the sending account.
        known: Addresses the user has written to or typed; None if they could not be looked up.
        in_text: Addresses that occur in the text of previously read messages.
        usual: The default sender addresses among `own`; None for all of them.
    """
    digest = mail_digest(raw)
    defaults = {same(address) for address in (own if usual is None else usual)}
    raw = normalize(raw)[0]
    fields = top_fields(raw)
    tree = walk(raw, fields)
    bodies = gather(raw, tree)
    named, nameless = _parse_people(fields)
    people = recipients(named, own=own, known=known, in_text=in_text)
    senders, sent_by = _at(people, "from"), _at(people, "sender")
    reply_to = _at(people, "reply_to")
    text = "\n".join(bodies.text)
    shown = html_shown("\n".join((*bodies.html, *_other_versions(raw, tree))))
    return MailShown(
        senders=senders,
        from_account=bool(senders)
        and all(same(person.address) in defaults for person in (*senders, *sent_by)),
        sent_by=sent_by,
        reply_to=reply_to,
        replies_elsewhere=not {same(person.address) for person in reply_to}
        <= {same(person.address) for person in senders},
        receipts=_at(people, "receipt"),
        recipients=_at(people, "to", "cc", "bcc"),
        subject=decode_words(fields.first.get("subject", "")),
        text=text,
        html_text="" if says_the_same(shown, text) else shown.text,
        hidden=shown.hidden,
        attachments=_attachments(raw, tree, bodies),
        headers=tuple((name, decode_words(value)) for name, value in fields.fields if _is_unusual(name)),
        unread=tuple(dict.fromkeys((*fields.defects, *tree.defects, *nameless))),
        digest=digest,
    )


def _parse_people(fields: HeaderFields) -> tuple[list[tuple[AddressField, MailboxAddress]], list[str]]:
    """Return every address in the header, in the order of `_PEOPLE`, and a description of each entry without one."""
    named: list[tuple[AddressField, MailboxAddress]] = []
    nameless: list[str] = []
    for header, field in _PEOPLE:
        for value in fields.all(header):
            found = parse_addresses(value)
            named.extend((field, mailbox) for mailbox in found if mailbox.address)
            nameless += [f"{header} names no address: {one.name}" for one in found if not one.address]
            if value.strip() and not found:
                nameless.append(f"{header} names no address: {decode_words(value)}")
            if len(found) >= MAX_ADDRESSES:
                nameless.append(MANY_RECIPIENTS)
    return named, nameless


def _at(people: tuple[KnownPerson, ...], *fields: AddressField) -> tuple[KnownPerson, ...]:
    return tuple(person for person in people if person.field in fields)


def _is_unusual(name: str) -> bool:
    return name.lower() not in _USUAL


def _other_versions(raw: bytes, tree: Tree) -> list[str]:
    """Return the renderings of the same text for one vendor's reader, which shows them instead of the others."""
    return [
        decode_text(_content(raw, leaf), leaf.parameters.get("charset", ""))[0]
        for leaf in tree.leaves
        if leaf.content_type in OTHER_VERSIONS
    ]


def _attachments(raw: bytes, tree: Tree, bodies: BodyParts) -> tuple[AttachmentShown, ...]:
    files = {part.id: part for part in bodies.attachments}
    shown: list[AttachmentShown] = []
    for leaf in tree.leaves:
        part = files.get(leaf.path)
        if part is not None:
            attached = leaf.content_type in MESSAGE_TYPES
            shown.append(
                AttachmentShown(
                    name=part.filename,
                    content_type=leaf.content_type,
                    size=part.size,
                    subject=scan_headers(part.content).subject if attached else "",
                )
            )
        elif leaf.content_type == "text/calendar":
            shown.append(
                AttachmentShown(name="", content_type=leaf.content_type, size=len(_content(raw, leaf)))
            )
    return tuple(shown)


def _content(raw: bytes, leaf: Leaf) -> bytes:
    encoding = parse_parameters(leaf.header.get("content-transfer-encoding", ""))[0]
    return decode_transfer(raw[leaf.start : leaf.end], encoding.strip("\"'"))[0]
