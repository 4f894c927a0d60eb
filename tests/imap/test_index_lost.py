"""An index that cannot be kept: mail is read all the same, nothing is done twice, and it is said."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from gaia_email_registry.errors import ProviderError
from gaia_imap_mcp.change.filing import Filer
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.index.store import open_index
from tests.contract.suite.look import Mirror, find
from tests.contract.suite.seed import write_message
from tests.imap.truth import opened, settings
from tools.mail_servers.scripted_imap import ScriptedImap


def fill_disk(mailbox: ImapMailbox) -> None:
    """From now on the file cannot grow."""
    account = mailbox._account  # pyright: ignore[reportPrivateUsage]
    assert account is not None
    account.index.database.execute("PRAGMA max_page_count = 1")


def test_where_no_file_can_be_made_the_index_is_in_memory(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no directory")

    async def run() -> None:
        with ScriptedImap() as server:
            server.store.put(write_message(1))
            cache = tmp_path / "home" / "x" / "index.sqlite"
            async with opened(settings(server.port, "bob"), cache=cache) as mailbox:
                assert len(await find(mailbox, "in:anywhere")) == 1
                assert "memory" in (await mailbox.status()).errors[0]

    asyncio.run(run())


def test_a_disk_that_fills_up_stops_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            for number in range(20):
                server.store.put(write_message(number))
            async with opened(settings(server.port, "bob"), cache=tmp_path / "i" / "index.sqlite") as mailbox:
                mirror = Mirror(limit=7)
                await mirror.follow(mailbox)
                fill_disk(mailbox)
                for number in range(20, 420):
                    server.store.put(write_message(number, body="word " * 200))
                await mirror.follow(mailbox)
                assert len(mirror.state) == 420
                assert "disk is full" in (await mailbox.status()).errors[0]
                assert len((await mailbox.trash(list(mirror.state)[:5])).ids) == 5

    asyncio.run(run())


def test_what_is_put_into_a_folder_is_not_put_there_twice_because_the_index_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            async with opened(settings(server.port, "bob"), cache=tmp_path / "i" / "index.sqlite") as mailbox:
                await find(mailbox, "in:anywhere")
                append = Filer.append

                def failing(self: Filer, raw: bytes, label: str, flags: list[str]) -> str:
                    append(self, raw, label, flags)
                    error = sqlite3.OperationalError("database or disk is full")
                    error.sqlite_errorcode = sqlite3.SQLITE_FULL
                    raise error

                monkeypatch.setattr(Filer, "append", failing)
                with pytest.raises(ProviderError, match="before you repeat"):
                    await mailbox.create_draft(write_message(1), None)
                assert len(await mailbox.drafts(limit=10)) == 1

    asyncio.run(run())


def test_an_index_that_cannot_be_opened_now_is_not_thrown_away(tmp_path: Path) -> None:
    path = tmp_path / "i" / "index.sqlite"
    index, note = open_index(path, "me")
    assert note == ""
    with index.writing():
        index.note("kind", "key", "value")
    index.close()
    (path.parent / "index.sqlite-wal").unlink(missing_ok=True)
    (path.parent / "index.sqlite-wal").mkdir()
    index, note = open_index(path, "me")
    assert "memory" in note and index.notes("kind") == {}
    index.close()
    (path.parent / "index.sqlite-wal").rmdir()
    index, note = open_index(path, "me")
    assert note == "" and index.notes("kind") == {"key": "value"}
    index.close()
