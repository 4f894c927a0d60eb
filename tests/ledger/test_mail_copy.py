"""Reading the copy gives what reading the account gives, and asks the account only for what is not here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.client import Client

from gaia_email.app.sample.mailbox import SAMPLE_OWNER, sample_messages
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import ANYWHERE, FollowedMailbox, MailReader
from gaia_email.mailbox.sync import sync_mail
from gaia_email.triage.inbox import FoundMessage, Inbox, look_up, triage
from gaia_email_registry.contract.wire import ListEmailsResult, Summary
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import START, Clock
from tests.ledger.post import ME, Direct, Shaky, letter

Result = TypeVar("Result")
LABELS = {"INBOX": ["INBOX", "UNREAD"], "SENT": ["SENT"], "SPAM": ["SPAM"], "ARCHIVE": []}


def over_mcp(mailbox: MemoryMailbox, use: Callable[[MailClient], Awaitable[Result]]) -> Result:
    """Use the mailbox through the tools of a server."""

    async def run() -> Result:
        server = create_server(mailbox, SurfaceSettings())
        async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
            return await use(MailClient(client.session))

    return asyncio.run(run())


def sample() -> MemoryMailbox:
    """The sample mailbox, with everything that is odd in it."""
    made = MemoryMailbox(SAMPLE_OWNER)
    for message in sample_messages(datetime.fromtimestamp(START, UTC)):
        made.put(message.raw, LABELS[message.folder])
    return made


def plain(count: int) -> MemoryMailbox:
    made = MemoryMailbox(ME)
    for number in range(count):
        made.put(letter(f"Subject {number}", f"Body {number}"), ["INBOX", "UNREAD"])
    return made


async def sorted_inbox(mail: MailReader) -> Inbox:
    return await triage(mail, BuiltinTier(), now=START)


async def listed(query: str | None, limit: int, mail: MailReader) -> list[Summary]:
    found: list[Summary] = []
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=query, limit=limit, cursor=cursor)
        found += page["emails"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def by_id(found: Sequence[Summary]) -> dict[str, Summary]:
    return {one["id"]: one for one in found}


def same(one: Inbox, other: Inbox) -> None:
    """Every verdict, bucket, thread and count; only the order of equals in `judged` may differ."""
    assert one.buckets == other.buckets
    assert (one.account, one.total, one.threads, one.unsure) == (
        other.account,
        other.total,
        other.threads,
        other.unsure,
    )
    key = {judged.summary["id"]: judged for judged in other.judged}
    assert {judged.summary["id"]: judged for judged in one.judged} == key


def of_copy(
    ledger: Ledger, use: Callable[[MailReader], Awaitable[Result]]
) -> Callable[[FollowedMailbox], Awaitable[Result]]:
    """The same with the sample's copy, as a new program reads it."""
    return lambda mail: use(MailCopy(mail, ledger, account=SAMPLE_OWNER))


def test_a_triage_of_the_copy_is_that_of_the_account_first_and_later(ledger: Ledger) -> None:
    post = sample()
    direct = over_mcp(post, sorted_inbox)
    assert direct.threads > 10
    for _ in range(2):
        same(over_mcp(post, of_copy(ledger, sorted_inbox)), direct)


async def looked_up(id_: str, mail: MailReader) -> FoundMessage:
    return await look_up(mail, BuiltinTier(), id_, now=START)


def test_a_message_is_looked_up_in_the_copy_as_in_the_account(ledger: Ledger) -> None:
    post = sample()
    everything = over_mcp(post, partial(listed, ANYWHERE, 500))
    for summary in everything[::9]:
        look = partial(looked_up, summary["id"])
        assert over_mcp(post, of_copy(ledger, look)) == over_mcp(post, look)


def test_a_message_is_judged_alone_as_in_the_inbox_whatever_lies_in_spam_and_trash(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    for number, labels in enumerate((["SPAM"], ["TRASH"], ["SPAM"], ["INBOX"], ["INBOX"], ["SENT"])):
        sender = ME if "SENT" in labels else "Ann <ann@example.com>"
        date = f"Tue, 03 Mar 2026 1{number}:00:00 +0000"
        post.put(letter(f"S{number}", "Could you call me today?", sender=sender, date=date), labels)
    sorted_ = {one.summary["id"]: one for one in over_mcp(post, sorted_inbox).judged}
    assert sorted(sorted_) == ["m4", "m5"]
    for id_, judged in sorted_.items():
        found = over_mcp(post, partial(looked_up, id_))
        assert found.context.received_before == int(id_[1:]) - 4
        assert replace(found.understood.verdict, entities=judged.verdict.entities) == judged.verdict


def test_the_copy_lists_what_the_account_lists(ledger: Ledger) -> None:
    post = sample()
    for query in (None, ANYWHERE):
        direct = by_id(over_mcp(post, partial(listed, query, 500)))
        for limit in (500, 3):
            copied = over_mcp(post, of_copy(ledger, partial(listed, query, limit)))
            assert by_id(copied) == direct
            assert len(copied) == len(direct)
            dates = [datetime.fromisoformat(one["date"]) for one in copied if one["date"]]
            assert dates == sorted(dates, reverse=True)


def test_bodies_are_asked_for_once(ledger: Ledger) -> None:
    post = plain(5)
    mail = Shaky(Direct(post))

    def read(*ids: str) -> list[str]:
        copy = MailCopy(mail, ledger, account=ME)
        return [email["id"] for email in asyncio.run(copy.read_emails(ids))["emails"]]

    assert read("m2", "m1") == ["m2", "m1"]
    assert read("m1", "m3", "m2") == ["m1", "m3", "m2"]
    assert mail.reads == [["m2", "m1"], ["m3"]]


def test_the_bytes_of_a_kept_body_are_those_that_were_read(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    raw = b"Subject: \xff\xfe\x00odd\r\nFrom: a@example.com\r\n\r\n\x00\x80body\r\n.\r\n"
    id_ = post.put(raw, ["INBOX"])
    for _ in range(2):
        copy = MailCopy(Direct(post), ledger, account=ME)
        (email,) = asyncio.run(copy.read_emails([id_]))["emails"]
        assert email == asyncio.run(Direct(post).read_emails([id_]))["emails"][0]


def test_a_huge_message_that_came_without_its_end_is_known_to_lack_it_later_too(ledger: Ledger) -> None:
    post = plain(1)

    class Cutting(Direct):
        async def read_emails(self, ids: Sequence[str]) -> object:  # type: ignore[override]
            answer = await super().read_emails(ids)
            for email in answer["emails"]:
                email["size"], email["defects"] = 5_000_000, ["its end is missing"]
            return answer

    reading = MailCopy(Cutting(post), ledger, account=ME)  # type: ignore[arg-type]
    (first,) = asyncio.run(reading.read_emails(["m1"]))["emails"]
    (again,) = asyncio.run(MailCopy(Direct(post), ledger, account=ME).read_emails(["m1"]))["emails"]
    assert again == first


def bodies(ledger: Ledger) -> int:
    with ledger.read() as tx:
        query = "SELECT count(*) FROM message_source WHERE body IS NOT NULL"
        count: int = tx.exec_driver_sql(query).scalar_one()
        return count


def test_a_body_goes_when_its_message_leaves_the_inbox_and_its_words_stay(ledger: Ledger) -> None:
    post = plain(3)
    asyncio.run(MailCopy(Direct(post), ledger, account=ME).read_emails(["m1", "m2", "m3"]))
    assert bodies(ledger) == 3
    asyncio.run(post.modify(["m1"], add=[], remove=["INBOX"]))
    asyncio.run(post.modify(["m2"], add=["STARRED"], remove=[]))
    asyncio.run(MailCopy(Direct(post), ledger, account=ME).refresh())
    assert bodies(ledger) == 2
    with ledger.read() as tx:
        assert ledger.cache.find_with_text(tx, ME, ["m1"]) == {"m1"}


def test_a_damaged_body_is_asked_for_again(ledger: Ledger) -> None:
    post = plain(1)
    asyncio.run(MailCopy(Direct(post), ledger, account=ME).read_emails(["m1"]))
    with ledger.write() as tx:
        tx.exec_driver_sql("UPDATE message_source SET body = X'00FF'")
    for asked in ([["m1"]], []):
        mail = Shaky(Direct(post))
        (email,) = asyncio.run(MailCopy(mail, ledger, account=ME).read_emails(["m1"]))["emails"]
        assert email == asyncio.run(Direct(post).read_emails(["m1"]))["emails"][0]
        assert mail.reads == asked


def test_mail_files_are_not_kept_a_second_time(ledger: Ledger) -> None:
    files = "maildir:/home/ann/Mail"
    post = MemoryMailbox(files)
    post.put(letter("One", "word"), ["INBOX"])
    asyncio.run(MailCopy(Direct(post), ledger, account=files).read_emails(["m1"]))
    assert bodies(ledger) == 0
    with ledger.read() as tx:
        assert ledger.cache.find_with_text(tx, files, ["m1"]) == {"m1"}


def test_the_copy_of_a_name_that_nobody_has_asked_under_is_filed_under_the_account_s_own(
    ledger: Ledger,
) -> None:
    copy = MailCopy(Direct(plain(1)), ledger, account="Me@Example.org")
    assert asyncio.run(copy.status())["account"] == ME
    with ledger.read() as tx:
        assert [state.account_id for state in ledger.cache.states(tx)] == [ME]


def test_a_ledger_that_cannot_be_written_leaves_mail_readable(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = MailCopy(Direct(plain(2)), ledger, account=ME)
    asyncio.run(copy.refresh())

    def full(*_: object) -> None:
        raise ProviderError("The disk is full.")

    monkeypatch.setattr(ledger, "write", full)
    assert len(asyncio.run(copy.read_emails(["m1", "m2"]))["emails"]) == 2


def test_what_was_purged_is_listed_and_read_anew(ledger: Ledger) -> None:
    post = plain(3)
    asyncio.run(MailCopy(Direct(post), ledger, account=ME).read_emails(["m1"]))
    ledger.purge("mail")
    with ledger.read() as tx:
        assert tx.exec_driver_sql("SELECT count(*) FROM message_source").scalar_one() == 0
    mail = Shaky(Direct(post))
    asyncio.run(MailCopy(mail, ledger, account=ME).read_emails(["m1"]))
    assert mail.reads == [["m1"]]


def test_an_ambiguous_beginning_of_an_id_and_an_unknown_one_are_told(ledger: Ledger) -> None:
    post = plain(12)
    for id_, told in (("m1", None), ("m", "12 messages"), ("x", "No message here"), ("", "No message here")):
        copy = MailCopy(Direct(post), ledger, account=ME)
        work = look_up(copy, BuiltinTier(), id_, now=START)
        if told is None:
            assert asyncio.run(work).summary["id"] == "m1"
            continue
        with pytest.raises(NotFound, match=told):
            asyncio.run(work)


def test_no_id_has_the_copy_listed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = MailCopy(Direct(plain(3)), ledger, account=ME)
    listings: list[str | None] = []

    async def list_emails(**how: str | None) -> ListEmailsResult:
        listings.append(how["query"])
        raise ProviderError("listed")

    monkeypatch.setattr(copy, "list_emails", list_emails)
    for id_ in ("x", "m", "M1", "m1%", ""):
        with pytest.raises(NotFound):
            asyncio.run(look_up(copy, BuiltinTier(), id_, now=START))
    assert asyncio.run(look_up(copy, BuiltinTier(), "m1", now=START)).summary["id"] == "m1"
    assert listings == []


def test_the_copy_is_not_listed_by_other_queries(ledger: Ledger) -> None:
    copy = MailCopy(Direct(plain(1)), ledger, account=ME)
    with pytest.raises(BadArgument, match="from:ann"):
        asyncio.run(copy.list_emails(query="from:ann"))


OPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "star", "archive", "trash", "delete", "inbox", "search", "cut"]),
        st.integers(0, 30),
    ),
    max_size=10,
)


@pytest.fixture(scope="module", name="empty")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """One ledger for all examples, emptied before each."""
    url = f"sqlite:///{tmp_path_factory.mktemp('copy') / 'ledger.db'}"
    with open_ledger(url=url, clock=Clock()) as opened:
        yield opened


@settings(max_examples=20)
@given(ops=OPS, history=st.sampled_from([2, 1000]))
def test_whatever_happens_the_copy_is_triaged_as_the_account(
    empty: Ledger, ops: list[tuple[str, int]], history: int
) -> None:
    with empty.write() as tx:
        empty.cache.clear(tx)
    post = MemoryMailbox(ME, history=history)
    live = [post.put(letter("First", "Can you call me?"), ["INBOX"])]

    def copy(mail: FollowedMailbox) -> MailCopy:
        return MailCopy(mail, empty, account=ME)

    for number, (what, which) in enumerate(ops):
        chosen = [live[which % len(live)]] if live else []
        match what:
            case "put":
                sender = ME if which % 3 == 0 else f"Ann <a{which}@example.com>"
                labels = ["SENT"] if which % 3 == 0 else ["INBOX", "UNREAD"]
                live.append(post.put(letter(f"S{number}", "Could you send it?", sender=sender), labels))
            case "star":
                asyncio.run(post.modify(chosen, add=["STARRED"], remove=[]))
            case "archive":
                asyncio.run(post.modify(chosen, add=[], remove=["INBOX"]))
            case "trash":
                asyncio.run(post.trash(chosen))
            case "delete":
                asyncio.run(post.delete(chosen))
                live = [id_ for id_ in live if id_ not in chosen]
            case "inbox":
                over_mcp(post, lambda mail: sorted_inbox(copy(mail)))
            case "search":
                over_mcp(post, lambda mail: sync_mail(mail, empty))
            case _:
                failures = [None] * (which % 4) + [ProviderError("The server went away.")] * 9
                with suppress(ProviderError):
                    asyncio.run(sorted_inbox(copy(Shaky(Direct(post), list(failures)))))
    same(over_mcp(post, lambda mail: sorted_inbox(copy(mail))), over_mcp(post, sorted_inbox))
