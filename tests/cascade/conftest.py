"""Messages built by hand, so that the cascade is tested without reading MIME or preparing text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Protocol

import pytest

from gaia_mail.mime.model import Attachment, Headers, MailboxAddress, ParsedMessage
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Link, Prepared, Removal

OWNER = "robin@home.example"
SENT = datetime(2026, 3, 4, 9, 30, tzinfo=timezone(timedelta(hours=1)))


class MakeMail(Protocol):
    def __call__(
        self,
        text: str = ...,
        *,
        subject: str = ...,
        sender: str = ...,
        name: str = ...,
        to: Sequence[str] = ...,
        cc: Sequence[str] = ...,
        reply_to: Sequence[str] = ...,
        headers: Sequence[tuple[str, str]] = ...,
        links: Sequence[tuple[str, str]] = ...,
        language: str = ...,
        in_reply_to: str = ...,
        quoted: str = ...,
        signature: str = ...,
        hidden: str = ...,
        removed: Sequence[Removal] = ...,
        files: Sequence[str] = ...,
        calendars: Sequence[str] = ...,
    ) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


def _attachment(number: int, filename: str) -> Attachment:
    return Attachment(
        id=str(number),
        filename=filename,
        content_type="application/octet-stream",
        size=10,
        inline=False,
        content_id="",
        data=b"0123456789",
    )


def make_mail(
    text: str = "",
    *,
    subject: str = "",
    sender: str = "dana@friends.example",
    name: str = "Dana Reyes",
    to: Sequence[str] = (OWNER,),
    cc: Sequence[str] = (),
    reply_to: Sequence[str] = (),
    headers: Sequence[tuple[str, str]] = (),
    links: Sequence[tuple[str, str]] = (),
    language: str = "en",
    in_reply_to: str = "",
    quoted: str = "",
    signature: str = "",
    hidden: str = "",
    removed: Sequence[Removal] = (),
    files: Sequence[str] = (),
    calendars: Sequence[str] = (),
) -> Prepared:
    fields = (
        ("From", f"{name} <{sender}>"),
        ("To", ", ".join(to)),
        ("Subject", subject),
        ("Date", "Wed, 04 Mar 2026 09:30:00 +0100"),
        *headers,
    )
    message = ParsedMessage(
        headers=Headers(tuple(fields)),
        message_id="<one@mail.example>",
        in_reply_to=(in_reply_to,) if in_reply_to else (),
        references=(in_reply_to,) if in_reply_to else (),
        subject=subject,
        sender=MailboxAddress(name=name, address=sender) if sender else None,
        reply_to=tuple(MailboxAddress(name="", address=address) for address in reply_to),
        to=tuple(MailboxAddress(name="", address=address) for address in to),
        cc=tuple(MailboxAddress(name="", address=address) for address in cc),
        bcc=(),
        date=SENT,
        text=text,
        html="",
        calendars=tuple(calendars),
        attachments=tuple(_attachment(number, filename) for number, filename in enumerate(files, 1)),
        content_type="text/plain",
        encrypted=False,
        size=len(text),
        defects=(),
    )
    return Prepared(
        message=message,
        normalized=text,
        quoted=quoted,
        signature=signature,
        disclaimer="",
        hidden=hidden,
        language=language,
        links=tuple(Link(text=shown, url=url) for shown, url in links),
        json_ld=(),
        removed=tuple(removed),
        text_from="plain",
        defects=(),
    )


def judge_mail(prepared: Prepared, context: Context | None = None) -> Verdict:
    return BuiltinTier(model=False).judge(prepared, context or Context(owner=frozenset({OWNER})))


@pytest.fixture
def mail() -> MakeMail:
    return make_mail


@pytest.fixture
def judge() -> Judge:
    return judge_mail
