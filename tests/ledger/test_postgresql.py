"""The same ledger, and runs, on a PostgreSQL that the tests start: `python -m pytest -m postgresql`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from gaia_email.ledger import (
    ActionOutcome,
    Ledger,
    LedgerDamaged,
    LostRace,
    NewAction,
    Selection,
    open_ledger,
)
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.runs.files import runs_file
from gaia_email.runs.history import runs
from gaia_email.runs.host import execute
from gaia_mail.query.grammar import parse_query
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import Clock
from tests.ledger.post import ME, Direct, Shaky, follow, letter
from tests.ledger.postgresql_server import started
from tests.ledger.test_events import fill
from tests.ledger.test_search import LABELS, LETTERS, NOW, PHRASES, WORDS, find
from tests.runs.mailbox import Box

MIXED = (
    "dinner OR is:starred",
    "-(noon is:unread)",
    "noon -dinner is:read",
    "menu (invoice OR is:important)",
)

pytestmark = [pytest.mark.postgresql, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a database that may be emptied."""
    with started() as url:
        yield url


def run(url: str, *statements: str) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connected:
        for statement in statements:
            connected.execute(text(statement))
    engine.dispose()


def emptied(url: str) -> None:
    run(url, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


@pytest.fixture
def ledger(clock: Clock, server: str) -> Iterator[Ledger]:
    emptied(server)
    with open_ledger(clock=clock, url=server) as opened:
        yield opened


def test_a_triage_and_its_runs_are_durable_there(
    server: str, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    emptied(server)
    monkeypatch.setenv("GAIA_EMAIL_DATABASE_URL", server)
    monkeypatch.setenv("GAIA_EMAIL_RUNS_URL", server.rpartition("/")[0] + "/runs")
    run(server, "DROP SCHEMA IF EXISTS dbos CASCADE")
    box.fill(6)
    told = execute(box.job("r1"), environ=os.environ)
    assert (told["messages"], told["actions"], told["applied"]) == (6, 6, 6)
    assert [(one.id, one.state, one.actions) for one in runs(box.environ)] == [("r1", "completed", 6)]
    again = execute(box.job("r2"), environ=os.environ)
    assert (again["messages"], again["actions"]) == (0, 0)
    assert {action.state for action in box.actions()} == {"applied"}
    assert box.kinds()["run.finished"] >= 1
    assert not runs_file(box.environ).exists()


def test_events_actions_and_documents_are_as_on_sqlite(ledger: Ledger) -> None:
    fill(ledger, 5)
    action = NewAction(account_id=ME, message_id="m", action_type="archive", payload={}, action_id="1")
    with ledger.write() as tx:
        ledger.actions.plan(tx, [action])
        ledger.actions.settle(tx, [ActionOutcome(action_id="1")])
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
    for query in (*WORDS.split(), *PHRASES, "", "dinner OR invoice", "-noon in:anywhere", *MIXED):
        wanted = set(asyncio.run(post.search(parse_query(query), limit=100)).ids)
        for found in (find(ledger, query), find(ledger, query, order="best")):
            assert {hit.message.message_id for hit in found.hits} == wanted, query
    assert ledger.purge("everything")["messages"] == len(LETTERS)
    assert find(ledger, "in:anywhere").total == 0


def test_it_is_opened_again_and_a_foreign_database_is_refused(ledger: Ledger, server: str) -> None:
    fill(ledger, 2)
    with open_ledger(url=server) as again, again.read() as tx:
        assert again.events.last(tx) == 2
    emptied(server)
    run(server, "CREATE TABLE diary (entry TEXT)")
    with pytest.raises(LedgerDamaged):
        open_ledger(url=server)


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    return Box(tmp_path)


def test_the_copy_of_mail_is_read_as_on_sqlite(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    for number in range(5):
        post.put(letter(f"Subject {number}", f"Body {number}"), ["INBOX"])
    wanted = ["m1", "m3"]
    for asked in ([wanted], []):
        mail = Shaky(Direct(post))
        answer = asyncio.run(MailCopy(mail, ledger, account=ME).read_emails(wanted))
        assert answer["emails"] == asyncio.run(Direct(post).read_emails(wanted))["emails"]
        assert mail.reads == asked
    copy = MailCopy(Direct(post), ledger, account=ME)
    listed = asyncio.run(copy.list_emails(limit=500))["emails"]
    assert sorted(one["id"] for one in listed) == ["m1", "m2", "m3", "m4", "m5"]
    follow(post, ledger)
    asyncio.run(post.modify(["m1"], add=[], remove=["INBOX"]))
    follow(post, ledger)
    with ledger.read() as tx:
        held = [summary["id"] for summary, _ in ledger.cache.sources.bodies(tx, ME, ["m1", "m3"])]
    assert held == ["m3"]
