"""A rejection is taken back within the time of its item, once, and never past a stop or an answer that came later."""

from __future__ import annotations

from datetime import timedelta

from gaia_email.actions.pending.inbox import void_all
from gaia_email.ledger import PendingItem
from tests.pending.asking import AskingBench


def rejected(bench: AskingBench) -> PendingItem:
    bench.put("low default offers")
    bench.ask()
    (item,) = bench.waiting()
    assert bench.reject(item, "not this one").result == "rejected"
    assert not bench.waiting()
    return item


def test_a_rejection_is_taken_back_once_and_the_item_can_be_answered_again(bench: AskingBench) -> None:
    item = rejected(bench)
    assert bench.reopen(item).result == "reopened"
    (again,) = bench.waiting()
    assert (again.item_id, again.state, again.answered_by, again.answer) == (item.item_id, "open", None, {})
    late = bench.reopen(item)
    assert late.result in ("taken", "refused") and late.reason and not late.counts
    assert bench.kinds()["approval.reopened"] == 1
    assert bench.approve(again).result == "approved"
    assert bench.verified()


def test_what_was_approved_is_not_reopened(bench: AskingBench) -> None:
    bench.put("low default offers")
    bench.ask()
    (item,) = bench.waiting()
    bench.approve(item)
    assert bench.reopen(item).result == "taken"


def test_after_a_stop_no_rejection_is_taken_back(bench: AskingBench) -> None:
    item = rejected(bench)
    with bench.ledger.write() as tx:
        void_all(bench.ledger, tx)
    assert bench.reopen(item).result == "taken"
    assert not bench.waiting()


def test_a_rejection_is_not_taken_back_once_its_time_is_over(bench: AskingBench) -> None:
    item = rejected(bench)
    assert item.expires_at is not None
    bench.now += timedelta(days=400)
    assert bench.reopen(item).result == "taken"
