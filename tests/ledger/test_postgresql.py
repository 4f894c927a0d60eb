"""The same ledger on PostgreSQL: `LEDGER_TEST_URL=postgresql://user@host/database` with one that may be emptied."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from gaia_email.ledger import Damaged, Ledger, LostRace, NewAction, Outcome, Selection, open_ledger
from gaia_mail_mcp.memory import MemoryMailbox
from gaia_mail_mcp.query.grammar import parse_query
from tests.ledger.conftest import Clock
from tests.ledger.post import ME, follow
from tests.ledger.test_events import fill
from tests.ledger.test_search import LABELS, LETTERS, NOW, PHRASES, WORDS, find

URL = os.environ.get("LEDGER_TEST_URL", "")

pytestmark = pytest.mark.skipif(not URL, reason="LEDGER_TEST_URL names no PostgreSQL database")


def run(*statements: str) -> None:
    engine = create_engine(URL.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as server:
        for statement in statements:
            server.execute(text(statement))
    engine.dispose()


def emptied() -> None:
    run("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


@pytest.fixture
def ledger(clock: Clock) -> Iterator[Ledger]:
    emptied()
    with open_ledger(clock=clock, url=URL) as opened:
        yield opened


def test_events_actions_and_documents_are_as_on_sqlite(ledger: Ledger) -> None:
    fill(ledger, 5)
    action = NewAction(account_id=ME, message_id="m", action_type="archive", payload={}, action_id="1")
    with ledger.write() as tx:
        ledger.actions.plan(tx, [action])
        ledger.actions.settle(tx, [Outcome(action_id="1")])
        assert ledger.actions.count(tx, Selection()) == {"applied": 1}
        ledger.documents.write(tx, "policy", {"a": 1}, 0)
        with pytest.raises(LostRace):
            ledger.documents.write(tx, "policy", {"a": 2}, 0)
        assert ledger.events.verify(tx) is None
        tx.execute(text("UPDATE events SET subject = 'x' WHERE seq = 3"))
        broken = ledger.events.verify(tx)
        assert broken is not None
        assert broken.seq == 3
    assert ledger.check() is None


def test_searches_find_what_the_mailbox_finds(ledger: Ledger) -> None:
    post = MemoryMailbox(ME, now=lambda: NOW)
    for raw, labels in zip(LETTERS, LABELS, strict=True):
        post.put(raw, labels)
    follow(post, ledger)
    for query in (*WORDS.split(), *PHRASES, "", "dinner OR invoice", "-noon in:anywhere"):
        wanted = set(asyncio.run(post.search(parse_query(query), limit=100)).ids)
        for found in (find(ledger, query), find(ledger, query, order="best")):
            assert {hit.message.message_id for hit in found.hits} == wanted, query
    assert ledger.purge("everything")["messages"] == len(LETTERS)
    assert find(ledger, "in:anywhere").total == 0


def test_it_is_opened_again_and_a_foreign_database_is_refused(ledger: Ledger) -> None:
    fill(ledger, 2)
    with open_ledger(url=URL) as again, again.read() as tx:
        assert again.events.last(tx) == 2
    emptied()
    run("CREATE TABLE diary (entry TEXT)")
    with pytest.raises(Damaged):
        open_ledger(url=URL)
