"""What a mail would tell to whom, from the very bytes that would be sent. Entry: `mail_shown`."""

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
"""Header fields that name people (RFC 5322 §3.6.2 f., RFC 8098 §2.1 and its forerunners), and what these are then."""

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
"""Fields that every mail has, or that are shown in another way; any other one is named with its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentShown:
    """A part that is not the text. `subject` is that of an attached message; empty for every other part."""

    name: str
    content_type: str
    size: int
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailShown:
    """A mail as a person is shown it; texts are as they would be sent, so whoever shows them escapes them.

    Attributes:
        senders: Whom it says it is from.
        from_account: That is the account itself, as usual, and no other `Sender` sends for it.
        sent_by: The `Sender` field, where there is one.
        reply_to: Where answers would go, where it says so.
        replies_elsewhere: An answer would go to somebody whom it is not from.
        receipts: Where a receipt would go that is asked of the readers.
        recipients: Every address in To, Cc and Bcc, as often as it stands there.
        subject: Decoded.
        text: The plain text; empty where there is none.
        html_text: What the HTML says and leads to, where that differs from the plain text; else empty.
        hidden: What the HTML holds and no reader shows.
        attachments: Every other part, calendar entries too.
        headers: Fields beyond the usual ones, as they stand there: some make programs act.
        unread: What of it could not be read as written, in words.
        digest: Of everything that counts (`mail_digest`): another mail has another one.
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
    """Read the exact bytes that would be sent, `Bcc` included; never raises.

    Args:
        raw: The message (RFC 5322).
        own: The addresses of the account it would be sent from.
        known: Addresses the user has written to, or typed themselves; None where nobody could look that up.
        in_text: Addresses that occur in the text of messages that were read before.
        usual: Those of `own` that mail is from unless another one is chosen; None for all of them.
    """
    digest = mail_digest(raw)
    defaults = {same(address) for address in (own if usual is None else usual)}
    raw = normalize(raw)[0]
    fields = top_fields(raw)
    tree = walk(raw, fields)
    bodies = gather(raw, tree)
    named, nameless = _named(fields)
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


def _named(fields: HeaderFields) -> tuple[list[tuple[AddressField, MailboxAddress]], list[str]]:
    """Everybody the header names, in its fields' order here, and in words what stands there and is no address."""
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
    """Renderings of the same text for one vendor's reader, which shows them in place of the others."""
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
