"""Builds prepared messages for the extraction tests without the other rooms' code."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from gaia_mail.mime.model import Headers, MailboxAddress, ParsedMessage
from gaia_understanding.prepare.model import JsonValue, Link, Prepared

MakePrepared = Callable[..., Prepared]

SENT = datetime(2026, 3, 2, 9, 0, tzinfo=timezone(timedelta(hours=1)))
"""A Monday."""


def _prepared(
    text: str = "",
    *,
    language: str = "en",
    subject: str = "",
    sender: MailboxAddress | None = None,
    to: tuple[MailboxAddress, ...] = (MailboxAddress(name="Sam Reed", address="sam@example.com"),),
    date: datetime | None = SENT,
    calendars: tuple[str, ...] = (),
    links: tuple[Link, ...] = (),
    json_ld: tuple[dict[str, JsonValue], ...] = (),
    headers: tuple[tuple[str, str], ...] = (),
    signature: str = "",
) -> Prepared:
    message = ParsedMessage(
        headers=Headers(headers),
        message_id="<1@example.com>",
        in_reply_to=(),
        references=(),
        subject=subject,
        sender=sender or MailboxAddress(name="Dana Kim", address="dana@example.com"),
        reply_to=(),
        to=to,
        cc=(),
        bcc=(),
        date=date,
        text=text,
        html="",
        calendars=calendars,
        attachments=(),
        content_type="text/plain",
        encrypted=False,
        size=len(text),
        defects=(),
    )
    return Prepared(
        message=message,
        normalized=text,
        quoted="",
        signature=signature,
        disclaimer="",
        hidden="",
        language=language,
        links=links,
        json_ld=json_ld,
        removed=(),
        text_from="plain",
        defects=(),
    )


@pytest.fixture
def prepared() -> MakePrepared:
    return _prepared
