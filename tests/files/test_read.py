"""Opening whatever holds mail, and what is said of what does not."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_mail.files import model, single
from gaia_mail.files.location import short_id
from gaia_mail.files.model import RawMail
from gaia_mail.files.opening import HEADER_BYTES
from gaia_mail.files.read import FileSource, open_source

Write = Callable[..., bytes]
MakeMaildir = Callable[[Path], Path]
LINE = b"From pat@example.com Mon Mar  2 09:00:00 2026\n"


def messages(path: Path) -> list[RawMail]:
    return list(open_source(str(path)).messages())


def test_a_folder_of_everything_is_read_in_one_order(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    (tmp_path / "b.eml").write_bytes(message(2))
    (tmp_path / "a.eml").write_bytes(message(1))
    (tmp_path / "10").write_bytes(message(10))
    (tmp_path / "9").write_bytes(message(9))
    (tmp_path / "box").write_bytes(LINE + message(3) + b"\n" + LINE + message(4))
    (tmp_path / "README.md").write_text("# Not mail\n")
    (tmp_path / "data.bin").write_bytes(bytes(range(256)))
    (tmp_path / ".hidden.eml").write_bytes(message(99))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "plain").write_bytes(message(5))
    (make_maildir(tmp_path / "zmaildir") / "cur" / "1.a.h:2,S").write_bytes(message(6))
    source = open_source(str(tmp_path))
    keys = [mail.key for mail in source.messages()]
    assert [key.split("\0")[0] for key in keys] == [
        "9",
        "10",
        "a.eml",
        "b.eml",
        "box",
        "box",
        "sub/plain",
        "zmaildir",
    ]
    assert len(set(keys)) == 8
    assert [mail.key for mail in source.headers()] == keys
    assert all(mail.raw.startswith(b"From: Pat") for mail in source.messages())


def test_the_path_is_the_argument_or_the_file_below_it(
    tmp_path: Path, message: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "a.eml").write_bytes(message(1))
    monkeypatch.chdir(tmp_path)
    assert [mail.path for mail in open_source("box").messages()] == ["box/a.eml"]
    assert [mail.path for mail in open_source("box/a.eml").messages()] == ["box/a.eml"]


def test_folders_of_messages_have_labels_by_their_names(tmp_path: Path, message: Write) -> None:
    for number, name in enumerate(("Sent", "Spam", "other")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.eml").write_bytes(message(number))
    assert [mail.labels for mail in messages(tmp_path)] == [("SENT",), ("SPAM",), ("INBOX",)]


def test_mh_sequences_say_what_is_unread(tmp_path: Path, message: Write) -> None:
    (tmp_path / ".mh_sequences").write_text("unseen: 2 4-5\nflagged: 1\nevil: 1-999999999\n")
    for number in (1, 2, 4):
        (tmp_path / str(number)).write_bytes(message(number))
    assert [mail.labels for mail in messages(tmp_path)] == [
        ("INBOX", "STARRED"),
        ("INBOX", "UNREAD"),
        ("INBOX", "UNREAD"),
    ]


def test_apple_files_are_read_with_their_flags(tmp_path: Path, message: Write) -> None:
    plist = b'<?xml version="1.0"?><plist><dict><key>flags</key><integer>16</integer></dict></plist>'
    folder = tmp_path / "INBOX.mbox" / "Messages"
    folder.mkdir(parents=True)
    (folder / "7.emlx").write_bytes(f"{len(message(1))}   \n".encode() + message(1) + plist)
    (folder / "8.emlx").write_bytes(b"what?")
    good, bad = messages(tmp_path)
    assert good.raw == message(1)
    assert good.labels == ("INBOX", "UNREAD", "STARRED")
    assert "does not begin with the size" in bad.problem


def test_an_eml_file_with_a_from_line_is_one_message(tmp_path: Path, message: Write) -> None:
    (tmp_path / "a.eml").write_bytes(LINE + message(1))
    source = open_source(str(tmp_path / "a.eml"))
    assert [mail.raw for mail in source.messages()] == [message(1)]
    assert isinstance(source, FileSource)
    assert [mail.size for mail in source.headers()] == [len(message(1))]


def test_the_header_pass_reads_no_body_and_a_bounded_header(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"Subject: x\r\n\r\n" + b"body\r\n" * 100_000)
    (tmp_path / "b.eml").write_bytes(b"Subject: " + b"y" * 1_000_000)
    a, b = open_source(str(tmp_path)).headers()
    assert a.raw == b"Subject: x\r\n\r\n"
    assert a.size == 600_014
    assert len(b.raw) == HEADER_BYTES


def test_a_large_message_is_cut_and_its_size_told(
    tmp_path: Path, message: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single, "MAX_MESSAGE_BYTES", 200)
    (tmp_path / "a.eml").write_bytes(message(1, "z" * 1000))
    mail = messages(tmp_path / "a.eml")[0]
    assert len(mail.raw) == 200
    assert mail.size == len(message(1, "z" * 1000))
    assert model.MAX_MESSAGE_BYTES >= 25 * 1024 * 1024


def test_a_path_that_does_not_exist_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="does not exist") as caught:
        open_source(str(tmp_path / "no" / "where"))
    assert caught.value.argument == "path"


def test_a_folder_without_any_mail_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing here")
    with pytest.raises(NotFound, match="holds no mail"):
        open_source(str(tmp_path))


@pytest.mark.parametrize(
    "content", [bytes(range(256)) * 20, b"%PDF-1.7 binary", b"just a text\nwithout header\n"]
)
def test_a_file_that_is_no_mail_is_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "thing").write_bytes(content)
    with pytest.raises(BadArgument, match="neither a message"):
        open_source(str(tmp_path / "thing"))


def test_a_binary_eml_file_is_still_a_message(tmp_path: Path) -> None:
    (tmp_path / "x.eml").write_bytes(bytes(range(256)))
    assert messages(tmp_path / "x.eml")[0].raw == bytes(range(256))


def test_an_empty_mbox_and_an_empty_maildir_have_no_messages(
    tmp_path: Path, make_maildir: MakeMaildir
) -> None:
    (tmp_path / "empty").touch()
    assert messages(tmp_path / "empty") == []
    assert messages(make_maildir(tmp_path / "m")) == []


def test_an_empty_message_file_is_one_problem(tmp_path: Path, message: Write) -> None:
    (tmp_path / "a.eml").touch()
    (tmp_path / "b.eml").write_bytes(message(1))
    first, second = messages(tmp_path)
    assert first.problem == "the file is empty"
    assert second.raw == message(1)


@pytest.mark.timeout(10)
def test_pipes_and_devices_are_refused_and_never_waited_for(tmp_path: Path, message: Write) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(BadArgument, match="pipe, socket or device"):
            open_source(str(path))
    os.mkfifo(tmp_path / "x.eml")
    (tmp_path / "y.eml").write_bytes(message(1))
    (tmp_path / "z.eml").symlink_to("/dev/zero")
    assert [mail.raw for mail in messages(tmp_path) if not mail.problem] == [message(1)]


def test_a_link_to_itself_is_told(tmp_path: Path, message: Write) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(BadArgument, match="form a loop"):
        open_source(str(tmp_path / "loop"))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    (tmp_path / "a" / "m.eml").write_bytes(message(1))
    assert len([mail for mail in messages(tmp_path) if not mail.problem]) == 1


def test_a_path_with_a_zero_byte_is_a_bad_argument() -> None:
    with pytest.raises(BadArgument):
        open_source("a\0b")


def test_what_may_not_be_read_is_told_before_the_run(
    tmp_path: Path, message: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.eml").write_bytes(message(1))

    def refuse(path: str, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ProviderError, match="permission denied"):
        open_source(str(tmp_path / "a.eml"))
    monkeypatch.undo()
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ProviderError, match="permission denied"):
        open_source(str(tmp_path))


def test_a_file_that_vanishes_is_one_problem(tmp_path: Path, message: Write) -> None:
    for name in ("a.eml", "b.eml", "c.eml"):
        (tmp_path / name).write_bytes(message(1))
    walk = open_source(str(tmp_path)).messages()
    next(walk)
    (tmp_path / "b.eml").unlink()
    assert [mail.problem for mail in walk] == ["the file cannot be read: it does not exist (any more)", ""]


def test_standard_input_is_a_message_or_an_mbox_and_is_read_once(message: Write) -> None:
    source = open_source("-", stdin=io.BytesIO(message(1)))
    assert source.once
    assert [(mail.path, mail.raw) for mail in source.messages()] == [("-", message(1))]
    with pytest.raises(BadArgument, match="only once"):
        list(source.messages())
    box = io.BytesIO(LINE + message(1) + b"\n" + LINE + message(2))
    assert [mail.raw for mail in open_source("-", stdin=box).messages()] == [message(1), message(2)]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x00\x01\x02"])
def test_standard_input_without_mail_is_refused(content: bytes) -> None:
    with pytest.raises(BadArgument, match="Standard input"):
        list(open_source("-", stdin=io.BytesIO(content)).messages())


@pytest.mark.timeout(10)
def test_an_mbox_from_a_pipe_is_told_as_it_comes(message: Write) -> None:
    reading, writing = os.pipe()
    second = message(2, "y" * 9000 + "\n")
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        pipe.write(LINE + message(1, "x" * 9000 + "\n") + b"\n" + LINE + second)
        walk = open_source("-", stdin=stream).messages()
        assert next(walk).raw.startswith(b"From: Pat")
        pipe.close()
        assert [mail.raw for mail in walk] == [second]


def test_ids_are_short_and_the_same_for_ever() -> None:
    assert short_id("1700000000.M1P1.host") == short_id("1700000000.M1P1.host")
    assert short_id("a") != short_id("b")
    assert len(short_id("\udcff")) == 12
    assert set(short_id("x")) <= set("abcdefghijklmnopqrstuvwxyz234567")
