"""The index of mail files between runs: only new headers are read, and the next run knows what the last one did."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gaia_local_mcp.origin import MaildirOrigin
from gaia_local_mcp.server import mailbox_source
from gaia_local_mcp.store import IndexStore
from gaia_mail_mcp.mailbox import Changes
from tests.contract.suite.seed import Seed, write_message

Fill = Callable[[Path, Sequence[Seed]], None]
FIRST = (("In-Reply-To", "<1@seed.example>"), ("References", "<1@seed.example>"))


@pytest.fixture
def mail(tmp_path: Path, fill_maildir: Fill) -> Path:
    folder = tmp_path / "mail"
    fill_maildir(folder, [Seed(raw=write_message(number)) for number in (1, 2, 3)])
    return folder


@pytest.fixture
def headers_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files whose header was read."""
    read: list[str] = []
    real = MaildirOrigin.sightings

    def sightings(self: MaildirOrigin, unit: str):  # type: ignore[no-untyped-def]  # pyright: ignore
        for one in real(self, unit):

            def header(one=one):  # type: ignore[no-untyped-def]  # pyright: ignore
                read.append(one.file)
                return one.header()

            yield one._replace(header=header)

    monkeypatch.setattr(MaildirOrigin, "sightings", sightings)
    return read


def run_changes(folder: Path, cursor: str | None, *, kept: bool = True) -> Changes:
    """What a program of its own is told since a cursor."""

    async def main() -> Changes:
        index = folder.parent / "private" / "headers.db" if kept else None
        mailbox = mailbox_source("maildir", str(folder), index=index).open()
        try:
            return await mailbox.changes(cursor, limit=50)
        finally:
            await mailbox.aclose()

    return asyncio.run(main())


def test_a_later_run_reads_only_the_header_of_a_new_message(
    mail: Path, fill_maildir: Fill, headers_read: list[str]
) -> None:
    first = run_changes(mail, None)
    assert len(headers_read) == 3
    headers_read.clear()
    fill_maildir(mail, [Seed(raw=write_message(4, extra=FIRST))])
    later = run_changes(mail, first.cursor)
    assert len(headers_read) == 1
    assert not later.reset
    assert [one["message_id"] for one in later.added] == ["<4@seed.example>"]
    whole = {one["message_id"]: one for one in run_changes(mail, None, kept=False).added}
    assert later.added[0] == whole["<4@seed.example>"]
    assert later.added[0]["thread_id"] == whole["<1@seed.example>"]["thread_id"]


def test_a_later_run_tells_what_was_flagged_and_removed(mail: Path, headers_read: list[str]) -> None:
    first = run_changes(mail, None)
    headers_read.clear()
    flagged, removed, _ = sorted((mail / "cur").iterdir())
    os.rename(flagged, f"{str(flagged).partition(':2,')[0]}:2,FS")
    removed.unlink()
    later = run_changes(mail, first.cursor)
    assert headers_read == []
    assert [one["labels"] for one in later.changed] == [["INBOX", "STARRED"]]
    assert len(later.removed) == 1
    assert run_changes(mail, later.cursor).cursor == later.cursor


def test_a_caller_with_an_older_cursor_is_told_of_all_that_happened_since(
    mail: Path, fill_maildir: Fill
) -> None:
    first = run_changes(mail, None)
    for number in (4, 5):
        fill_maildir(mail, [Seed(raw=write_message(number))])
        run_changes(mail, first.cursor)
    told = run_changes(mail, first.cursor)
    assert not told.reset
    assert sorted(one["message_id"] for one in told.added) == ["<4@seed.example>", "<5@seed.example>"]


@pytest.mark.parametrize("kept", [True, False])
def test_a_message_that_joins_two_conversations_has_the_other_ones_told_again(
    tmp_path: Path, fill_maildir: Fill, *, kept: bool
) -> None:
    folder = tmp_path / "mail"
    answer = write_message(2, subject="Re: Plans", sender="Ann <ann@example.org>", to="pat@example.com")
    fill_maildir(folder, [Seed(raw=answer), Seed(raw=write_message(3))])

    async def main() -> tuple[Changes, Changes]:
        index = folder.parent / "headers.db" if kept else None
        mailbox = mailbox_source("maildir", str(folder), index=index).open()
        try:
            before = await mailbox.changes(None, limit=50)
            fill_maildir(
                folder,
                [
                    Seed(
                        raw=write_message(
                            1, subject="Plans", sender="Pat <pat@example.com>", to="ann@example.org"
                        )
                    )
                ],
            )
            return before, await mailbox.changes(before.cursor, limit=50)
        finally:
            await mailbox.aclose()

    before, after = asyncio.run(main())
    was = {one["message_id"]: one["thread_id"] for one in before.added}
    now = {one["message_id"]: one["thread_id"] for one in after.added}
    assert set(now) == {"<1@seed.example>", "<2@seed.example>"}
    assert now["<1@seed.example>"] == now["<2@seed.example>"] != was["<2@seed.example>"]


def test_a_damaged_index_is_made_again(mail: Path) -> None:
    first = run_changes(mail, None)
    kept = mail.parent / "private" / "headers.db"
    kept.write_bytes(b"no database" * 400)
    again = run_changes(mail, None)
    assert [one["id"] for one in again.added] == [one["id"] for one in first.added]


def test_nobody_else_may_read_the_index(mail: Path) -> None:
    run_changes(mail, None)
    kept = mail.parent / "private" / "headers.db"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert IndexStore(kept).load() is not None


def test_an_index_on_a_disk_that_is_read_only_is_read(mail: Path, fill_maildir: Fill) -> None:
    first = run_changes(mail, None)
    private = mail.parent / "private"
    fill_maildir(mail, [Seed(raw=write_message(4))])
    for path in (private / "headers.db", private):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        assert [one["message_id"] for one in run_changes(mail, first.cursor).added] == ["<4@seed.example>"]
    finally:
        private.chmod(0o700)
