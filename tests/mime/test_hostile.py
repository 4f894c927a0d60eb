"""Hostile input costs bounded time, and nothing in a message can make reading raise."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.headers import parse_parameters
from gaia_mail.mime.read import parse_message
from gaia_mail.mime.scan import scan_headers
from gaia_mail.mime.words import decode_words

HEAD = b"From: a@example.com\nSubject: s\n"
IMAGE = b"Content-Type: image/png\n\n"
TOKENS = [
    b"\n", b"\r\n", b"\r", b"\0", b"--b", b"--b--", b"--b\n", b" ", b"\t", b":", b";", b"=", b'"', b"<", b">", b"(",
    b",", b"@", b"=?utf-8?q?", b"=?utf-7?b?", b"?=", b"=C3", b"\xff", b"\xe9", b"From: ", b"To: ", b"Date: ", b"x",
    b"Content-Type: multipart/mixed; boundary=b\n", b"Content-Type: text/plain; charset=", b"utf-16", b"hz", b"utf-7",
    b"Content-Type: message/rfc822\n", b"Content-Transfer-Encoding: base64\n", b"quoted-printable", b"x-uuencode",
    b"Content-Transfer-Encoding: ", b"Content-Disposition: attachment; filename*0*=utf-8''%C3", b"begin 644 x\n",
]  # fmt: skip
MESSY = st.lists(st.sampled_from(TOKENS), max_size=60).map(b"".join)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.binary(max_size=300), MESSY, MESSY.map(lambda raw: HEAD + raw)))
def test_no_bytes_make_reading_raise(raw: bytes) -> None:
    message = parse_message(raw)
    scan = scan_headers(raw)
    assert message.size == len(raw)
    assert (message.subject, message.sender, message.to) == (scan.subject, scan.sender, scan.to)
    for text in (message.subject, message.text, message.html, *message.calendars, *message.defects):
        text.encode()
    for name, value in message.headers.fields():
        (name + value).encode()
    for part in message.attachments:
        assert "/" not in part.filename and part.filename.encode() is not None
    assert len(message.defects) <= 10


def nested(depth: int) -> bytes:
    opened = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth)
    )
    return HEAD + opened + b"\nthe end\n"


def siblings(count: int) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * count + b"--b--\n"


HUGE: list[tuple[str, Callable[[], bytes], str]] = [
    ("10,000 nested parts", lambda: nested(10_000), "nests more than 50"),
    ("10,000 sibling parts", lambda: siblings(10_000), ""),
    ("200,000 sibling parts", lambda: siblings(200_000), "more than 10,000 parts"),
    ("a million recipients", lambda: b"To: " + b"a@b.example,\n " * 1_000_000 + b"c@d\n" + HEAD + b"\n", "recipients"),
    ("a line of 10 MB", lambda: HEAD + b"\n" + b"x" * 10_000_000, "the text is too long"),
    ("a header of 10 MB", lambda: HEAD + b"X-Long: " + b"y " * 5_000_000 + b"\n\nhi", "header field is too long"),
    ("a million fields", lambda: HEAD + b"X: y\n" * 1_000_000 + b"\nhi", "too many fields"),
    ("a million continuation lines", lambda: HEAD + b"X: y\n" + b" z\n" * 1_000_000 + b"\nhi", "too long"),
    ("30 MB of base64", lambda: HEAD + b"Content-Transfer-Encoding: base64\n" + IMAGE + b"QUJD" * 7_500_000, ""),
    ("8-bit junk", lambda: HEAD + b"\n" + bytes(range(128, 256)) * 80_000, "charset"),
    ("a header of colonless lines", lambda: HEAD + b"no colon\nX: y\n" * 100_000 + b"\nhi", "not header fields"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "defect"), [case[1:] for case in HUGE], ids=[case[0] for case in HUGE])
def test_huge_messages_take_bounded_time_and_say_what_was_cut(make: Callable[[], bytes], defect: str) -> None:
    raw = make()
    started = time.process_time()
    message = parse_message(raw)
    assert time.process_time() - started < 3
    assert any(defect in found for found in message.defects) or not defect, message.defects
    assert message.subject == "s"


@pytest.mark.parametrize(
    "unit", ['"', "\\", "(", "<", '"\\"', "=?a?q?", "=?a?q? ", ";", ";a", "a=", ":", "@", " ", "<@:", "(()"]
)
def test_repetition_costs_no_more_than_linear_time(unit: str) -> None:
    value = unit * (60_000 // len(unit))
    started = time.process_time()
    parse_addresses(value)
    parse_parameters("text/plain;" + value)
    decode_words(value)
    scan_headers(b"Date: " + value.encode() + b"\nReferences: " + value.encode() + b"\n\n")
    assert time.process_time() - started < 1


@pytest.mark.parametrize("folder", ["spamassassin", "mailauth", "ics", "mime"])
def test_no_development_message_raises_or_takes_a_second(shared_data: Path, folder: str) -> None:
    files = [path for path in sorted((shared_data / folder).rglob("*")) if path.is_file()]
    assert files
    for path in files:
        raw = path.read_bytes()
        started = time.process_time()
        parse_message(raw)
        assert time.process_time() - started < 1, path


def test_the_hard_mime_set_agrees_where_it_should(shared_data: Path) -> None:
    rows = [json.loads(line) for line in (shared_data / "mime" / "expected.jsonl").read_text().splitlines()]
    agreed = 0
    for row in rows:
        message = parse_message((shared_data / "mime" / "messages" / row["file"]).read_bytes())
        body = message.text + message.html
        found = sum(word in body for word in row["words"])
        sender = message.sender.address if message.sender else ""
        agreed += found * 5 >= len(row["words"]) * 4 and sender == (row.get("from") or "")
        agreed += (
            message.subject == (row.get("subject") or "") and len(message.attachments) == row["attachments"]
        )
    assert agreed >= 1.8 * len(rows)
