"""Our runs, conversations and Agent Inbox as records of the protocol: always valid, ids only, ordered in time."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from gaia_email.app.documents.pending import STATES
from gaia_email.ledger import PendingItem, PendingState, PendingType
from gaia_email.runs.history import STATES as RUN_STATES
from gaia_email.runs.status import RunStatus
from gaia_email_control.collaboration import event_errors, record_errors
from gaia_email_control.commands import read_command
from gaia_email_control.deliveries import delivery_after, plan_deliveries
from gaia_email_control.events import new_event, read_event
from gaia_email_control.identities import (
    LocalIdentities,
    agent_record,
    inbox_record,
    node_record,
    owner_record,
    session_record,
)
from gaia_email_control.javascript import JsValue
from gaia_email_control.projecting import (
    ChatTurn,
    item_events,
    item_record,
    note_message,
    run_flight,
    run_invocation,
    turn_flight,
    turn_invocation,
)
from gaia_email_control.records import ControlDelivery, ControlDeliveryAttempt, ControlDeliveryTarget
from gaia_email_control.refusals import command_refusal
from gaia_email_control.vocabulary import DeliveryPolicy
from gaia_email_control.wire import WireRecord
from gaia_email_registry.errors import BadArgument
from tests.origins import PERSON
from tests.pending.asking import AskingBench
from tests.plugins.control import samples

WHO = LocalIdentities(node_id="laptop")
MADE_AT = 1_800_000_000.25


def item(type: PendingType, state: PendingState = "open", **changes: object) -> PendingItem:
    answered = state in ("approved", "rejected")
    values: dict[str, object] = {
        "item_id": "item-1",
        "seq": 1,
        "created_at": MADE_AT,
        "expires_at": MADE_AT + 60,
        "type": type,
        "state": state,
        "account_id": "ann@example.com",
        "message_id": "m1",
        "thread_id": None,
        "run_id": "r1",
        "session_id": None,
        "cohort": "news",
        "confidence": 0.5,
        "why": "You never open these.",
        "proposal": {"targets": [{"subject": "SECRET-SUBJECT", "address": "secret@example.org"}]},
        "answered_at": MADE_AT + 5 if answered else None,
        "answered_by": "cli" if answered else None,
        "answer": {},
        "origin": PERSON,
    }
    return PendingItem(**{**values, **changes})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def run(state: str = "running", **changes: object) -> RunStatus:
    values: dict[str, object] = {
        "id": "r1",
        "kind": "triage",
        "mailbox": "ann@example.com",
        "state": state,
        "created_at": 10.0,
        "started_at": 11.0,
        "finished_at": None if state in ("queued", "running") else 12.5,
        "scheduled": True,
        "messages": 40,
        "actions": 3,
        "asked": 2,
    }
    return RunStatus(**{**values, **changes})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def as_value(record: WireRecord) -> JsValue:
    value: JsValue = json.loads(json.dumps(record.to_wire()))
    return value


ASKED: tuple[PendingType, ...] = ("question", "review")
PENDING_STATES: tuple[PendingState, ...] = get_args(PendingState)
ANSWERS = list(product(ASKED, PENDING_STATES))


@pytest.mark.parametrize(("type", "state"), ANSWERS)
def test_every_item_is_a_valid_record_in_the_state_that_we_print(
    type: PendingType, state: PendingState
) -> None:
    record = item_record(item(type, state), "Archive it?", WHO)
    assert record_errors(as_value(record)) == []
    assert record.state == STATES[type][state]
    assert (record.title, record.created_at, record.conversation_id) == (
        "Archive it?",
        1_800_000_000_250,
        "agent-inbox",
    )


@pytest.mark.parametrize(("type", "state"), ANSWERS)
def test_every_event_of_an_item_is_valid_and_in_order(type: PendingType, state: PendingState) -> None:
    asked = item(type, state)
    record, events = item_record(asked, "Archive it?", WHO), item_events(asked, WHO)
    assert [event_errors(as_value(event), as_value(record)) for event in events] == [[]] * len(events)
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert len({event.id for event in events}) == len(events)
    assert events[-1].at <= record.updated_at
    by_owner = {event.kind for event in events if event.actor_id == WHO.owner_id}
    assert bool(by_owner) == (state in ("approved", "rejected"))


def test_what_was_asked_is_told_step_by_step() -> None:
    assert [event.kind for event in item_events(item("question", "approved"), WHO)] == [
        "created",
        "answered",
        "accepted",
    ]
    assert [event.kind for event in item_events(item("review", "expired"), WHO)] == [
        "created",
        "review_requested",
        "cancelled",
    ]
    assert item_events(item("notify"), WHO) == []


def test_an_item_that_waits_names_its_owner_as_next_and_one_that_ran_out_nobody() -> None:
    for type in ASKED:
        assert item_record(item(type), "t", WHO).next_move_owner_id == WHO.owner_id
        gone = item_record(item(type, "expired"), "t", WHO)
        assert (gone.next_move_owner_id, gone.updated_at) == (None, 1_800_000_060_250)


def test_a_clock_that_went_back_makes_no_invalid_record() -> None:
    for state in ("approved", "rejected", "expired"):
        early = item("question", state, answered_at=MADE_AT - 100, expires_at=MADE_AT - 100)
        assert record_errors(as_value(item_record(early, "t", WHO))) == []


@pytest.mark.parametrize("title", ["", " ", "\ufeff\u3000"])
def test_an_item_without_words_has_a_title_all_the_same(title: str) -> None:
    assert item_record(item("question"), title, WHO).title == "A question"
    assert item_record(item("review"), title, WHO).title == "A review"


def test_a_note_is_a_status_message_to_the_owner() -> None:
    note = note_message(item("notify"), "Three left the inbox.", WHO)
    sent = {"kind": "conversation.post", "message": note.to_wire()}
    assert read_command(sent).to_wire() == sent
    assert (note.message_class, note.body, note.conversation_id) == (
        "status",
        "Three left the inbox.",
        "agent-inbox",
    )
    with pytest.raises(BadArgument, match="note_message"):
        item_record(item("notify"), "t", WHO)


def test_an_item_of_a_real_triage_stays_a_valid_record_through_its_answer(tmp_path: Path) -> None:
    bench = AskingBench(tmp_path)
    try:
        bench.put("low default offers")
        bench.put("low default sales")
        bench.ask()
        first, second = bench.waiting("question", "review")[:2]
        answered = [bench.approve(first).item, bench.reject(second).item]
    finally:
        bench.ledger.close()
    for now in (first, second, *answered):
        record = item_record(now, "Archive it?", WHO)
        assert record_errors(as_value(record)) == []
        assert not any(event_errors(as_value(event), as_value(record)) for event in item_events(now, WHO))
    outcomes = [str((item_record(now, "t", WHO).metadata or {})["outcome"]) for now in answered]
    assert outcomes == ["approved", "rejected"]


def test_no_record_holds_a_sender_or_a_subject() -> None:
    made: list[WireRecord] = [note_message(item("notify"), "told", WHO)]
    for type, state in ANSWERS:
        made += [item_record(item(type, state), "asked", WHO), *item_events(item(type, state), WHO)]
    assert not any(
        "SECRET" in json.dumps(one.to_wire()) or "secret@" in json.dumps(one.to_wire()) for one in made
    )


def test_a_flight_is_its_run_by_id_state_and_times() -> None:
    flight = run_flight(run(), WHO)
    assert flight.to_wire() == {
        "id": "r1",
        "invocationId": "invocation:r1",
        "requesterId": "owner",
        "targetAgentId": "gaia-email",
        "state": "running",
        "startedAt": 11_000,
        "metadata": {"messages": 40, "actions": 3, "asked": 2},
    }
    invocation = run_invocation(run(), WHO)
    assert invocation.id == flight.invocation_id
    assert (invocation.task, invocation.created_at) == ("triage ann@example.com", 10_000)
    assert (
        command_refusal(
            read_command({"kind": "agent.invoke", "invocation": invocation.to_wire()}), node_id="x"
        )
        is None
    )


@pytest.mark.parametrize("state", sorted(set(RUN_STATES.values())))
def test_every_state_of_a_run_is_one_of_a_flight(state: str) -> None:
    flight = run_flight(run(state, reason="Because."), WHO)
    assert flight.state == state
    told = flight.error if state in ("failed", "cancelled") else flight.summary
    assert told == "Because."


def test_a_run_whose_questions_are_open_waits_and_is_completed_with_the_last_answer() -> None:
    waiting = run_flight(run("completed"), WHO, waiting=2)
    assert (waiting.state, waiting.completed_at) == ("waiting", None)
    done = run_flight(run("completed"), WHO, waiting=0)
    assert (done.state, done.completed_at) == ("completed", 12_500)
    assert run_flight(run("cancelled"), WHO, waiting=2).state == "cancelled"
    assert run_flight(run("running"), WHO, waiting=2).state == "running"


def test_a_run_of_which_nothing_is_known_yet_is_a_flight_too() -> None:
    bare = run("queued", created_at=None, started_at=None, messages=None, actions=None, asked=None)
    assert run_invocation(bare, WHO).created_at == 0
    assert run_flight(bare, WHO).to_wire().keys() == {
        *("id", "invocationId", "requesterId", "targetAgentId", "state", "metadata")
    }


def test_a_line_of_a_conversation_is_an_invocation_with_one_flight() -> None:
    turn = ChatTurn(
        turn_id="t1", session_id="s1", line="what is urgent?", state="completed", asked_at=1, answered_at=2
    )
    invocation, flight = turn_invocation(turn, WHO), turn_flight(turn, WHO)
    assert (invocation.task, invocation.conversation_id, invocation.action) == (
        "what is urgent?",
        "s1",
        "consult",
    )
    assert (flight.invocation_id, flight.completed_at, flight.output) == (invocation.id, 2_000, None)


def test_this_machines_side_passes_its_own_rules() -> None:
    node = node_record(WHO, "Laptop", registered_at=1.5)
    sent: list[dict[str, object]] = [
        {"kind": "node.upsert", "node": node.to_wire()},
        {"kind": "actor.upsert", "actor": owner_record(WHO, "Ann").to_wire()},
        {"kind": "agent.upsert", "agent": agent_record(WHO).to_wire()},
        {"kind": "conversation.upsert", "conversation": inbox_record(WHO).to_wire()},
        {"kind": "conversation.upsert", "conversation": session_record("s1", WHO).to_wire()},
    ]
    for one in sent:
        assert command_refusal(read_command(one), node_id="laptop") is None
    assert agent_record(WHO).default_selector == "@gaia-email"
    event = new_event("node.upserted", node, id="1", ts=2, actor_id="owner", node_id="laptop")
    assert read_event(event.to_wire()).record() == node


def target(id: str, transport: str = "webhook", kind: str = "device") -> ControlDeliveryTarget:
    return ControlDeliveryTarget.from_wire(
        {"id": id, "kind": kind, "transport": transport, "bindingId": "b1"}
    )


def test_a_message_is_planned_once_for_each_target_and_transport() -> None:
    note = note_message(item("notify"), "told", WHO)
    targets = [target("phone"), target("phone", "websocket"), target("phone"), target("tablet")]
    planned = plan_deliveries(note, targets, reason="direct_message")
    assert [one.id for one in planned] == [
        "item-1:phone:webhook",
        "item-1:phone:websocket",
        "item-1:tablet:webhook",
    ]
    assert {(one.policy, one.status, one.message_id, one.binding_id) for one in planned} == {
        ("durable", "pending", "item-1", "b1")
    }
    assert plan_deliveries(note, targets, reason="direct_message") == planned


def test_nothing_is_planned_where_one_target_cannot_be_reached() -> None:
    note = note_message(item("notify"), "told", WHO)
    with pytest.raises(BadArgument, match="no voice sessions"):
        plan_deliveries(note, [target("phone"), target("ear", kind="voice_session")], reason="speech")


@pytest.mark.parametrize(
    ("policy", "attempts", "status"),
    [
        ("durable", "", "leased"),
        ("durable", "failed", "pending"),
        ("durable", "failed failed failed", "failed"),
        ("durable", "failed sent", "sent"),
        ("durable", "sent failed", "sent"),
        ("must_ack", "sent", "sent"),
        ("must_ack", "sent failed", "pending"),
        ("must_ack", "sent acknowledged", "acknowledged"),
        ("best_effort", "failed", "failed"),
        ("ephemeral", "failed", "failed"),
        ("ephemeral", "sent", "sent"),
    ],
)
def test_a_delivery_stands_where_its_attempts_and_its_policy_put_it(
    policy: DeliveryPolicy, attempts: str, status: str
) -> None:
    delivery = samples.DELIVERY | {"policy": policy}
    tried = [
        ControlDeliveryAttempt.from_wire({**samples.ATTEMPT, "attempt": number, "status": one})
        for number, one in enumerate(attempts.split(), 1)
    ]
    assert delivery_after(ControlDelivery.from_wire(delivery), tried, most=3) == status
    cancelled = ControlDelivery.from_wire(delivery | {"status": "cancelled"})
    assert delivery_after(cancelled, tried, most=3) == "cancelled"
