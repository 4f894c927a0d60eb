"""What agents ask the owner: it stands in the Agent Inbox, a person answers it there, and the agent is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.pending.inbox import AgentInbox
from gaia_email.ledger import PendingItem
from gaia_email_control.broker.owner_questions import MOST_OPEN
from gaia_email_control.store import ControlStore
from gaia_email_registry.errors import BadArgument, RateLimited
from tests.plugins.control.brokering import WHO, BrokerBench, Json, invocation, question, work_item


@pytest.fixture
def talking(tmp_path: Path) -> Iterator[BrokerBench]:
    bench = BrokerBench(f"sqlite:///{tmp_path / 'ledger.db'}")
    bench.begin()
    yield bench
    bench.ledger.close()


def no_mailbox(account: str) -> AbstractAsyncContextManager[AccountSession]:
    raise AssertionError(f"the mailbox {account} was opened")


def inbox(bench: BrokerBench) -> AgentInbox:
    return AgentInbox(bench.ledger, no_mailbox, by="tests")


def waiting(bench: BrokerBench) -> list[PendingItem]:
    return inbox(bench).list_pending()


def answer(bench: BrokerBench, *, yes: bool, reason: str = "") -> None:
    """As a person does, in the Agent Inbox; the only thing that waits there."""
    (item,) = waiting(bench)
    if yes:
        assert asyncio.run(inbox(bench).approve(item.item_id)).counts
    else:
        assert inbox(bench).reject(item.item_id, reason).counts
    bench.flights.go_on()


def record(bench: BrokerBench, record_id: str = "q1") -> Json:
    with bench.ledger.read() as tx:
        return dict(ControlStore.of(bench.ledger).get(tx, "collaboration.upserted", record_id) or {})


def happened(bench: BrokerBench) -> list[Json]:
    with bench.ledger.read() as tx:
        return [dict(one) for one in ControlStore.of(bench.ledger).select(tx, "collaboration.event.appended")]


def flight_state(bench: BrokerBench, flight_id: str) -> object:
    with bench.ledger.read() as tx:
        return (ControlStore.of(bench.ledger).get(tx, "flight.updated", flight_id) or {})["state"]


def blocking(invocation_id: str) -> list[Json]:
    return [{"kind": "blocks", "targetId": invocation_id}]


def test_a_question_stands_in_the_agent_inbox_and_a_yes_there_answers_it(talking: BrokerBench) -> None:
    talking.send(question("q1", "ann", summary="The invoice is from Monday."), "ann")
    talking.send(question("q1", "ann", summary="The invoice is from Monday."), "ann")
    (item,) = waiting(talking)
    assert (item.type, item.account_id, item.proposal["asked"]) == (
        "question",
        "agent:ann",
        "The invoice is from Monday.",
    )
    answer(talking, yes=True)
    now = record(talking)
    assert (now["state"], now["acceptanceState"], now["nextMoveOwnerId"]) == ("answered", "accepted", "ann")
    assert [(one["kind"], one["actorId"]) for one in happened(talking)] == [
        ("answered", WHO.owner_id),
        ("accepted", WHO.owner_id),
    ]
    before = talking.kinds()
    talking.flights.go_on()
    assert talking.kinds() == before
    assert talking.models() == talking.rebuilt()


def test_a_no_declines_it_with_its_reason_and_is_not_taken_back(talking: BrokerBench) -> None:
    talking.send(question("q1", "ann"), "ann")
    (item,) = waiting(talking)
    answer(talking, yes=False, reason="Not today.")
    assert (record(talking)["state"], record(talking)["acceptanceState"]) == ("declined", "none")
    assert [(one["kind"], one["summary"]) for one in happened(talking)] == [("declined", "Not today.")]
    assert inbox(talking).reopen(item.item_id).result == "refused"


def test_what_an_agent_asks_of_others_and_its_work_are_not_the_owners_to_answer(talking: BrokerBench) -> None:
    talking.send(question("q1", "ann", askedOfId="bob", nextMoveOwnerId="bob"), "ann")
    talking.send(work_item("w1", "ann"), "ann")
    assert waiting(talking) == []


def test_an_agent_withdraws_and_rewords_what_it_asked_and_an_older_wording_is_not_answered(
    talking: BrokerBench,
) -> None:
    talking.send(question("q1", "ann"), "ann")
    (first,) = waiting(talking)
    talking.send(question("q1", "ann", title="May I really?", updatedAt=2), "ann")
    (second,) = waiting(talking)
    assert first.item_id != second.item_id
    assert asyncio.run(inbox(talking).approve(first.item_id)).result == "taken"
    withdrawn = question("q1", "ann", title="May I really?", state="closed", nextMoveOwnerId=None)
    talking.send(withdrawn, "ann")
    assert waiting(talking) == []
    assert happened(talking) == []


def test_the_owners_own_command_closes_the_item(talking: BrokerBench) -> None:
    for state, closed, left in (("answered", "approved", "ann"), ("declined", "rejected", None)):
        talking.send(question(state, "ann"), "ann")
        (item,) = waiting(talking)
        accepted = "accepted" if state == "answered" else "none"
        talking.send(question(state, "ann", state=state, acceptanceState=accepted, nextMoveOwnerId=left))
        with talking.ledger.read() as tx:
            found = talking.ledger.pending.get(tx, item.item_id)
        assert found is not None
        assert (found.state, found.answered_by) == (closed, "control")
        before = talking.kinds()
        talking.flights.go_on()
        assert talking.kinds() == before


@pytest.mark.parametrize("asks_first", [True, False])
@pytest.mark.parametrize(("yes", "ends"), [(True, "queued"), (False, "cancelled")])
def test_a_flight_that_a_question_blocks_goes_on_with_its_answer(
    talking: BrokerBench, asks_first: bool, yes: bool, ends: str
) -> None:
    commands = [question("q1", "ann", relations=blocking("i1")), invocation("i1", "ann")]
    for command in commands if asks_first else commands[::-1]:
        talking.send(command, "ann")
    flight = str(talking.send(invocation("i1", "ann"), "ann")["record"]["id"])
    assert flight_state(talking, flight) == "waiting"
    talking.flights.go_on()
    assert not talking.flights.begin(flight)
    answer(talking, yes=yes)
    assert flight_state(talking, flight) == ends
    assert talking.models() == talking.rebuilt()


def test_an_agent_keeps_no_flight_of_another_one_waiting(talking: BrokerBench) -> None:
    flight = str(talking.send(invocation("i1", "bob"), "bob")["record"]["id"])
    talking.send(question("q1", "ann", relations=blocking("i1")), "ann")
    talking.send(question("q2", "ann", relations=blocking("i2")), "ann")
    other = str(talking.send(invocation("i2", "bob"), "bob")["record"]["id"])
    assert {flight_state(talking, one) for one in (flight, other)} == {"queued"}


def test_what_cannot_be_shown_whole_or_is_too_much_is_refused(talking: BrokerBench) -> None:
    with pytest.raises(BadArgument, match="at most 200 characters"):
        talking.send(question("q", "ann", title="x" * 201), "ann")
    for number in range(MOST_OPEN):
        talking.send(question(f"q{number}", "ann"), "ann")
    before = (talking.kinds(), talking.models())
    with pytest.raises(RateLimited):
        talking.send(question("one more", "ann"), "ann")
    assert (talking.kinds(), talking.models()) == before
    talking.send(question("of another", "bob"), "bob")
    (item, *_) = waiting(talking)
    with pytest.raises(BadArgument, match="yes or no"):
        asyncio.run(inbox(talking).approve(item.item_id, {"bucket": "urgent"}))
