"""A labelled message as a file with less around it. Entries: `bare`, `nameless`.

Labelled mail of other people often has nothing but sender, recipients, subject, date and plain text: no word of a list,
of an unsubscribe link or of a program, and no markup. Sometimes not even the names beside the addresses are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime

from gaia_mail.mime.model import MailboxAddress
from gaia_understanding.cascade.understand import decode
from gaia_understanding.prepare.pipeline import prepare

_POLICY = SMTPUTF8.clone(max_line_length=200)


def bare(raw: bytes) -> bytes:
    """The message with `From`, `To`, `Cc`, `Subject`, `Date` and its text; markup is read as a reader would see it."""
    return _render(raw, named=True)


def nameless(raw: bytes) -> bytes:
    """The same with addresses alone in place of names and addresses."""
    return _render(raw, named=False)


def _render(raw: bytes, *, named: bool) -> bytes:
    message = decode(raw)
    plain = EmailMessage(policy=_POLICY)
    senders = [message.sender] if message.sender else []
    for header, mailboxes in (("From", senders), ("To", message.to), ("Cc", message.cc)):
        if addresses := _addresses(mailboxes, named=named):
            plain[header] = addresses
    plain["Subject"] = " ".join(message.subject.split())
    if message.date is not None:
        plain["Date"] = format_datetime(message.date)
    plain.set_content(message.text or prepare(message).normalized, cte="8bit")
    return plain.as_bytes()


def _addresses(mailboxes: Sequence[MailboxAddress], *, named: bool) -> list[Address]:
    return [
        Address(mailbox.name if named else "", addr_spec=mailbox.address)
        for mailbox in mailboxes
        if mailbox.address
    ]
