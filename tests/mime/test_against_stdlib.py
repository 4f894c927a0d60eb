"""Our reader agrees with the standard library's on mail that both can read."""

from __future__ import annotations

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage

from gaia_email.app.sample.mailbox import sample_messages
from gaia_email.app.sample.render import Rendered
from gaia_mail.mime.read import parse_message
from tests.tables import failing


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_subject_text_and_files_are_those_of_the_standard_library() -> None:
    sample = sample_messages(datetime(2026, 3, 4, 15, tzinfo=UTC))
    rows = [(message,) for message in sample if "broken" not in message.name]
    assert not failing(rows, is_read_alike)


def is_read_alike(message: Rendered) -> None:
    raw = message.raw
    ours = parse_message(raw)
    theirs = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(theirs, EmailMessage)
    assert ours.subject == squeezed(str(theirs["Subject"]))
    assert ours.message_id == str(theirs["Message-ID"])
    assert ours.sender is not None
    assert ours.sender.address == theirs["From"].addresses[0].addr_spec
    assert ours.sender.name == theirs["From"].addresses[0].display_name
    assert ours.date == theirs["Date"].datetime
    plain = theirs.get_body(("plain",))
    assert squeezed(ours.text) == squeezed(plain.get_content() if plain else "")
    files = [(part.get_filename(), part.get_content_type()) for part in theirs.iter_attachments()]
    assert [(file.filename, file.content_type) for file in ours.attachments] == files
