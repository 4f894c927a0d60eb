"""Lines between messages that say no date, and text that only looks like one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gaia_mail.files.model import RawMail
from gaia_mail.files.read import open_source

LINE = b"From pat@example.com Mon Mar  2 09:00:00 2026\n"
Write = Callable[..., bytes]

SEPARATORS = [
    b"From \n",
    b"From\n",
    b"From  \t\n",
    b"From - \n",
    b"From - Mon Jan  5 10:00:00 2026\n",
    b"From - Thu Jan 01 00:00:00 1970\n",
    b"From ???@???\n",
    b"From ???@??? Mon Mar 02 09:00:00 2026\n",
    b"From MAILER-DAEMON\n",
    b"From MAILER-DAEMON Mon Mar  2 09:00:00 2026\n",
    b"From pat@example.com\n",
    b"From pat@example.com  Mon Mar  2 09:00 2026\n",
    b"From pat@example.com 2026-03-02 09:00\n",
    b"From root localhost\n",
    b"From pat@example.com lun. mars 2 09 heures\n",
    b'From "Pat Doe"@example.com\n',
]


def read(path: Path, content: bytes) -> list[RawMail]:
    path.write_bytes(content)
    return list(open_source(str(path)).messages())


def _subjects(found: list[RawMail]) -> list[str]:
    return [mail.raw.partition(b"Subject: ")[2].partition(b"\n")[0].decode().strip() for mail in found]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("line", SEPARATORS)
def test_a_separator_of_any_program_begins_the_next_message(
    tmp_path: Path, message: Write, line: bytes, end: bytes
) -> None:
    content = (line + message(1) + b"\n" + line + message(2) + b"\n" + line + message(3)).replace(b"\n", end)
    found = read(tmp_path / "a.mbox", content)
    assert _subjects(found) == ["Number 1", "Number 2", "Number 3"]
    assert [mail.raw.rstrip() for mail in found] == [
        message(number).replace(b"\n", end).rstrip() for number in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    "line",
    [
        line
        for line in SEPARATORS
        if not line.startswith((b"From root l", b'From "Pat', b"From pat@example.com l"))
    ],
)
def test_a_separator_without_an_empty_line_before_it_begins_a_message(
    tmp_path: Path, message: Write, line: bytes
) -> None:
    found = read(tmp_path / "a.mbox", LINE + message(1) + line + message(2) + LINE + message(3))
    assert _subjects(found) == ["Number 1", "Number 2", "Number 3"]


def test_a_content_length_that_leads_to_a_bare_separator_is_believed(tmp_path: Path, message: Write) -> None:
    inner = "See this:\n\n" + LINE.decode() + "Subject: inner\n\ninner text\n"
    first = message(1, inner, f"Content-Length: {len(inner)}\n")
    found = read(tmp_path / "a.mbox", b"From \n" + first + b"\nFrom \n" + message(2))
    assert [mail.raw for mail in found] == [first, message(2)]


def test_a_file_that_begins_with_a_bare_separator_is_an_mbox_by_whatever_name(
    tmp_path: Path, message: Write
) -> None:
    for line in (b"From \n", b"From\n"):
        found = read(tmp_path / "Saved", line + message(1) + b"\n" + line + message(2))
        assert _subjects(found) == ["Number 1", "Number 2"]


@pytest.mark.parametrize(
    "prose",
    [
        "From \n",
        "From\n\nwith love\n",
        "From here on\nNote: it rains.\n",
        "From there\nTo: nowhere\n",
        "From the office:\nSubject: to change, as always\n",
        "From Pat with love\nDate: tomorrow?\nTo: be seen\n",
        "From time to time\n\nFrom: is a word, too\n",
        "From a@example.com we heard: nothing.\n",
        "From: Ann <ann@example.com>\nSent: Monday\nTo: me\nSubject: Plans\n\nHello\n",
        ">From \nFrom: x\n",
    ],
)
def test_prose_that_begins_with_from_does_not_split_a_message(
    tmp_path: Path, message: Write, prose: str
) -> None:
    found = read(
        tmp_path / "a.mbox", LINE + message(1, f"Hello.\n\n{prose}\nBye\n") + b"\n" + LINE + message(2)
    )
    assert _subjects(found) == ["Number 1", "Number 2"]


DELETED = {
    "read": "X-Mozilla-Status: 0009\n",
    "unread": "X-Mozilla-Status: 0008\nX-Mozilla-Status2: 00000000\n",
    "forwarded, too": "X-Mozilla-Status: 1009\n",
    "case": "x-mozilla-status: 000B\r\n",
}


@pytest.mark.parametrize("extra", DELETED.values(), ids=DELETED)
def test_what_thunderbird_removed_and_did_not_compact_is_gone(
    tmp_path: Path, message: Write, extra: str
) -> None:
    kept = message(1, extra="X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n")
    content = LINE + message(2, extra=extra) + b"\n" + LINE + kept + b"\n" + LINE + message(3, extra=extra)
    found = read(tmp_path / "a.mbox", content)
    assert _subjects(found) == ["Number 1"]
    assert _subjects(list(open_source(str(tmp_path / "a.mbox")).headers())) == ["Number 1"]


def test_a_copy_that_thunderbird_removed_does_not_change_the_key_of_the_other(
    tmp_path: Path, message: Write
) -> None:
    gone, kept = (message(1, extra=f"X-Mozilla-Status: {bits}\n") for bits in ("0008", "0001"))
    both = read(tmp_path / "a.mbox", LINE + gone + b"\n" + LINE + kept)
    alone = read(tmp_path / "b.mbox", LINE + kept)
    assert [mail.key for mail in both] == [mail.key for mail in alone]


MARKED = {
    "Mutt, Pine, Dovecot": "Status: RO\nX-Status: D\n",
    "with others": "Status: RO\nX-Status: ADF\n",
    "KMail": "X-Status: RD\n",
    "Thunderbird over IMAP": "X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00200000\n",
    "Evolution": "X-Evolution: 00000ace-0012\n",
}


@pytest.mark.parametrize("extra", MARKED.values(), ids=MARKED)
def test_what_is_marked_as_deleted_is_in_trash(tmp_path: Path, message: Write, extra: str) -> None:
    found = read(tmp_path / "a.mbox", LINE + message(1, extra=extra) + b"\n" + LINE + message(2))
    assert ["TRASH" in mail.labels for mail in found] == [True, False]
    assert not any("INBOX" in mail.labels for mail in found[:1])
    assert found[0].flags[0] == "\\Seen"


@pytest.mark.parametrize(
    "extra",
    [
        "X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00800000\n",
        "X-Mozilla-Status: 0010\n",
        "X-Mozilla-Status: garbage8\n",
        "X-Status: A\n",
        "X-Evolution: 00000ace-0010\n",
        "Subject-Status: D\n",
    ],
)
def test_other_marks_leave_a_message_where_it_is(tmp_path: Path, message: Write, extra: str) -> None:
    (found,) = read(tmp_path / "a.mbox", LINE + message(1, extra=extra))
    assert "INBOX" in found.labels
