"""Random operations on a mailbox in memory: who follows `changes` always ends up with its exact state."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Coroutine
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
)

from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.mailbox import IdPage
from tests.contract.memory import MemoryMailbox
from tests.contract.suite import Mirror, find, look, write_message

T = TypeVar("T")
NONE: MultipleResults[str] = multiple()
LABELS = st.lists(st.sampled_from(["INBOX", "UNREAD", "STARRED", "IMPORTANT", "SPAM", "TRASH"]), max_size=3)
NUMBERS = st.integers(min_value=0, max_value=40)


class MailboxMachine(RuleBasedStateMachine):
    """Three followers with pages of different sizes; the small history lets cursors grow too old."""

    ids = Bundle[str]("ids")
    drafts = Bundle[str]("drafts")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.now = dt.datetime(2026, 3, 31, tzinfo=dt.UTC)
        self.mailbox = MemoryMailbox("me@example.org", now=lambda: self.now, history=12)
        self.mirrors = [Mirror(limit=1), Mirror(limit=2), Mirror(limit=100)]
        self.page: IdPage | None = None

    def teardown(self) -> None:
        self.loop.run_until_complete(self.mailbox.aclose())
        self.loop.close()

    def run(self, call: Coroutine[None, None, T]) -> T:
        return self.loop.run_until_complete(call)

    @rule(target=ids, number=NUMBERS, parent=st.none() | NUMBERS, labels=LABELS)
    def put(self, number: int, parent: int | None, labels: list[str]) -> str:
        extra = () if parent is None else (("In-Reply-To", f"<{parent}@seed.example>"),)
        places = {"INBOX", "SPAM", "TRASH"}.intersection(labels)
        kept = [label for label in labels if label not in places or label == min(places)]
        return self.mailbox.put(write_message(number, extra=extra), kept)

    @rule(target=ids, number=NUMBERS)
    def receive(self, number: int) -> str:
        return self.mailbox.receive(write_message(number))

    @rule(some=st.lists(ids, max_size=4), add=LABELS, remove=LABELS)
    def modify(self, some: list[str], add: list[str], remove: list[str]) -> None:
        before = self.run(look(self.mailbox))
        applied = self.run(self.mailbox.modify(some, add=add, remove=remove))
        assert set(applied.ids) == before.keys() & set(some)
        after = self.run(look(self.mailbox))
        for id_ in applied.ids:
            labels, _ = after[id_]
            assert {"STARRED", "UNREAD"}.intersection(add) <= labels
            assert len(labels & {"INBOX", "SPAM", "TRASH"}) <= 1

    @rule(some=st.lists(ids, max_size=4))
    def trash_and_back(self, some: list[str]) -> None:
        before = self.run(look(self.mailbox))
        outside = [id_ for id_ in some if id_ in before and "TRASH" not in before[id_][0]]
        self.run(self.mailbox.trash(outside))
        self.run(self.mailbox.untrash(outside))
        assert self.run(look(self.mailbox)) == before

    @rule(some=st.lists(ids, max_size=4))
    def trash(self, some: list[str]) -> None:
        self.run(self.mailbox.trash(some))

    @rule(some=st.lists(ids, max_size=4))
    def untrash(self, some: list[str]) -> None:
        self.run(self.mailbox.untrash(some))

    @rule(id_=consumes(ids))
    def delete(self, id_: str) -> None:
        self.run(self.mailbox.delete([id_]))
        assert self.run(self.mailbox.read([id_], raw=False)) == []

    @rule(some=st.lists(ids, max_size=3), hours=st.integers(min_value=1, max_value=5))
    def snooze(self, some: list[str], hours: int) -> None:
        self.run(self.mailbox.snooze(some, (self.now + dt.timedelta(hours=hours)).isoformat()))

    @rule(hours=st.integers(min_value=1, max_value=5))
    def time_passes(self, hours: int) -> None:
        self.now += dt.timedelta(hours=hours)

    @rule(target=drafts, number=NUMBERS)
    def create_draft(self, number: int) -> str:
        return self.run(self.mailbox.create_draft(write_message(number, to="ann@example.com"), None)).id

    @rule(draft=drafts, number=NUMBERS)
    def update_draft(self, draft: str, number: int) -> None:
        count = len(self.run(look(self.mailbox)))
        raw = write_message(number, to="ann@example.com")
        assert self.run(self.mailbox.update_draft(draft, raw)).id == draft
        assert len(self.run(look(self.mailbox))) == count

    @rule(target=ids, draft=consumes(drafts), send=st.booleans())
    def end_draft(self, draft: str, send: bool) -> MultipleResults[str]:
        if send:
            return multiple(self.run(self.mailbox.send_draft(draft)))
        self.run(self.mailbox.delete_draft(draft))
        return NONE

    @rule()
    def label_comes_and_goes(self) -> None:
        before = self.run(look(self.mailbox))
        label = self.run(self.mailbox.create_label("Passing", {}))["id"]
        self.run(self.mailbox.modify(list(before), add=[label], remove=[]))
        self.run(self.mailbox.delete_label(label))
        assert self.run(look(self.mailbox)) == before

    @rule(which=st.integers(min_value=0, max_value=2))
    def follow(self, which: int) -> None:
        mirror = self.mirrors[which]
        self.run(mirror.follow(self.mailbox))
        assert mirror.state == self.run(look(self.mailbox))
        assert not self.run(self.mailbox.wait(mirror.cursor or "", timeout_s=0))

    @rule(which=st.integers(min_value=0, max_value=2))
    def follow_one_page(self, which: int) -> None:
        mirror = self.mirrors[which]
        mirror.apply(self.run(self.mailbox.changes(mirror.cursor, limit=1)))

    @rule()
    def turn_a_page(self) -> None:
        cursor = self.page.next_cursor if self.page is not None else None
        self.page = self.run(self.mailbox.search(parse_query("in:anywhere"), limit=2, cursor=cursor))

    @invariant()
    def a_page_size_makes_no_difference(self) -> None:
        assert self.run(find(self.mailbox, "", page=3)) == self.run(find(self.mailbox, "", page=100))

    @invariant()
    def every_draft_is_a_message_and_every_message_is_in_its_conversation(self) -> None:
        state = self.run(look(self.mailbox))
        assert {draft.message_id for draft in self.run(self.mailbox.drafts(limit=100))} == {
            id_ for id_, (labels, _) in state.items() if "DRAFT" in labels and "TRASH" not in labels
        }
        for stored in self.run(self.mailbox.read(list(state), raw=False)):
            assert stored.summary["id"] in self.run(self.mailbox.thread(stored.summary["thread_id"]))


MailboxMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestMailboxMachine = MailboxMachine.TestCase
