"""The event log: order, seal, what `verify` finds, and cutting off old events."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from gaia_email.ledger import Ledger, NewLedgerEvent, open_ledger
from tests.ledger.conftest import START, Clock

TEXTS = ("kind", "actor", "account_id", "message_id", "sender", "subject", "payload", "previous", "hash")


def fill(ledger: Ledger, count: int) -> None:
    with ledger.write() as tx:
        for number in range(count):
            event = NewLedgerEvent(
                kind="message.triaged" if number % 2 else "action.applied",
                account_id="ann@example.com",
                message_id=f"m{number}",
                sender="Ödön <odon@example.org>",
                subject=f"Rechnung {number} 🧾",
                payload={"bucket": "urgent", "score": number / 7},
            )
            ledger.events.append(tx, event)


def test_events_come_back_in_order_with_everything_that_was_said(ledger: Ledger) -> None:
    fill(ledger, 3)
    with ledger.read() as tx:
        first, second, third = ledger.events.since(tx)
        assert ledger.events.since(tx, second.seq) == [third]
        assert [event.seq for event in ledger.events.since(tx, kind="action.*")] == [1, 3]
        assert [event.seq for event in ledger.events.since(tx, kind="message.triaged", limit=1)] == [2]
    assert (first.seq, first.at, first.subject) == (1, START, "Rechnung 0 🧾")
    assert second.payload == {"bucket": "urgent", "score": 1 / 7}


def test_an_event_is_gone_with_the_transaction_that_fails(ledger: Ledger) -> None:
    fill(ledger, 2)
    with pytest.raises(RuntimeError), ledger.write() as tx:
        ledger.events.append(tx, NewLedgerEvent(kind="run.started"))
        raise RuntimeError
    fill(ledger, 1)
    with ledger.read() as tx:
        assert [event.seq for event in ledger.events.since(tx)] == [1, 2, 3]
        assert ledger.events.verify(tx) is None


def test_text_that_no_database_takes_is_kept_as_far_as_it_goes(ledger: Ledger) -> None:
    with ledger.write() as tx:
        ledger.events.append(
            tx, NewLedgerEvent(kind="x", subject="a\0b\ud800c\U0001f600", payload={"k": "\ud800\0"})
        )
    with ledger.read() as tx:
        assert ledger.events.since(tx)[0].subject == "a\ufffdb\ufffdc\U0001f600"
        assert ledger.events.verify(tx) is None


def test_a_clock_that_goes_backwards_does_not_disturb_order_or_chain(ledger: Ledger, clock: Clock) -> None:
    for step in (0, 50, -100_000, 10, -3):
        clock.now = START + step
        fill(ledger, 2)
    with ledger.write() as tx:
        assert [event.seq for event in ledger.events.since(tx)] == list(range(1, 11))
        assert ledger.events.prune(tx, START) == 0
        assert ledger.events.prune(tx, START + 50) == 2
        assert ledger.events.verify(tx) is None


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("DELETE FROM events WHERE seq = 4", 4),
        ("DELETE FROM events WHERE seq = 9", 9),
        ("DELETE FROM events", 1),
        ("DELETE FROM event_head", 10),
        ("UPDATE events SET seq = 20 WHERE seq = 9", 9),
        ("UPDATE events SET message_id = NULL WHERE seq = 5", 5),
        ("UPDATE events SET run_id = '' WHERE seq = 5", 5),
        ("UPDATE events SET at = 'never' WHERE seq = 7", 7),
        ("UPDATE events SET at = 9e999 WHERE seq = 7", 7),
        ("UPDATE events SET subject = x'ff00ff' WHERE seq = 2", 2),
        ("UPDATE events SET subject = CAST(x'ff' AS TEXT) WHERE seq = 2", 2),
        ("INSERT INTO events SELECT 10, at, kind, actor, account_id, message_id, run_id, session_id, action_id,"
         " sender, subject, payload, hash, hash FROM events WHERE seq = 9", 10),
    ],
)  # fmt: skip
def test_verify_names_the_first_event_that_is_not_as_it_was(ledger: Ledger, change: str, seq: int) -> None:
    fill(ledger, 9)
    with ledger.write() as tx:
        assert ledger.events.verify(tx) is None
        tx.execute(text(change))
        broken = ledger.events.verify(tx)
    assert broken is not None
    assert broken.seq == seq


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    path = tmp_path_factory.mktemp("sealed") / "ledger.db"
    with open_ledger(clock=Clock(), url=f"sqlite:///{path}") as ledger:
        fill(ledger, 12)
        yield ledger


@settings(max_examples=150)
@given(st.data())
def test_any_changed_byte_of_a_stored_event_is_found(sealed: Ledger, data: st.DataObject) -> None:
    seq = data.draw(st.integers(1, 12))
    column = data.draw(st.sampled_from((*TEXTS, "at")))
    with pytest.raises(InterruptedError), sealed.write() as tx:
        kept = tx.execute(text(f"SELECT CAST({column} AS BLOB) FROM events WHERE seq = {seq}")).scalar_one()
        octets = bytearray(struct.pack(">d", START) if column == "at" else kept)
        place = data.draw(st.integers(0, len(octets) - 1))
        octets[place] ^= data.draw(st.integers(1, 255))
        changed: object = struct.unpack(">d", bytes(octets))[0] if column == "at" else bytes(octets)
        value = ":value" if column == "at" else "CAST(:value AS TEXT)"
        tx.execute(text(f"UPDATE events SET {column} = {value} WHERE seq = {seq}"), {"value": changed})
        broken = sealed.events.verify(tx)
        assert broken is not None
        assert broken.seq == seq
        raise InterruptedError  # put it back


def test_pruned_events_leave_a_sealed_checkpoint_and_the_chain_goes_on(ledger: Ledger, clock: Clock) -> None:
    for day in range(4):
        clock.now = START + day * 86_400
        fill(ledger, 5)
    with ledger.write() as tx:
        assert ledger.events.prune(tx, START + 86_400) == 5
        assert ledger.events.prune(tx, START + 2 * 86_400) == 5
        assert ledger.events.prune(tx, START + 2 * 86_400) == 0
        assert ledger.events.verify(tx) is None
        kinds = [event.kind for event in ledger.events.since(tx)]
        assert kinds.count("log.pruned") == 2
        assert ledger.events.count(tx) == 12
        first = ledger.events.since(tx, limit=1)[0]
        assert first.seq == 11


def test_when_everything_is_pruned_the_log_says_so_and_goes_on(ledger: Ledger, clock: Clock) -> None:
    fill(ledger, 3)
    with ledger.write() as tx:
        assert ledger.events.prune(tx, clock.now + 1e9) == 3
        assert [event.kind for event in ledger.events.since(tx)] == ["log.pruned"]
        assert ledger.events.verify(tx) is None
    fill(ledger, 2)
    with ledger.read() as tx:
        assert [event.seq for event in ledger.events.since(tx)] == [4, 5, 6]
        assert ledger.events.verify(tx) is None


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE checkpoints SET pruned = 4",
        "UPDATE checkpoints SET hash = seal",
        "DELETE FROM checkpoints",
        "DELETE FROM checkpoints WHERE seq = 5",
        "DELETE FROM checkpoints WHERE seq = 10",
        "DELETE FROM events WHERE seq = 11",
    ],
)
def test_a_changed_checkpoint_is_found(ledger: Ledger, clock: Clock, change: str) -> None:
    for day in range(3):
        clock.now = START + day * 86_400
        fill(ledger, 5)
    with ledger.write() as tx:
        ledger.events.prune(tx, START + 86_400)
        ledger.events.prune(tx, START + 2 * 86_400)
        tx.execute(text(change))
        assert ledger.events.verify(tx) is not None
