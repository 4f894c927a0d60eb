"""The original of a message as a server sends it: base64url, whole or cut, padded or not, or something else."""

from __future__ import annotations

import base64

import pytest

from gaia_email_registry.contract.wire import Email
from gaia_understanding.cascade.understand import raw_bytes, read_raw

RAW = b"From: Kim <kim@lee.example>\r\nSubject: Plans \xf0\x9f\x8c\xb1\xff\xfe\r\n\r\nHere they are?>\r\n"
ENCODED = base64.urlsafe_b64encode(RAW).decode()


def answer(raw: str) -> Email:
    return {
        "id": "1",
        "account": "me@home.example",
        "message_id": "<1@lee.example>",
        "thread_id": "1",
        "from": {"name": "Kim", "address": "kim@lee.example"},
        "to": [],
        "cc": [],
        "subject": "Plans",
        "date": "2026-03-04T09:30:00Z",
        "snippet": "",
        "labels": [],
        "flags": [],
        "has_attachments": False,
        "size": len(RAW),
        "raw": raw,
    }


@pytest.mark.parametrize("raw", [ENCODED, ENCODED.rstrip("=")])
def test_the_original_is_read_with_and_without_padding(raw: str) -> None:
    assert "-" in ENCODED or "_" in ENCODED
    assert raw_bytes(answer(raw)) == RAW
    assert not [defect for defect in read_raw(answer(raw)).defects if "were read" in defect]


@pytest.mark.parametrize("raw", ["From: Kim", "%%%%", "a", "ÄÖÜ", ENCODED[:20] + "\n" + ENCODED[20:]])
def test_what_is_no_base64url_is_an_original_that_could_not_be_read_and_says_so(raw: str) -> None:
    message = read_raw(answer(raw))
    assert raw_bytes(answer(raw)) == b""
    assert any("only the first 0 were read" in defect for defect in message.defects)
