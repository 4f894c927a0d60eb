"""The cache ends up as the mailbox is, whatever happens there or breaks on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.cache import CachedMessage
from gaia_email.mailbox import sync
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email_registry.contract.wire import SyncResult
from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError, RateLimited
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import Clock
from tests.ledger.post import ME, Direct, follow, follow_over_mcp, letter

GONE = ProviderError("The server went away.")


def wait_for(coroutine: Coroutine[Any, Any, object]) -> None:
    asyncio.run(coroutine)


def ids(ledger: Ledger) -> dict[str, CachedMessage]:
    with ledger.read() as tx:
        everything = tx.exec_driver_sql("SELECT message_id FROM messages").scalars().all()
        return ledger.cache.get(tx, ME, everything, texts=True)


def words(ledger: Ledger, expression: str) -> int:
    with ledger.read() as tx:
        query = "SELECT count(*) FROM message_words WHERE message_words MATCH ?"
        count: int = tx.exec_driver_sql(query, (expression,)).scalar_one()
        return count


def mailbox(count: int = 7, history: int = 1000) -> MemoryMailbox:
    made = MemoryMailbox(ME, history=history)
    for number in range(count):
        made.put(letter(f"Subject {number}", f"Body number{number} hello"), ["INBOX", "UNREAD"])
    return made


def test_a_first_sync_brings_headers_labels_and_text(ledger: Ledger, clock: Clock) -> None:
    post = MemoryMailbox(ME)
    more = [
        ("Cc", "Cy <cy@example.net>"),
        ("List-Id", "Devs <dev.example.org>"),
        ("Delivered-To", "x@example.org"),
    ]
    id_ = post.put(
        letter("Räksmörgås", "Hello there", more=more, attachment="menu.pdf"), ["INBOX", "Work/Big"]
    )
    outcome = follow_over_mcp(post, ledger)
    assert (outcome.account_id, outcome.added, outcome.reset) == (ME, 1, False)
    found = ids(ledger)[id_]
    assert (found.subject, found.sender, found.sender_name) == ("Räksmörgås", "ann@example.com", "Ann Lee")
    assert (found.cc, found.list_id, found.delivered_to) == (
        "Cy <cy@example.net>",
        "dev.example.org",
        "x@example.org",
    )
    assert (found.filenames, found.has_attachments) == (("menu.pdf",), True)
    assert found.text == "Hello there\n"
    assert len(found.content_hash) == 64
    with ledger.read() as tx:
        state = ledger.cache.state(tx, ME)
        names = ledger.documents.read(tx, sync.labels_document(ME))
    assert (state.complete, state.last_sync, state.last_full_sync) == (True, clock.now, clock.now)
    assert names is not None
    assert "Work/Big" in names.value.values()


def test_what_happens_later_is_followed(ledger: Ledger) -> None:
    post = mailbox(3)
    follow(post, ledger)
    first, second, third = sorted(ids(ledger))
    wait_for(post.modify([first], add=["STARRED"], remove=["UNREAD"]))
    wait_for(post.delete([second]))
    fourth = post.put(letter("New", "something new"))
    outcome = follow(post, ledger)
    assert (outcome.added, outcome.changed, outcome.removed) == (1, 1, 1)
    found = ids(ledger)
    assert set(found) == {first, third, fourth}
    assert set(found[first].labels) == {"INBOX", "STARRED"}
    assert words(ledger, "number1") == 0
    assert words(ledger, "something") == 1
    assert follow(post, ledger).added == 0


def test_a_sync_that_breaks_off_goes_on_where_it_was(ledger: Ledger) -> None:
    post = mailbox(7)
    with pytest.raises(ProviderError, match="went away"):
        follow(post, ledger, page=2, failures=[None, None, None, None, GONE])
    with ledger.read() as tx:
        state = ledger.cache.state(tx, ME)
        assert ledger.cache.count(tx, ME) == 4
        assert (state.complete, state.last_error) == (False, "The server went away.")
    reads: list[list[str]] = []
    assert follow(post, ledger, page=2, reads=reads).added == 3
    assert sum(map(len, reads)) == 3
    with ledger.read() as tx:
        state = ledger.cache.state(tx, ME)
        assert (state.complete, state.last_error) == (True, None)


def test_after_a_reset_only_what_is_new_is_read_and_what_is_gone_is_forgotten(ledger: Ledger) -> None:
    post = mailbox(6, history=2)
    follow(post, ledger)
    gone, *rest = sorted(ids(ledger))
    wait_for(post.delete([gone]))
    for id_ in rest:
        wait_for(post.modify([id_], add=["STARRED"], remove=[]))
    new = post.put(letter("New", "hello"))
    reads: list[list[str]] = []
    outcome = follow(post, ledger, page=2, reads=reads)
    assert outcome.reset
    assert reads == [[new]]
    found = ids(ledger)
    assert set(found) == {*rest, new}
    assert all("STARRED" in found[id_].labels for id_ in rest)


def test_a_reset_that_fits_in_one_page_forgets_what_is_gone_too(ledger: Ledger, clock: Clock) -> None:
    post = mailbox(2, history=3)
    follow(post, ledger)
    gone, _ = sorted(ids(ledger))
    post.put(letter("New", "hello"))
    wait_for(post.delete([gone]))
    clock.now += 5
    assert follow(post, ledger).reset
    assert gone not in ids(ledger)
    with ledger.read() as tx:
        assert ledger.cache.state(tx, ME).last_full_sync == clock.now


def test_a_message_the_server_cannot_give_is_kept_without_its_text_and_asked_for_again(
    ledger: Ledger,
) -> None:
    post = mailbox(4)
    bad = post.put(letter("Broken", "xyzzy"))
    outcome = follow(post, ledger, unreadable={bad: ProviderError("no such part")})
    assert (outcome.added, outcome.unread) == (5, 1)
    assert ids(ledger)[bad].text is None
    assert ids(ledger)[bad].subject == "Broken"
    follow(post, ledger, unreadable={bad: ProviderError("no such part")})
    assert ids(ledger)[bad].text is None
    follow(post, ledger)
    assert ids(ledger)[bad].text == "xyzzy\n"


def test_a_server_that_gives_no_message_at_all_is_an_error_and_not_an_empty_cache(ledger: Ledger) -> None:
    post = mailbox(7)
    follow(post, ledger)
    unreadable: dict[str, MailError] = {
        post.put(letter(f"Late {number}", "x")): ProviderError("broken") for number in range(5)
    }
    with pytest.raises(ProviderError, match="broken"):
        follow(post, ledger, unreadable=unreadable)
    assert len(ids(ledger)) == 7


@pytest.mark.parametrize("error", [NeedsAuth("expired"), RateLimited("slow down", retry_after_s=3)])
def test_a_refusal_is_passed_on_and_noted(ledger: Ledger, error: MailError) -> None:
    with pytest.raises(type(error)):
        follow(mailbox(2), ledger, failures=[error])
    with ledger.read() as tx:
        assert ledger.cache.state(tx, ME).last_error == error.message


def test_hostile_and_broken_messages_are_kept_as_far_as_they_go(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    for raw in (
        b"",
        b"\x00\xff\xfe",
        b"Subject: \xff\x00 x\n\nbody \x00 \xed\xa0\x80",
        b"Date: 99999\n\n" + b"a" * 500_000,
    ):
        post.put(raw)
    assert follow(post, ledger).added == 4
    assert max(len(one.text or "") for one in ids(ledger).values()) <= 200_000


def test_messages_of_one_second_do_not_get_in_each_others_way(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.ledger.cache.SECOND", 1)
    post = mailbox(30)
    follow(post, ledger)
    assert len(ids(ledger)) == 30


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with open_ledger(clock=Clock(), url=f"sqlite:///{tmp_path_factory.mktemp('empty')}/ledger.db") as opened:
        yield opened


def test_two_programs_that_follow_one_account_at_once_store_each_message_once(ledger: Ledger) -> None:
    post = mailbox(9)

    @dataclass(slots=True)
    class Overtaken(Direct):
        """While the first page is on its way, another program stores all there is."""

        overtaken: bool = False

        async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
            page = await Direct.sync_emails(self, cursor, limit=4)
            if not self.overtaken:
                self.overtaken = True
                await sync.sync_mail(Direct(post), ledger)
            return page

    outcome = asyncio.run(sync.sync_mail(Overtaken(post), ledger))
    assert outcome.added == 0
    assert len(ids(ledger)) == 9
    assert words(ledger, "hello") == 9
    wait_for(post.delete(["m1"]))
    assert follow(post, ledger).removed == 1


async def look(post: MemoryMailbox, ledger: Ledger, ids: list[str]) -> None:
    """Read these as a triage does."""
    await MailCopy(Direct(post), ledger, account=ME).read_emails(ids)


def test_what_a_triage_has_read_is_found_and_not_read_again(ledger: Ledger) -> None:
    post = mailbox(5)
    wait_for(look(post, ledger, ["m1", "m2", "m3"]))
    assert words(ledger, "hello") == 3
    wait_for(post.modify(["m1"], add=["STARRED"], remove=[]))
    wait_for(post.delete(["m2"]))
    reads: list[list[str]] = []
    assert follow(post, ledger, reads=reads).removed == 1
    assert sorted(id_ for batch in reads for id_ in batch) == ["m4", "m5"]
    assert set(ids(ledger)) == {"m1", "m3", "m4", "m5"}
    assert "STARRED" in ids(ledger)["m1"].labels
    assert words(ledger, "hello") == 4


OPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "star", "read", "trash", "delete", "look", "sync", "cut"]), st.integers(0, 30)
    ),
    max_size=14,
)


@settings(max_examples=25)
@given(OPS, st.integers(1, 4), st.sampled_from([3, 1000]))
def test_whatever_happens_the_cache_ends_as_the_mailbox_is(
    empty: Ledger, ops: list[tuple[str, int]], page: int, history: int
) -> None:
    with empty.write() as tx:
        empty.cache.clear(tx)
    post = MemoryMailbox(ME, history=history)
    live: list[str] = []
    for number, (what, which) in enumerate(ops):
        chosen = [live[which % len(live)]] if live else []
        match what:
            case "put":
                live.append(post.put(letter(f"S{number}", f"unique{number} word"), ["INBOX", "UNREAD"]))
            case "star":
                wait_for(post.modify(chosen, add=["STARRED"], remove=[]))
            case "read":
                wait_for(post.modify(chosen, add=[], remove=["UNREAD"]))
            case "trash":
                wait_for(post.trash(chosen))
            case "delete":
                wait_for(post.delete(chosen))
                live = [id_ for id_ in live if id_ not in chosen]
            case "look":
                wait_for(look(post, empty, chosen))
            case "sync":
                follow(post, empty, page=page)
            case _:
                with suppress(ProviderError):
                    follow(post, empty, page=page, failures=[None] * (which % 5) + [GONE] * 9)
    follow(post, empty, page=page)
    found = ids(empty)
    labels = {id_: frozenset(one.labels) for id_, one in found.items()}
    stored = asyncio.run(post.read(live, raw=False))
    assert labels == {one.summary["id"]: frozenset(one.summary["labels"]) for one in stored}
    assert words(empty, "word") == len(live)
    with empty.write() as tx:
        assert empty.cache.clear(tx, ME) == len(live)
    assert words(empty, "word") == 0
