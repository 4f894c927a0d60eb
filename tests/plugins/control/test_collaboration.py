"""When questions, work items and events are valid, in the protocol's words."""

from __future__ import annotations

import pytest

from gaia_email_control.collaboration import (
    check_event,
    check_record,
    event_errors,
    is_terminal_question_state,
    is_terminal_work_item_state,
    record_errors,
    requires_acceptance,
    requires_next_move_owner,
    requires_owner,
    requires_waiting_on,
)
from gaia_email_control.javascript import JavaScriptError, JsValue

ACCEPTANCE = "acceptanceState requires the corresponding requester and reviewer identities"


def question(**changes: JsValue) -> dict[str, JsValue]:
    return {
        "id": "q1",
        "kind": "question",
        "title": "Move it?",
        "createdById": "agent",
        "nextMoveOwnerId": "ann",
        "state": "open",
        "acceptanceState": "none",
        "createdAt": 10,
        "updatedAt": 10,
        **changes,
    }


def work_item(**changes: JsValue) -> dict[str, JsValue]:
    return {**question(), "id": "w1", "kind": "work_item", "ownerId": "ann", "state": "working", **changes}


def event(**changes: JsValue) -> dict[str, JsValue]:
    return {
        "id": "e1",
        "recordId": "q1",
        "recordKind": "question",
        "kind": "created",
        "actorId": "ann",
        **changes,
    }


def test_what_is_in_order_has_no_errors() -> None:
    assert record_errors(question()) == record_errors(work_item()) == event_errors(event(), question()) == []
    check_record(question())
    check_event(event())


def test_every_error_is_told_in_the_order_of_the_protocol() -> None:
    broken = work_item(
        id=" ", title="", createdById="\u3000\ufeff", parentId=" ", updatedAt=9, ownerId="", nextMoveOwnerId=None,
        state="waiting", acceptanceState="pending", waitingOn="",
    )  # fmt: skip
    expected = [
        "collaboration record id is required",
        "collaboration title is required",
        "createdById is required",
        "parentId cannot reference the record itself",
        "updatedAt must be greater than or equal to createdAt",
        "non-terminal work items require ownerId",
        "non-terminal collaboration records require nextMoveOwnerId",
        "waiting work items require waitingOn",
        ACCEPTANCE,
    ]
    assert record_errors(broken) == expected
    with pytest.raises(JavaScriptError) as raised:
        check_record(broken)
    assert str(raised.value) == "; ".join(expected)


def test_next_line_and_unit_separator_are_no_white_space() -> None:
    assert record_errors(question(id="\x85", title="\x1f", createdById="\x1c")) == []


def test_a_record_that_is_over_needs_nobody() -> None:
    for state in ("closed", "declined"):
        assert record_errors(question(state=state, nextMoveOwnerId="")) == []
    for state in ("done", "cancelled"):
        assert record_errors(work_item(state=state, nextMoveOwnerId="", ownerId="")) == []
    assert not is_terminal_question_state("done")
    assert not is_terminal_work_item_state("closed")
    assert not is_terminal_question_state(["closed"])


def test_an_unknown_state_is_not_over_and_an_unknown_kind_is_told_as_a_work_item_without_owner() -> None:
    assert requires_next_move_owner(question(state="bogus"))
    other = question(kind="errand", state="done")
    assert not requires_next_move_owner(other)
    assert not requires_owner(work_item(kind="errand"))
    assert not requires_waiting_on(question(state="waiting"))


def test_nothing_may_refer_to_itself() -> None:
    assert record_errors(question(spawnedWorkItemId="q1")) == [
        "question spawnedWorkItemId cannot reference the question itself"
    ]
    waiting: JsValue = {"kind": "artifact", "label": "the invoice", "targetId": "w1"}
    assert record_errors(work_item(state="waiting", waitingOn=waiting)) == [
        "waitingOn.targetId cannot reference the work item itself"
    ]
    assert record_errors(question(waitingOn={"targetId": "q1"})) == []
    assert record_errors(work_item(spawnedWorkItemId="w1", waitingOn=["w1"])) == []


def test_acceptance_takes_who_asked_and_who_was_asked_or_who_requested() -> None:
    assert record_errors(question(acceptanceState="pending", askedById="ann")) == [ACCEPTANCE]
    assert record_errors(question(acceptanceState="pending", askedById="ann", askedOfId="bob")) == []
    assert record_errors(work_item(acceptanceState="accepted", askedById="ann", askedOfId="bob")) == [
        ACCEPTANCE
    ]
    assert record_errors(work_item(acceptanceState="reopened", requestedById="ann")) == []
    assert not requires_acceptance(question(askedById="ann", askedOfId="bob"))
    without = question()
    del without["acceptanceState"]
    assert record_errors(without) == [ACCEPTANCE]


@pytest.mark.parametrize(
    ("created", "updated", "late"),
    [
        (10, 9.5, True),
        (10, None, True),
        (None, 10, False),
        ("9", "10", True),
        ("9", 10, False),
        ("0x10", 15, True),
        ("\ufeff1e1 ", 9, True),
        ("1_1", 9, False),
        ("\u0661\u0661", 9, False),
        ("ten", 9, False),
        ("", -1, True),
        (True, False, True),
        ([11], 10, True),
        ([1, 2], 0, False),
        ([], -1, True),
        ([[1e21]], "1e+20", True),
        ([0.000001], "0.0000009", True),
        ([1e-7], "1e-8", False),
        ({}, "[object Array]", True),
        ("\uffff", "\U0001f600", True),
        ("a\ud83d", "a", True),
        (float("inf"), 1e308, True),
    ],
)
def test_times_are_compared_as_javascript_compares(created: JsValue, updated: JsValue, late: bool) -> None:
    errors = record_errors(question(createdAt=created, updatedAt=updated))
    assert errors == (["updatedAt must be greater than or equal to createdAt"] if late else [])


def test_a_time_that_is_missing_is_neither_early_nor_late() -> None:
    for name in ("createdAt", "updatedAt"):
        without = question()
        del without[name]
        assert record_errors(without) == []


def test_an_event_names_its_record_and_fits_its_kind() -> None:
    assert event_errors(event(id="", recordId=" ", actorId="\t", kind="done"), question()) == [
        "collaboration event id is required",
        "collaboration event recordId is required",
        "collaboration event actorId is required",
        "collaboration event recordId does not match the target record",
        "done events only apply to work items",
    ]
    assert event_errors(event(recordKind="work_item", kind="answered"), question()) == [
        "collaboration event recordKind does not match the target record",
        "answered events only apply to questions",
    ]


@pytest.mark.parametrize("kind", ["waiting", "progressed", "review_requested", "done", "cancelled"])
def test_what_happens_to_work_items_happens_to_no_question(kind: str) -> None:
    assert event_errors(event(kind=kind)) == [f"{kind} events only apply to work items"]
    assert event_errors(event(kind=kind, recordKind="work_item")) == []


@pytest.mark.parametrize("kind", ["answered", "declined"])
def test_what_happens_to_questions_happens_to_no_work_item(kind: str) -> None:
    assert event_errors(event(kind=kind)) == []
    assert event_errors(event(kind=kind, recordKind="work_item")) == [
        f"{kind} events only apply to questions"
    ]


@pytest.mark.parametrize("kind", ["created", "claimed", "accepted", "reopened", "handoff", "dismissed"])
def test_other_events_apply_to_both(kind: str) -> None:
    assert event_errors(event(kind=kind)) == event_errors(event(kind=kind, recordKind="work_item")) == []


@pytest.mark.parametrize("record", [None, False, 0, ""])
def test_a_record_that_counts_as_false_is_not_compared(record: JsValue) -> None:
    assert event_errors(event(), record) == []
    with pytest.raises(
        JavaScriptError, match=r"recordId does not .*; collaboration event recordKind does not"
    ):
        check_event(event(), [])


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (None, "Cannot read properties of null (reading 'id')"),
        ({}, "Cannot read properties of undefined (reading 'trim')"),
        ("text", "Cannot read properties of undefined (reading 'trim')"),
        (question(id=5), "record.id.trim is not a function"),
        (question(title=["t"]), "record.title.trim is not a function"),
        (question(createdById=None), "Cannot read properties of null (reading 'trim')"),
        (question(createdAt={"toString": "x"}), "Cannot convert object to primitive value"),
    ],
)
def test_a_malformed_record_is_answered_as_javascript_does(record: JsValue, message: str) -> None:
    with pytest.raises(JavaScriptError) as raised:
        record_errors(record)
    assert str(raised.value) == message
