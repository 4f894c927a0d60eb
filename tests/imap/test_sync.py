"""The index follows the server: new, changed and removed mail, and what a server may do in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings, LoginSecret
from gaia_mail_mcp.mailbox import Changes
from tests.contract.suite import Mirror, look, write_message
from tests.imap.conftest import DovecotWith
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient

BASIC = "IMAP4rev1 LITERAL+"
CONDSTORE = "IMAP4rev1 LITERAL+ ENABLE CONDSTORE SPECIAL-USE UIDPLUS MOVE"
SERVERS = {"qresync": None, "condstore": CONDSTORE, "basic": BASIC}
LABELS = {"INBOX": {"INBOX"}, "Archive": set[str](), "Trash": {"TRASH"}, "Junk": {"SPAM"}, "Sent": {"SENT"}}


def reader(port: int, user: str, *, cache: Path | None = None) -> ImapMailbox:
    return ImapMailbox(
        ImapSettings(
            host="127.0.0.1",
            port=port,
            security="none",
            user=user,
            account="me@example.org",
            secret=lambda _: LoginSecret(value=PASSWORD),
            cache=cache,
        )
    )


def run(mailbox: ImapMailbox, scenario: Callable[[ImapMailbox], Awaitable[None]]) -> None:
    async def main() -> None:
        try:
            await scenario(mailbox)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


async def follow(mirror: Mirror, mailbox: ImapMailbox) -> Changes:
    """What happened, in the one page that it fits."""
    (page,) = await mirror.follow(mailbox)
    return page


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, dovecot_with: DovecotWith) -> Dovecot:
    return dovecot_with(Options(capability=SERVERS[request.param]))


def test_a_message_moved_by_another_client_keeps_its_id(server: Dovecot, user: str) -> None:
    with OtherClient(server.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            uids = [other.append(write_message(number)) for number in (1, 2)]
            mirror = Mirror()
            await mirror.follow(mailbox)
            other.move(uids[:1], "Trash")
            page = await follow(mirror, mailbox)
            (changed,) = page.changed
            assert set(changed["labels"]) == {"TRASH", "UNREAD"}
            assert not page.added and not page.removed
            assert mirror.state == await look(mailbox)

        run(reader(server.port, user), scenario)


def test_copies_are_one_message_with_the_labels_of_all(server: Dovecot, user: str) -> None:
    with OtherClient(server.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            uid = other.append(write_message(1))
            mirror = Mirror()
            await mirror.follow(mailbox)
            other.create("Plans")
            other.copy([uid], "Plans")
            page = await follow(mirror, mailbox)
            assert [set(changed["labels"]) for changed in page.changed] == [{"INBOX", "Plans", "UNREAD"}]
            other.expunge([uid])
            page = await follow(mirror, mailbox)
            assert [set(changed["labels"]) for changed in page.changed] == [{"Plans", "UNREAD"}]
            other.flag(other.uids("Plans"), "\\Seen", "\\Flagged", folder="Plans")
            page = await follow(mirror, mailbox)
            assert [set(changed["labels"]) for changed in page.changed] == [{"Plans", "STARRED"}]
            other.expunge(other.uids("Plans"), folder="Plans")
            page = await follow(mirror, mailbox)
            assert len(page.removed) == 1 and not page.changed
            assert await look(mailbox) == {}

        run(reader(server.port, user), scenario)


def test_the_same_message_twice_in_a_folder_is_told_once(server: Dovecot, user: str) -> None:
    with OtherClient(server.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            uids = [other.append(write_message(1)) for _ in range(2)]
            mirror = Mirror()
            page = await follow(mirror, mailbox)
            assert len(page.added) == 1
            other.expunge(uids[:1])
            page = await follow(mirror, mailbox)
            assert not page.removed and len(mirror.state) == 1

        run(reader(server.port, user), scenario)


def test_what_is_marked_as_deleted_is_gone_until_the_mark_is_taken_back(server: Dovecot, user: str) -> None:
    with OtherClient(server.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            uid = other.append(write_message(1))
            mirror = Mirror()
            await mirror.follow(mailbox)
            other.flag([uid], "\\Deleted")
            assert len((await follow(mirror, mailbox)).removed) == 1
            other.flag([uid], "\\Deleted", off=True)
            assert len((await follow(mirror, mailbox)).added) == 1
            assert mirror.state == await look(mailbox)

        run(reader(server.port, user), scenario)


def test_a_renamed_folder_changes_labels_and_nothing_else(server: Dovecot, user: str) -> None:
    with OtherClient(server.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            other.create("Plans")
            for number in (1, 2):
                other.append(write_message(number), "Plans")
            mirror = Mirror()
            await mirror.follow(mailbox)
            other.rename("Plans", "Ideas/Old")
            page = await follow(mirror, mailbox)
            assert [set(changed["labels"]) for changed in page.changed] == [{"Ideas/Old", "UNREAD"}] * 2
            assert not page.added and not page.removed and not page.reset
            other.delete_folder("Ideas/Old")
            assert len((await follow(mirror, mailbox)).removed) == 2

        run(reader(server.port, user), scenario)


def test_new_uids_for_the_same_messages_change_nothing(own_dovecot: Dovecot, user: str) -> None:
    own_dovecot.fill(user, [(write_message(number), "S") for number in range(1, 31)])

    async def scenario(mailbox: ImapMailbox) -> None:
        mirror = Mirror()
        await mirror.follow(mailbox)
        before = dict(mirror.state)
        own_dovecot.stop()
        own_dovecot.renumber(user)
        own_dovecot.start()
        with OtherClient(own_dovecot.port, user) as other:
            other.append(write_message(99))
        page = await follow(mirror, mailbox)
        assert not page.reset and not page.changed and not page.removed
        assert [summary["message_id"] for summary in page.added] == ["<99@seed.example>"]
        assert {id_: state for id_, state in mirror.state.items() if id_ in before} == before
        assert mirror.state == await look(mailbox)

    run(reader(own_dovecot.port, user), scenario)


def test_messages_expunged_while_away_are_all_told(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    dovecot.fill(user, [(write_message(number), "") for number in range(1, 701)])
    mirror = Mirror(limit=50)

    async def first(mailbox: ImapMailbox) -> None:
        await mirror.follow(mailbox)

    async def second(mailbox: ImapMailbox) -> None:
        await mirror.follow(mailbox)
        assert not mirror.resets
        assert mirror.state == await look(mailbox)
        assert len(mirror.state) == 10

    run(reader(dovecot.port, user, cache=tmp_path / "index" / "a.db"), first)
    assert len(mirror.state) == 700
    with OtherClient(dovecot.port, user) as other:
        other.expunge(other.uids()[10:])
    run(reader(dovecot.port, user, cache=tmp_path / "index" / "a.db"), second)


def test_a_listing_that_breaks_off_goes_on_where_it_was(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.index.changes.STEP", 100)
    dovecot.fill(user, [(write_message(number), "") for number in range(1, 901)])
    mirror = Mirror(limit=100)
    told: list[str] = []

    async def part(mailbox: ImapMailbox) -> None:
        page = await mailbox.changes(mirror.cursor, limit=100)
        mirror.apply(page)
        told.extend(summary["id"] for summary in page.added)

    for _ in range(9):
        run(reader(dovecot.port, user, cache=tmp_path / "i.db"), part)
    assert len(told) == len(set(told)) == 900

    async def whole(mailbox: ImapMailbox) -> None:
        await mirror.follow(mailbox)
        assert mirror.state == await look(mailbox)
        assert not mirror.resets

    run(reader(dovecot.port, user, cache=tmp_path / "i.db"), whole)


def test_a_lost_index_keeps_cursors_of_a_mailbox_that_stood_still(dovecot: Dovecot, user: str) -> None:
    dovecot.fill(user, [(write_message(number), "") for number in range(1, 6)])
    mirror = Mirror()

    async def same(mailbox: ImapMailbox) -> None:
        await mirror.follow(mailbox)
        assert not mirror.resets

    async def other(mailbox: ImapMailbox) -> None:
        assert await mailbox.wait(mirror.cursor or "", timeout_s=5)
        page = await follow(mirror, mailbox)
        assert page.reset and "changed since" in page.reason
        assert mirror.state == await look(mailbox)

    run(reader(dovecot.port, user), same)
    run(reader(dovecot.port, user), same)
    with OtherClient(dovecot.port, user) as client:
        client.flag(client.uids()[:1], "\\Flagged")
    run(reader(dovecot.port, user), other)


def test_a_cursor_of_another_account_starts_over(dovecot: Dovecot, user: str) -> None:
    cursors: list[str] = []

    async def take(mailbox: ImapMailbox) -> None:
        cursors.append(await mailbox.cursor())

    async def give(mailbox: ImapMailbox) -> None:
        page = await mailbox.changes(cursors[0], limit=10)
        assert page.reset and "another account" in page.reason

    run(reader(dovecot.port, user), take)
    run(reader(dovecot.port, f"{user}x"), give)
