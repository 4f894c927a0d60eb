"""Planned before, settled after: the states of an action and what each step leaves in the event log."""

from __future__ import annotations

from gaia_email.ledger import ActionOutcome, Ledger, NewAction, Selection
from tests.ledger.conftest import START, Clock


def planned(ledger: Ledger, count: int, *, run_id: str = "run", session_id: str | None = None) -> list[str]:
    actions = [
        NewAction(
            account_id="ann@example.com",
            message_id=f"m{number}",
            action_type="archive",
            payload={"remove": ["INBOX"]},
            reversal={"add": ["INBOX"]},
            run_id=run_id,
            session_id=session_id,
            level="L4",
            cohort="newsletters",
            why="a newsletter",
        )
        for number in range(count)
    ]
    with ledger.write() as tx:
        return [action.action_id for action in ledger.actions.plan(tx, actions)]


def kinds(ledger: Ledger) -> list[str]:
    with ledger.read() as tx:
        return [event.kind for event in ledger.events.since(tx)]


def test_an_action_goes_from_planned_to_applied_to_reversed(ledger: Ledger, clock: Clock) -> None:
    (one,) = planned(ledger, 1)
    clock.now += 5
    with ledger.write() as tx:
        (applied,) = ledger.actions.settle(
            tx, [ActionOutcome(action_id=one, reversal={"add": ["INBOX", "x"]})]
        )
    clock.now += 5
    with ledger.write() as tx:
        (gone,) = ledger.actions.reverse(tx, [one])
    assert (applied.state, applied.settled_at, applied.timestamp) == ("applied", START + 5, START)
    assert applied.reversal_payload == {"add": ["INBOX", "x"]}
    assert (gone.state, gone.reversed_at, gone.action_payload) == (
        "reversed",
        START + 10,
        {"remove": ["INBOX"]},
    )
    assert kinds(ledger) == ["action.planned", "action.applied", "action.reversed"]


def test_a_failure_is_kept_with_its_reason(ledger: Ledger) -> None:
    one, two = planned(ledger, 2)
    with ledger.write() as tx:
        ledger.actions.settle(
            tx, [ActionOutcome(action_id=one, state="failed", error="gone"), ActionOutcome(action_id=two)]
        )
        assert ledger.actions.count(tx, Selection(run_id="run")) == {"failed": 1, "applied": 1}
        failed = ledger.events.since(tx, kind="action.failed")[0]
    assert failed.payload == {"type": "archive", "cohort": "newsletters", "error": "gone"}


def test_no_step_is_taken_twice_nor_out_of_order(ledger: Ledger) -> None:
    one, two = planned(ledger, 2)
    with ledger.write() as tx:
        assert ledger.actions.reverse(tx, [one]) == []
        assert len(ledger.actions.settle(tx, [ActionOutcome(action_id=one)])) == 1
        assert ledger.actions.settle(tx, [ActionOutcome(action_id=one, state="failed")]) == []
        assert len(ledger.actions.reverse(tx, [one, two])) == 1
        assert ledger.actions.reverse(tx, [one]) == []
        assert ledger.actions.settle(tx, [ActionOutcome(action_id=one)]) == []
    assert kinds(ledger).count("action.reversed") == 1


def test_what_was_cut_short_is_found_at_the_next_start(ledger: Ledger) -> None:
    ids = planned(ledger, 4)
    with ledger.write() as tx:
        ledger.actions.settle(tx, [ActionOutcome(action_id=one) for one in ids[:2]])
    with ledger.read() as tx:
        assert [action.action_id for action in ledger.actions.open(tx)] == ids[2:]
        assert ledger.actions.open(tx, "other@example.com") == []


def test_actions_are_chosen_by_run_session_message_and_window(ledger: Ledger, clock: Clock) -> None:
    early = planned(ledger, 2, run_id="one")
    clock.now += 100
    late = planned(ledger, 3, run_id="two", session_id="chat")
    with ledger.read() as tx:
        log = ledger.actions

        def ids(chosen: Selection) -> list[str]:
            return [action.action_id for action in log.select(tx, chosen)]

        assert ids(Selection(run_id="one")) == early
        assert ids(Selection(session_id="chat")) == late
        assert ids(Selection(message_id="m0")) == [early[0], late[0]]
        assert ids(Selection(since=START + 1)) == late
        assert ids(Selection(until=START + 1)) == early
        assert ids(Selection(states=("applied",))) == []
        assert ids(Selection(types=("archive",), account_id="ann@example.com")) == early + late
        assert [a.action_id for a in log.select(tx, Selection(), limit=1, newest_first=True)] == [late[-1]]
        assert log.runs(tx, Selection()) == [("two", 3, START + 100), ("one", 2, START)]


def test_five_hundred_actions_are_one_transaction_and_the_chain_verifies(ledger: Ledger) -> None:
    ids = planned(ledger, 501)
    with ledger.write() as tx:
        moved = ledger.actions.settle(tx, [ActionOutcome(action_id=one) for one in reversed(ids)])
    assert [action.action_id for action in moved] == ids
    with ledger.read() as tx:
        assert ledger.events.verify(tx) is None
        assert ledger.events.last(tx) == 502
