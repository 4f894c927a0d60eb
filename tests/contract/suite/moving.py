"""The contract of changing messages: labels and flags, Trash and back, deleting, snoozing."""
# the names of tests are sentences

from __future__ import annotations

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.base import ContractBase, refusal
from tests.contract.suite.look import find, labels_of, look, only, summary_of
from tests.contract.suite.seed import Seed, many, write_message

FAR = "2999-01-31T08:00:00+01:00"


class MovingContract(ContractBase):
    """`modify`, `trash`, `untrash`, `delete`, `snooze`."""

    def test_reading_a_message_takes_unread_and_sets_the_flag(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            applied = await mailbox.modify([message], add=["STARRED"], remove=["UNREAD"])
            assert (applied.ids, applied.failed) == ((message,), ())
            found = await summary_of(mailbox, message)
            assert set(found["labels"]) == {"INBOX", "STARRED"}
            assert {"\\Seen", "\\Flagged"} <= set(found["flags"])
            assert await find(mailbox, "is:starred is:read") == [message]

        self.run(many(1), scenario, needs=Capability.MODIFY)

    def test_an_archived_message_is_out_of_the_inbox_and_still_found(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            await mailbox.modify([message], add=[], remove=["INBOX"])
            assert await find(mailbox, "in:inbox") == []
            assert await find(mailbox, "in:archive") == [message]
            assert await find(mailbox, "") == [message]

        self.run(many(1), scenario, needs=Capability.MODIFY)

    def test_a_change_made_twice_is_as_made_once(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            ids = await find(mailbox, "")
            await mailbox.modify(ids, add=["STARRED"], remove=["INBOX"])
            once = await look(mailbox)
            applied = await mailbox.modify([*ids, *ids], add=["STARRED"], remove=["INBOX"])
            assert not applied.failed
            assert set(applied.ids) == set(ids)
            assert await look(mailbox) == once

        self.run(many(2), scenario, needs=Capability.MODIFY)

    def test_a_change_and_its_reverse_leave_the_message_as_it_was(self) -> None:
        changes: list[tuple[list[str], list[str]]] = [
            (["STARRED"], ["UNREAD"]),
            ([], ["INBOX"]),
            (["IMPORTANT"], []),
            (["SPAM"], ["INBOX"]),
            (["TRASH"], []),
            (["STARRED", "IMPORTANT"], ["INBOX", "UNREAD"]),
        ]

        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            before = await look(mailbox)
            for add, remove in changes:
                await mailbox.modify([message], add=add, remove=remove)
                after = await labels_of(mailbox, message)
                assert set(add) <= after
                assert not after & set(remove)
                await mailbox.modify([message], add=remove, remove=add)
                assert await look(mailbox) == before, (add, remove)

        self.run(many(1), scenario, needs=Capability.MODIFY)

    def test_a_label_both_added_and_removed_is_there(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            await mailbox.modify([message], add=["STARRED"], remove=["STARRED"])
            assert "STARRED" in await labels_of(mailbox, message)

        self.run(many(1), scenario, needs=Capability.MODIFY)

    def test_an_unknown_label_is_a_bad_argument_and_changes_nothing(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            ids = await find(mailbox, "")
            await mailbox.modify(ids, add=["IMPORTANT"], remove=[])
            before = await look(mailbox)
            for add, remove in ((["STARRED", "No such label"], []), (["STARRED"], ["No such label"])):
                error = await refusal(mailbox.modify(ids, add=add, remove=remove))
                assert isinstance(error, BadArgument)
                assert await look(mailbox) == before

        self.run(many(2), scenario, needs=Capability.MODIFY)

    def test_an_unknown_message_fails_and_the_others_are_done(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            for applied in (
                await mailbox.modify(["nothing", message], add=["STARRED"], remove=[]),
                await mailbox.trash(["nothing", message]),
                await mailbox.untrash(["nothing", message]),
            ):
                assert applied.ids == (message,)
                assert [failure["id"] for failure in applied.failed] == ["nothing"]
                assert applied.failed[0]["error"]

        self.run(many(1), scenario, needs=Capability.MODIFY)

    def test_trash_and_back_leaves_a_message_where_it_was(self) -> None:
        seeds = [
            Seed(raw=write_message(1), labels=("INBOX", "UNREAD")),
            Seed(raw=write_message(2), labels=("INBOX", "STARRED")),
            Seed(raw=write_message(3), labels=()),
            Seed(raw=write_message(4), labels=("INBOX", "Work")),
            Seed(raw=write_message(5), labels=("Work",)),
            Seed(raw=write_message(6), labels=("SENT",)),
            Seed(raw=write_message(7), labels=("SPAM", "UNREAD")),
        ]

        async def scenario(mailbox: Mailbox) -> None:
            before = await look(mailbox)
            applied = await mailbox.trash(list(before))
            assert set(applied.ids) == set(before)
            for labels, _ in (await look(mailbox)).values():
                assert "TRASH" in labels
                assert not labels & {"INBOX", "SPAM"}
            assert await find(mailbox, "") == []
            assert set(await find(mailbox, "in:trash")) == set(before)
            await mailbox.trash(list(before))
            await mailbox.untrash(list(before))
            assert await look(mailbox) == before

        self.run(seeds, scenario, needs=Capability.MODIFY)

    def test_taking_out_of_trash_what_is_not_in_it_changes_nothing(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            before = await look(mailbox)
            applied = await mailbox.untrash(list(before))
            assert set(applied.ids) == set(before)
            assert await look(mailbox) == before

        self.run([*many(1), Seed(raw=write_message(2), labels=())], scenario, needs=Capability.MODIFY)

    def test_a_message_found_in_trash_can_be_taken_out(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            await mailbox.untrash([message])
            assert "TRASH" not in await labels_of(mailbox, message)
            assert await find(mailbox, "") == [message]

        self.run([Seed(raw=write_message(1), labels=("TRASH",))], scenario, needs=Capability.MODIFY)

    def test_a_deleted_message_is_gone_everywhere(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            newest, oldest = await find(mailbox, "")
            thread = (await summary_of(mailbox, newest))["thread_id"]
            applied = await mailbox.delete([newest, "nothing"])
            assert applied.ids == (newest,)
            assert [failure["id"] for failure in applied.failed] == ["nothing"]
            assert await find(mailbox, "in:anywhere") == [oldest]
            assert await mailbox.read([newest], raw=True) == []
            assert isinstance(await refusal(mailbox.thread(thread)), NotFound)
            assert [failure["id"] for failure in (await mailbox.delete([newest])).failed] == [newest]

        self.run(many(2), scenario, needs=Capability.DELETE)

    def test_a_snoozed_message_leaves_the_inbox(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            applied = await mailbox.snooze([message, "nothing"], FAR)
            assert applied.ids == (message,)
            assert [failure["id"] for failure in applied.failed] == ["nothing"]
            assert await find(mailbox, "in:inbox") == []
            assert await find(mailbox, "is:snoozed") == [message]
            await mailbox.modify([message], add=["INBOX"], remove=[])
            assert await find(mailbox, "in:inbox") == [message]
            assert await find(mailbox, "is:snoozed") == []

        self.run(many(1), scenario, needs=Capability.SNOOZE)

    def test_a_message_is_not_snoozed_until_what_is_no_time_to_come(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            await mailbox.snooze([message], FAR)
            await mailbox.modify([message], add=["INBOX"], remove=[])
            for until in ("tomorrow", "", "2001-01-01T00:00:00Z", "2999-01-01T08:00:00"):
                error = await refusal(mailbox.snooze([message], until))
                assert isinstance(error, BadArgument), until
                assert error.argument == "until"
            assert await find(mailbox, "in:inbox") == [message]

        self.run(many(1), scenario, needs=Capability.SNOOZE)
