"""Mail files that were connected once: used without being named, listed, and forgotten without being touched."""

from __future__ import annotations

import json
import mailbox
from pathlib import Path

import pytest

from gaia_email.faces.cli import output
from tests.cli.printed import Run


def maildir(folder: Path, *subjects: str) -> Path:
    box = mailbox.Maildir(folder, create=True)
    for number, subject in enumerate(subjects):
        box.add(
            f"From: Ann Lee <ann@example.com>\nTo: me@example.org\nSubject: {subject}\n"
            f"Date: Mon, 2 Mar 2026 10:0{number}:00 +0000\nMessage-ID: <{number}{subject}@example.com>\n\n"
            "Could you send me the plan?\n"
        )
    return folder


def subjects(told: str) -> set[str]:
    return {row["subject"] for rows in json.loads(told)["buckets"].values() for row in rows}


def test_a_connected_maildir_is_used_without_being_named(run: Run, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof", "Fence")
    told = run("connect", "--maildir", str(folder), "--user", "me@example.org")
    assert told.code == 0 and "next: gaia email inbox" in told.err
    assert subjects(run("inbox", "--json").out) == {"Roof", "Fence"}
    found = json.loads(run("search", "roof", "--json").out)
    assert [row["subject"] for row in found["hits"]] == ["Roof"]
    key = json.loads(run("accounts", "--json").out)["accounts"][0]["id"]
    assert key == f"maildir:{folder.resolve()}"
    assert subjects(run("inbox", "--account", key, "--json").out) == {"Roof", "Fence"}


def test_what_is_not_there_is_not_connected(run: Run, tmp_path: Path) -> None:
    told = run("connect", "--maildir", str(tmp_path / "nowhere"))
    assert told.code != 0 and "does not exist" in told.err
    assert json.loads(run("accounts", "--json").out)["accounts"] == []


def test_one_mailbox_is_connected_at_a_time(run: Run, tmp_path: Path) -> None:
    for more in (("--mbox", "x.mbox"), ("--email", "me@example.org")):
        told = run("connect", "--maildir", str(tmp_path), *more)
        assert told.code == 2 and "one mailbox at a time" in told.err
    assert "--user goes with" in run("connect", "--user", "me@example.org").err


def test_disconnecting_leaves_the_files(run: Run, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    run("connect", "--maildir", str(folder))
    before = sorted(path.name for path in folder.rglob("*"))
    told = run("disconnect", f"maildir:{folder.resolve()}")
    assert told.code == 0 and "the files are untouched" in told.err
    assert sorted(path.name for path in folder.rglob("*")) == before
    assert "no mailbox was named" in run("inbox").err


@pytest.mark.usefixtures("plain_terminal")
def test_of_several_mailboxes_each_gets_a_card_and_a_script_names_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Home", "Work"):
        run("connect", "--maildir", str(maildir(tmp_path / name, f"{name} plan")))
    assert "Name one of your accounts" in run("inbox", "--json").err
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    told = run("inbox").out
    assert "Home plan" in told and "Work plan" in told
    assert told.count("handled 1") == 2


def test_a_correction_moves_the_message_and_like_mail_of_its_sender_until_it_is_taken_back(
    run: Run, tmp_path: Path
) -> None:
    run("connect", "--maildir", str(maildir(tmp_path / "Mail", "Roof", "Fence")))

    def buckets() -> dict[str, str]:
        rows = json.loads(run("inbox", "--json").out)["buckets"]
        return {row["subject"]: bucket for bucket, found in rows.items() for row in found}

    before = buckets()
    assert before["Roof"] == before["Fence"] == "actionable"
    rows = json.loads(run("inbox", "--json").out)["buckets"]["actionable"]
    roof = next(row["id"] for row in rows if row["subject"] == "Roof")
    assert run("correct", roof, "--bucket", "low_priority").code == 0
    assert buckets() == {"Roof": "low_priority", "Fence": "low_priority"}
    why = json.loads(run("why", roof, "--json").out)
    assert why["priority"]["reason"].startswith("You said so of this message.")
    assert run("correct", roof, "--retract").code == 0
    assert buckets() == before
