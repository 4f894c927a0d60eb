"""The contract of drafts: stored, replaced without a ghost, deleted so that they can be made again."""
# the names of tests are sentences

from __future__ import annotations

from gaia_email_registry.errors import NotFound
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.base import ContractBase, refusal
from tests.contract.suite.look import find, labels_of, look, only, summary_of
from tests.contract.suite.seed import many, write_message


class DraftsContract(ContractBase):
    """`create_draft`, `update_draft`, `drafts`, `delete_draft`."""

    def test_a_new_draft_is_listed_and_can_be_read(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            draft = await mailbox.create_draft(write_message(5, subject="Half a letter"), None)
            assert await mailbox.drafts(limit=10) == [draft]
            assert await find(mailbox, "in:drafts") == [draft.message_id]
            found = await summary_of(mailbox, draft.message_id)
            assert (found["subject"], found["thread_id"]) == ("Half a letter", draft.thread_id)
            assert "\\Draft" in found["flags"]
            assert set(found["labels"]) == {"DRAFT"}

        self.run(many(1), scenario, needs=Capability.DRAFTS)

    def test_an_answer_kept_as_draft_is_in_the_conversation(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            parent = await summary_of(mailbox, await only(mailbox))
            raw = write_message(
                5, subject="Re: Message number 1", extra=(("In-Reply-To", parent["message_id"]),)
            )
            draft = await mailbox.create_draft(raw, parent["thread_id"])
            thread = (await summary_of(mailbox, parent["id"]))["thread_id"]
            assert draft.thread_id == thread
            assert await mailbox.thread(thread) == [parent["id"], draft.message_id]

        self.run(many(1), scenario, needs=Capability.DRAFTS)

    def test_drafts_are_listed_newest_first_up_to_the_limit(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            made = [await mailbox.create_draft(write_message(number), None) for number in (5, 6, 7)]
            found = [draft.id for draft in await mailbox.drafts(limit=10)]
            assert found == [draft.id for draft in reversed(made)]
            assert [draft.id for draft in await mailbox.drafts(limit=2)] == found[:2]

        self.run([], scenario, needs=Capability.DRAFTS)

    def test_an_updated_draft_keeps_its_id_and_leaves_no_ghost(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            draft = await mailbox.create_draft(write_message(5, subject="First try"), None)
            for number, subject in ((6, "Second try"), (7, "Third try")):
                raw = write_message(number, subject=subject, message_id="<5@seed.example>")
                changed = await mailbox.update_draft(draft.id, raw)
                assert changed.id == draft.id
                assert await mailbox.drafts(limit=10) == [changed]
                assert await find(mailbox, "in:anywhere") == [changed.message_id]
                found = await summary_of(mailbox, changed.message_id)
                assert (found["subject"], found["thread_id"]) == (subject, changed.thread_id)

        self.run([], scenario, needs=Capability.DRAFTS)

    def test_a_deleted_draft_can_be_made_again_from_what_was_answered(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            before = await look(mailbox)
            draft = await mailbox.create_draft(write_message(5, body="Dear Ida,\n"), None)
            raw = await mailbox.delete_draft(draft.id)
            assert await look(mailbox) == before
            assert await mailbox.drafts(limit=10) == []
            again = await mailbox.create_draft(raw, None)
            (stored,) = await mailbox.read([again.message_id], raw=True)
            assert parse_message(stored.raw or b"").text.strip() == "Dear Ida,"

        self.run(many(1), scenario, needs=Capability.DRAFTS)

    def test_a_draft_that_is_not_there_is_not_found(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            draft = await mailbox.create_draft(write_message(5), None)
            await mailbox.delete_draft(draft.id)
            for id_ in (draft.id, "nothing"):
                error = await refusal(mailbox.update_draft(id_, write_message(6)))
                assert isinstance(error, NotFound)
                assert error.argument == "draft_id"
                assert isinstance(await refusal(mailbox.delete_draft(id_)), NotFound)
            assert await find(mailbox, "in:anywhere") == []

        self.run([], scenario, needs=Capability.DRAFTS)

    def test_a_draft_in_trash_is_no_draft_until_it_is_taken_out(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            draft = await mailbox.create_draft(write_message(5), None)
            await mailbox.trash([draft.message_id])
            assert await mailbox.drafts(limit=10) == []
            await mailbox.untrash([draft.message_id])
            assert [found.message_id for found in await mailbox.drafts(limit=10)] == [draft.message_id]
            assert "DRAFT" in await labels_of(mailbox, draft.message_id)

        self.run([], scenario, needs=Capability.DRAFTS)
