"""The recipients of a reply, for showing, saving and sending it. Entry: `reply_start`."""

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
    """Return the user's addresses: those given, those of the account, or those inferred from the mailbox."""
    account = found.summary["account"]
    said = (*owner_of(app, source), *addresses_in(account))
    return tuple(dict.fromkeys(said or sorted(found.context.owner)))


def reply_start(app: App, source: SourceSpec, found: FoundMessage, *, reply_all: bool = False) -> NewMessage:
    """Return the initial parts of a reply: recipients, sender, subject and quote."""
    own = own_addresses(app, source, found)
    return reply_to(found.understood.message, own=own, reply_all=reply_all)


def own_sender(source: SourceSpec, start: NewMessage) -> str:
    """Return the From address of a draft in mail files, whose server knows no other; else empty."""
    return start.sender.address if source.kind in FILES else ""


def reply_mail(found: FoundMessage, start: NewMessage, body: str, *, sender: str = "") -> OutgoingMail:
    """Return a reply as it is saved: to its initial recipients, with the original quoted below the body."""
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
    """Return a mailbox as written in a header (RFC 5322, 3.4)."""
    name = person.name.replace("\\", "").replace('"', "")
    return f'"{name}" <{person.address}>' if name else person.address


def no_reply_note(start: NewMessage, found: FoundMessage) -> str:
    """Return a warning if nobody would read the reply, with another address of the sender; else empty."""
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
    """Return addresses of the sender's organisation that the mail names and that people may read."""
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
