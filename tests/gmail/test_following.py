"""Following an account: gaps in the history, all kinds of change, cheap waiting, what is remembered locally."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument
from tests.contract.suite import Mirror, find, look, many, write_message
from tests.contract.suite.look import labels_of
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.support import EmulatedMailbox, connect, open_emulated

Play = Callable[..., None]


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    """Runs a scenario on an emulated account of so many messages."""

    def play(scenario: Callable[[EmulatedMailbox], Awaitable[None]], count: int = 3) -> None:
        async def main() -> None:
            mailbox = await open_emulated(Emulator(), tmp_path, many(count))
            try:
                await asyncio.wait_for(_awaited(scenario(mailbox)), 20)
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


async def _awaited(result: Awaitable[None]) -> None:
    await result


def test_a_gap_in_the_history_starts_over_in_pages(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mirror = Mirror(limit=4)
        await mirror.follow(mailbox)
        await mailbox.emulator.deliver(write_message(50))
        mailbox.emulator.account.forget_history()
        await mailbox.emulator.deliver(write_message(51))
        pages = await mirror.follow(mailbox)
        assert pages[0].reset and "older than what Gmail remembers" in pages[0].reason
        assert all(len(page.added) <= 4 for page in pages)
        assert mirror.state == await look(mailbox)
        (page,) = await mirror.follow(mailbox)
        assert not page.reset and not page.added

    play(scenario, 10)


def test_what_others_do_is_told_whatever_it_is(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mirror = Mirror()
        await mirror.follow(mailbox)
        account = mailbox.emulator.account
        ids = await find(mailbox, "")
        inner = [account.inner(item) for item in ids]
        await account.modify(inner[:1], ["STARRED"], ["UNREAD"])
        await account.modify(inner[1:2], [], ["UNREAD", "INBOX"])
        await account.mailbox.delete(inner[2:3])
        await mailbox.emulator.deliver(write_message(40))
        await mailbox.emulator.deliver(write_message(41))
        gone = (await account.mailbox.drafts(limit=1)) or None
        assert gone is None
        (page,) = await mirror.follow(mailbox)
        assert {item["id"]: item["labels"] for item in page.changed} == {
            ids[0]: ["INBOX", "STARRED"],
            ids[1]: [],
        }
        assert page.removed == (ids[2],)
        assert [item["subject"] for item in page.added] == ["Message number 40", "Message number 41"]
        assert mirror.state == await look(mailbox)

    play(scenario)


def test_following_costs_two_units_while_nothing_happens(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        cursor = await mailbox.cursor()
        mailbox.emulator.forget_requests()
        assert not (await mailbox.changes(cursor, limit=100)).more
        assert mailbox.emulator.units == 2
        assert not await mailbox.wait(cursor, timeout_s=0)
        assert mailbox.emulator.units == 4

    play(scenario)


def test_new_mail_costs_its_own_reading_only(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mirror = Mirror()
        await mirror.follow(mailbox)
        for number in range(60, 70):
            await mailbox.emulator.deliver(write_message(number))
        mailbox.emulator.forget_requests()
        (page,) = await mirror.follow(mailbox)
        assert len(page.added) == 10
        assert mailbox.emulator.units == 2 + 10 * 5
        assert len(mailbox.emulator.requests) == 2

    play(scenario)


def test_a_page_of_the_history_that_fails_is_asked_for_again(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mirror = Mirror()
        await mirror.follow(mailbox)
        await mailbox.emulator.deliver(write_message(60))
        mailbox.emulator.fail(Fault(method="history.list", error=ApiError(503, "busy")))
        (page,) = await mirror.follow(mailbox)
        assert len(page.added) == 1 and not page.reset

    play(scenario)


def test_a_cursor_of_another_account_starts_over(tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "one").mkdir()
        (tmp_path / "other").mkdir()
        one = await open_emulated(Emulator("one@example.org"), tmp_path / "one", many(1))
        other = await open_emulated(Emulator("other@example.org"), tmp_path / "other", many(1))
        page = await other.changes(await one.cursor(), limit=10)
        assert page.reset and "not one of this mailbox" in page.reason
        await one.aclose()
        await other.aclose()

    asyncio.run(main())


def test_a_new_process_knows_where_trashed_messages_were(tmp_path: Path) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(), tmp_path, many(2))
        ids = await find(mailbox, "")
        before = await look(mailbox)
        await mailbox.modify(ids[:1], add=["SPAM"], remove=["INBOX"])
        await mailbox.trash(ids)
        again = connect(mailbox.emulator, tmp_path)
        await again.untrash(ids)
        assert "SPAM" in await labels_of(again, ids[0])
        await again.modify(ids[:1], add=["INBOX"], remove=["SPAM"])
        assert await look(again) == before
        await again.aclose()
        await mailbox.aclose()

    asyncio.run(main())


def _due(mailbox: EmulatedMailbox) -> None:
    """Let what was snoozed be due."""
    (path,) = mailbox.gmail.shared.home.rglob("places.json")
    content = json.loads(path.read_text())
    past = (dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)).isoformat()
    path.write_text(json.dumps({**content, "snoozed": dict.fromkeys(content["snoozed"], past)}))


def test_a_snoozed_message_comes_back_unread_in_whichever_process(tmp_path: Path) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(), tmp_path, many(2, labels=("INBOX",)))
        ids = await find(mailbox, "")
        before = await look(mailbox)
        await mailbox.snooze(ids, "2999-01-01T00:00:00+00:00")
        (stored, _) = await mailbox.read(ids, raw=False)
        assert stored.snoozed_until == "2999-01-01T00:00:00+00:00"
        await mailbox.trash(ids[1:])
        _due(mailbox)
        reader = connect(mailbox.emulator, tmp_path)
        reader.snoozes.wakes = False
        assert await find(reader, "in:inbox") == []
        other = connect(mailbox.emulator, tmp_path)
        assert await find(other, "in:inbox is:unread") == ids[:1]
        assert await labels_of(other, ids[0]) == {"INBOX", "UNREAD"}
        assert "TRASH" in await labels_of(other, ids[1])
        assert set(before) == set(await look(other))
        for opened in (reader, other, mailbox):
            await opened.aclose()

    asyncio.run(main())


def test_a_snooze_that_cannot_end_now_ends_later(tmp_path: Path) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(), tmp_path, many(1))
        ids = await find(mailbox, "")
        await mailbox.snooze(ids, "2999-01-01T00:00:00+00:00")
        _due(mailbox)
        mailbox.emulator.fail(Fault(method="messages.modify", error=ApiError(412, "changed")))
        with pytest.raises(BadArgument):
            await find(mailbox, "in:inbox")
        assert await find(mailbox, "in:inbox") == ids
        await mailbox.aclose()

    asyncio.run(main())


def test_notes_that_cannot_be_read_are_no_obstacle(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        ids = await find(mailbox, "")
        await mailbox.trash(ids)
        (path,) = mailbox.gmail.shared.home.rglob("places.json")
        for rubbish in (
            "",
            "[]",
            '{"origins": 3, "snoozed": [1]}',
            '{"origins": {"a": 1}, "snoozed": {"b": 2}}',
        ):
            path.write_text(rubbish)
            await mailbox.untrash(ids)
            assert await find(mailbox, "in:inbox") == ids
            await mailbox.trash(ids)

    play(scenario)


def test_a_large_message_is_uploaded_beside_its_json(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        raw = write_message(5, to="ann@example.com", attachment=("big.bin", bytes(range(256)) * 12_000))
        sent = await mailbox.send(raw, None)
        draft = await mailbox.create_draft(raw, None)
        assert any(seen.path.startswith("/upload/") for seen in mailbox.emulator.requests)
        for message in (sent, draft.message_id):
            (stored,) = await mailbox.read([message], raw=True)
            assert len(stored.raw or b"") >= len(raw) - 2

    play(scenario)


def test_a_search_gmail_does_not_take_is_the_querys_fault(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mailbox.emulator.fail(Fault(method="messages.list", error=ApiError(400, "Invalid q")))
        with pytest.raises(BadArgument) as caught:
            await find(mailbox, "subject:x")
        assert caught.value.argument == "query"

    play(scenario)
