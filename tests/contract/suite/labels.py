"""The contract of labels: made, renamed, removed; never two of one name, never a system one."""
# the names of tests are sentences

from __future__ import annotations

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.base import ContractBase, refusal
from tests.contract.suite.look import find, label_named, labels_of, look, only
from tests.contract.suite.seed import many


class LabelsContract(ContractBase):
    """`create_label`, `update_label`, `delete_label`."""

    def test_a_new_label_is_listed_after_the_system_ones(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            made = await mailbox.create_label("Garden/Tools", {})
            assert (made["name"], made["type"]) == ("Garden/Tools", "user")
            assert made in await mailbox.labels()

        self.run(many(1), scenario, needs=Capability.LABELS)

    def test_a_label_keeps_how_it_is_shown(self) -> None:
        shown = {"messageListVisibility": "hide", "labelListVisibility": "labelHide"}

        async def scenario(mailbox: Mailbox) -> None:
            made = await mailbox.create_label("Quiet", shown)
            assert made.get("messageListVisibility") == "hide"
            changed = await mailbox.update_label(made["id"], None, {"labelListVisibility": "labelShow"})
            assert changed.get("messageListVisibility") == "hide"
            assert changed.get("labelListVisibility") == "labelShow"
            assert changed["name"] == "Quiet"
            assert changed in await mailbox.labels()

        self.run([], scenario, needs=Capability.LABELS)

    def test_a_label_name_is_taken_whatever_its_case(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.create_label("Garden", {})
            for name in ("Garden", "garden", "GARDEN"):
                error = await refusal(mailbox.create_label(name, {}))
                assert isinstance(error, BadArgument)
                assert error.argument == "name"

        self.run([], scenario, needs=Capability.LABELS)

    def test_a_name_that_is_empty_or_reserved_is_refused(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.create_label("Garden", {})
            for name in ("", "   ", "INBOX", "inbox", "Trash", "x" * 300, "line\nbreak"):
                assert isinstance(await refusal(mailbox.create_label(name, {})), BadArgument), name

        self.run([], scenario, needs=Capability.LABELS)

    def test_messages_keep_a_label_that_is_renamed(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            made = await mailbox.create_label("Garden", {})
            newest = (await find(mailbox, ""))[0]
            await mailbox.modify([newest], add=[made["id"]], remove=[])
            renamed = await mailbox.update_label(made["id"], "Allotment", {})
            assert renamed["name"] == "Allotment"
            assert "Garden" not in [label["name"] for label in await mailbox.labels()]
            assert renamed["id"] in await labels_of(mailbox, newest)
            assert await find(mailbox, "label:allotment") == [newest]
            assert await find(mailbox, "label:garden") == []

        self.run(many(2), scenario, needs=Capability.LABELS)

    def test_a_label_can_change_the_case_of_its_name_but_not_take_anothers(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            garden = await mailbox.create_label("Garden", {})
            await mailbox.create_label("Boat", {})
            for name in ("boat", "Inbox", *self.blank):
                error = await refusal(mailbox.update_label(garden["id"], name, {}))
                assert isinstance(error, BadArgument), name
            renamed = await mailbox.update_label(garden["id"], "GARDEN", {})
            assert renamed["name"] == "GARDEN"

        self.run([], scenario, needs=Capability.LABELS)

    def test_a_system_label_stays_as_it_is(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.create_label("Garden", {})
            for label in ("INBOX", "UNREAD", "TRASH"):
                assert isinstance(await refusal(mailbox.update_label(label, "Mine", {})), BadArgument)
                assert isinstance(await refusal(mailbox.delete_label(label)), BadArgument)

        self.run(many(1), scenario, needs=Capability.LABELS)

    def test_an_unknown_label_is_not_found(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.create_label("Garden", {})
            assert isinstance(await refusal(mailbox.update_label("nothing", "New", {})), NotFound)
            assert isinstance(await refusal(mailbox.delete_label("nothing")), NotFound)

        self.run([], scenario, needs=Capability.LABELS)

    def test_deleting_a_label_takes_it_off_every_message_and_keeps_the_messages(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            before = await look(mailbox)
            made = await mailbox.create_label("Garden", {})
            await mailbox.modify(list(before), add=[made["id"]], remove=[])
            assert await mailbox.delete_label(made["id"]) == made
            assert await look(mailbox) == before
            assert "Garden" not in [label["name"] for label in await mailbox.labels()]
            assert isinstance(await refusal(mailbox.delete_label(made["id"])), NotFound)

        self.run(many(3), scenario, needs=Capability.LABELS)

    def test_a_label_that_a_message_came_with_can_be_searched_for(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            made = await mailbox.create_label("Big Plans", {})
            assert await label_named(mailbox, "Big Plans") == made["id"]
            await mailbox.modify([await only(mailbox)], add=[made["id"]], remove=[])
            for query in ('label:"Big Plans"', "label:big-plans", "has:userlabels"):
                assert await find(mailbox, query) == [await only(mailbox)], query

        self.run(many(1), scenario, needs=Capability.LABELS)
