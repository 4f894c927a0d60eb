"""The contract of sending: what leaves, what stays in SENT, what happens to the draft."""
# the names of tests are sentences

from __future__ import annotations

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.base import ContractBase, refusal
from tests.contract.suite.look import find, labels_of, look, only, summary_of
from tests.contract.suite.seed import many, write_message

TO_ANN = "Ann <ann@example.com>"


class SendingContract(ContractBase):
    """`send`, `send_draft`."""

    def test_a_sent_message_leaves_once_and_stays_in_sent(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await mailbox.send(write_message(5, to=TO_ANN, sender=self.account), None)
            assert await find(mailbox, "in:sent") == [message]
            labels = await labels_of(mailbox, message)
            assert "SENT" in labels
            assert not labels & {"INBOX", "UNREAD", "DRAFT"}
            (left,) = await self.outbox(mailbox)
            assert parse_message(left).message_id == "<5@seed.example>"

        self.run([], scenario, needs=Capability.SEND)

    def test_nobody_who_receives_a_message_sees_who_got_a_blind_copy(self) -> None:
        hidden = (
            ("Bcc", "Secret <secret@example.net>,\r\n other@example.net"),
            ("Auto-Submitted", "auto-replied"),
        )
        raw = write_message(5, to=TO_ANN, sender=self.account, extra=hidden, body="Bcc: is only text here\n")

        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.send(raw, None)
            draft = await mailbox.create_draft(raw.replace(b"<5@", b"<6@"), None)
            await mailbox.send_draft(draft.id)
            outbox = await self.outbox(mailbox)
            assert len(outbox) == 2
            for left in outbox:
                assert b"example.net" not in left
                assert parse_message(left).headers["auto-submitted"] == "auto-replied"
                assert "Bcc: is only text here" in parse_message(left).text

        self.run([], scenario, needs=Capability.SEND)

    def test_a_message_to_oneself_arrives(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.send(write_message(5, to=self.account, sender=self.account), None)
            assert len(await find(mailbox, "in:sent")) == 1
            arrived = await summary_of(mailbox, await only(mailbox, "in:inbox is:unread"))
            assert arrived["message_id"] == "<5@seed.example>"

        self.run([], scenario, needs=Capability.SEND)

    def test_an_answer_is_in_the_conversation(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            parent = await summary_of(mailbox, await only(mailbox))
            extra = (("In-Reply-To", parent["message_id"]), ("References", parent["message_id"]))
            raw = write_message(
                5, to=TO_ANN, sender=self.account, subject="Re: Message number 1", extra=extra
            )
            message = await mailbox.send(raw, parent["thread_id"])
            thread = (await summary_of(mailbox, message))["thread_id"]
            assert await mailbox.thread(thread) == [parent["id"], message]

        self.run(many(1), scenario, needs=Capability.SEND)

    def test_a_draft_that_was_sent_is_no_draft_any_more(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            first = await mailbox.send(write_message(4, to=TO_ANN, sender=self.account), None)
            draft = await mailbox.create_draft(write_message(5, to=TO_ANN, sender=self.account), None)
            message = await mailbox.send_draft(draft.id)
            assert await mailbox.drafts(limit=10) == []
            assert await find(mailbox, "in:anywhere") == [message, first]
            assert "DRAFT" not in await labels_of(mailbox, message)
            assert isinstance(await refusal(mailbox.send_draft(draft.id)), NotFound)
            assert len(await self.outbox(mailbox)) == 2

        self.run([], scenario, needs=Capability.SEND)

    def test_a_message_to_nobody_is_refused_and_its_draft_stays(self) -> None:
        raw = write_message(5, sender=self.account).replace(b"To: me@example.org\r\n", b"")

        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.send(write_message(4, to=TO_ANN, sender=self.account), None)
            before = await look(mailbox)
            error = await refusal(mailbox.send(raw, None))
            assert isinstance(error, BadArgument)
            assert await look(mailbox) == before
            draft = await mailbox.create_draft(raw, None)
            assert isinstance(await refusal(mailbox.send_draft(draft.id)), BadArgument)
            assert await mailbox.drafts(limit=10) == [draft]
            assert len(await self.outbox(mailbox)) == 1

        self.run(many(1), scenario, needs=Capability.SEND)
