"""The contract of following a mailbox: `changes` can be replayed into an exact copy, `wait` misses nothing."""
# the names of tests are sentences

from __future__ import annotations

import asyncio

from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.base import ContractBase
from tests.contract.suite.look import Mirror, find, look
from tests.contract.suite.seed import Seed, many, write_message

SOON_S = 10.0


class SyncingContract(ContractBase):
    """`changes`, `wait`."""

    def test_without_a_cursor_everything_is_told(self) -> None:
        seeds = [*many(4), Seed(raw=write_message(5), labels=("TRASH",))]

        async def scenario(mailbox: Mailbox) -> None:
            for limit in (1, 2, 5, 100):
                mirror = Mirror(limit=limit)
                pages = await mirror.follow(mailbox)
                assert mirror.state == await look(mailbox)
                assert all(len(page.added) <= limit for page in pages)
                assert sum(len(page.added) for page in pages) == 5
                assert not any(page.reset or page.changed or page.removed for page in pages)

        self.run(seeds, scenario)

    def test_an_empty_mailbox_has_a_cursor_too(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            page = await mailbox.changes(None, limit=10)
            assert page.cursor
            assert (page.added, page.more, page.reset) == ((), False, False)
            assert not (await mailbox.changes(page.cursor, limit=10)).reset

        self.run([], scenario)

    def test_when_nothing_happened_nothing_is_told(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            mirror = Mirror()
            await mirror.follow(mailbox)
            (page,) = await mirror.follow(mailbox)
            assert (page.added, page.changed, page.removed) == ((), (), ())
            assert not page.more and not page.reset

        self.run(many(3), scenario)

    def test_mail_that_arrives_is_told_once(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            mirror = Mirror()
            await mirror.follow(mailbox)
            if self.receives:
                for number in (8, 9):
                    await self.deliver(mailbox, Seed(raw=write_message(number)))
                (page,) = await mirror.follow(mailbox)
                told = {summary["message_id"] for summary in page.added}
                assert told == {"<8@seed.example>", "<9@seed.example>"}
            (page,) = await mirror.follow(mailbox)
            assert not page.added
            assert mirror.state == await look(mailbox)

        self.run(many(2), scenario)

    def test_mail_that_arrives_while_pages_are_read_is_not_missed(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            mirror = Mirror(limit=2)
            first = await mailbox.changes(None, limit=2)
            assert first.more
            if self.receives:
                await self.deliver(mailbox, Seed(raw=write_message(90)))
                await self.deliver(mailbox, Seed(raw=write_message(0)))
            mirror.apply(first)
            await mirror.follow(mailbox)
            await mirror.follow(mailbox)
            assert mirror.state == await look(mailbox)

        self.run(many(5), scenario)

    def test_new_labels_and_flags_are_told_as_changed(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            mirror = Mirror()
            await mirror.follow(mailbox)
            newest, _, oldest = await find(mailbox, "")
            await mailbox.modify([newest], add=["STARRED"], remove=["UNREAD"])
            await mailbox.trash([oldest])
            (page,) = await mirror.follow(mailbox)
            assert {changed["id"] for changed in page.changed} == {newest, oldest}
            assert not page.added and not page.removed
            assert mirror.state == await look(mailbox)

        self.run(many(3), scenario, needs=Capability.MODIFY)

    def test_what_is_deleted_is_told_as_removed(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            mirror = Mirror()
            await mirror.follow(mailbox)
            newest, _, oldest = await find(mailbox, "")
            await mailbox.delete([oldest])
            await mailbox.modify([newest], add=["STARRED"], remove=[])
            await mailbox.delete([newest])
            (page,) = await mirror.follow(mailbox)
            assert set(page.removed) == {newest, oldest}
            assert not page.changed
            assert mirror.state == await look(mailbox)

        self.run(many(3), scenario, needs=Capability.DELETE)

    def test_changes_in_small_pages_lead_to_the_same_state(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            mirror = Mirror(limit=1)
            await mirror.follow(mailbox)
            ids = await find(mailbox, "")
            await mailbox.modify(ids[:3], add=["STARRED"], remove=[])
            await mailbox.modify(ids[1:4], add=[], remove=["INBOX"])
            await mailbox.trash(ids[4:])
            await mailbox.untrash(ids[5:])
            if self.receives:
                for number in (20, 21, 22):
                    await self.deliver(mailbox, Seed(raw=write_message(number)))
            await mirror.follow(mailbox)
            assert mirror.state == await look(mailbox)
            assert not mirror.resets

        self.run(many(6), scenario, needs=Capability.MODIFY)

    def test_two_who_follow_the_mailbox_do_not_disturb_one_another(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            one, other = Mirror(), Mirror(limit=2)
            await one.follow(mailbox)
            ids = await find(mailbox, "")
            await mailbox.modify(ids[:1], add=["STARRED"], remove=[])
            await other.follow(mailbox)
            await mailbox.modify(ids, add=[], remove=["UNREAD"])
            await one.follow(mailbox)
            await other.follow(mailbox)
            assert one.state == other.state == await look(mailbox)

        self.run(many(3), scenario, needs=Capability.MODIFY)

    def test_a_cursor_the_mailbox_never_gave_starts_over_with_a_reason(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            for cursor in ("", "no cursor", "0", "-1", "\0", "\u0663", "9" * 40, "f" * 32, "0:1:2:3"):
                page = await mailbox.changes(cursor, limit=100)
                assert page.reset, cursor
                assert page.reason, cursor
                assert len(page.added) == 3 and not page.more
                assert page.cursor == await mailbox.cursor()
                assert await mailbox.wait(cursor, timeout_s=SOON_S)

        self.run(many(3), scenario)

    def test_the_cursor_of_now_is_that_of_who_has_listed_everything(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            cursor = await mailbox.cursor()
            assert cursor == (await mailbox.changes(None, limit=100)).cursor
            page = await mailbox.changes(cursor, limit=100)
            assert (page.added, page.changed, page.removed) == ((), (), ())
            assert not page.reset and not page.more
            if self.receives:
                await self.deliver(mailbox, Seed(raw=write_message(9)))
                (added,) = (await mailbox.changes(cursor, limit=100)).added
                assert added["message_id"] == "<9@seed.example>"
                assert await mailbox.cursor() != cursor

        self.run(many(3), scenario)

    def test_waiting_ends_at_once_when_something_has_happened_already(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            cursor = (await mailbox.changes(None, limit=100)).cursor
            assert not await mailbox.wait(cursor, timeout_s=0)
            if self.receives:
                await self.deliver(mailbox, Seed(raw=write_message(9)))
                assert await mailbox.wait(cursor, timeout_s=SOON_S)

        self.run(many(1), scenario)

    def test_waiting_ends_when_mail_arrives(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            if not self.receives:
                return
            cursor = (await mailbox.changes(None, limit=100)).cursor
            waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=SOON_S))
            await asyncio.sleep(0)
            await self.deliver(mailbox, Seed(raw=write_message(9)))
            assert await waiting

        self.run(many(1), scenario)

    def test_waiting_ends_when_a_message_is_changed(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            ids = await find(mailbox, "")
            cursor = (await mailbox.changes(None, limit=100)).cursor
            waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=SOON_S))
            other = asyncio.create_task(mailbox.wait(cursor, timeout_s=SOON_S))
            await asyncio.sleep(0)
            try:
                await mailbox.modify(ids, add=["STARRED"], remove=[])
                assert await waiting
                assert await other
            finally:
                waiting.cancel()
                other.cancel()
                await asyncio.gather(waiting, other, return_exceptions=True)

        self.run(many(1), scenario, needs=Capability.MODIFY)
