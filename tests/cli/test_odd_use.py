"""What people type by mistake, and sources that are not what they were said to be: a sentence, never an empty inbox."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from gaia_email.app.documents.actions import ACTION_COLUMNS
from gaia_email.app.documents.mail import INBOX_COLUMNS, TRIAGE_COLUMNS, WATCH_COLUMNS
from gaia_email.app.operations.state import schedules
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces import cli
from gaia_email.interfaces.cli import errors
from gaia_email.interfaces.cli.commands.correct import COLUMNS as CORRECT_COLUMNS
from gaia_email.interfaces.cli.field_names import check_fields
from tests.cli.printed import Run

MESSAGE = b"From: Ann <ann@one.example>\nTo: me@two.example\nSubject: Hello\n\nCould you call me?\n"


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    (tmp_path / "bytes.mbox").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "letter.eml").write_bytes(MESSAGE)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "letter.eml").write_bytes(MESSAGE)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    return tmp_path


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--mbox", "bytes.mbox", "holds no mail that can be read"),
        ("--mbox", "pipe", "is a pipe, socket or device"),
        ("--eml", "loop", "form a loop"),
        ("--maildir", "letter.eml", "is not a folder, but a Maildir is one"),
        ("--maildir", "folder", "is not a Maildir"),
        ("--mbox", "nowhere", "does not exist"),
    ],
)
def test_a_source_that_holds_no_mail_is_no_empty_inbox(
    option: str, name: str, said: str, run: Run, odd: Path
) -> None:
    result = run("inbox", option, str(odd / name))
    assert result.code in (1, 2)
    assert said in result.err
    assert result.out == ""


def test_an_empty_inbox_is_said_to_be_one(run: Run, tmp_path: Path) -> None:
    result = run("inbox", "--maildir", str(tmp_path))
    assert (result.code, result.err) == (0, "The inbox is empty.\n")


def test_a_file_that_cannot_be_read_is_counted_and_named(run: Run, tmp_path: Path) -> None:
    for part in ("cur", "new", "tmp"):
        (tmp_path / part).mkdir()
    (tmp_path / "cur" / "1:2,S").write_bytes(MESSAGE)
    (tmp_path / "cur" / "2:2,S").symlink_to(tmp_path / "gone")
    result = run("inbox", "--maildir", str(tmp_path), "--jsonl")
    assert "2:2,S: the message cannot be read" in result.err
    counts = run("inbox", "--maildir", str(tmp_path), "--json", "--fields", "total,unreadable").out
    assert counts.split() == ["{", '"total":', "2,", '"unreadable":', "1", "}"]


@pytest.mark.parametrize("command", [("inbox",), ("triage",), ("search", "hello")])
def test_fields_are_those_of_rows_in_every_form(command: tuple[str, ...], run: Run, odd: Path) -> None:
    words = (*command, "--eml", str(odd / "folder"), "--fields", "id,from.address")
    header, *lines = run(*words).out.splitlines()
    assert header == "id\tfrom.address"
    listed = [json.loads(line) for line in run(*words, "--jsonl").out.splitlines()]
    assert json.loads(run(*words, "--json").out) == listed
    assert [f"{row['id']}\t{row['from.address']}" for row in listed] == lines
    assert lines


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--fields", "id,colour"), 2, "no field 'colour' here; there are bucket, from"),
        (("--fields", "from.age"), 2, "no field 'from.age' here; there are name, address"),
        (("--user", "notanaddress"), 2, "'notanaddress' is not an email address; give one like you@"),
        (("--user", "robin@home.example", "--user", "two words@home.example"), 2, "is not an email address"),
        (("--json", "--jsonl"), 2, "one of --json and --jsonl"),
        (("--since", "99999y"), 2, "neither a span"),
        (("--since", "0001-01-01"), 2, "neither a span"),
    ],
)
def test_a_slip_is_told_and_nothing_printed(
    arguments: tuple[str, ...], code: int, said: str, run: Run, odd: Path
) -> None:
    result = run("inbox", "--eml", str(odd / "folder"), *arguments)
    assert (result.code, result.out) == (code, "")
    assert said in result.err


@pytest.mark.parametrize("command", ["inbox", "triage", "search", "why", "classify", "undo"])
def test_a_field_that_there_is_not_is_told_before_any_work(command: str, run: Run, tmp_path: Path) -> None:
    named = (
        [str(tmp_path / "gone")] if command == "classify" else ["id"] * (command in ("why", "search", "undo"))
    )
    result = run(command, *named, "--fields", "nope")
    assert (result.code, result.out) == (2, "")
    assert "There is no field 'nope' here" in result.err


def test_every_column_of_a_table_is_a_field_that_can_be_asked_for() -> None:
    columns: dict[str, tuple[str, ...]] = {
        "inbox": INBOX_COLUMNS,
        "demo": INBOX_COLUMNS,
        "triage": (*TRIAGE_COLUMNS, *ACTION_COLUMNS),
        "watch": WATCH_COLUMNS,
        "schedule": tuple(schedules.columns),
        **dict.fromkeys(("undo", "answer"), ACTION_COLUMNS),
        "correct": CORRECT_COLUMNS,
    }
    for command, names in columns.items():
        check_fields(command, names)


def test_an_account_that_is_not_connected_has_an_exit_code_of_its_own(run: Run) -> None:
    assert run("inbox", "--account", "nobody").code == errors.NOT_CONNECTED


def test_a_next_command_can_be_pasted_whatever_the_path() -> None:
    assert SourceSpec(kind="mbox", path="/a b/it's.mbox", user=()).flags == """--mbox '/a b/it'"'"'s.mbox'"""
    assert "\x1b" not in SourceSpec(kind="mbox", path="\x1b[2J", user=()).flags


def test_outputs_that_were_closed_get_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["gaia", "email", "--help"])
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit) as left:
        cli.main()
    for stream in (sys.stdout, sys.stderr):
        stream.close()
    assert left.value.code == 0


def test_a_file_that_may_not_be_used_is_named_with_a_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    def refused() -> int:
        raise PermissionError(13, "Permission denied", "/root/.gaia/email/ledger.db")

    assert errors.run_guarded(refused) == errors.FAILURE
    said = capsys.readouterr().err
    assert "/root/.gaia/email/ledger.db cannot be used" in said
    assert "GAIA_HOME" in said


@pytest.mark.parametrize("width", [60, 80, 120])
def test_why_breaks_its_lines_between_words(
    width: int, run: Run, odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("gaia_email.interfaces.cli.output.is_terminal", lambda: True)
    source = ("--eml", str(odd / "letter.eml"))
    id_ = run("inbox", *source, "--jsonl", "--fields", "id").out.split('"')[3]
    lines = run("why", id_, *source).out.splitlines()
    assert any("Could you call me?" in line for line in lines)
    words = {word for line in lines for word in line.split()}
    assert {"organisation.", "confidence", "personal"} <= words
    paths = [line for line in lines if str(odd)[:8] in line]
    assert all(len(line) <= width for line in lines if line not in paths)
