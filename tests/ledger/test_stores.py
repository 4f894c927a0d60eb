"""Verdicts, corrections, senders, documents, confirmations and the Agent Inbox, as rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaia_email.ledger import (
    Ledger,
    LostRace,
    MessageState,
    NewCorrection,
    NewItem,
    StoredSender,
    VerdictFields,
)
from gaia_email.ledger.action_log import new_id
from gaia_email_registry.approvals import ApprovalRequest
from tests.ledger.conftest import START, Clock
from tests.origins import PERSON

STATE = MessageState(
    account_id="ann@example.com",
    message_id="m1",
    thread_id="t1",
    processed_at=START,
    content_hash="abc",
    speech_act="request",
    content_category="primary",
    bucket="urgent",
    priority_score=0.9,
    priority_reason="she asks you",
    cohort="default",
    confidence=0.8,
    run_id="run",
    pipeline_version="1",
    model_used="T0",
)


def test_a_newer_verdict_replaces_the_older(ledger: Ledger) -> None:
    with ledger.write() as tx:
        ledger.verdicts.put(tx, [STATE, replace(STATE, message_id="m2", priority_score=0.95)])
        ledger.verdicts.put(tx, [replace(STATE, bucket="low_priority")])
        assert ledger.verdicts.get(tx, "ann@example.com", ["m1", "m3"])["m1"].bucket == "low_priority"
        assert ledger.verdicts.get(tx, "other@example.com", ["m1"]) == {}
        assert [state.message_id for state in ledger.verdicts.of_run(tx, "run")] == ["m2", "m1"]
        ledger.verdicts.forget(tx, "ann@example.com", ["m1"])
        assert ledger.verdicts.count(tx, "ann@example.com") == 1


def test_a_correction_can_be_taken_back_once(ledger: Ledger) -> None:
    new = NewCorrection(
        account_id="ann@example.com",
        message_id="m1",
        original=VerdictFields(bucket="urgent", score=0.9),
        corrected=VerdictFields(bucket="low_priority"),
        source="cli",
        sender="shop@example.org",
        features={"bulk": 1},
    )
    with ledger.write() as tx:
        first = ledger.corrections.record(tx, new)
        second = ledger.corrections.record(tx, replace(new, message_id="m2"))
        assert ledger.corrections.retract(tx, first)
        assert not ledger.corrections.retract(tx, first)
        assert [one.id for one in ledger.corrections.since(tx)] == [second]
        assert [one.id for one in ledger.corrections.since(tx, retracted=True)] == [first, second]
        assert ledger.corrections.of_message(tx, "ann@example.com", "m1") == []
        (kept,) = ledger.corrections.of_message(tx, "ann@example.com", "m2")
    assert (kept.original, kept.corrected.bucket, kept.features) == (
        new.original,
        "low_priority",
        {"bulk": 1},
    )


def test_a_vip_stays_one_until_the_user_says_otherwise(ledger: Ledger) -> None:
    with ledger.write() as tx:
        ledger.senders.put(tx, [StoredSender(account_id="a", sender="bo@example.org", message_count=3)])
        assert ledger.senders.set_override(tx, "a", "Bo@Example.org", "vip")
        assert not ledger.senders.set_override(tx, "a", "bo@example.org", "vip")
        assert ledger.senders.set_override(tx, "a", "new@example.org", "muted")
        assert [one.sender for one in ledger.senders.overridden(tx, "a", "vip")] == ["bo@example.org"]
        assert ledger.senders.get(tx, "a", ["BO@example.org"])["bo@example.org"].message_count == 3
        assert ledger.senders.set_override(tx, "a", "bo@example.org", None)
        assert ledger.senders.overridden(tx, None, "vip") == []


def test_a_document_is_written_only_over_the_version_that_was_read(ledger: Ledger) -> None:
    with ledger.write() as tx:
        assert ledger.documents.read(tx, "policy") is None
        assert ledger.documents.write(tx, "policy", {"a": 1}, 0) == 1
        assert ledger.documents.write(tx, "policy", {"a": 2}, 1) == 2
        for stale in (0, 1, 7):
            with pytest.raises(LostRace, match="changed meanwhile"):
                ledger.documents.write(tx, "policy", {"a": 3}, stale)
        found = ledger.documents.read(tx, "policy")
        assert found is not None
        assert (found.version, found.value) == (2, {"a": 2})
        assert ledger.documents.names(tx) == ["policy"]


def question(ledger: Ledger) -> str:
    new = ApprovalRequest(
        call="f" * 64,
        account="ann@example.com",
        tool="send_email",
        arguments={"to": ["bo@example.org"]},
        fields={"line": "would send"},
        expires_at=ledger.clock() + 60,
        origin=PERSON,
    )
    with ledger.write() as tx:
        return ledger.approvals(tx).put(new, approval_id=new_id()).approval_id


def test_a_confirmation_is_used_once_and_only_for_its_own_call(ledger: Ledger) -> None:
    one = question(ledger)
    with ledger.write() as tx:
        store = ledger.approvals(tx)
        assert not store.take("f" * 64, approval_id=one)
        assert [asked.approval_id for asked in store.waiting()] == [one]
        assert store.answer(one, "granted", by="cli")
        assert not store.answer(one, "refused", by="web")
        assert not store.take("e" * 64, approval_id=one)
        assert store.take("f" * 64, approval_id=one)
        assert not store.take("f" * 64, approval_id=one)
        found = store.get(one)
        assert found is not None
        assert (found.state, found.answered_by, found.used_at) == ("used", "cli", START)
        assert store.waiting() == []


def test_an_expired_confirmation_does_nothing(ledger: Ledger, clock: Clock) -> None:
    one, two = question(ledger), question(ledger)
    with ledger.write() as tx:
        store = ledger.approvals(tx)
        store.answer(two, "granted", by="cli")
        clock.now += 60
        assert store.waiting() == []
        assert not store.answer(one, "granted", by="cli")
        assert not store.take("f" * 64, approval_id=two)
        assert store.expire() == sorted([one, two])
        assert store.expire() == []


def test_an_answer_in_one_place_closes_the_item_everywhere(ledger: Ledger, clock: Clock) -> None:
    base = NewItem(
        type="question", account_id="ann@example.com", proposal={"do": "archive"}, cohort="vip", origin=PERSON
    )
    store = ledger.pending
    with ledger.write() as tx:
        one, two, three, four = store.add(
            tx,
            [
                base,
                replace(base, item_id="2", type="notify", cohort="social"),
                replace(base, item_id="3", expires_at=clock.now + 10),
                replace(base, item_id="4", run_id="run"),
            ],
        )
        assert [item.item_id for item in store.select(tx)] == [one.item_id, "2", "3", "4"]
        assert [item.item_id for item in store.select(tx, type="notify", cohort="social")] == [two.item_id]
        assert store.answer(tx, one.item_id, "approved", by="cli", answer={"edits": {"label": "x"}})
        assert not store.answer(tx, one.item_id, "rejected", by="web")
        clock.now += 10
        assert not store.answer(tx, three.item_id, "approved", by="cli")
        assert store.expire(tx) == ["3"]
        assert store.void(tx, run_id="run") == [four.item_id]
        assert [item.item_id for item in store.select(tx)] == ["2"]
        answered = store.get(tx, one.item_id)
    assert answered is not None
    assert (answered.state, answered.answered_by, answered.answer) == (
        "approved",
        "cli",
        {"edits": {"label": "x"}},
    )
