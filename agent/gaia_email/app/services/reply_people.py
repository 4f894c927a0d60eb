"""Whom a reply goes to, for whatever shows it and whatever keeps or sends it. Entry: `reply_start`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaia_email.actions.sending import OutgoingMail
from gaia_email.app import App
from gaia_email.app.services.opening import owner_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.mailbox.ref import FILES
from gaia_email.triage.inbox import FoundMessage
from gaia_email_registry.accounts import addresses_in
from gaia_mail.domains import domain_of, organisational_domain
from gaia_mail.mime.compose import NewMessage
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.reply import no_reply, reply_to

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


def own_addresses(app: App, source: SourceSpec, found: FoundMessage) -> tuple[str, ...]:
    """Return the user's addresses, as they said, as the account says or as the mailbox tells."""
    account = found.summary["account"]
    said = (*owner_of(app, source), *addresses_in(account))
    return tuple(dict.fromkeys(said or sorted(found.context.owner)))


def reply_start(app: App, source: SourceSpec, found: FoundMessage, *, reply_all: bool = False) -> NewMessage:
    """Return what a reply to a message starts from: recipients, sender, subject and the quote."""
    own = own_addresses(app, source, found)
    return reply_to(found.understood.message, own=own, reply_all=reply_all)


def own_sender(source: SourceSpec, start: NewMessage) -> str:
    """Return the address that a draft is from, for mail files, whose server knows no other; else empty."""
    return start.sender.address if source.kind in FILES else ""


def reply_mail(found: FoundMessage, start: NewMessage, body: str, *, sender: str = "") -> OutgoingMail:
    """Return a reply as it is kept: to the people it starts with, the original quoted below the body."""
    summary = found.summary
    return OutgoingMail(
        to=tuple(map(header_text, start.to)),
        cc=tuple(map(header_text, start.cc)),
        subject=start.subject,
        body=body.rstrip("\n") + start.text,
        about=summary["id"],
        in_reply_to=summary["message_id"] if "@" in summary["id"] else summary["id"],
        thread_id=summary["thread_id"],
        sender=sender,
    )


def header_text(person: MailboxAddress) -> str:
    """Return a mailbox as a header writes it (RFC 5322, 3.4)."""
    name = person.name.replace("\\", "").replace('"', "")
    return f'"{name}" <{person.address}>' if name else person.address


def no_reply_note(start: NewMessage, found: FoundMessage) -> str:
    """Return a sentence if nobody would read the reply, with another address of the sender's; empty if somebody may."""
    addresses = [mailbox.address for mailbox in (*start.to, *start.cc)]
    if not addresses or not all(map(no_reply, addresses)):
        return ""
    other = next(iter(_alternatives(found, addresses)), "")
    way = (
        f"Write to {other} instead, an address that the mail names."
        if other
        else ("Look in the mail for another way to answer, such as a link or a phone number.")
    )
    return f"Nobody reads what is sent to {addresses[0]}. {way}"


def _alternatives(found: FoundMessage, addresses: Sequence[str]) -> list[str]:
    """Addresses of the sender's organisation that the mail names and that somebody may read."""
    message, home = found.understood.message, {organisational_domain(domain_of(one)) for one in addresses}
    named = [
        *(mailbox.address for mailbox in _headers(message.sender, *message.reply_to, *message.cc)),
        *_ADDRESS.findall(found.understood.prepared.normalized),
        *_ADDRESS.findall(found.understood.prepared.signature),
    ]
    return [
        one
        for one in dict.fromkeys(address.rstrip(".") for address in named)
        if not no_reply(one) and organisational_domain(domain_of(one.lower())) in home
    ]


def _headers(*people: MailboxAddress | None) -> list[MailboxAddress]:
    return [one for one in people if one is not None]
