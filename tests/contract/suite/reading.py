"""The contract of searching and reading, which every mailbox can do."""
# the names of tests are sentences

from __future__ import annotations

from datetime import datetime

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.mime.read import parse_message
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.mailbox import SYSTEM_LABELS, Mailbox
from tests.contract.suite.base import ContractBase, refusal
from tests.contract.suite.look import find, labels_of, look, only, summary_of
from tests.contract.suite.seed import BASE, Seed, many, write_message


class ReadingContract(ContractBase):
    """Searching, reading, conversations, attachments, labels as they are."""

    def test_a_mailbox_says_whose_it_is_and_what_it_can_do(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            assert mailbox.account == self.account
            assert mailbox.provider
            assert mailbox.capabilities == mailbox.capabilities
            assert (await mailbox.status()).connected

        self.run([], scenario)

    def test_an_empty_mailbox_answers_with_empty_pages(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            page = await mailbox.search(parse_query(""), limit=10)
            assert (page.ids, page.next_cursor, page.total) == ((), None, 0)
            assert await mailbox.read(["nothing"], raw=True) == []

        self.run([], scenario)

    def test_closing_twice_is_harmless(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            await mailbox.aclose()

        self.run(many(1), scenario)

    def test_a_search_answers_newest_first(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            stored = await mailbox.read(await find(mailbox, ""), raw=False)
            assert [item.summary["message_id"] for item in stored] == [
                f"<{number}@seed.example>" for number in (4, 3, 2, 1)
            ]

        self.run(many(4), scenario)

    def test_the_empty_query_leaves_spam_and_trash_out(self) -> None:
        seeds = [
            Seed(raw=write_message(1)),
            Seed(raw=write_message(2), labels=("SPAM", "UNREAD")),
            Seed(raw=write_message(3), labels=("TRASH",)),
        ]

        async def scenario(mailbox: Mailbox) -> None:
            assert len(await find(mailbox, "")) == 1
            assert len(await find(mailbox, "in:anywhere")) == 3
            assert "SPAM" in await labels_of(mailbox, await only(mailbox, "in:spam"))
            assert "TRASH" in await labels_of(mailbox, await only(mailbox, "in:trash"))

        self.run(seeds, scenario)

    def test_a_search_looks_at_headers_text_and_attachments(self) -> None:
        seeds = [
            Seed(raw=write_message(1, sender="Mina Berg <mina@berg.example>", subject="Harvest dinner")),
            Seed(raw=write_message(2, body="The heron stood in the reeds.\n")),
            Seed(raw=write_message(3, attachment=("rota.csv", b"name,day\nann,monday\n"))),
        ]
        expected = {
            "from:mina@berg.example": 1,
            "from:berg.example subject:harvest": 1,
            "heron": 2,
            '"stood in the reeds"': 2,
            "has:attachment": 3,
            "filename:csv": 3,
            "rfc822msgid:<2@seed.example>": 2,
            "-from:pat@example.com": 1,
        }

        async def scenario(mailbox: Mailbox) -> None:
            for query, number in expected.items():
                found = await summary_of(mailbox, await only(mailbox, query))
                assert found["message_id"] == f"<{number}@seed.example>", query
            assert await find(mailbox, "from:nobody@example.com") == []

        self.run(seeds, scenario)

    def test_pages_follow_one_another_without_gap_or_repetition(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            everything = await find(mailbox, "", page=50)
            assert len(everything) == 7
            for size in (1, 2, 3, 7):
                assert await find(mailbox, "", page=size) == everything
            page = await mailbox.search(parse_query(""), limit=3)
            assert len(page.ids) == 3
            assert page.total == 7 or (not page.exact and page.total <= 7)

        self.run(many(7), scenario)

    def test_a_cursor_survives_mail_that_arrives(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            everything = await find(mailbox, "")
            first = await mailbox.search(parse_query(""), limit=2)
            if self.receives:
                await self.deliver(mailbox, Seed(raw=write_message(90)))
            second = await mailbox.search(parse_query(""), limit=2, cursor=first.next_cursor)
            assert [*first.ids, *second.ids] == everything

        self.run(many(4), scenario)

    def test_a_cursor_of_no_search_is_a_bad_argument(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            for cursor in (*self.blank, "no cursor", "\0"):
                error = await refusal(mailbox.search(parse_query(""), limit=2, cursor=cursor))
                assert isinstance(error, BadArgument)
                assert error.argument == "cursor"

        self.run(many(4), scenario)

    def test_reading_answers_what_exists_in_the_order_asked_for(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            one, two, three = await find(mailbox, "")
            stored = await mailbox.read([two, "nothing", three, one], raw=False)
            assert [item.summary["id"] for item in stored] == [two, three, one]
            assert all(item.raw is None for item in stored)

        self.run(many(3), scenario)

    def test_reading_raw_answers_the_message(self) -> None:
        seed = Seed(raw=write_message(1, subject="Zoë and the boat", body="Grüße von Bord.\n"))

        async def scenario(mailbox: Mailbox) -> None:
            (stored,) = await mailbox.read([await only(mailbox)], raw=True)
            assert stored.raw is not None
            found, original = parse_message(stored.raw), parse_message(seed.raw)
            assert (found.message_id, found.subject) == (original.message_id, original.subject)
            assert found.text.strip() == original.text.strip()

        self.run([seed], scenario)

    def test_reading_gives_no_more_of_a_message_than_is_wanted(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            ids = await find(mailbox, "")
            whole = [stored.raw or b"" for stored in await mailbox.read(ids, raw=True)]
            cut = await mailbox.read(ids, raw=True, most=1_000)
            assert [stored.raw for stored in cut] == [raw[:1_000] for raw in whole]
            assert [stored.left_out for stored in cut] == [max(len(raw) - 1_000, 0) for raw in whole]

        self.run([Seed(raw=write_message(1, body="x " * 3_000)), Seed(raw=write_message(2))], scenario)

    def test_a_summary_tells_what_the_message_says(self) -> None:
        raw = write_message(
            5,
            subject="Keys for the shed",
            sender="Ida Holm <ida@holm.example>",
            to="me@example.org, Bo <bo@example.net>",
            body="The keys are under the blue pot.\n",
            extra=(("Cc", "Cleo <cleo@example.net>"),),
            attachment=("plan.pdf", b"%PDF-1.4 plan"),
        )

        async def scenario(mailbox: Mailbox) -> None:
            found = await summary_of(mailbox, await only(mailbox))
            assert found["account"] == self.account
            assert found["message_id"] == "<5@seed.example>"
            assert found["subject"] == "Keys for the shed"
            assert found["from"] == {"name": "Ida Holm", "address": "ida@holm.example"}
            assert [item["address"] for item in found["to"]] == ["me@example.org", "bo@example.net"]
            assert found["cc"] == [{"name": "Cleo", "address": "cleo@example.net"}]
            assert (datetime.fromisoformat(found["date"]) - BASE).total_seconds() == 300
            assert found["snippet"].startswith("The keys are under the blue pot.")
            assert found["size"] >= len(raw.replace(b"\r\n", b"\n"))
            assert found["has_attachments"]

        self.run([Seed(raw=raw)], scenario)

    def test_a_message_that_says_nothing_of_itself_still_has_a_summary(self) -> None:
        raw = b"Subject: bare\r\nFrom: pat@example.com\r\n\r\nhello\r\n"

        async def scenario(mailbox: Mailbox) -> None:
            found = await summary_of(mailbox, await only(mailbox))
            assert (found["message_id"], found["date"], found["to"]) == ("", "", [])
            assert found["thread_id"]

        self.run([Seed(raw=raw)], scenario)

    def test_flags_and_labels_say_the_same(self) -> None:
        seeds = [
            Seed(raw=write_message(1), labels=("INBOX", "UNREAD")),
            Seed(raw=write_message(2), labels=("INBOX",)),
            Seed(raw=write_message(3), labels=("INBOX", "STARRED")),
            Seed(raw=write_message(4), labels=("DRAFT",)),
        ]

        async def scenario(mailbox: Mailbox) -> None:
            for labels, flags in (await look(mailbox)).values():
                assert ("UNREAD" in labels) == ("\\Seen" not in flags)
                assert ("STARRED" in labels) == ("\\Flagged" in flags)

        self.run(seeds, scenario)

    def test_ids_stay_the_same(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            before = await find(mailbox, "")
            if self.receives:
                await self.deliver(mailbox, Seed(raw=write_message(90)))
            assert (await find(mailbox, ""))[-3:] == before

        self.run(many(3), scenario)

    def test_a_reply_is_in_the_conversation_of_what_it_answers(self) -> None:
        seeds = [
            Seed(raw=write_message(1, subject="Boat trip")),
            Seed(raw=write_message(2, subject="Something else")),
            Seed(raw=write_message(3, subject="Re: Boat trip", extra=(("In-Reply-To", "<1@seed.example>"),))),
        ]

        async def scenario(mailbox: Mailbox) -> None:
            reply, other, first = await find(mailbox, "")
            thread = (await summary_of(mailbox, reply))["thread_id"]
            assert await mailbox.thread(thread) == [first, reply]
            assert (await summary_of(mailbox, first))["thread_id"] == thread
            assert (await summary_of(mailbox, other))["thread_id"] != thread

        self.run(seeds, scenario)

    def test_an_unknown_conversation_is_not_found(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            assert isinstance(await refusal(mailbox.thread("no such thread")), NotFound)

        self.run(many(1), scenario)

    def test_an_attachment_comes_back_byte_for_byte(self) -> None:
        content = b"name,day\nann,monday\n\x00\xff,tuesday"

        async def scenario(mailbox: Mailbox) -> None:
            (stored,) = await mailbox.read([await only(mailbox)], raw=True)
            (part,) = parse_message(stored.raw or b"").attachments
            name, kind, found = await mailbox.attachment(stored.summary["id"], part.id)
            assert (name, kind) == ("rota.csv", "application/octet-stream")
            assert found == content

        self.run([Seed(raw=write_message(1, attachment=("rota.csv", content)))], scenario)

    def test_an_attachment_that_is_not_there_is_not_found(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            message = await only(mailbox)
            assert isinstance(await refusal(mailbox.attachment(message, "77")), NotFound)
            assert isinstance(await refusal(mailbox.attachment("nothing", "2")), NotFound)

        self.run([Seed(raw=write_message(1, attachment=("a.bin", b"x")))], scenario)

    def test_system_labels_come_first_and_are_all_there(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            labels = await mailbox.labels()
            kinds = [label["type"] for label in labels]
            assert kinds == sorted(kinds)
            assert [label["id"] for label in labels][: len(SYSTEM_LABELS)] == list(SYSTEM_LABELS)
            ids = [label["id"] for label in labels]
            assert len(set(ids)) == len(ids)

        self.run(many(1), scenario)
