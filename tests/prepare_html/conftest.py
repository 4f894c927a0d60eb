"""Preparing an HTML body in one call, for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gaia_mail.mime.model import Headers, MailboxAddress, ParsedMessage

MakeMessage = Callable[..., ParsedMessage]


def _make(*, text: str = "", html: str = "", subject: str = "Hello", in_reply_to: str = "") -> ParsedMessage:
    return ParsedMessage(
        headers=Headers((("Subject", subject),)),
        message_id="<1@example.com>",
        in_reply_to=(in_reply_to,) if in_reply_to else (),
        references=(),
        subject=subject,
        sender=MailboxAddress(name="Ann Lee", address="ann@example.com"),
        reply_to=(),
        to=(),
        cc=(),
        bcc=(),
        date=None,
        text=text,
        html=html,
        calendars=(),
        attachments=(),
        content_type="multipart/alternative",
        encrypted=False,
        size=len(text) + len(html),
        defects=(),
    )


@pytest.fixture(scope="session")
def make_message() -> MakeMessage:
    return _make


@pytest.fixture(scope="session")
def data() -> Path:
    folder = Path(__file__).parents[2].parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the development data is not here")
    return folder
