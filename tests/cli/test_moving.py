"""Messages that are archived, moved, labelled and marked by hand, and taken back by one undo."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.printed import Run, document

MAIL = "From: Ann <ann@example.org>\nTo: me@example.org\nSubject: {}\nDate: Mon, 02 Nov 2026 09:00:00 +0000\n\nHello\n"
SUBJECTS = ("One", "Two", "Three")


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    folder = tmp_path / "Maildir"
    for name in ("", ".Archive", ".Junk", ".Trash", ".Projects"):
        for part in ("cur", "new", "tmp"):
            (folder / name / part).mkdir(parents=True)
    for number, subject in enumerate(SUBJECTS):
        (folder / "cur" / f"{number}.here:2,S").write_text(MAIL.format(subject), encoding="utf-8")
    return folder


def ids_of(run: Run, mail: Path) -> dict[str, str]:
    rows = document(run, "inbox", "inbox", "--maildir", str(mail))["buckets"]
    return {row["subject"]: row["id"] for section in rows.values() for row in section}


def files(mail: Path) -> dict[str, str]:
    """Folder and flags of each message by its number."""
    found: dict[str, str] = {}
    for path in mail.rglob("*.here*"):
        folder = path.parent.parent.name if path.parent.parent != mail else "INBOX"
        found[path.name[0]] = f"{folder}:{path.name.rpartition(',')[2]}"
    return found


@pytest.mark.parametrize(
    ("command", "after"),
    [
        (("archive",), ".Archive:S"),
        (("move", "--to", "archive"), ".Archive:S"),
        (("move", "--to", "spam"), ".Junk:S"),
        (("move", "--to", "Trash"), ".Trash:S"),
        (("move", "--to", "projects"), ".Projects:S"),
        (("mark", "--as", "unread"), "INBOX:"),
        (("mark", "--as", "starred"), "INBOX:FS"),
    ],
)
def test_several_are_done_at_once_and_taken_back_by_one_undo(
    command: tuple[str, ...], after: str, run: Run, mail: Path
) -> None:
    where, before = ("--maildir", str(mail)), files(mail)
    ids = ids_of(run, mail)
    name, *options = command
    done = document(run, name, name, ids["One"], ids["Two"], *options, *where)
    assert {one["subject"] for one in done["done"]} == {"One", "Two"}
    assert all(one["user_confirmed"] for one in done["done"])
    assert files(mail) == {"0": after, "1": after, "2": "INBOX:S"}
    undo = shlex.split(done["undo"])
    assert undo[:3] == ["gaia", "email", "undo"]
    taken = run(*undo[2:])
    assert taken.code == 0, taken.err
    assert files(mail) == before


def test_what_is_elsewhere_comes_back_to_the_inbox(run: Run, mail: Path) -> None:
    where, ids = ("--maildir", str(mail)), ids_of(run, mail)
    assert run("move", ids["One"], "--to", "projects", *where).code == 0
    assert run("move", ids["One"], "--to", "inbox", *where).code == 0
    assert files(mail)["0"].startswith("INBOX:S")


def test_one_of_several_commands_is_taken_back_by_its_own_undo(run: Run, mail: Path) -> None:
    where, ids = ("--maildir", str(mail)), ids_of(run, mail)
    first = document(run, "archive", "archive", ids["One"], *where)
    document(run, "archive", "archive", ids["Two"], *where)
    assert run(*shlex.split(first["undo"])[2:]).code == 0
    assert files(mail) == {"0": "INBOX:S", "1": ".Archive:S", "2": "INBOX:S"}


def test_a_label_is_put_on_and_taken_off(run: Run, mail: Path) -> None:
    where, ids = ("--maildir", str(mail)), ids_of(run, mail)
    assert run("label", ids["One"], "--label", "Travel", *where).code == 1, "there is no such label yet"
    assert run("labels", "create", "Travel", "flights and hotels").code == 0
    done = document(run, "label", "label", ids["One"], ids["Two"], "--label", "Travel", *where)
    assert [one["labels"] for one in done["done"]] == [["Travel"], ["Travel"]]
    taken = document(run, "label", "label", ids["One"], "--label", "Travel", "--off", *where)
    assert len(taken["done"]) == 1


def test_a_folder_that_is_not_there_is_named_with_what_can_be_taken(run: Run, mail: Path) -> None:
    told = run("move", ids_of(run, mail)["One"], "--to", "Nowhere", "--maildir", str(mail))
    assert told.code == 1 and "'Nowhere'" in told.err and "inbox, archive, spam, trash" in told.err
    assert files(mail) == {"0": "INBOX:S", "1": "INBOX:S", "2": "INBOX:S"}


def test_what_is_so_already_is_left(run: Run, mail: Path) -> None:
    where, ids = ("--maildir", str(mail)), ids_of(run, mail)
    assert document(run, "mark", "mark", ids["One"], "--as", "read", *where)["done"] == []


def test_mail_that_can_only_be_read_is_refused(run: Run) -> None:
    told = run("archive", "whatever", "--demo")
    assert told.code == 2 and "only read" in told.err
