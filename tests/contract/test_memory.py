"""The mailbox in memory: the whole contract, and what only it can be asked to show."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Coroutine, Sequence

import pytest

from gaia_email_registry.contract.wire import FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument, MailError, NotFound, ProviderError
from gaia_mail.mime.read import parse_message
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.mailbox import Capability, FilterStore, Mailbox, Unsubscriber
from tests.contract.memory import Delivery, MemoryMailbox
from tests.contract.suite import MailboxContract, Mirror, Seed, find, look, many, write_message

START = dt.datetime(2026, 3, 31, 12, 0, tzinfo=dt.UTC)
ME = "me@example.org"
LIST = (
    ("List-Unsubscribe", "<mailto:off@list.example>, <https://list.example/off?u=1>"),
    ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
)


class TestMemory(MailboxContract):
    capabilities = frozenset(Capability)

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.left: list[Delivery] = []
        made = MemoryMailbox(self.account, deliver=self.left.append, capabilities=self.capabilities)
        for seed in seeds:
            made.put(seed.raw, seed.labels)
        return made

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        assert isinstance(mailbox, MemoryMailbox)
        mailbox.receive(seed.raw)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return [delivery.raw for delivery in self.left]


class TestMemoryThatCanOnlyBeRead(TestMemory):
    capabilities = frozenset[Capability]()


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> dt.datetime:
        return self.now

    def at(self, **ahead: int) -> str:
        """The time so much later, as text."""
        return (self.now + dt.timedelta(**ahead)).isoformat()


def run(scenario: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(scenario())


def filled(count: int = 1, *, clock: Clock | None = None, history: int = 1000) -> MemoryMailbox:
    mailbox = MemoryMailbox(ME, now=clock or Clock(), history=history)
    for seed in many(count):
        mailbox.put(seed.raw, seed.labels)
    return mailbox


def test_it_has_filters_and_can_unsubscribe() -> None:
    assert isinstance(MemoryMailbox(), FilterStore)
    assert isinstance(MemoryMailbox(), Unsubscriber)


def test_a_snoozed_message_comes_back_on_time_and_unread() -> None:
    async def scenario() -> None:
        clock = Clock()
        mailbox = filled(clock=clock)
        (message,) = await find(mailbox, "")
        await mailbox.modify([message], add=[], remove=["UNREAD"])
        await mailbox.snooze([message], clock.at(hours=2))
        mirror = Mirror()
        await mirror.follow(mailbox)
        clock.now += dt.timedelta(hours=1, minutes=59)
        assert await find(mailbox, "in:inbox") == []
        clock.now += dt.timedelta(minutes=1)
        assert await find(mailbox, "in:inbox is:unread") == [message]
        assert await find(mailbox, "is:snoozed") == []
        (page,) = await mirror.follow(mailbox)
        assert [changed["id"] for changed in page.changed] == [message]

    run(scenario)


def test_who_waits_is_told_when_a_snoozed_message_comes_back() -> None:
    async def scenario() -> None:
        mailbox = MemoryMailbox(ME)
        message = mailbox.put(write_message(1))
        soon = dt.datetime.now(dt.UTC) + dt.timedelta(milliseconds=30)
        await mailbox.snooze([message], soon.isoformat())
        cursor = (await mailbox.changes(None, limit=10)).cursor
        assert await mailbox.wait(cursor, timeout_s=10)
        assert await find(mailbox, "in:inbox") == [message]

    run(scenario)


def test_a_snoozed_message_in_trash_stays_there_until_it_is_taken_out() -> None:
    async def scenario() -> None:
        clock = Clock()
        mailbox = filled(clock=clock)
        (message,) = await find(mailbox, "")
        await mailbox.snooze([message], clock.at(hours=1))
        await mailbox.trash([message])
        clock.now += dt.timedelta(hours=2)
        assert await find(mailbox, "in:trash") == [message]
        await mailbox.untrash([message])
        assert await find(mailbox, "in:inbox") == [message]

    run(scenario)


def test_spam_trash_and_inbox_exclude_one_another_and_lead_back() -> None:
    async def scenario() -> None:
        mailbox = filled()
        (message,) = await find(mailbox, "")
        before = await look(mailbox)
        await mailbox.modify([message], add=["SPAM"], remove=[])
        assert await find(mailbox, "in:inbox in:anywhere") == []
        await mailbox.trash([message])
        assert await find(mailbox, "in:spam") == []
        await mailbox.untrash([message])
        assert await find(mailbox, "in:spam") == [message]
        await mailbox.modify([message], add=[], remove=["SPAM"])
        assert await look(mailbox) == before

    run(scenario)


@pytest.mark.parametrize("label", ["SENT", "DRAFT"])
def test_what_a_message_is_cannot_be_changed_by_a_label(label: str) -> None:
    async def scenario() -> None:
        mailbox = filled()
        ids = await find(mailbox, "")
        for add, remove in (([label], []), ([], [label])):
            with pytest.raises(BadArgument, match="neither added nor removed"):
                await mailbox.modify(ids, add=add, remove=remove)

    run(scenario)


def test_a_cursor_older_than_the_history_starts_over_with_a_reason() -> None:
    async def scenario() -> None:
        mailbox = filled(3, history=10)
        mirror = Mirror(limit=2)
        await mirror.follow(mailbox)
        for number in range(20):
            mailbox.receive(write_message(100 + number))
        pages = await mirror.follow(mailbox)
        assert [page.reset for page in pages] == [True] + [False] * (len(pages) - 1)
        assert "older than what this mailbox remembers" in pages[0].reason
        assert mirror.state == await look(mailbox)

    run(scenario)


def test_a_cursor_of_another_mailbox_starts_over_with_a_reason() -> None:
    async def scenario() -> None:
        one, other = filled(2), filled(3)
        mirror = Mirror()
        await mirror.follow(one)
        assert await other.wait(mirror.cursor or "", timeout_s=0)
        (page,) = await mirror.follow(other)
        assert page.reset
        assert page.reason == "the cursor is not one of this mailbox"
        assert mirror.state == await look(other)

    run(scenario)


def test_a_cursor_from_the_middle_of_the_first_listing_counts_as_not_up_to_date() -> None:
    async def scenario() -> None:
        mailbox = filled(3)
        page = await mailbox.changes(None, limit=2)
        assert page.more
        assert await mailbox.wait(page.cursor, timeout_s=0)

    run(scenario)


def test_mail_that_arrives_while_the_first_listing_is_read_is_told_once() -> None:
    async def scenario() -> None:
        mailbox = filled(3)
        page = await mailbox.changes(None, limit=2)
        told = [summary["id"] for summary in page.added]
        newer, older = mailbox.put(write_message(50)), mailbox.put(write_message(0))
        while page.more:
            page = await mailbox.changes(page.cursor, limit=2)
            told += [summary["id"] for summary in page.added]
        assert len(told) == len(set(told)) == 5
        assert set(told[3:]) == {newer, older}

    run(scenario)


def test_no_page_tells_of_more_messages_than_asked_for() -> None:
    async def scenario() -> None:
        mailbox = filled(6)
        mirror = Mirror(limit=2)
        await mirror.follow(mailbox)
        ids = await find(mailbox, "")
        await mailbox.modify(ids[:5], add=["STARRED"], remove=[])
        await mailbox.delete(ids[3:])
        pages = await mirror.follow(mailbox)
        assert len(pages) >= 3
        assert all(len(page.added) + len(page.changed) + len(page.removed) <= 2 for page in pages)
        assert mirror.state == await look(mailbox)

    run(scenario)


def test_closing_ends_every_wait() -> None:
    async def scenario() -> None:
        mailbox = filled()
        cursor = (await mailbox.changes(None, limit=10)).cursor
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=30))
        await asyncio.sleep(0)
        await mailbox.aclose()
        assert not await asyncio.wait_for(waiting, 5)
        assert not (await mailbox.status()).connected

    run(scenario)


def test_a_wait_that_is_given_up_leaves_nothing_behind() -> None:
    async def scenario() -> None:
        mailbox = filled()
        cursor = (await mailbox.changes(None, limit=10)).cursor
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=30))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        mailbox.receive(write_message(9))
        assert await mailbox.wait(cursor, timeout_s=0)

    run(scenario)


def test_a_conversation_keeps_its_id_whatever_arrives() -> None:
    async def scenario() -> None:
        mailbox = MemoryMailbox(ME)
        reply = mailbox.put(write_message(5, extra=(("In-Reply-To", "<2@seed.example>"),)))
        (stored,) = await mailbox.read([reply], raw=False)
        thread = stored.summary["thread_id"]
        parent = mailbox.put(write_message(2))
        mailbox.put(write_message(1))
        assert await mailbox.thread(thread) == [parent, reply]

    run(scenario)


def test_what_is_sent_into_a_conversation_is_in_it_even_without_references() -> None:
    async def scenario() -> None:
        mailbox = filled()
        (parent,) = await mailbox.read(await find(mailbox, ""), raw=False)
        thread = parent.summary["thread_id"]
        sent = await mailbox.send(write_message(7, to="ann@example.com", subject="New subject"), thread)
        answer = mailbox.receive(write_message(8, extra=(("In-Reply-To", "<7@seed.example>"),)))
        assert await mailbox.thread(thread) == [parent.summary["id"], sent, answer]

    run(scenario)


def test_a_conversation_that_does_not_exist_is_not_found() -> None:
    async def scenario() -> None:
        mailbox = filled()
        for call in (mailbox.send(write_message(7), "nothing"), mailbox.create_draft(b"", "nothing")):
            with pytest.raises(NotFound):
                await call
        assert len(await find(mailbox, "in:anywhere")) == 1

    run(scenario)


def test_a_message_that_cannot_be_delivered_stays_a_draft() -> None:
    def fail(delivery: Delivery) -> None:
        raise ProviderError("The server said no.")

    async def scenario() -> None:
        mailbox = MemoryMailbox(ME, deliver=fail)
        draft = await mailbox.create_draft(write_message(1, to="ann@example.com"), None)
        with pytest.raises(ProviderError):
            await mailbox.send_draft(draft.id)
        assert await mailbox.drafts(limit=9) == [draft]
        assert await find(mailbox, "in:sent") == []

    run(scenario)


def test_the_envelope_names_everybody_and_the_own_copy_keeps_the_blind_ones() -> None:
    left: list[Delivery] = []
    raw = write_message(1, to="Ann <ann@example.com>", sender=ME, extra=(("Bcc", "bo@example.net"),))

    async def scenario() -> None:
        mailbox = MemoryMailbox(ME, deliver=left.append)
        sent = await mailbox.send(raw, None)
        (stored,) = await mailbox.read([sent], raw=True)
        assert stored.raw == raw
        assert await find(mailbox, "bcc:bo@example.net") == [sent]

    run(scenario)
    assert [(one.sender, one.recipients) for one in left] == [(ME, ("ann@example.com", "bo@example.net"))]


@pytest.mark.parametrize(
    "head",
    [
        b"Bcc: secret@example.net\r\nTo: ann@example.com\r\n",
        b"\r\n\r\nBCC : secret@example.net\r\nTo: ann@example.com\r\n",
        b"To: ann@example.com\r\nbcc:\r\n secret@example.net,\r\n\tmore.secret@example.net\r\n",
        b"\xef\xbb\xbfBcc: secret@example.net\nTo: ann@example.com\n",
        b"Bcc: secret@example.net\nBcc: a@b.example\nResent-Bcc: secret@example.net\nTo: ann@example.com\n",
    ],
)
def test_however_a_blind_copy_is_written_nobody_sees_it(head: bytes) -> None:
    left: list[Delivery] = []

    async def scenario() -> None:
        mailbox = MemoryMailbox(ME, deliver=left.append)
        await mailbox.send(head + b"Subject: x\r\n\r\nBcc: stays\r\n", None)

    run(scenario)
    assert b"secret" not in left[0].raw
    assert "ann@example.com" in left[0].recipients
    assert parse_message(left[0].raw).text.strip() == "Bcc: stays"


def test_a_message_without_an_id_gets_one_when_it_is_sent() -> None:
    left: list[Delivery] = []

    async def scenario() -> None:
        mailbox = MemoryMailbox(ME, deliver=left.append)
        for _ in range(2):
            await mailbox.send(b"To: ann@example.com\r\nSubject: x\r\n\r\nhello\r\n", None)

    run(scenario)
    ids = {parse_message(delivery.raw).message_id for delivery in left}
    assert len(ids) == 2
    assert "" not in ids


def test_a_filter_labels_archives_and_forwards_what_arrives() -> None:
    left: list[Delivery] = []
    criteria: FilterCriteria = {
        "from": "ann@example.com OR bo@example.net",
        "subject": "report",
        "query": "-old",
    }

    async def scenario() -> None:
        mailbox = MemoryMailbox(ME, deliver=left.append)
        reports = (await mailbox.create_label("Reports", {}))["id"]
        action: FilterAction = {
            "addLabelIds": [reports],
            "removeLabelIds": ["INBOX"],
            "forward": "cleo@example.net",
        }
        await mailbox.create_filter(criteria, action)
        hit = mailbox.receive(write_message(1, sender="bo@example.net", subject="The report"))
        for number, sender, subject in (
            (2, "bo@example.net", "old report"),
            (3, "dora@example.net", "report"),
        ):
            mailbox.receive(write_message(number, sender=sender, subject=subject))
        assert await find(mailbox, "label:reports") == [hit]
        assert len(await find(mailbox, "in:inbox")) == 2
        await mailbox.delete_label(reports)
        assert await find(mailbox, "in:archive") == [hit]
        mailbox.receive(write_message(4, sender="ann@example.com", subject="report"))

    run(scenario)
    assert [one.recipients for one in left] == [("cleo@example.net",)] * 2


@pytest.mark.parametrize(
    ("criteria", "argument"),
    [
        ({"from": "a) OR subject:(b"}, "criteria.from"),
        ({"query": "form:ann"}, "criteria.query"),
        ({"negatedQuery": '"open'}, "criteria.negatedQuery"),
        ({"size": 10, "sizeComparison": "about"}, "criteria.sizeComparison"),
        ({"excludeChats": True}, "criteria"),
    ],
)
def test_a_criterion_that_cannot_be_read_is_named(criteria: FilterCriteria, argument: str) -> None:
    async def scenario() -> None:
        with pytest.raises(BadArgument) as caught:
            await MemoryMailbox().create_filter(criteria, {"addLabelIds": ["STARRED"]})
        assert caught.value.argument == argument

    run(scenario)


def test_the_same_filter_is_not_made_twice() -> None:
    async def scenario() -> None:
        mailbox = MemoryMailbox()
        await mailbox.create_filter({"hasAttachment": True}, {"addLabelIds": ["STARRED"]})
        with pytest.raises(BadArgument, match="such a filter already"):
            await mailbox.create_filter({"hasAttachment": True}, {"addLabelIds": ["STARRED"]})
        with pytest.raises(BadArgument) as caught:
            await mailbox.create_filter({"hasAttachment": False}, {"forward": "nobody"})
        assert caught.value.argument == "action.forward"

    run(scenario)


def test_one_click_unsubscribes_at_the_address_of_the_list() -> None:
    asked: list[str] = []

    async def scenario() -> None:
        mailbox = MemoryMailbox(ME, on_unsubscribe=asked.append)
        await mailbox.unsubscribe(mailbox.put(write_message(1, extra=LIST)))
        with pytest.raises(BadArgument):
            await mailbox.unsubscribe(mailbox.put(write_message(2, extra=LIST[:1])))

    run(scenario)
    assert asked == ["https://list.example/off?u=1"]


def test_messages_of_one_moment_are_paged_without_gap_or_repetition() -> None:
    async def scenario() -> None:
        mailbox = MemoryMailbox(ME)
        ids = [mailbox.put(write_message(1, message_id=f"<{number}@same.example>")) for number in range(9)]
        for page in (1, 2, 4):
            assert await find(mailbox, "", page=page) == ids[::-1]

    run(scenario)


def test_a_search_cursor_outlives_the_message_it_names() -> None:
    async def scenario() -> None:
        mailbox = filled(4)
        everything = await find(mailbox, "")
        page = await mailbox.search(parse_query(""), limit=2)
        await mailbox.delete(list(page.ids))
        rest = await mailbox.search(parse_query(""), limit=9, cursor=page.next_cursor)
        assert list(rest.ids) == everything[2:]

    run(scenario)


@pytest.mark.parametrize(
    "raw", [b"", b"\0" * 50, b"\xff\xfe\xfd", b"Date: 99999999999999", b"From: <>\r\n\r\n" * 3]
)
def test_any_bytes_can_be_held_searched_and_read(raw: bytes) -> None:
    async def scenario() -> None:
        mailbox = MemoryMailbox(ME)
        message = mailbox.put(raw)
        for query in ("", "word", "from:me", "has:attachment", "after:2020/01/01"):
            await find(mailbox, query)
        (stored,) = await mailbox.read([message], raw=True)
        assert stored.raw == raw
        assert await mailbox.thread(stored.summary["thread_id"]) == [message]
        with pytest.raises(MailError):
            await mailbox.attachment(message, "1")

    run(scenario)
