"""Headers and messages as records: equality, repeated fields, where a header ends."""

from dataclasses import replace

from gaia_mail.mime.model import Headers, MailboxAddress
from gaia_mail.mime.read import parse_message


def test_equal_records_are_one_in_a_set_and_can_be_replaced() -> None:
    ann, same = (
        MailboxAddress(name="Ann", address="ann@a.example"),
        MailboxAddress(name="Ann", address="ann@a.example"),
    )
    assert {ann, same} == {ann}
    assert replace(ann, name="") == MailboxAddress(name="", address="ann@a.example")


def test_the_first_of_repeated_fields_counts_and_all_can_be_had_in_any_case() -> None:
    headers = Headers((("X-One", "1"), ("Received", "new"), ("RECEIVED", "old")))
    assert headers["received"] == "new"
    assert headers.get_all("Received") == ("new", "old")
    assert list(headers) == ["x-one", "received"]
    assert len(headers) == 2
    assert "X-ONE" in headers and "x-two" not in headers and headers.get_all("x-two") == ()


def test_recipients_of_repeated_fields_are_all_read() -> None:
    message = parse_message(b"From: a@a.example\nTo: b@b.example\nSubject: x\nTO: c@c.example\n\n")
    assert [mailbox.address for mailbox in message.to] == ["b@b.example", "c@c.example"]


def test_parts_that_share_a_header_do_not_share_its_defects() -> None:
    part = b"--x\r\nContent-Type: text/plain\r\nnot a field\r\n\r\none\r\n"
    raw = (
        b"From: a@a.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + part + part + b"--x--\r\n"
    )
    first, again = parse_message(raw), parse_message(raw)
    assert first.defects == again.defects
    assert len(first.defects) == len(set(first.defects))


def test_the_header_ends_at_the_first_empty_line_however_lines_end() -> None:
    for end in (b"\n", b"\r\n"):
        for other in (b"\n", b"\r\n"):
            raw = (
                b"From: a@a.example" + end + b"Subject: x" + end + other + b"body" + other + other + end + end
            )
            assert parse_message(raw).subject == "x"
            assert parse_message(raw).text.startswith("body")
