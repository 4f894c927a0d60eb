"""Changes to a Maildir: flags, folders, drafts, and other programs at the same time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_local_mcp import writer
from gaia_local_mcp.mailbox import LocalMailbox
from gaia_local_mcp.maildir_mailbox import MaildirMailbox
from gaia_mail.query.grammar import parse_query
from tests.contract.suite.seed import Seed, write_message

Fill = Callable[[Path, Sequence[Seed]], None]


def run(root: Path, scenario: Callable[[LocalMailbox], Awaitable[None]]) -> None:
    async def main() -> None:
        mailbox = MaildirMailbox(str(root), "me@example.org")
        try:
            await asyncio.wait_for(_call(scenario, mailbox), 20)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


async def _call(scenario: Callable[[LocalMailbox], Awaitable[None]], mailbox: LocalMailbox) -> None:
    await scenario(mailbox)


async def labels(mailbox: LocalMailbox, id_: str) -> set[str]:
    [stored] = await mailbox.read([id_], raw=False)
    return set(stored.summary["labels"])


async def only(mailbox: LocalMailbox) -> str:
    [id_] = (await mailbox.search(parse_query("in:anywhere"), limit=9)).ids
    return id_


def files(root: Path) -> list[str]:
    found = [path for path in root.rglob("*") if path.is_file() and path.parent.name in ("cur", "new", "tmp")]
    return sorted(str(path.relative_to(root)) for path in found)


@pytest.fixture
def root(tmp_path: Path, fill_maildir: Fill) -> Path:
    """A Maildir with one unread message in the inbox."""
    fill_maildir(tmp_path / "m", [Seed(raw=write_message(1))])
    return tmp_path / "m"


def test_read_and_starred_are_flags_of_the_file(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        applied = await mailbox.modify([id_, "nothing"], add=["STARRED"], remove=["UNREAD"])
        assert applied.ids == (id_,)
        assert [failure["id"] for failure in applied.failed] == ["nothing"]
        assert files(root) == ["cur/1700000001.M1P1.host:2,FS"]
        assert await labels(mailbox, id_) == {"INBOX", "STARRED"}
        await mailbox.modify([id_], add=["UNREAD"], remove=["STARRED"])
        assert files(root) == ["cur/1700000001.M1P1.host:2,"]

    run(root, scenario)


def test_archiving_moves_to_the_archive_and_back(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        await mailbox.modify([id_], add=[], remove=["INBOX"])
        assert files(root) == [".Archive/cur/1700000001.M1P1.host:2,"]
        assert await labels(mailbox, id_) == {"UNREAD"}
        await mailbox.modify([id_], add=["INBOX"], remove=[])
        assert await labels(mailbox, id_) == {"INBOX", "UNREAD"}

    run(root, scenario)


def test_a_label_beside_the_inbox_is_a_keyword_and_without_it_a_folder(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        await mailbox.create_label("Big deals/2026", {})
        await mailbox.modify([id_], add=["Big deals/2026", "IMPORTANT"], remove=[])
        assert await labels(mailbox, id_) == {"INBOX", "UNREAD", "Big deals/2026", "IMPORTANT"}
        assert (root / "dovecot-keywords").read_text().split("\n")[:2] == [
            "0 $Important",
            "1 Big&ACA-deals/2026",
        ]
        assert files(root) == ["cur/1700000001.M1P1.host:2,ab"]
        await mailbox.modify([id_], add=[], remove=["INBOX", "IMPORTANT"])
        assert files(root) == [".Big deals.2026/cur/1700000001.M1P1.host:2,"]
        assert await labels(mailbox, id_) == {"UNREAD", "Big deals/2026"}

    run(root, scenario)


@pytest.mark.parametrize("where", [("INBOX",), ("SENT",), ("Work",), ("INBOX", "Work"), (), ("SPAM",)])
def test_trash_remembers_where_a_message_was_even_after_a_restart(
    tmp_path: Path, fill_maildir: Fill, where: tuple[str, ...]
) -> None:
    root = tmp_path / "m"
    fill_maildir(root, [Seed(raw=write_message(1), labels=(*where, "UNREAD"))])
    before: set[str] = set()

    async def away(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        before.update(await labels(mailbox, id_))
        await mailbox.trash([id_])
        assert "TRASH" in await labels(mailbox, id_)
        assert "INBOX" not in await labels(mailbox, id_)
        await mailbox.trash([id_])

    async def back(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        await mailbox.untrash([id_])
        assert await labels(mailbox, id_) == before
        await mailbox.untrash([id_])
        assert await labels(mailbox, id_) == before

    run(root, away)
    run(root, back)


def test_a_move_drops_the_uid_of_a_sync_program_and_keeps_other_flags(
    tmp_path: Path, fill_maildir: Fill
) -> None:
    root = tmp_path / "m"
    fill_maildir(root, [])
    (root / "cur" / "1.a.h,U=17,S=5:2,PRS").write_bytes(write_message(1))

    async def scenario(mailbox: LocalMailbox) -> None:
        await mailbox.trash([await only(mailbox)])
        assert files(root) == [".Trash/cur/1.a.h,S=5:2,PRS"]

    run(root, scenario)


def test_a_message_renamed_by_another_program_is_still_changed(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        rename = os.rename
        meddled = False

        def meddling(old: str, new: str) -> None:
            nonlocal meddled
            if not meddled:
                meddled = True
                rename(root / "cur" / "1700000001.M1P1.host:2,", root / "cur" / "1700000001.M1P1.host:2,R")
            rename(old, new)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "rename", meddling)
            assert (await mailbox.modify([id_], add=["STARRED"], remove=[])).ids == (id_,)
        assert files(root) == ["cur/1700000001.M1P1.host:2,FR"]

    run(root, scenario)


def test_deleting_removes_the_file(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        assert (await mailbox.delete([id_, "nothing"])).ids == (id_,)
        assert files(root) == []
        assert await mailbox.read([id_], raw=True) == []

    run(root, scenario)


def test_a_draft_keeps_its_id_and_leaves_no_ghost(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        draft = await mailbox.create_draft(write_message(5, subject="First"), None)
        assert "DRAFT" in await labels(mailbox, draft.message_id)
        updated = await mailbox.update_draft(draft.id, write_message(6, subject="Second"))
        assert updated.id == draft.id
        assert updated.message_id != draft.message_id
        assert [item.id for item in await mailbox.drafts(limit=9)] == [draft.id]
        [stored] = await mailbox.read([updated.message_id], raw=True)
        assert stored.summary["subject"] == "Second"
        assert await mailbox.delete_draft(draft.id) == write_message(6, subject="Second")
        assert len(files(root)) == 1
        with pytest.raises(NotFound):
            await mailbox.delete_draft(draft.id)

    run(root, scenario)


def test_labels_are_made_renamed_and_removed_and_messages_keep_them(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        id_ = await only(mailbox)
        made = await mailbox.create_label("Work", {"labelListVisibility": "labelHide"})
        await mailbox.modify([id_], add=[made["id"]], remove=["INBOX"])
        renamed = await mailbox.update_label(made["id"], "Office", {})
        assert renamed.get("labelListVisibility") == "labelHide"
        assert await labels(mailbox, id_) == {"UNREAD", "Office"}
        assert "Work" not in {label["id"] for label in await mailbox.labels()}
        await mailbox.modify([id_], add=["INBOX"], remove=[])
        await mailbox.delete_label(renamed["id"])
        assert await labels(mailbox, id_) == {"UNREAD", "INBOX"}
        assert "Office" not in {label["id"] for label in await mailbox.labels()}

    run(root, scenario)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "../up", "a//b", "/a", "inbox", "Trash", "x" * 300, "."])
def test_a_label_that_cannot_be_a_folder_is_refused(root: Path, name: str) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        with pytest.raises(BadArgument):
            await mailbox.create_label(name, {})

    run(root, scenario)


def test_unknown_labels_are_refused(root: Path) -> None:
    async def scenario(mailbox: LocalMailbox) -> None:
        with pytest.raises(BadArgument, match="no label"):
            await mailbox.modify([await only(mailbox)], add=["Nowhere"], remove=[])

    run(root, scenario)


def test_a_locked_folder_is_told_after_a_bounded_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_LOCK_TRIES", 2)
    monkeypatch.setattr(writer, "_LOCK_PAUSE_S", 0.0)
    (root / "dovecot-uidlist.lock").touch()

    async def scenario(mailbox: LocalMailbox) -> None:
        applied = await mailbox.modify([await only(mailbox)], add=["IMPORTANT"], remove=[])
        assert "locked" in applied.failed[0]["error"]
        assert files(root) == ["cur/1700000001.M1P1.host:2,"]

    run(root, scenario)
