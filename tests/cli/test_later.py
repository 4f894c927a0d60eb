"""What is put off: into the queue, out of it, and listed with what is snoozed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.printed import Run, document

MAIL = "From: Ann <ann@example.org>\nTo: me@example.org\nSubject: {}\nDate: Mon, 02 Nov 2026 09:00:00 +0000\n\nHello\n"


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    folder = tmp_path / "Maildir"
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True)
    for number, subject in enumerate(("One", "Two")):
        (folder / "cur" / f"{number}.here:2,S").write_text(MAIL.format(subject), encoding="utf-8")
    return folder


def test_the_queue_and_what_is_snoozed_are_listed_and_emptied(run: Run, mail: Path) -> None:
    where = ("--maildir", str(mail))
    assert document(run, "later", "later", *where)["total"] == 0
    rows = document(run, "inbox", "inbox", *where)["buckets"]
    ids = {row["subject"]: row["id"] for bucket in rows.values() for row in bucket}
    assert run("reply-later", ids["One"], *where).code == 0
    assert run("snooze", ids["Two"], "--until", "3d", *where).code == 0
    found = document(run, "later", "later", *where)
    assert [row["subject"] for row in found["reply_later"]] == ["One"]
    assert [row["subject"] for row in found["snoozed"]] == ["Two"] and found["snoozed"][0]["until"]
    assert run("reply-later", found["reply_later"][0]["id"], "--done", *where).code == 0
    assert not document(run, "later", "later", *where)["reply_later"]
