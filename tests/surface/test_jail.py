"""Attachments are written and taken below one directory each, whatever names say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email_registry.errors import MailError
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.jail import bare_name, load, save
from gaia_mail_mcp.surface.options import SurfaceSettings


def test_a_download_lands_in_the_directory_under_a_bare_name(ask_once: Any, tmp_path: Path) -> None:
    ask_once.settings = SurfaceSettings(download_dir=tmp_path / "in")
    answer = ask_once("download_attachment", messageId="m2", attachmentId="2")
    path = tmp_path / "in" / "invoice.csv"
    assert answer.content[0].text == (
        f"Attachment downloaded successfully:\nFile: invoice.csv\nSize: {path.stat().st_size} bytes\nSaved to: {path}"
    )
    assert b"tea,3" in path.read_bytes()


@pytest.mark.parametrize("below", ["..", "../x", "/etc", "a/../../b", "~"])
def test_a_folder_outside_is_refused(below: str, tmp_path: Path) -> None:
    with pytest.raises(MailError, match="must be inside"):
        save(tmp_path / "in", below, "x.txt", b"x")
    assert not (tmp_path / "x").exists()


def test_a_link_that_leads_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "out").symlink_to(tmp_path)
    with pytest.raises(MailError):
        save(tmp_path / "in", "out", "x.txt", b"x")


def test_nothing_is_overwritten_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "x.txt").symlink_to(tmp_path / "target")
    first = save(tmp_path, None, "x.txt", b"1")
    second = save(tmp_path, "sub", "x.txt", b"2")
    third = save(tmp_path, None, "../x.txt", b"3")
    assert [first.name, second.parent.name, third.name] == ["x (1).txt", "sub", "x (2).txt"]
    assert not (tmp_path / "target").exists()


@given(st.text(max_size=400))
def test_a_bare_name_is_always_a_plain_short_file_name(name: str) -> None:
    bare = bare_name(name)
    assert bare and bare not in (".", "..") and not bare.startswith(".")
    assert "/" not in bare and "\\" not in bare and bare.isprintable()
    assert len(bare.encode(errors="replace")) <= 201


def test_only_files_of_the_directory_are_attached(tmp_path: Path) -> None:
    inside = tmp_path / "out"
    inside.mkdir()
    (inside / "note.txt").write_text("hello")
    (inside / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_text("secret")
    assert load(inside, ["note.txt", str(inside / "note.txt")]) == [("note.txt", b"hello")] * 2
    for path in ("../secret", str(tmp_path / "secret"), "link", "missing", ".", "a\0b"):
        with pytest.raises(MailError):
            load(inside, [path])


def test_what_is_no_plain_file_is_neither_read_nor_written_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for path in ("pipe", "folder", "loop", "zeros", "~nobody-of-that-name/x", "folder/../../x"):
        with pytest.raises(MailError):
            load(tmp_path, [path])
    assert [save(tmp_path, None, name, b"x").name for name in ("pipe", "folder", "zeros")] == [
        "pipe (1)",
        "folder (1)",
        "zeros (1)",
    ]
    for below in ("pipe", "loop", "~nobody-of-that-name/x"):
        with pytest.raises(MailError):
            save(tmp_path, below, "x.txt", b"x")


def test_a_hard_link_is_a_new_name_and_what_it_leads_to_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text("secret")
    os.link(tmp_path / "secret", tmp_path / "in" / "x.txt")
    assert save(tmp_path / "in", None, "x.txt", b"new").name == "x (1).txt"
    assert (tmp_path / "secret").read_text() == "secret"


def test_a_missing_file_is_named_as_the_convention_does(ask_once: Any, tmp_path: Path) -> None:
    ask_once.settings = SurfaceSettings(approval=CALLER, attachment_dir=tmp_path)
    answer = ask_once("send_email", to=["a@example.com"], subject="s", body="b", attachments=["no.txt"])
    assert answer.content[0].text == "Error: File does not exist: no.txt"
    (tmp_path / "yes.txt").write_text("hi")
    ask_once("send_email", to=["a@example.com"], subject="s", body="b", attachments=["yes.txt"])
    raw = ask_once.sent[0].raw
    assert b'filename="yes.txt"' in raw or b"filename=yes.txt" in raw
