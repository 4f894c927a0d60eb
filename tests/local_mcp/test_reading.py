"""Mail files read through the mailbox: listing, search, conversations, changes, waiting."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from gaia_email_registry.errors import MailError, NotFound
from gaia_local_mcp.index import MailIndex, listing_of
from gaia_local_mcp.origin import MaildirOrigin
from gaia_local_mcp.server import SourceKind, mailbox_source
from gaia_mail.files.location import short_id
from gaia_mail.files.read import open_source
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.mailbox import Mailbox, StoredMessage
from gaia_mail_mcp.progress import Teller
from gaia_mail_mcp.source import MailboxSource
from tests.contract.suite.seed import Seed, write_message

T = TypeVar("T")
Fill = Callable[[Path, Sequence[Seed]], None]
LINE = b"From pat@example.com Mon Mar  2 09:00:00 2026\n"
REPLY = (("In-Reply-To", "<1@seed.example>"), ("References", "<1@seed.example>"))


def run(source: MailboxSource, scenario: Callable[[Mailbox], Awaitable[T]]) -> T:
    async def main() -> T:
        mailbox = source.open()
        try:
            return await asyncio.wait_for(_call(scenario, mailbox), 20)
        finally:
            await mailbox.aclose()

    return asyncio.run(main())


async def _call(scenario: Callable[[Mailbox], Awaitable[T]], mailbox: Mailbox) -> T:
    return await scenario(mailbox)


async def find(mailbox: Mailbox, query: str) -> list[str]:
    page = await mailbox.search(parse_query(query), limit=50)
    return [item.summary["subject"] for item in await mailbox.read(page.ids, raw=False)]


@pytest.fixture(params=["maildir", "mbox", "eml"])
def path(request: pytest.FixtureRequest, tmp_path: Path, fill_maildir: Fill) -> tuple[SourceKind, Path]:
    """Three messages, two of them a conversation, in each kind of store."""
    kind: SourceKind = request.param
    raws = [
        write_message(1, subject="Plans", body="Shall we meet on the bridge?\n"),
        write_message(2, subject="Re: Plans", extra=REPLY),
        write_message(
            3, subject="Invoice", sender="Shop <shop@example.net>", attachment=("bill.pdf", b"%PDF")
        ),
    ]
    place = tmp_path / "store"
    if kind == "maildir":
        fill_maildir(place, [Seed(raw=raw) for raw in raws])
    elif kind == "mbox":
        place.write_bytes(b"".join(LINE + raw + b"\n" for raw in raws))
    else:
        place.mkdir()
        for number, raw in enumerate(raws):
            (place / f"{number}.eml").write_bytes(raw)
    return kind, place


def test_messages_are_found_newest_first_with_their_summaries(path: tuple[SourceKind, Path]) -> None:
    async def scenario(mailbox: Mailbox) -> None:
        page = await mailbox.search(parse_query(""), limit=2)
        assert page.total == 3
        assert page.next_cursor is not None
        rest = await mailbox.search(parse_query(""), limit=2, cursor=page.next_cursor)
        assert rest.next_cursor is None
        stored = await mailbox.read([*page.ids, "nothing", *rest.ids], raw=True)
        assert [item.summary["subject"] for item in stored] == ["Invoice", "Re: Plans", "Plans"]
        first = stored[0].summary
        assert first["from"] == {"name": "Shop", "address": "shop@example.net"}
        assert first["date"] == "2026-03-02T09:03:00+00:00"
        assert first["has_attachments"]
        assert first["snippet"] == "This is the text of message 3."
        assert "INBOX" in first["labels"]
        assert stored[2].raw is not None
        assert stored[2].raw.replace(b"\r", b"").rstrip().endswith(b"Shall we meet on the bridge?")

    run(mailbox_source(path[0], str(path[1])), scenario)


def test_ids_are_those_that_the_command_line_shows(path: tuple[SourceKind, Path]) -> None:
    async def scenario(mailbox: Mailbox) -> None:
        page = await mailbox.search(parse_query(""), limit=9)
        assert sorted(page.ids) == sorted(short_id(mail.key) for mail in open_source(str(path[1])).headers())

    run(mailbox_source(path[0], str(path[1])), scenario)


@pytest.mark.parametrize(
    ("query", "subjects"),
    [
        ("from:shop@example.net", ["Invoice"]),
        ("bridge", ["Plans"]),
        ("filename:bill.pdf", ["Invoice"]),
        ("has:attachment", ["Invoice"]),
        ("-has:attachment", ["Re: Plans", "Plans"]),
        ("rfc822msgid:1@seed.example", ["Plans"]),
        ("subject:plans bridge", ["Plans"]),
        ("in:trash", []),
    ],
)
def test_searches_see_header_and_text(path: tuple[SourceKind, Path], query: str, subjects: list[str]) -> None:
    async def scenario(mailbox: Mailbox) -> None:
        assert await find(mailbox, query) == subjects

    run(mailbox_source(path[0], str(path[1])), scenario)


def test_conversations_are_oldest_first(path: tuple[SourceKind, Path]) -> None:
    async def scenario(mailbox: Mailbox) -> None:
        page = await mailbox.search(parse_query("subject:plans"), limit=9)
        stored = await mailbox.read(page.ids, raw=False)
        threads = {item.summary["thread_id"] for item in stored}
        assert len(threads) == 1
        assert await mailbox.thread(threads.pop()) == list(reversed(page.ids))
        with pytest.raises(NotFound):
            await mailbox.thread("no such")

    run(mailbox_source(path[0], str(path[1])), scenario)


def test_attachments_are_read(path: tuple[SourceKind, Path]) -> None:
    async def scenario(mailbox: Mailbox) -> None:
        page = await mailbox.search(parse_query("has:attachment"), limit=9)
        filename, content_type, content = await mailbox.attachment(page.ids[0], "2")
        assert (filename, content_type, content.strip()) == ("bill.pdf", "application/octet-stream", b"%PDF")
        for ids in ((page.ids[0], "9"), ("nothing", "2")):
            with pytest.raises(NotFound):
                await mailbox.attachment(*ids)

    run(mailbox_source(path[0], str(path[1])), scenario)


@pytest.mark.parametrize("kind", ["maildir", "mbox", "eml"])
def test_a_missing_path_is_told_by_the_first_call_and_found_when_it_appears(
    kind: SourceKind, tmp_path: Path, fill_maildir: Fill
) -> None:
    async def scenario(mailbox: Mailbox) -> None:
        with pytest.raises(NotFound, match="does not exist"):
            await mailbox.search(parse_query(""), limit=1)
        status = await mailbox.status()
        assert not status.connected
        assert "does not exist" in status.errors[0]
        if kind == "maildir":
            fill_maildir(tmp_path / "later", [Seed(raw=write_message(1))])
        else:
            (tmp_path / "later").write_bytes(LINE + write_message(1))
        assert await find(mailbox, "") == ["Message number 1"]

    run(mailbox_source(kind, str(tmp_path / "later")), scenario)


def test_what_is_not_a_maildir_cannot_be_changed(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(LINE + write_message(1))

    async def scenario(mailbox: Mailbox) -> None:
        assert not mailbox.capabilities
        for refused in (
            mailbox.modify(["x"], add=["STARRED"], remove=[]),
            mailbox.trash(["x"]),
            mailbox.untrash(["x"]),
            mailbox.delete(["x"]),
            mailbox.create_label("x", {}),
            mailbox.update_label("x", None, {}),
            mailbox.delete_label("x"),
            mailbox.create_draft(b"", None),
            mailbox.update_draft("x", b""),
            mailbox.drafts(limit=1),
            mailbox.delete_draft("x"),
            mailbox.send(b"", None),
            mailbox.send_draft("x"),
            mailbox.snooze(["x"], ""),
        ):
            with pytest.raises(MailError):
                await refused

    run(mailbox_source("mbox", str(tmp_path / "box")), scenario)


def test_changes_page_through_everything_and_then_tell_only_what_is_new(
    tmp_path: Path, fill_maildir: Fill
) -> None:
    root = tmp_path / "m"
    fill_maildir(root, [Seed(raw=write_message(number)) for number in range(5)])

    async def scenario(mailbox: Mailbox) -> None:
        first = await mailbox.changes(None, limit=3)
        assert (len(first.added), first.more, first.reset) == (3, True, False)
        fill_maildir(root, [Seed(raw=write_message(9))])
        second = await mailbox.changes(first.cursor, limit=3)
        assert (len(second.added), second.more) == (2, False)
        third = await mailbox.changes(second.cursor, limit=3)
        assert [item["subject"] for item in third.added] == ["Message number 9"]
        assert not (await mailbox.changes(third.cursor, limit=3)).added
        [old] = [file for file in (root / "cur").iterdir() if ".M1P" in file.name]
        old.rename(root / "cur" / (old.name + "S"))
        [other] = [file for file in (root / "cur").iterdir() if ".M2P" in file.name]
        other.unlink()
        fourth = await mailbox.changes(third.cursor, limit=3)
        assert [item["labels"] for item in fourth.changed] == [["INBOX"]]
        assert fourth.removed == (short_id("1700000002.M2P1.host"),)
        again = await mailbox.changes(third.cursor, limit=3)
        assert again == fourth

    run(mailbox_source("maildir", str(root)), scenario)


def test_a_cursor_outlives_the_server_while_nothing_changes(tmp_path: Path, fill_maildir: Fill) -> None:
    root = tmp_path / "m"
    fill_maildir(root, [Seed(raw=write_message(1))])

    async def cursor(mailbox: Mailbox) -> str:
        return (await mailbox.changes(None, limit=9)).cursor

    known = run(mailbox_source("maildir", str(root)), cursor)

    async def same(mailbox: Mailbox) -> None:
        changes = await mailbox.changes(known, limit=9)
        assert (changes.added, changes.reset, changes.cursor) == ((), False, known)

    run(mailbox_source("maildir", str(root)), same)
    fill_maildir(root, [Seed(raw=write_message(2))])

    async def different(mailbox: Mailbox) -> None:
        changes = await mailbox.changes(known, limit=9)
        assert changes.reset
        assert "while this server was not running" in changes.reason
        assert len(changes.added) == 2

    run(mailbox_source("maildir", str(root)), different)


@pytest.mark.parametrize("cursor", ["x", "0", "../..", "0" * 31, "0:" + "0" * 32 + ":nan:aaaaaaaaaaaa"])
def test_a_strange_cursor_starts_over(tmp_path: Path, fill_maildir: Fill, cursor: str) -> None:
    fill_maildir(tmp_path / "m", [Seed(raw=write_message(1))])

    async def scenario(mailbox: Mailbox) -> None:
        changes = await mailbox.changes(cursor, limit=1)
        assert (changes.reset, len(changes.added)) == (True, 1)
        assert changes.reason == "the cursor is not one of this mailbox"

    run(mailbox_source("maildir", str(tmp_path / "m")), scenario)


def test_a_growing_mbox_is_noticed_and_ids_stay(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.write_bytes(LINE + write_message(1) + b"\n")

    async def scenario(mailbox: Mailbox) -> None:
        before = await mailbox.search(parse_query(""), limit=9)
        with box.open("ab") as file:
            file.write(LINE + write_message(2) + b"\n")
        after = await mailbox.search(parse_query(""), limit=9)
        assert len(after.ids) == 2
        assert after.ids[1:] == before.ids

    run(mailbox_source("path", str(box)), scenario)


@pytest.mark.parametrize("kind", ["maildir", "mbox", "eml"])
def test_waiting_ends_when_mail_arrives_and_not_before(
    kind: SourceKind, tmp_path: Path, fill_maildir: Fill
) -> None:
    store = tmp_path / "store"
    if kind == "maildir":
        fill_maildir(store, [Seed(raw=write_message(1))])
    elif kind == "mbox":
        store.write_bytes(LINE + write_message(1) + b"\n")
    else:
        store.mkdir()
        (store / "1.eml").write_bytes(write_message(1))

    def arrive() -> None:
        if kind == "maildir":
            fill_maildir(store, [Seed(raw=write_message(2))])
        elif kind == "mbox":
            with store.open("ab") as file:
                file.write(LINE + write_message(2) + b"\n")
        else:
            (store / "2.eml").write_bytes(write_message(2))

    async def scenario(mailbox: Mailbox) -> None:
        cursor = (await mailbox.changes(None, limit=9)).cursor
        assert not await mailbox.wait(cursor, timeout_s=0.05)
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=15))
        await asyncio.to_thread(arrive)
        assert await asyncio.wait_for(waiting, 15)
        assert await mailbox.wait(cursor, timeout_s=0)
        assert len((await mailbox.changes(cursor, limit=9)).added) == 1

    run(mailbox_source(kind, str(store)), scenario)


def test_waiting_works_where_the_system_tells_nothing(
    tmp_path: Path, fill_maildir: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gaia_local_mcp import watch

    monkeypatch.setattr(watch, "POLL_WITHOUT_NOTICE_S", 0.01)

    def refuse(*_: object) -> None:
        raise OSError("no more watches")

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuse)
    fill_maildir(tmp_path / "m", [])

    async def scenario(mailbox: Mailbox) -> None:
        cursor = (await mailbox.changes(None, limit=9)).cursor
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=15))
        fill_maildir(tmp_path / "m", [Seed(raw=write_message(1))])
        assert await asyncio.wait_for(waiting, 15)

    run(mailbox_source("maildir", str(tmp_path / "m")), scenario)


def test_a_new_server_that_finds_all_as_the_cursor_says_reads_no_message(
    tmp_path: Path, fill_maildir: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_maildir(tmp_path, [Seed(raw=write_message(number)) for number in (1, 2, 3)])
    _age(tmp_path)
    cursor = run(mailbox_source("maildir", str(tmp_path)), lambda mailbox: mailbox.cursor())
    indexed: list[MailIndex] = []
    real = MailIndex.refresh

    def refresh(self: MailIndex, tell: Teller | None = None) -> bool:
        indexed.append(self)
        return real(self, tell)

    monkeypatch.setattr(MailIndex, "refresh", refresh)

    async def nothing_new(mailbox: Mailbox) -> None:
        told = await mailbox.changes(cursor, limit=10)
        assert (told.cursor, told.added, told.removed, told.reset) == (cursor, (), (), False)
        assert (await mailbox.status()).connected
        assert {"INBOX", "UNREAD"} <= {label["id"] for label in await mailbox.labels()}
        assert indexed == []
        fill_maildir(tmp_path, [Seed(raw=write_message(4), labels=("INBOX", "STARRED"))])
        assert "STARRED" in {label["id"] for label in await mailbox.labels()}
        told = await mailbox.changes(cursor, limit=10)
        assert indexed and (told.reset or len(told.added) == 1)

    run(mailbox_source("maildir", str(tmp_path)), nothing_new)


def test_who_has_a_copy_of_the_listing_reads_a_message_without_the_headers_of_all(
    tmp_path: Path, fill_maildir: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_maildir(tmp_path, [Seed(raw=write_message(1)), Seed(raw=write_message(2, extra=REPLY))])
    fill_maildir(tmp_path, [Seed(raw=write_message(3), labels=("SENT", "STARRED"))])
    for folder in (tmp_path, tmp_path / ".Sent"):
        _age(folder)

    async def whole(mailbox: Mailbox) -> tuple[str, list[StoredMessage]]:
        page = await mailbox.search(parse_query(""), limit=9)
        return await mailbox.cursor(), await mailbox.read(page.ids, raw=True)

    cursor, expected = run(mailbox_source("maildir", str(tmp_path)), whole)
    ids = [item.summary["id"] for item in expected]
    indexed: list[MailIndex] = []
    real = MailIndex.refresh

    def refresh(self: MailIndex, tell: Teller | None = None) -> bool:
        indexed.append(self)
        return real(self, tell)

    monkeypatch.setattr(MailIndex, "refresh", refresh)

    async def copied(mailbox: Mailbox) -> None:
        await mailbox.changes(cursor, limit=10)
        found = await mailbox.read([*ids, "a" * 12], raw=True)
        assert indexed == []
        for one, whole in zip(found, expected, strict=True):
            assert one.raw == whole.raw
            assert one.summary == {**whole.summary, "thread_id": ""}
        assert [item.summary for item in await mailbox.read(ids, raw=False)] == [
            item.summary for item in expected
        ]
        assert indexed

    run(mailbox_source("maildir", str(tmp_path), index=tmp_path / "headers.db"), copied)

    async def not_copied(mailbox: Mailbox) -> None:
        await mailbox.changes(cursor, limit=10)
        assert await mailbox.read(ids, raw=True) == expected

    run(mailbox_source("maildir", str(tmp_path)), not_copied)


@pytest.mark.parametrize("change", ["new", "gone", "flag"])
def test_a_new_server_that_finds_anything_else_tells_all_of_it(
    tmp_path: Path, fill_maildir: Fill, change: str
) -> None:
    fill_maildir(tmp_path, [Seed(raw=write_message(number)) for number in (1, 2, 3)])
    cursor = run(mailbox_source("maildir", str(tmp_path)), lambda mailbox: mailbox.cursor())
    first = sorted((tmp_path / "cur").iterdir())[0]
    if change == "new":
        fill_maildir(tmp_path, [Seed(raw=write_message(4))])
    elif change == "gone":
        first.unlink()
    else:
        first.rename(first.with_name(first.name.partition(":")[0] + ":2,FS"))

    async def told(mailbox: Mailbox) -> tuple[bool, int]:
        found = await mailbox.changes(cursor, limit=10)
        return found.reset, len(found.added)

    expected = {"new": 4, "gone": 2, "flag": 3}[change]
    assert run(mailbox_source("maildir", str(tmp_path)), told) == (True, expected)


def test_a_message_that_lies_in_several_folders_is_listed_as_it_is_read(
    tmp_path: Path, fill_maildir: Fill
) -> None:
    fill_maildir(
        tmp_path, [Seed(raw=write_message(number), labels=(label,)) for number, label in enumerate(FOLDERS)]
    )
    first = next((tmp_path / "cur").iterdir())
    for folder in (".Sent", ".Junk"):
        (tmp_path / folder / "cur" / first.name).write_bytes(first.read_bytes())
        (tmp_path / folder / "new" / first.name).write_bytes(first.read_bytes())

    async def read(mailbox: Mailbox) -> tuple[str, Sequence[str]]:
        return await mailbox.cursor(), (await mailbox.status()).errors

    cursor, errors = run(mailbox_source("maildir", str(tmp_path)), read)
    listing = listing_of(MaildirOrigin(str(tmp_path)))
    assert listing is not None
    assert (listing.digest, listing.errors) == (cursor, tuple(errors))
    assert listing.labels >= set(FOLDERS)


FOLDERS = ("INBOX", "SENT", "SPAM")


def _age(root: Path) -> None:
    """Have its folders changed long ago: what is fresh is looked at again."""
    for folder in (root / "cur", root / "new"):
        os.utime(folder, (1_700_000_000, 1_700_000_000))
