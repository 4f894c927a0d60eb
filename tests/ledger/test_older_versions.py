"""After a new version of the program the card shows recent mail judged by it, and says what is not yet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from gaia_email.ledger import Ledger
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.triage import inbox, verdict_rows
from gaia_email.triage.inbox import Inbox, look_up, triage
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import Steps
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import START
from tests.ledger.post import ME, Direct, letter

AGES_D = (0, 10, 20, 40, 60, 80, 100)
"""How old each message is, in days; the last one is in the thread of the first."""

THREADS = ("first", "second", "third", "fourth", "fifth", "sixth")

OLD = "as an older version sums it up"
Build = Callable[[str], None]


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Build:
    """Makes the program another version of itself; the `old` one sums mail up in its own words."""
    real = BuiltinTier.judging
    version = ""

    def judging(self: BuiltinTier, prepared: Prepared, context: Context) -> Steps[Verdict]:
        verdict = yield from real(self, prepared, context)
        return replace(verdict, summary=OLD) if version == "old" else verdict

    def become(name: str) -> None:
        nonlocal version
        version = name
        monkeypatch.setattr(verdict_rows, "fingerprint", lambda: name)

    monkeypatch.setattr(BuiltinTier, "judging", judging)
    monkeypatch.setattr(inbox, "CAUGHT_UP", 1)
    become("old")
    return become


@pytest.fixture
def post() -> MemoryMailbox:
    made = MemoryMailbox(ME)
    for number, days in enumerate(AGES_D):
        date = format_datetime(datetime.fromtimestamp(START, UTC) - timedelta(days=days))
        thread = "first" if number == len(AGES_D) - 1 else THREADS[number]
        more = [("References", f"<{thread}@example.com>")]
        made.put(letter(f"S{number}", "Could you send me the plan?", date=date, more=more), ["INBOX"])
    made.put(sent(), ["SENT"])
    return made


def sent(more: Sequence[tuple[str, str]] = ()) -> bytes:
    """What the owner wrote a day ago."""
    date = format_datetime(datetime.fromtimestamp(START, UTC) - timedelta(days=1))
    return letter("Yes", "Here it is.", sender=ME, to="bob@example.net", date=date, more=more)


def look(post: MemoryMailbox, ledger: Ledger, *, older_stand: bool = True) -> Inbox:
    copy = MailCopy(Direct(post), ledger, account=ME)
    return asyncio.run(triage(copy, BuiltinTier(), now=START, owner=(ME,), older_stand=older_stand))


def old(found: Inbox) -> Sequence[int]:
    """The numbers of the messages that stand as the old version judged them."""
    numbers = [int(one.summary["subject"][1:]) for one in found.judged if one.verdict.summary == OLD]
    assert found.older == len(numbers)
    return sorted(numbers)


def test_threads_with_recent_mail_are_judged_at_once_and_the_others_look_by_look(
    post: MemoryMailbox, ledger: Ledger, build: Build
) -> None:
    first = look(post, ledger)
    assert first.older == 0 and {one.verdict.summary for one in first.judged} == {OLD}
    build("new")
    assert old(look(post, ledger)) == [4, 5], (
        "all before and the last are recent, the fourth is the first of the rest"
    )
    assert old(look(post, ledger)) == [5]
    last = look(post, ledger)
    assert old(last) == []
    direct = asyncio.run(triage(Direct(post), BuiltinTier(), now=START, owner=(ME,)))
    assert last.buckets == direct.buckets


def test_who_does_not_ask_for_it_gets_no_verdict_of_another_version(
    post: MemoryMailbox, ledger: Ledger, build: Build
) -> None:
    look(post, ledger)
    build("new")
    copy = MailCopy(Direct(post), ledger, account=ME)
    found = asyncio.run(look_up(copy, BuiltinTier(), "m6", now=START, owner=(ME,), entities=False))
    assert found.understood.verdict.summary != OLD
    assert old(look(post, ledger, older_stand=False)) == []
    assert old(look(post, ledger)) == []


def test_what_is_known_otherwise_now_is_judged_at_once(
    post: MemoryMailbox, ledger: Ledger, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "CAUGHT_UP", 0)
    look(post, ledger)
    build("new")
    post.put(sent([("References", "<fifth@example.com>")]), ["SENT"])
    assert old(look(post, ledger)) == [3, 5], "the fifth was answered meanwhile"
