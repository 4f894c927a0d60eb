"""Mails to ask about, and how they are looked at here."""

from __future__ import annotations

from gaia_mail.asking.mail import MailShown, mail_shown
from gaia_mail.mime.compose import NewMessage, OutgoingFile, compose_message
from gaia_mail.mime.model import MailboxAddress

ME = MailboxAddress(name="", address="me@corp.example")
OWN = ("me@corp.example",)


def at(address: str, name: str = "") -> MailboxAddress:
    return MailboxAddress(name=name, address=address)


PLAIN = NewMessage(sender=ME, to=(at("ada@corp.example"),), subject="Lunch", text="At noon?")
FULL = NewMessage(
    sender=ME,
    to=(at("ada@corp.example", "Ada"), at("bob@other.example", "Bob")),
    cc=(at("carl@gmail.com"),),
    bcc=(at("dora@other.example"),),
    reply_to=(at("me@corp.example"),),
    subject="Figures",
    text="As promised.",
    html="<p>As promised.</p>",
    attachments=(
        OutgoingFile(filename="a.pdf", content_type="application/pdf", content=b"%PDF-1"),
        OutgoingFile(filename="b.txt", content_type="text/plain", content=b"second"),
    ),
    in_reply_to="<one@corp.example>",
    references=("<zero@corp.example>", "<one@corp.example>"),
)


def shown(
    mail: NewMessage | bytes, known: tuple[str, ...] | None = None, in_text: tuple[str, ...] = ()
) -> MailShown:
    raw = mail if isinstance(mail, bytes) else compose_message(mail, keep_bcc=True)
    return mail_shown(raw, own=OWN, known=known, in_text=in_text)


def written(head: str, body: str = "Hello", more: str = "") -> bytes:
    """A message as another program would store it."""
    start = f"From: me@corp.example\nTo: ada@corp.example\nSubject: Lunch\n{head}"
    return f"{start}{more}\n{body}".replace("\n", "\r\n").encode()
