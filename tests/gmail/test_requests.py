"""What reading mail costs on Gmail: commands read the copy, and ask for news and for bodies that are not here yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.printed import Ran, Run
from tests.contract.suite import many, write_message
from tests.gmail.program import CONNECT, Google

MESSAGES = 48
"""The id of the last one, 0x30, is the only one that begins as it does without its last digit."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a command asked of Gmail; a refreshed token is asked of another service."""

    ran: Ran
    requests: int
    units: int
    calls: dict[str, int]

    @property
    def document(self) -> Any:
        """What it printed."""
        return json.loads(self.ran.out)


class Counted:
    """Runs commands and counts what each asks of Gmail."""

    def __init__(self, run: Run, google: Google) -> None:
        self._run = run
        self.google = google

    def __call__(self, *args: str) -> Cost:
        """A command that prints one JSON document."""
        return self.asking(*args, "--json")

    def asking(self, *args: str) -> Cost:
        """A command that succeeds."""
        emulator = self.google.emulator
        emulator.forget_requests()
        ran = self._run(*args)
        assert ran.code == 0, ran.err
        asked = [seen for seen in emulator.requests if seen.calls]
        return Cost(ran=ran, requests=len(asked), units=emulator.units, calls=dict(emulator.calls))

    def refused(self, *args: str) -> str:
        """What a command says that fails."""
        ran = self._run(*args, "--json")
        assert ran.code != 0
        return ran.err


@pytest.fixture(name="counted")
def counted_fixture(run: Run, google: Google, home: Path) -> Counted:
    """A connected account with mail in it."""
    for seed in many(MESSAGES):
        google.emulator.account.mailbox.put(seed.raw, seed.labels)
    google.do(google.emulator.account.settle())
    assert run(*CONNECT).code == 0
    return Counted(run, google)


def ids_of(counted: Counted) -> list[str]:
    """Gmail's ids, oldest first."""
    return list(counted.google.emulator.account.kept)


def rows_of(document: Any) -> list[tuple[str, str, float, str]]:
    """What an inbox says of its threads, but for how old they are by now."""
    return [
        (bucket, row["id"], row["priority"], row["reason"])
        for bucket, rows in document["buckets"].items()
        for row in rows
    ]


def test_a_first_inbox_lists_the_account_once_and_reads_each_message_once(counted: Counted) -> None:
    first = counted("inbox")
    assert first.document["total"] == MESSAGES
    assert first.calls["messages.list"] == 1
    assert first.calls["messages.get"] == 2 * MESSAGES, "each once for its headers, once for its text"
    assert first.requests <= 7


def test_a_second_inbox_asks_only_for_news_and_says_the_same(counted: Counted) -> None:
    first = counted("inbox")
    second = counted("inbox")
    assert second.requests <= 3
    assert second.units <= 10
    assert "messages.get" not in second.calls and "messages.list" not in second.calls
    assert rows_of(second.document) == rows_of(first.document)


def test_one_new_message_costs_that_message(counted: Counted) -> None:
    counted("inbox")
    counted.google.do(counted.google.emulator.deliver(write_message(900, subject="Can you call me?")))
    news = counted("inbox")
    assert news.document["total"] == MESSAGES + 1
    assert news.calls["messages.get"] == 2
    assert news.requests <= 4


@pytest.mark.parametrize("command", ["why", "show"])
def test_one_message_is_looked_up_in_the_copy(counted: Counted, command: str) -> None:
    counted("inbox")
    wanted = ids_of(counted)[-1]
    found = counted(command, wanted)
    assert found.document["id"] == wanted
    assert found.requests <= 2
    assert found.units <= 10
    by_beginning = counted(command, wanted[:-1])
    assert by_beginning.document["id"] == wanted
    assert by_beginning.requests <= 2


def test_a_correction_reads_the_copy(counted: Counted) -> None:
    counted("inbox")
    said = counted("correct", ids_of(counted)[3], "--bucket", "urgent")
    assert said.document["bucket"] == "urgent"
    assert said.requests <= 2
    assert said.units <= 10


def test_a_body_outside_the_inbox_is_asked_for_once(counted: Counted) -> None:
    account = counted.google.emulator.account
    wanted = account.outer(account.mailbox.put(write_message(901), ["Work"]))
    counted.google.do(account.settle())
    counted("inbox")
    first = counted("why", wanted)
    assert first.calls["messages.get"] == 1
    assert first.requests <= 2
    assert first.units <= 10
    again = counted("why", wanted)
    assert "messages.get" not in again.calls
    assert rows_without_age(again.document) == rows_without_age(first.document)


def rows_without_age(document: Any) -> dict[str, object]:
    """What is said of a message, but for how old it is by now."""
    return {name: value for name, value in document.items() if name != "age_s"}


def test_what_is_gone_from_the_account_is_gone_from_the_copy(counted: Counted) -> None:
    counted("inbox")
    gone = ids_of(counted)[-1]
    account = counted.google.emulator.account
    counted.google.do(account.mailbox.delete([account.inner(gone)]))
    counted.google.do(account.settle())
    assert counted("inbox").document["total"] == MESSAGES - 1
    lost = counted.refused("why", gone)
    assert "No message here has the id" in lost


def test_a_search_after_an_inbox_reads_only_what_the_inbox_did_not(counted: Counted) -> None:
    account = counted.google.emulator.account
    for number in range(5):
        account.mailbox.put(write_message(910 + number), ["Work"])
    counted.google.do(account.settle())
    counted("inbox")
    offline = counted("search", "message", "--offline")
    assert "Of 5 messages only the headers are on this machine" in offline.ran.err
    found = counted("search", "message")
    assert "only the headers" not in found.ran.err
    assert found.calls["messages.get"] == 5
    assert found.document["searched"] == MESSAGES + 5
    assert "messages.get" not in counted("inbox").calls


def test_a_watch_begins_with_the_copy_and_takes_it_along(counted: Counted) -> None:
    counted("inbox")
    begun = counted.asking("watch", "--once", "--jsonl")
    assert "messages.list" not in begun.calls and "messages.get" not in begun.calls
    counted.google.do(counted.google.emulator.deliver(write_message(920, subject="Can you call me?")))
    told = counted.asking("watch", "--once", "--jsonl")
    assert "Can you call me?" in told.ran.out
    assert told.calls["messages.get"] == 2
    later = counted("inbox")
    assert later.document["total"] == MESSAGES + 1
    assert "messages.get" not in later.calls, "the watch has kept what it read"
