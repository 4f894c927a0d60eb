"""One measured piece of work on a ledger, in a process of its own: `python -m benchmarks.ledger_work WHAT FOLDER`.

`sync` copies a Maildir through the tools into a new ledger, `search` times searches of the newest 50 in 50,000
messages, `triage` times a triage of a Maildir, what the copy of mail adds to it, and the writes of its actions. It
prints JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gaia_email.ledger import ActionOutcome, Ledger, MessageState, NewAction, NewLedgerEvent, open_ledger
from gaia_email.ledger.cache import CachedMessage
from gaia_email.ledger.search import Order, search
from gaia_email.ledger.search_index import SearchScope
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import MailReader
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.mailbox.sync import sync_mail
from gaia_email.triage.inbox import triage
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.servers import ServerSpec
from gaia_mail.query.grammar import parse_query

MESSAGES = 50_000
QUERIES = (
    "",
    "invoice",
    "is:unread",
    "in:inbox meeting",
    "subject:report",
    "invoice -is:starred newer_than:20y",
    "invoice OR meeting",
    "invoice OR is:starred",
    "-invoice",
    "from:example.com",
    "from:nobody",
    "label:no-such-label",
    "before:1999/01/01",
    "larger:10M",
    "from:bob invoice",
    '"security alert"',
    "has:document",
    "label:work invoice",
    "is:starred OR from:bob",
)
TIMES = 40
BATCH = 100


def _server(folder: str) -> ServerSpec:
    return MailboxRef(kind="maildir", path=folder).reading(os.environ)


async def _sync(folder: str, ledger: Ledger) -> int:
    async with open_mail(_server(folder)) as mail:
        return (await sync_mail(mail, ledger)).added


def sync(folder: str) -> dict[str, float]:
    """Headers, text and full-text index of everything; importing and opening are counted."""
    with open_ledger() as ledger:
        return {"messages": asyncio.run(_sync(folder, ledger)), "cpu": time.process_time()}


def searching(folder: str) -> dict[str, float]:
    """Median milliseconds of CPU time of a search of the newest 50, and of the best 50; the slowest of the queries."""
    with open_ledger() as ledger:
        asyncio.run(_sync(folder, ledger))
        _multiply(ledger)
        newest = {query: _median_ms(ledger, query, "newest") for query in QUERIES}
        best = {query: _median_ms(ledger, query, "best") for query in QUERIES}
    return {"newest": max(newest.values()), "best": max(best.values()), **newest}


def _multiply(ledger: Ledger) -> None:
    """The copied messages again and again under other ids and other dates, until there are enough."""
    with ledger.read() as tx:
        ids = list(tx.exec_driver_sql("SELECT message_id FROM messages").scalars())
        account = str(tx.exec_driver_sql("SELECT account_id FROM messages").scalar())
        messages = list(ledger.cache.get(tx, account, ids, texts=True).values())
    for start in range(len(messages), MESSAGES, BATCH * 5):
        with ledger.write() as tx:
            ledger.cache.put(tx, list(_others(messages, start, min(BATCH * 5, MESSAGES - start))))


def _others(messages: list[CachedMessage], start: int, count: int) -> Iterator[CachedMessage]:
    for number in range(start, start + count):
        one = messages[number % len(messages)]
        yield replace(one, message_id=f"{one.message_id}.{number}", date=(one.date or 0) + number)


def _median_ms(ledger: Ledger, query: str, order: Order) -> float:
    parsed = parse_query(query)
    with ledger.read() as tx:
        (state,) = ledger.cache.states(tx)
    scope = SearchScope(account_id=state.account_id)
    times: list[float] = []
    for _ in range(TIMES):
        with ledger.read() as tx:
            started = time.process_time()
            search(tx, parsed, now=time.time(), order=order, limit=50, scope=scope)
            times.append(time.process_time() - started)
    return statistics.median(times) * 1000


def writing(folder: str) -> dict[str, float]:
    """CPU seconds of a triage, of what the copy adds to it, and of the writes where each message is acted upon."""
    triaged, messages = _triaged(folder, None)
    with open_ledger() as ledger:
        copied, _ = _triaged(folder, ledger)
        started = time.process_time()
        for start in range(0, messages, BATCH):
            _write(ledger, range(start, min(start + BATCH, messages)))
        written = time.process_time() - started
    return {"messages": messages, "triage": triaged, "copy": copied - triaged, "writes": written}


def _triaged(folder: str, ledger: Ledger | None) -> tuple[float, int]:
    """CPU seconds and messages of a triage of the mailbox, or of the copy that it makes first."""

    async def run() -> int:
        async with open_mail(_server(folder)) as mail:
            source: MailReader = (
                mail
                if ledger is None
                else MailCopy(mail, ledger, account=MailboxRef(kind="maildir", path=folder).key)
            )
            return (await triage(source, default_tier(environ=os.environ), now=time.time())).total

    started = time.process_time()
    messages = asyncio.run(run())
    return time.process_time() - started, messages


def _write(ledger: Ledger, numbers: range) -> None:
    """Verdicts, and an action each that is planned in one transaction and settled in the next; with their events."""
    account, run = "ann@example.com", "00000000-0000-4000-8000-000000000000"
    state = MessageState(
        account_id=account,
        message_id="",
        thread_id="thread",
        processed_at=time.time(),
        content_hash="0" * 64,
        speech_act="fyi",
        content_category="newsletters",
        bucket="low_priority",
        priority_score=0.1,
        priority_reason="a newsletter that you have never answered",
        cohort="newsletters",
        confidence=0.93,
        run_id=run,
        pipeline_version="1",
        model_used="T0",
    )
    action = NewAction(
        account_id=account,
        message_id="",
        action_type="archive",
        payload={"remove": ["INBOX"]},
        reversal={"tool": "modify_email", "arguments": {"addLabelIds": ["INBOX"]}},
        run_id=run,
        level="L5",
        cohort="newsletters",
        why=state.priority_reason,
    )
    with ledger.write() as tx:
        ledger.verdicts.put(tx, [replace(state, message_id=str(number)) for number in numbers])
        ledger.events.append(tx, NewLedgerEvent(kind="run.started", account_id=account, run_id=run))
        ids = [f"{number:08d}-0000-4000-8000-000000000000" for number in numbers]
        new = [
            replace(action, message_id=str(number), action_id=id_)
            for number, id_ in zip(numbers, ids, strict=True)
        ]
        ledger.actions.plan(tx, new)
    with ledger.write() as tx:
        ledger.actions.settle(tx, [ActionOutcome(action_id=id_) for id_ in ids])


WORK = {"sync": sync, "search": searching, "triage": writing}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="gaia-bench-home-") as home:
        os.environ["GAIA_HOME"] = home
        sys.stdout.write(json.dumps(WORK[sys.argv[1]](str(Path(sys.argv[2])))) + "\n")
