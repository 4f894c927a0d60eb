"""`Watch`: new mail is told once, whatever the server and the process do meanwhile."""

from __future__ import annotations

import asyncio
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gaia_email.ledger.documents import DocumentStore
from gaia_email.ledger.keeping import WATCH_DOCUMENT
from gaia_email.triage import watch as watch_module
from gaia_email.triage.tiers import default_tier
from gaia_email.triage.watch import Arrival, NotRecorded, Watch, WatchHooks, only_watch
from gaia_email_registry.errors import BadArgument, NeedsAuth, ProviderError, RateLimited
from gaia_understanding.cascade.understand import read_raw as read_really
from tests.contract.memory import MemoryMailbox
from tests.contract.suite.seed import write_message
from tests.watch.setup import WatchSetup

GONE = ProviderError("The server does not answer.")


def put(mailbox: MemoryMailbox, *numbers: int, labels: tuple[str, ...] = ("INBOX", "UNREAD")) -> list[str]:
    return [mailbox.put(write_message(number), labels) for number in numbers]


def numbers(*which: int) -> list[str]:
    return [f"Message number {number}" for number in which]


def test_the_first_run_starts_at_now(setup: WatchSetup) -> None:
    put(setup.mailbox, 1, 2)
    assert setup.once() == []
    put(setup.mailbox, 3)
    assert setup.once() == numbers(3)
    assert setup.once() == []


def test_with_all_the_first_run_tells_what_is_there_oldest_first(setup: WatchSetup) -> None:
    put(setup.mailbox, 2, 3, 1)
    assert setup.once(everything=True) == numbers(1, 2, 3)
    assert setup.once(everything=True) == []


def test_old_mail_is_told_as_what_is_over(setup: WatchSetup) -> None:
    raw = (
        "From: Dana Reyes <dana@friends.example>\r\nTo: me@example.org\r\nSubject: Lease\r\nDate: {date}\r\n"
        "Message-ID: <{date}@friends.example>\r\n\r\nCould you send me the signed lease by tonight?\r\n"
    )
    for date in ("Mon, 02 Mar 2026 09:00:00 +0000", "Wed, 04 Mar 2026 09:00:00 +0000"):
        setup.mailbox.put(raw.format(date=date).encode(), ("INBOX",))
    setup.once(everything=True)
    verdicts = [arrival.understood.verdict for arrival in setup.told if arrival.understood]
    assert [verdict.bucket for verdict in verdicts] == ["actionable", "urgent"]
    assert verdicts[0].priority.reason.endswith("; the date passed on 2 March.")


def test_mail_is_told_as_it_comes_and_understood(setup: WatchSetup) -> None:
    def happening(told: int) -> bool:
        if told < 3:
            put(setup.mailbox, told + 1)
        return told == 3

    setup.follow(happening)
    assert setup.subjects == numbers(1, 2, 3)
    assert setup.said == ["ready 0"]
    assert all(arrival.understood and arrival.decision and not arrival.problem for arrival in setup.told)


def test_what_came_between_two_runs_is_told_by_the_second(setup: WatchSetup) -> None:
    put(setup.mailbox, 1)
    setup.follow(lambda told: True)
    put(setup.mailbox, 2, 3)
    setup.follow(lambda told: told == 2)
    assert setup.subjects == numbers(2, 3)


def test_a_run_that_was_stopped_in_the_middle_is_gone_on_with(setup: WatchSetup) -> None:
    setup.once()
    put(setup.mailbox, *range(1, 8))
    setup.follow(lambda told: told == 3)
    stopped_at = len(setup.told)
    setup.once()
    assert stopped_at >= 3
    assert setup.subjects == numbers(*range(1, 8))


def test_only_the_watched_folders_are_told(setup: WatchSetup) -> None:
    setup.once(folders=("sent", "INBOX"))
    put(setup.mailbox, 1, labels=("SENT",))
    put(setup.mailbox, 2, labels=("SPAM",))
    put(setup.mailbox, 3)
    assert setup.once(folders=("sent", "INBOX")) == numbers(1, 3)


def test_a_message_that_is_moved_into_the_inbox_later_is_told_then(setup: WatchSetup) -> None:
    (moved,) = put(setup.mailbox, 1, labels=("SPAM",))
    setup.once()

    async def move(mailbox: MemoryMailbox) -> None:
        await mailbox.modify([moved], add=["INBOX"], remove=["SPAM"])
        await mailbox.modify([moved], add=["STARRED"], remove=[])

    asyncio.run(move(setup.mailbox))
    assert setup.once() == numbers(1)


def test_a_server_that_forgot_everything_makes_nothing_told_twice(
    setup: WatchSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(setup.mailbox, 1, 2)

    def happening(told: int) -> bool:
        if told == 0:
            put(setup.mailbox, 3)
        elif told == 1:
            # As long a journal as this mailbox keeps is over: its next answer is a reset.
            monkeypatch.setattr(setup.mailbox, "changes", _forgetful(setup.mailbox))
            put(setup.mailbox, 4)
        return told == 2

    setup.follow(happening)
    assert setup.subjects == numbers(3, 4)


def _forgetful(mailbox: MemoryMailbox) -> Any:
    known = mailbox.changes
    forgotten: list[str] = []

    async def changes(cursor: str | None, *, limit: int) -> Any:
        if cursor is not None and not forgotten:
            forgotten.append(cursor)
            return await known("no cursor of this mailbox", limit=limit)
        return await known(cursor, limit=limit)

    return changes


def test_a_failing_server_is_tried_again_and_complained_of_once(setup: WatchSetup) -> None:
    put(setup.mailbox, 1)
    setup.once()
    put(setup.mailbox, 2)
    setup.failures[:] = [GONE, GONE, GONE]
    setup.follow(lambda told: told == 1)
    assert setup.subjects == numbers(2)
    assert [line for line in setup.said if not line.startswith("ready")] == [GONE.message, "recovered"]
    first, second, third = setup.pauses
    assert first < second < third


def test_each_row_of_failures_is_told_and_so_is_its_end(setup: WatchSetup) -> None:
    def happening(told: int) -> bool:
        if told < 3:
            setup.failures[:] = [None, GONE, GONE] if told else [GONE, GONE]
            put(setup.mailbox, told + 1)
        return told == 3

    setup.follow(happening)
    assert setup.subjects == numbers(1, 2, 3)
    complaints = [line for line in setup.said if not line.startswith("ready")]
    assert complaints[:2] == [GONE.message, "recovered"]
    assert all(before != after for before, after in pairwise(complaints))


class Restless(WatchSetup):
    """Its server says at once, always, that something changed; after nine rests something has."""

    async def pause(self, seconds: float) -> None:
        await super().pause(seconds)
        if len(self.pauses) == 9:
            put(self.mailbox, 2)


def test_a_server_that_says_without_end_that_something_changed_is_asked_less_and_less(
    setup: WatchSetup,
) -> None:
    put(setup.mailbox, 1)
    restless = Restless(setup.ledger, setup.mailbox, restless=True)
    restless.follow(lambda told: told == 1)
    assert restless.subjects == numbers(2)
    assert restless.pauses[0] <= watch_module.FIRST_PAUSE_S * 1.25
    assert restless.pauses[8] >= watch_module.LONGEST_REST_S * 0.75
    assert max(restless.pauses) <= watch_module.LONGEST_REST_S * 1.25


def test_pauses_grow_to_a_limit_and_the_server_is_started_anew(setup: WatchSetup) -> None:
    setup.failures[:] = [GONE] * 14
    put(setup.mailbox, 1)
    setup.follow(lambda told: True)
    assert len(setup.pauses) == 14
    assert max(setup.pauses) <= watch_module.LONGEST_PAUSE_S * 1.25
    assert setup.pauses[-1] >= watch_module.LONGEST_PAUSE_S * 0.75
    assert setup.opened == 3


def test_a_throttling_server_is_left_alone_for_as_long_as_it_says(setup: WatchSetup) -> None:
    setup.failures[:] = [RateLimited("Too many calls.", retry_after_s=77.0)]
    setup.follow(lambda told: True)
    assert setup.pauses == [77.0]


def test_a_refused_login_ends_the_watch_at_once(setup: WatchSetup) -> None:
    setup.failures[:] = [NeedsAuth("The password is wrong.")]
    with pytest.raises(NeedsAuth):
        setup.follow(lambda told: False)
    assert setup.pauses == []


def test_an_unknown_folder_is_named_with_what_there_is(setup: WatchSetup) -> None:
    with pytest.raises(BadArgument, match=r"no folder 'Nowhere' here; there are: .*INBOX"):
        setup.once(folders=("Nowhere",))


def test_a_message_that_our_own_rules_stumble_over_is_told_with_the_problem(
    setup: WatchSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup.once()
    put(setup.mailbox, 1, 2)

    def read_raw(email: Any) -> Any:
        if "number 1" in email["subject"]:
            raise ZeroDivisionError
        return read_really(email)

    monkeypatch.setattr(watch_module, "read_raw", read_raw)
    assert setup.once() == numbers(1, 2)
    broken, fine = setup.told
    assert "ZeroDivisionError" in broken.problem and broken.understood is None
    assert fine.understood is not None


def test_messages_are_read_a_few_at_a_time(setup: WatchSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "READ_BATCH", 3)
    monkeypatch.setattr(watch_module, "READ_BYTES", 1000)
    sizes: list[int] = []
    real = setup.mailbox.read

    async def read(ids: Any, *, raw: bool, most: int | None = None) -> Any:
        if raw:
            sizes.append(len(ids))
        return await real(ids, raw=raw, most=most)

    monkeypatch.setattr(setup.mailbox, "read", read)
    setup.once()
    put(setup.mailbox, 1, 2, 3, 4)
    setup.mailbox.put(write_message(5, body="x" * 2000), ("INBOX",))
    assert setup.once() == numbers(1, 2, 3, 4, 5)
    assert sizes == [3, 1, 1]


def test_of_a_huge_message_the_beginning_is_judged_and_that_is_said(
    setup: WatchSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.mailbox.client.READ_OF_ONE", 2_000)
    setup.once()
    raw = write_message(1, body="Can you pay this by Friday?\n" + "x " * 5_000)
    setup.mailbox.put(raw, ("INBOX",))
    setup.once()
    (arrival,) = setup.told
    assert arrival.understood is not None
    (defect,) = arrival.understood.message.defects
    assert defect == f"the message has {len(raw):,} bytes; only the first 2,000 were read"
    assert "by Friday" in arrival.understood.message.text and arrival.email["size"] == len(raw)


def test_a_message_that_the_server_cannot_give_does_not_hold_up_the_others(
    setup: WatchSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup.once()
    _, broken, _ = put(setup.mailbox, 1, 2, 3)
    real = setup.mailbox.read

    async def read(ids: Any, *, raw: bool, most: int | None = None) -> Any:
        if raw and broken in ids:
            raise ProviderError("It is damaged.")
        return await real(ids, raw=raw, most=most)

    monkeypatch.setattr(setup.mailbox, "read", read)
    setup.follow(lambda told: told == 2)
    assert setup.subjects == numbers(1, 3)
    assert setup.left_out == [broken]
    monkeypatch.setattr(setup.mailbox, "read", real)
    assert setup.once() == numbers(2)


def test_only_one_program_watches_a_mailbox(tmp_path: Path) -> None:
    with only_watch(tmp_path, "maildir:/mail", ["INBOX"]):
        with (
            pytest.raises(BadArgument, match="already"),
            only_watch(tmp_path, "maildir:/mail", ()),
        ):
            pass
        with only_watch(tmp_path, "maildir:/mail", ["INBOX", "Sent"]):
            pass
    with only_watch(tmp_path, "maildir:/mail", ["INBOX"]):
        pass


def test_where_nobody_may_write_no_watch_begins(tmp_path: Path) -> None:
    (tmp_path / "watch").write_bytes(b"")
    with pytest.raises(NotRecorded, match="cannot be written"), only_watch(tmp_path, "maildir:/mail", ()):
        pass


def test_while_nothing_can_be_noted_nothing_more_is_told_and_afterwards_nothing_twice(
    setup: WatchSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(setup.mailbox, 1, 2, 3)
    setup.once()
    setup.said.clear()
    put(setup.mailbox, 4, 5, 6)
    meanwhile: list[list[str]] = []
    with monkeypatch.context() as fault:
        write = DocumentStore.write

        def full(self: DocumentStore, tx: Any, name: str, value: Any, expected_version: int) -> int:
            if name.startswith(WATCH_DOCUMENT):
                raise ProviderError("The disk is full.")
            return write(self, tx, name, value, expected_version)

        fault.setattr(DocumentStore, "write", full)

        async def pause(seconds: float) -> None:
            meanwhile.append(setup.subjects)
            if len(meanwhile) == 5:
                fault.undo()

        hooks = WatchHooks(
            arrived=setup.told.append,
            failed=lambda error, pause_s: setup.said.append(error.message),
            recovered=lambda error: setup.said.append(type(error).__name__),
        )

        async def run() -> None:
            watch = Watch(default_tier(environ=os.environ), hooks, owner=("me@example.org",), pause=pause)
            work = asyncio.ensure_future(watch.run(setup.open_server))
            async with asyncio.timeout(20):
                while not setup.said[1:] or len(setup.told) < 3:
                    await asyncio.sleep(0.005)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

        asyncio.run(run())
    assert meanwhile[:5] == [numbers(4)] * 5
    assert setup.subjects == numbers(4, 5, 6)
    assert "cannot be noted" in setup.said[0]
    assert setup.said[1:] == ["NotRecorded"]
    assert setup.once() == []


def test_a_position_in_another_form_starts_the_watch_at_now(setup: WatchSetup) -> None:
    setup.once()
    with setup.ledger.write() as tx:
        (name,) = [one for one in setup.ledger.documents.names(tx) if one.startswith(WATCH_DOCUMENT)]
        setup.ledger.documents.write(tx, name, {"INBOX": {"after": "the last one"}}, 1)
    put(setup.mailbox, 1)
    assert setup.once() == []
    put(setup.mailbox, 2)
    assert setup.once() == numbers(2)


def test_what_another_program_took_in_is_told(setup: WatchSetup) -> None:
    setup.once()
    put(setup.mailbox, 1)

    async def follow() -> None:
        async with setup.open_server() as copy:
            await copy.follow()

    asyncio.run(follow())
    assert setup.once() == numbers(1)


def test_what_was_there_first_is_told_once_however_often_that_is_cut_short(setup: WatchSetup) -> None:
    put(setup.mailbox, 1, 2, 3)
    hooks = WatchHooks(arrived=lambda arrival: _first_only(setup, arrival))
    for _ in range(2):
        with pytest.raises(BadArgument, match="full"):
            asyncio.run(setup.watch(everything=True, hooks=hooks).run(setup.open_server, once=True))
    put(setup.mailbox, 4)
    assert setup.once(everything=True) == numbers(2, 3, 4)
    assert setup.subjects == numbers(1, 2, 3, 4)


def _first_only(setup: WatchSetup, arrival: Arrival) -> None:
    if setup.told:
        raise BadArgument("The output is full.")
    setup.told.append(arrival)


def test_a_sync_tells_of_what_came_and_of_what_was_moved_but_not_of_a_first_listing(
    setup: WatchSetup,
) -> None:
    first, second = put(setup.mailbox, 1, 2, labels=("SPAM",))
    setup.once()
    (third,) = put(setup.mailbox, 3)
    asyncio.run(setup.mailbox.modify([first], add=["INBOX", "UNREAD"], remove=["SPAM"]))
    asyncio.run(setup.mailbox.modify([second], add=["UNREAD"], remove=[]))
    setup.once()
    with setup.ledger.read() as tx:
        events = setup.ledger.events.since(tx)
    assert [(one.kind, one.payload["messages"]) for one in events] == [
        ("mail.arrived", {third: ["INBOX", "UNREAD"]}),
        ("mail.moved", {first: ["INBOX"]}),
    ]
