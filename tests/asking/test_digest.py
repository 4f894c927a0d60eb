"""The number of a mail: the same for two compositions of it, another one for anything that was changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.asking.digest import mail_digest
from gaia_mail.mime.compose import NewMessage, OutgoingFile, compose_message
from gaia_mail.mime.model import MailboxAddress
from tests.asking.mails import FULL, PLAIN, at, written


def fixed(mail: NewMessage) -> bytes:
    """The bytes of a mail, always the same."""
    mail = replace(mail, date=datetime(2030, 1, 1, tzinfo=UTC), message_id="<fixed@corp.example>")
    return compose_message(mail, keep_bcc=True)


def digest(mail: NewMessage) -> str:
    return mail_digest(compose_message(mail, keep_bcc=True))


@pytest.mark.parametrize("mail", [PLAIN, FULL])
def test_two_compositions_of_a_mail_have_the_same_digest(mail: NewMessage) -> None:
    first = replace(mail, date=datetime(2030, 1, 1, tzinfo=UTC), message_id="<a@corp.example>")
    second = replace(mail, date=datetime(2031, 5, 6, tzinfo=UTC), message_id=f"<{'b' * 90}@corp.example>")
    assert compose_message(first) != compose_message(second)
    assert digest(first) == digest(second) == digest(mail)


def test_the_names_of_boundaries_do_not_count() -> None:
    raw = compose_message(FULL, keep_bcc=True)
    boundaries = {part.split(b'"')[1] for part in raw.split(b"boundary=")[1:] if part.startswith(b'"')}
    assert len(boundaries) == 2
    other = raw
    for number, name in enumerate(sorted(boundaries)):
        other = other.replace(name, b"x%d" % number)
    assert other != raw
    assert mail_digest(other) == mail_digest(raw)


def test_the_transfer_encoding_does_not_count_and_what_it_encodes_does() -> None:
    plain = written("Content-Transfer-Encoding: 7bit\n", "Hello")
    base64 = written("Content-Transfer-Encoding: base64\n", "SGVsbG8=")
    other = written("Content-Transfer-Encoding: base64\n", "SGVsbG8h")
    assert mail_digest(plain) == mail_digest(base64)
    assert mail_digest(plain) != mail_digest(other)


def test_an_unknown_or_second_transfer_encoding_counts() -> None:
    one = written("Content-Transfer-Encoding: x-mine\n")
    two = written("Content-Transfer-Encoding: x-yours\n")
    both = written("Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: base64\n", "SGVsbG8=")
    only = written("Content-Transfer-Encoding: 7bit\n", "SGVsbG8=")
    assert len({mail_digest(raw) for raw in (one, two, both, only)}) == 4


@pytest.mark.parametrize(
    "changed",
    [
        replace(FULL, sender=at("me@corp.example", "The boss")),
        replace(FULL, to=FULL.to[::-1]),
        replace(FULL, to=FULL.to[:1]),
        replace(FULL, to=(at("ada@corp.example", "Ada"), at("bob@0ther.example", "Bob"))),
        replace(FULL, to=(at("ada@corp.example", "Eve"), *FULL.to[1:])),
        replace(FULL, cc=(), bcc=(*FULL.bcc, *FULL.cc)),
        replace(FULL, bcc=()),
        replace(FULL, reply_to=(at("evil@other.example"),)),
        replace(FULL, subject="figures"),
        replace(FULL, text="As promised!"),
        replace(FULL, html="<p>As promised. </p>"),
        replace(FULL, html='<p style="x">As promised.</p>'),
        replace(FULL, html=None),
        replace(FULL, mime_type="text/html"),
        replace(FULL, attachments=FULL.attachments[::-1]),
        replace(FULL, attachments=FULL.attachments[:1]),
        replace(FULL, attachments=(replace(FULL.attachments[0], content=b"%PDF-2"), FULL.attachments[1])),
        replace(FULL, attachments=(replace(FULL.attachments[0], filename="a.exe"), FULL.attachments[1])),
        replace(
            FULL, attachments=(replace(FULL.attachments[0], content_type="text/html"), FULL.attachments[1])
        ),
        replace(FULL, auto_submitted="auto-replied"),
        replace(FULL, in_reply_to="<two@corp.example>"),
        replace(FULL, references=FULL.references[:1]),
    ],
)
def test_one_change_is_another_digest(changed: NewMessage) -> None:
    assert digest(changed) != digest(FULL)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (written("X-Mine: 1\n"), written("X-Mine: 2\n")),
        (written(""), written("Disposition-Notification-To: evil@other.example\n")),
        (written("", "Date: today"), written("", "Date: tomorrow")),
        (
            written("Content-Type: multipart/mixed; boundary=b\n", "around\n--b\n\nHello\n--b--\n"),
            written("Content-Type: multipart/mixed; boundary=b\n", "and a secret\n--b\n\nHello\n--b--\n"),
        ),
        (
            written("Content-Type: multipart/mixed; boundary=b\n", "--b\n\nHello\n--b--\nafter"),
            written("Content-Type: multipart/mixed; boundary=b\n", "--b\n\nHello\n--b--\nafterwards"),
        ),
        (
            written("Content-Type: multipart/mixed; boundary=b\n", "--b\nDate: 1\n\nHello\n--b--\n"),
            written("Content-Type: multipart/mixed; boundary=b\n", "--b\nDate: 2\n\nHello\n--b--\n"),
        ),
        (
            written("Content-Type: message/rfc822\n", "Date: 1\nSubject: in\n\nx"),
            written("Content-Type: message/rfc822\n", "Date: 2\nSubject: in\n\nx"),
        ),
        (written(f"X-Long: {'a' * 70_000}b\n"), written(f"X-Long: {'a' * 70_000}c\n")),
        (b"", b"x"),
    ],
)
def test_what_no_reader_shows_counts_too(before: bytes, after: bytes) -> None:
    assert mail_digest(before) != mail_digest(after)


_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
_PEOPLE = st.lists(
    st.builds(
        MailboxAddress,
        name=st.sampled_from(["", "Ada", "Zoë"]),
        address=st.sampled_from(["a@x.example", "b@y.example"]),
    ),
    max_size=3,
).map(tuple)
_FILES = st.lists(
    st.builds(
        OutgoingFile,
        filename=st.sampled_from(["a.pdf", "b.txt"]),
        content_type=st.sampled_from(["application/pdf", "text/plain", "text/html"]),
        content=st.binary(max_size=12),
    ),
    max_size=2,
).map(tuple)
_MAILS = st.builds(
    NewMessage,
    sender=st.sampled_from([FULL.sender, at("me@corp.example", "Me")]),
    to=_PEOPLE,
    cc=_PEOPLE,
    bcc=_PEOPLE,
    reply_to=_PEOPLE,
    subject=_TEXT,
    text=_TEXT,
    html=st.none() | _TEXT,
    attachments=_FILES,
)


def with_one_field_of(mail: NewMessage, other: NewMessage, number: int) -> NewMessage:
    return (
        replace(mail, sender=other.sender),
        replace(mail, to=other.to),
        replace(mail, cc=other.cc),
        replace(mail, bcc=other.bcc),
        replace(mail, reply_to=other.reply_to),
        replace(mail, subject=other.subject),
        replace(mail, text=other.text),
        replace(mail, html=other.html),
        replace(mail, attachments=other.attachments),
    )[number]


@given(first=_MAILS, other=_MAILS, number=st.integers(0, 8))
def test_the_digest_changes_exactly_when_the_mail_does(
    first: NewMessage, other: NewMessage, number: int
) -> None:
    second = with_one_field_of(first, other, number)
    assert (digest(first) != digest(second)) == (fixed(first) != fixed(second))
