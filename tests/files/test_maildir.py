"""Maildirs: folders, flags and keywords as every program writes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gaia_mail.files import maildir
from gaia_mail.files.model import RawMail
from gaia_mail.files.read import open_source
from gaia_mail.files.readers import load_name

Write = Callable[..., bytes]
MakeMaildir = Callable[[Path], Path]


def messages(path: Path) -> list[RawMail]:
    return list(open_source(str(path)).messages())


@pytest.mark.parametrize(
    ("file", "unique", "flags"),
    [
        ("1.a.host:2,FS", "1.a.host", "FS"),
        ("1.a.host,S=12,W=13:2,Sab", "1.a.host", "Sab"),
        ("1.a.host,U=7!2,S", "1.a.host", "S"),
        ("1.a.host;2,R", "1.a.host", "R"),
        ("1.a.host", "1.a.host", ""),
        ("1.a.host:1,junk", "1.a.host", ""),
        (":2,S", ":2,S", ""),
    ],
)
def test_a_file_name_tells_its_lasting_part_and_its_flags(file: str, unique: str, flags: str) -> None:
    base, letters = maildir.parse_name(file)
    assert letters == flags or file == ":2,S"
    assert base == unique or file == ":2,S"


def test_flags_and_new_become_labels(tmp_path: Path, message: Write, make_maildir: MakeMaildir) -> None:
    root = make_maildir(tmp_path / "m")
    (root / "cur" / "1.a.h:2,FRS").write_bytes(message(1))
    (root / "new" / "2.a.h").write_bytes(message(2))
    (root / "cur" / "3.a.h:2,ST").write_bytes(message(3))
    found = messages(root)
    assert [mail.labels for mail in found] == [("INBOX", "STARRED"), ("INBOX", "UNREAD"), ("TRASH",)]
    assert found[0].flags == ("\\Flagged", "\\Answered", "\\Seen")
    assert [mail.key for mail in found] == ["1.a.h", "2.a.h", "3.a.h"]
    assert found[0].path == str(root / "cur" / "1.a.h:2,FRS")


def test_maildir_plus_plus_folders_become_labels(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    root = make_maildir(tmp_path / "m")
    for number, name in enumerate((".Sent", ".Work.Projects", ".Entw&APw-rfe", ".Archive")):
        (make_maildir(root / name) / "cur" / f"{number}.a.h:2,S").write_bytes(message(number))
    assert sorted(mail.labels for mail in messages(root)) == [(), ("DRAFT",), ("SENT",), ("Work/Projects",)]


def test_nested_folders_of_a_sync_program_become_labels(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    root = tmp_path / "m"
    for number, name in enumerate(("INBOX", "Sent", "[Gmail]/All Mail", "[Gmail]/Spam", "Work/Projects")):
        (make_maildir(root / name) / "cur" / f"{number}.a.h:2,S").write_bytes(message(number))
    assert sorted(mail.labels for mail in messages(root)) == [
        (),
        ("INBOX",),
        ("SENT",),
        ("SPAM",),
        ("Work/Projects",),
    ]


def test_keywords_of_dovecot_become_labels(tmp_path: Path, message: Write, make_maildir: MakeMaildir) -> None:
    root = make_maildir(tmp_path / "m")
    (root / "dovecot-keywords").write_text("0 Receipts\n1 $Important\n2 NonJunk\n99 no\nbad\n")
    (root / "cur" / "1.a.h:2,Sabcz").write_bytes(message(1))
    assert messages(root)[0].labels == ("INBOX", "Receipts", "IMPORTANT")


def test_two_files_of_one_name_have_two_keys(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    root = make_maildir(tmp_path / "m")
    make_maildir(root / ".Sent")
    for path in (root / "cur" / "1.a.h:2,S", root / "cur" / "1.a.h:2,", root / ".Sent" / "cur" / "1.a.h:2,S"):
        path.write_bytes(message(1))
    assert len({mail.key for mail in messages(root)}) == 3


def test_a_message_keeps_its_key_when_flags_and_folder_change(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    root = make_maildir(tmp_path / "m")
    trash = make_maildir(root / ".Trash")
    (root / "cur" / "1.a.h,U=5:2,S").write_bytes(message(1))
    before = messages(root)[0]
    (root / "cur" / "1.a.h,U=5:2,S").rename(trash / "cur" / "1.a.h:2,FS")
    after = messages(root)[0]
    assert before.key == after.key
    assert after.labels == ("TRASH", "STARRED")


def test_a_file_renamed_since_it_was_listed_is_found_again(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    root = make_maildir(tmp_path / "m")
    for number in range(3):
        (root / "new" / f"{number}.a.h").write_bytes(message(number))
    walk = open_source(str(root)).messages()
    assert next(walk).key == "0.a.h"
    (root / "new" / "1.a.h").rename(root / "cur" / "1.a.h:2,S")
    (root / "new" / "2.a.h").unlink()
    second, third = walk
    assert second.raw == message(1)
    assert second.labels == ("INBOX",)
    assert third.problem == "the message cannot be read: it does not exist (any more)"
    assert third.raw == b""


def test_renames_of_a_whole_folder_do_not_list_it_for_every_message(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_maildir(tmp_path / "m")
    folder = maildir.MaildirFolder(path=str(root), name="INBOX", label="INBOX")
    for number in range(50):
        (root / "new" / f"{number}.a.h").write_bytes(message(number))
    names = list(maildir.list_folder(folder))
    for name in names[:-1]:
        (root / "new" / name.file).rename(root / "cur" / f"{name.file}:2,S")
    (root / "new" / names[-1].file).unlink()
    listings = 0
    plain = maildir.list_folder

    def counting(folder: maildir.MaildirFolder) -> Iterator[maildir.MaildirFileName]:
        nonlocal listings
        listings += 1
        return plain(folder)

    monkeypatch.setattr(maildir, "list_folder", counting)
    renamed = maildir.RenamedFiles(folder)
    found = [
        load_name(folder, name, {}, name.unique, headers_only=True, renamed=renamed).mail for name in names
    ]
    assert [bool(mail.problem) for mail in found] == [False] * 49 + [True]
    assert listings <= 3


def test_names_that_are_no_unicode_are_read_and_shown(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir
) -> None:
    root = make_maildir(tmp_path / "m")
    with open(os.fsencode(root / "cur") + b"/1.\xff.h:2,S", "wb") as file:
        file.write(message(1))
    found = messages(root)
    assert found[0].raw == message(1)
    assert found[0].path.endswith("1.\\xff.h:2,S")
    found[0].path.encode()


def test_links_in_a_circle_end(tmp_path: Path, message: Write, make_maildir: MakeMaildir) -> None:
    root = make_maildir(tmp_path / "m")
    (root / "cur" / "1.a.h:2,S").write_bytes(message(1))
    (root / "loop").symlink_to(root)
    (root / ".Again").symlink_to(root)
    assert len(messages(root)) == 1


def test_an_unreadable_folder_is_one_problem_and_the_others_go_on(
    tmp_path: Path, message: Write, make_maildir: MakeMaildir, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_maildir(tmp_path / "m")
    locked = make_maildir(root / ".Locked")
    (root / "cur" / "1.a.h:2,S").write_bytes(message(1))
    plain = os.scandir

    def scandir(path: str) -> object:
        if str(path).startswith(str(locked / "cur")):
            raise PermissionError(13, "Permission denied", path)
        return plain(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = messages(root)
    assert [mail.problem for mail in found] == ["", "the folder cannot be read: permission denied"]


@pytest.mark.parametrize("name", ["Work", "Ünïcode & more", "受信", "a&b", "&", "x~y"])
def test_folder_names_survive_their_coding(name: str) -> None:
    coded = maildir.encode_folder(name)
    assert coded.isascii()
    assert maildir.decode_folder(coded) == name


@pytest.mark.parametrize("broken", ["&AP", "&!!-", "&AAA-", "&2D0-"])
def test_a_broken_coding_of_a_folder_name_is_kept(broken: str) -> None:
    maildir.decode_folder(broken).encode()
