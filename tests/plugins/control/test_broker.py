"""The broker: what a command writes, what it refuses, and that its read models follow from the event log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.ledger import NewItem
from gaia_email_control.store import ControlStore
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound, RateLimited
from tests.origins import PERSON
from tests.plugins.control.brokering import (
    OWNER,
    WHO,
    BrokerBench,
    Json,
    agent,
    check_read_models,
    conversation,
    happened,
    invocation,
    message,
    question,
    work_item,
)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[BrokerBench]:
    made = BrokerBench(f"sqlite:///{tmp_path / 'ledger.db'}")
    yield made
    made.ledger.close()


@pytest.fixture
def talking(bench: BrokerBench) -> BrokerBench:
    """`ann` and the owner are in `plans`; `bob` is in nothing."""
    bench.begin()
    return bench


def test_a_command_writes_its_record_and_its_event_and_once_however_often_it_is_sent(
    talking: BrokerBench,
) -> None:
    first = talking.send(message("m1", "plans", "ann"), "ann")
    again = talking.send(message("m1", "plans", "ann"), "ann")
    assert (first["isNew"], again["isNew"]) == (True, False)
    assert first["record"] == again["record"] == message("m1", "plans", "ann")["message"]
    assert talking.kinds() == [
        "control.agent.registered",
        "control.conversation.upserted",
        "control.message.posted",
    ]


def test_an_id_that_was_used_for_something_else_is_refused(talking: BrokerBench) -> None:
    talking.send(message("m1", "plans", "ann"), "ann")
    with pytest.raises(BadArgument, match="belongs to something else"):
        talking.send(message("m1", "plans", "ann", body="Other words"), "ann")
    with pytest.raises(BadArgument, match="belongs to something else"):
        talking.send(conversation("plans", "bob"), "bob")


INVALID: list[tuple[Json, str]] = [
    (question(" ", "ann"), "collaboration record id is required"),
    (question("q", "ann", title=""), "collaboration title is required"),
    (question("q", "ann", updatedAt=0), "updatedAt must be greater than or equal to createdAt"),
    (
        work_item("w", "ann", state="waiting", ownerId=None, nextMoveOwnerId=None),
        "non-terminal work items require ownerId; non-terminal collaboration records require nextMoveOwnerId; "
        "waiting work items require waitingOn",
    ),
    (
        question("q", "ann", askedOfId=None),
        "acceptanceState requires the corresponding requester and reviewer identities",
    ),
    (happened("", "q", "ann", "claimed"), "collaboration event id is required"),
    (happened("e", "q", "ann", "waiting"), "waiting events only apply to work items"),
]


@pytest.mark.parametrize(("command", "words"), INVALID, ids=[words[:40] for _, words in INVALID])
def test_an_invalid_record_is_refused_in_the_protocols_words_and_writes_nothing(
    talking: BrokerBench, command: Json, words: str
) -> None:
    before = (talking.kinds(), talking.models())
    with pytest.raises(BadArgument) as caught:
        talking.send(command, "ann")
    assert caught.value.message == words
    assert (talking.kinds(), talking.models()) == before


NOT_DONE: list[tuple[Json, str]] = [
    (agent("ann", advertiseScope="mesh"), "mesh"),
    (agent("ann", homeNodeId="elsewhere"), "mesh"),
    (invocation("i", "ann", targetNodeId="elsewhere"), "mesh"),
    (message("m", "plans", "ann", originNodeId="elsewhere"), "mesh"),
    (conversation("c", "ann", authorityNodeId="elsewhere"), "mesh"),
    (invocation("i", "ann", targetAgentId="bob"), "Only gaia-email is invoked"),
    (
        {"kind": "stream.subscribe", "subscription": {"actorId": "ann"}, "transport": "websocket"},
        "stays open",
    ),
    ({"kind": "project.discover"}, "kind should be one of"),
    (
        {"kind": "agent.ensure_awake", "agentId": "bob", "requesterId": "ann", "reason": "x"},
        "Only gaia-email",
    ),
    (message("m", "plans", "ann", body="x" * (65 << 10)), "at most 65,536 bytes"),
    (message("x" * 201, "plans", "ann"), "at most 200"),
    (message("a\nb", "plans", "ann"), "printable"),
]


@pytest.mark.parametrize(("command", "words"), NOT_DONE, ids=[str(number) for number in range(len(NOT_DONE))])
def test_what_is_not_done_here_is_refused_with_a_sentence(
    talking: BrokerBench, command: Json, words: str
) -> None:
    before = talking.kinds()
    with pytest.raises(BadArgument, match=words):
        talking.send(command, "ann")
    assert talking.kinds() == before


def test_bridges_that_there_are_only_words_for_are_refused(talking: BrokerBench) -> None:
    binding = {
        "id": "b",
        "conversationId": "plans",
        "platform": "telegram",
        "mode": "inbound",
        "externalChannelId": "1",
    }
    with pytest.raises(BadArgument, match="no bridge to Telegram"):
        talking.send({"kind": "binding.upsert", "binding": binding})
    done = talking.send({"kind": "binding.upsert", "binding": {**binding, "platform": "slack"}})
    assert done["isNew"]


FORBIDDEN: list[Json] = [
    message("m", "plans", WHO.owner_id),
    message("m", "plans", "ann", **{"class": "system"}),
    invocation("i", "bob"),
    invocation("i", "ann", action="execute", task="triage"),
    invocation("i", "ann", action="summarize"),
    agent("bob"),
    agent(WHO.agent_id),
    agent(WHO.owner_id, kind="person"),
    {"kind": "actor.upsert", "actor": {"id": "ann", "kind": "person", "displayName": "Owner"}},
    {"kind": "actor.upsert", "actor": {"id": WHO.owner_id, "kind": "person", "displayName": "Ann"}},
    {
        "kind": "node.upsert",
        "node": {
            "id": WHO.node_id,
            "meshId": WHO.node_id,
            "name": "mine",
            "advertiseScope": "local",
            "registeredAt": 1,
        },
    },
    {
        "kind": "binding.upsert",
        "binding": {
            "id": "b",
            "conversationId": "plans",
            "platform": "slack",
            "mode": "inbound",
            "externalChannelId": "1",
        },
    },
    conversation("plans", "ann"),
    question("q1", "ann", acceptanceState="accepted"),
    question("q1", "ann", state="answered"),
    question("q1", "ann", state="declined", nextMoveOwnerId=None),
    question("q1", "ann", askedOfId="ann"),
    question("q1", "ann", createdById="bob"),
    question("q2", "ann", state="answered"),
    question("q2", "ann", acceptanceState="accepted"),
    question("q2", WHO.owner_id),
    work_item("w1", "ann", acceptanceState="accepted"),
    work_item("w1", "ann", requestedById="ann"),
    work_item("w1", "ann", acceptanceState="none"),
    happened("e", "q1", "ann", "answered"),
    happened("e", "q1", "ann", "accepted"),
    happened("e", "q1", "ann", "declined"),
    happened("e", "q1", WHO.owner_id, "answered"),
    happened("e", "w1", "ann", "accepted", "work_item"),
]


@pytest.mark.parametrize("command", FORBIDDEN, ids=[str(number) for number in range(len(FORBIDDEN))])
def test_an_agent_speaks_for_nobody_else_and_approves_nothing(talking: BrokerBench, command: Json) -> None:
    talking.send(question("q1", "ann"), "ann")
    talking.send(work_item("w1", "ann"), "ann")
    before = (talking.kinds(), talking.models())
    with pytest.raises((NeedsApproval, BadArgument)):
        talking.send(command, "ann")
    assert (talking.kinds(), talking.models()) == before


def test_the_owner_answers_what_an_agent_asked(talking: BrokerBench) -> None:
    talking.send(question("q1", "ann"), "ann")
    answered = question("q1", "ann", state="answered", acceptanceState="accepted", updatedAt=3)
    assert talking.send(answered)["isNew"]
    assert talking.send(happened("e1", "q1", WHO.owner_id, "answered"))["isNew"]


def test_who_takes_no_part_is_told_that_there_is_nothing(talking: BrokerBench) -> None:
    talking.send(question("q1", "ann"), "ann")
    for command in (
        message("m", "plans", "bob"),
        message("m", WHO.inbox_id, "bob"),
        invocation("i", "bob", conversationId="plans"),
        happened("e", "q1", "bob", "claimed"),
        question("q9", "bob", conversationId="plans"),
    ):
        with pytest.raises(NotFound):
            talking.send(command, "bob")
    with pytest.raises(NotFound, match="no actor 'nobody'"):
        talking.send(conversation("other", "bob", "nobody"), "bob")


def test_a_flight_goes_from_queued_to_its_end_and_no_further(talking: BrokerBench) -> None:
    flight = talking.send(invocation("i1", "ann"), "ann")["record"]
    assert (flight["state"], flight["invocationId"]) == ("queued", "i1")
    assert talking.flights.begin(flight["id"])
    assert not talking.flights.begin(flight["id"])
    talking.flights.queue_again()
    assert talking.flights.begin(flight["id"])
    talking.flights.end(flight["id"], "completed", output="All is well.")
    talking.flights.end(flight["id"], "failed", error="too late")
    assert talking.send(invocation("i1", "ann"), "ann")["record"]["state"] == "completed"
    with talking.ledger.read() as tx:
        assert ControlStore.of(talking.ledger).output(tx, flight["id"]) == "All is well."
    assert "All is well" not in str(talking.models())


def test_only_so_much_of_one_requester_is_under_way(talking: BrokerBench) -> None:
    for number in range(20):
        talking.send(invocation(f"i{number}", "ann"), "ann")
    with pytest.raises(RateLimited):
        talking.send(invocation("one more", "ann"), "ann")
    assert not talking.send(invocation("i3", "ann"), "ann")["isNew"]
    assert talking.send(invocation("of another", "bob"), "bob")["isNew"]


def test_a_message_is_delivered_to_the_agents_that_can_be_reached(talking: BrokerBench) -> None:
    endpoint = {
        "id": "e1",
        "agentId": "ann",
        "nodeId": WHO.node_id,
        "harness": "worker",
        "transport": "websocket",
        "state": "active",
    }
    talking.send({"kind": "agent.endpoint.upsert", "endpoint": endpoint}, "ann")
    talking.send(message("m1", "plans", WHO.owner_id, mentions=[{"actorId": "ann"}]))
    (planned,) = _deliveries(talking)
    assert (planned["status"], planned["reason"], planned["targetId"]) == ("pending", "mention", "ann")
    talking.flights.record_attempt("m1", "ann", "failed", error="gone")
    assert [one["status"] for one in _deliveries(talking)] == ["pending"]
    talking.flights.record_attempt("m1", "ann", "sent")
    talking.flights.record_attempt("m1", "ann", "sent")
    assert [one["status"] for one in _deliveries(talking)] == ["sent"]
    assert len(talking.models()["delivery_attempts"]) == 2
    assert talking.models() == talking.rebuilt()


def _deliveries(bench: BrokerBench) -> list[Json]:
    with bench.ledger.read() as tx:
        return [dict(one) for one in ControlStore.of(bench.ledger).select(tx, "delivery.planned")]


def test_read_models_follow_from_the_event_log_to_the_byte_also_after_pruning(talking: BrokerBench) -> None:
    check_read_models(talking)


def test_what_waits_in_the_agent_inbox_is_answered_there_alone(talking: BrokerBench) -> None:
    with talking.ledger.write() as tx:
        (item,) = talking.ledger.pending.add(
            tx, [NewItem(type="question", account_id="a", proposal={}, origin=PERSON)]
        )
    for caller in ("ann", OWNER):
        me = "ann" if caller == "ann" else WHO.owner_id
        for command in (
            question(item.item_id, me),
            happened("e", item.item_id, me, "answered"),
            happened("e", item.item_id, me, "accepted"),
        ):
            with pytest.raises(MailError):
                talking.send(command, caller)
    with talking.ledger.read() as tx:
        found = talking.ledger.pending.get(tx, item.item_id)
    assert found is not None
    assert found.state == "open"
