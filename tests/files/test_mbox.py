"""Mbox files of every dialect, whole and broken."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.files import mbox
from gaia_mail.files.mbox import MOST_EMPTY, parse_arrival_time, split, unquote
from gaia_mail.files.model import RawMail
from gaia_mail.files.read import open_source
from gaia_mail.files.window import CHUNK_BYTES, FileWindow, InputWindow, StreamWindow

LINE = b"From pat@example.com Mon Mar  2 09:00:00 2026\n"
Write = Callable[..., bytes]


def read(path: Path, content: bytes) -> list[RawMail]:
    path.write_bytes(content)
    return list(open_source(str(path)).messages())


def test_messages_come_in_order_without_their_from_line_and_the_empty_line_after_them(
    tmp_path: Path, message: Write
) -> None:
    found = read(tmp_path / "a.mbox", LINE + message(1) + b"\n" + LINE + message(2) + b"\n")
    assert [mail.raw for mail in found] == [message(1), message(2) + b"\n"]
    assert [mail.index for mail in found] == [0, 1]
    assert {mail.path for mail in found} == {str(tmp_path / "a.mbox")}


def test_headers_have_the_same_keys_labels_and_sizes_as_messages(tmp_path: Path, message: Write) -> None:
    path = tmp_path / "a.mbox"
    messages = read(path, LINE + message(1) + b"\n" + LINE + message(1) + b"\n" + LINE + message(2))
    headers = list(open_source(str(path)).headers())
    assert [(mail.key, mail.size, mail.labels) for mail in headers] == [
        (mail.key, mail.size, mail.labels) for mail in messages
    ]
    assert headers[0].raw == message(1).partition(b"\n\n")[0] + b"\n\n"
    assert len({mail.key for mail in messages}) == 3


@pytest.mark.parametrize("quoted", [b">From here", b">>From here", b">>>From here"])
def test_quoted_from_lines_lose_one_mark(tmp_path: Path, message: Write, quoted: bytes) -> None:
    found = read(tmp_path / "a.mbox", LINE + message(1, "one\n") + quoted + b"\nend\n")
    assert found[0].raw.endswith(b"one\n" + quoted[1:] + b"\nend\n")


def test_a_sentence_that_begins_with_from_does_not_split_a_message(tmp_path: Path, message: Write) -> None:
    body = "Hello.\n\nFrom the office: news.\nFrom time to time it rains.\n\nFrom Pat with love\n\nBye\n"
    assert len(read(tmp_path / "a.mbox", LINE + message(1, body))) == 1


def test_a_right_content_length_keeps_an_unquoted_mbox_inside_a_message(
    tmp_path: Path, message: Write
) -> None:
    inner = "See this:\n\n" + LINE.decode() + "Subject: inner\n\ninner text\n"
    first = message(1, inner, f"Content-Length: {len(inner)}\n")
    found = read(tmp_path / "a.mbox", LINE + first + b"\n" + LINE + message(2))
    assert [mail.raw for mail in found] == [first, message(2)]


@pytest.mark.parametrize("length", ["0", "5", "999999", "-3", "x"])
def test_a_wrong_content_length_is_ignored(tmp_path: Path, message: Write, length: str) -> None:
    first = message(1, "some text\n", f"Content-Length: {length}\n")
    found = read(tmp_path / "a.mbox", LINE + first + b"\n" + LINE + message(2))
    assert [mail.raw for mail in found] == [first, message(2)]


def test_carriage_returns_and_missing_empty_lines_are_borne(tmp_path: Path, message: Write) -> None:
    one, two = message(1).replace(b"\n", b"\r\n"), message(2).replace(b"\n", b"\r\n")
    line = LINE.replace(b"\n", b"\r\n")
    found = read(tmp_path / "a.mbox", line + one + b"\r\n" + line + two + line + one)
    assert [mail.raw for mail in found] == [one, two, one]


def test_a_truncated_mbox_gives_what_is_left_of_its_last_message(tmp_path: Path, message: Write) -> None:
    found = read(tmp_path / "a.mbox", (LINE + message(1) + b"\n" + LINE + message(2))[:-150])
    assert [mail.raw[:10] for mail in found] == [message(1)[:10]]
    cut = read(tmp_path / "b.mbox", LINE + message(1) + b"\n" + LINE + b"From: pa")
    assert cut[1].raw == b"From: pa"
    assert not cut[1].problem


def test_takeout_labels_and_thread_become_ours(tmp_path: Path, message: Write) -> None:
    extra = "X-GM-THRID: 1790000000000000001\n"
    extra += "X-Gmail-Labels: =?UTF-8?Q?Posteingang,Ge=C3=B6ffnet,\n =22Reise, privat=22?=\n"
    found = read(tmp_path / "All mail.mbox", LINE + message(1, extra=extra) + b"\n" + LINE + message(2))
    assert found[0].labels == ("INBOX", "Reise, privat")
    assert found[0].flags == ("\\Seen",)
    assert found[0].thread_hint == "1790000000000000001"
    unread = "X-Gmail-Labels: Inbox,Unread,Starred,Category Updates,Work\n"
    again = read(tmp_path / "b.mbox", LINE + message(1, extra=unread))
    assert again[0].labels == ("INBOX", "UNREAD", "STARRED", "CATEGORY_UPDATES", "Work")
    assert again[0].flags == ("\\Flagged",)


def test_status_fields_become_flags_and_do_not_change_the_key(tmp_path: Path, message: Write) -> None:
    new = read(tmp_path / "a.mbox", LINE + message(1, extra="Status: O\n"))
    read_ = read(
        tmp_path / "b.mbox", LINE + message(1, extra="Status: RO\nX-Status: AF\nX-Keywords: work later\n")
    )
    assert new[0].labels == ("INBOX", "UNREAD")
    assert new[0].flags == ()
    assert read_[0].flags == ("\\Seen", "\\Answered", "\\Flagged")
    assert read_[0].labels == ("INBOX", "STARRED", "work", "later")
    assert new[0].key == read_[0].key


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Sent", "SENT"),
        ("Entwürfe.mbox", "DRAFT"),
        ("Papierkorb", "TRASH"),
        ("Junk.mbox", "SPAM"),
        ("x", "INBOX"),
    ],
)
def test_the_name_of_an_mbox_says_its_label(tmp_path: Path, message: Write, name: str, label: str) -> None:
    assert read(tmp_path / name, LINE + message(1))[0].labels == (label,)


def test_the_time_of_arrival_is_that_of_the_from_line() -> None:
    assert parse_arrival_time(LINE) == 1772442000.0
    assert parse_arrival_time(b"From 17@xxx Mon Mar 02 10:00:00 +0100 2026\n") == 1772442000.0
    assert parse_arrival_time(b"From nobody\n") == 0.0
    assert parse_arrival_time(b"From a Mon Mar 99 99:99:99 2026\n") >= 0


def test_a_boundary_that_lies_across_two_chunks_is_found(tmp_path: Path, message: Write) -> None:
    for shift in range(-8, 9):
        first = message(1, "x" * (CHUNK_BYTES + shift - len(LINE) - len(message(1, "")) - 1) + "\n")
        path = tmp_path / "a.mbox"
        path.write_bytes(LINE + first + b"\n" + LINE + message(2))
        with FileWindow(str(path)) as window:
            assert [span.read(window) for span in split(window)] == [first, message(2)]


def test_a_stream_gives_what_a_file_gives_and_forgets_as_it_goes(message: Write) -> None:
    body = "y" * 3000 + "\n"
    content = b"".join(LINE + message(number, body) + b"\n" for number in range(2000))
    window = StreamWindow(io.BytesIO(content))
    count = 0
    for number, span in enumerate(split(window)):
        assert span.read(window).rstrip(b"\n") == message(number, body).rstrip(b"\n")
        count += 1
        assert window.count_buffered_bytes() < 3 * CHUNK_BYTES
    assert count == 2000


@given(st.lists(st.binary(max_size=60), max_size=12))
def test_any_bytes_are_split_without_losing_the_order(pieces: list[bytes]) -> None:
    content = b"\nFrom ".join(pieces)
    window = StreamWindow(io.BytesIO(content))
    ends = [(span.start, span.end) for span in split(window)]
    assert all(start <= end <= len(content) for start, end in ends)
    assert ends == sorted(ends)


@given(st.text(alphabet=">From \n", max_size=60))
def test_unquoting_only_takes_marks_away(text: str) -> None:
    raw = b"A: b\n\n" + text.encode()
    assert unquote(raw, 6).replace(b">", b"") == raw.replace(b">", b"")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("window", [FileWindow, StreamWindow])
def test_of_a_long_row_of_empty_messages_the_number_is_told_and_what_follows_is_read(
    tmp_path: Path, message: Write, end: bytes, window: type[FileWindow] | type[StreamWindow]
) -> None:
    """Longer than a few chunks; with a sentence after the row that only begins like another of them."""
    line = LINE.rstrip() + end
    count = 3 * CHUNK_BYTES // len(line)
    last = line + end + b"From here on it is text" + end
    content = LINE + message(1) + b"\n" + (line + end) * count + last + end + LINE + message(2)
    path = tmp_path / "a.mbox"
    path.write_bytes(content)
    opened = FileWindow(str(path)) if window is FileWindow else StreamWindow(io.BytesIO(content))
    spans = list(split(opened))
    assert len(spans) < 2 * MOST_EMPTY
    assert sum(span.skipped or 1 for span in spans) == count + 3
    assert max(span.skipped for span in spans) > count - 2 * MOST_EMPTY
    found = list(open_source(str(path)).messages())
    assert [mail.index for mail in (found[0], found[-2], found[-1])] == [0, count + 1, count + 2]
    assert b"From here on" in found[-2].raw and found[-1].raw == message(2)
    (problem,) = [mail.problem for mail in found if mail.problem]
    assert (
        problem
        == f"{max(span.skipped for span in spans):,} more messages in a row are empty; they are not shown"
    )


def test_a_few_empty_messages_are_messages(tmp_path: Path, message: Write) -> None:
    found = read(tmp_path / "a.mbox", (LINE + b"\n") * MOST_EMPTY + LINE + message(1))
    assert len(found) == MOST_EMPTY + 1
    assert not any(mail.problem for mail in found)


@pytest.mark.parametrize("text", [b"From ", b"From here on", b"From\xa0", b"From : x"])
def test_lines_that_only_begin_like_a_boundary_are_not_looked_at_one_by_one(
    tmp_path: Path, message: Write, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def look(window: InputWindow, offset: int) -> int | None:
        looked.append(offset)
        return is_boundary(window, offset)

    is_boundary = mbox._is_boundary  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(mbox, "_is_boundary", look)
    body = (text + b"\n\n") * (2 * CHUNK_BYTES // len(text))
    found = read(tmp_path / "a.mbox", LINE + message(1) + body + LINE + message(2))
    assert [mail.raw[:20] for mail in found] == [message(1)[:20], message(2)[:20]]
    assert len(looked) == 1
