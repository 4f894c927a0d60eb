"""Validate questions, work items and events about them. Entry points: `record_errors`, `event_errors`.

Every function takes a parsed JSON value and returns what version 0.1.0 of the protocol's code does, with its messages,
their order, and its exceptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gaia_email_control.javascript import (
    UNDEFINED,
    JavaScriptError,
    JsValue,
    greater,
    member,
    strictly_equal,
    trim,
    truthy,
)

_TERMINAL_QUESTION: Final = ("closed", "declined")
_TERMINAL_WORK_ITEM: Final = ("done", "cancelled")
_QUESTION_EVENTS: Final = ("answered", "declined")
_WORK_ITEM_EVENTS: Final = ("waiting", "progressed", "review_requested", "done", "cancelled")


def is_terminal_question_state(state: JsValue) -> bool:
    """Return True if a question in this state is over."""
    return isinstance(state, str) and state in _TERMINAL_QUESTION


def is_terminal_work_item_state(state: JsValue) -> bool:
    """Return True if a work item in this state is over."""
    return isinstance(state, str) and state in _TERMINAL_WORK_ITEM


def requires_owner(record: JsValue) -> bool:
    """Return True if the record must name its owner: a work item that is not over."""
    return _is(record, "work_item") and not is_terminal_work_item_state(member(record, "state"))


def requires_next_move_owner(record: JsValue) -> bool:
    """Return True if the record must name the owner of the next move: it is not over.

    Everything except a question counts as a work item here.
    """
    is_terminal = is_terminal_question_state if _is(record, "question") else is_terminal_work_item_state
    return not is_terminal(member(record, "state"))


def requires_waiting_on(record: JsValue) -> bool:
    """Return True if the record must name what it waits for: a waiting work item."""
    return _is(record, "work_item") and member(record, "state") == "waiting"


def requires_acceptance(record: JsValue) -> bool:
    """Return True if the record can be accepted: it has an acceptance state and names the actors required.

    A question names the asking and the asked actor, a work item the requester.
    """
    if member(record, "acceptanceState") == "none":
        return False
    needed = ("askedById", "askedOfId") if _is(record, "question") else ("requestedById",)
    return all(truthy(member(record, name)) for name in needed)


def record_errors(record: JsValue) -> list[str]:
    """Return all errors of a question or work item, in the protocol's words; empty if it is valid.

    Raises:
        JavaScriptError: It is null, or its id, title or creator is not a string.
    """
    errors = _blank(
        record,
        "record",
        {"id": "collaboration record id", "title": "collaboration title", "createdById": "createdById"},
    )
    if _names_itself(record, member(record, "parentId")):
        errors.append("parentId cannot reference the record itself")
    if greater(member(record, "createdAt"), member(record, "updatedAt")):
        errors.append("updatedAt must be greater than or equal to createdAt")
    if requires_owner(record) and not truthy(member(record, "ownerId")):
        errors.append("non-terminal work items require ownerId")
    if requires_next_move_owner(record) and not truthy(member(record, "nextMoveOwnerId")):
        errors.append("non-terminal collaboration records require nextMoveOwnerId")
    if requires_waiting_on(record) and not truthy(member(record, "waitingOn")):
        errors.append("waiting work items require waitingOn")
    errors += _self_references(record)
    if member(record, "acceptanceState") != "none" and not requires_acceptance(record):
        errors.append("acceptanceState requires the corresponding requester and reviewer identities")
    return errors


def event_errors(event: JsValue, record: JsValue = UNDEFINED) -> list[str]:
    """Return all errors of an event, including, if a record is given, a mismatch with that record.

    Raises:
        JavaScriptError: It is null, or one of its ids is not a string.
    """
    names = ("id", "recordId", "actorId")
    errors = _blank(event, "event", {name: f"collaboration event {name}" for name in names})
    if truthy(record):
        for own, named in (("id", "recordId"), ("kind", "recordKind")):
            if not strictly_equal(member(record, own), member(event, named)):
                errors.append(f"collaboration event {named} does not match the target record")
    kind, about = member(event, "kind"), member(event, "recordKind")
    if kind in _QUESTION_EVENTS and about != "question":
        errors.append(f"{kind} events only apply to questions")
    if kind in _WORK_ITEM_EVENTS and about != "work_item":
        errors.append(f"{kind} events only apply to work items")
    return errors


def check_record(record: JsValue) -> None:
    """Refuse an invalid record.

    Raises:
        JavaScriptError: It is invalid; the message joins every error with `; `.
    """
    _refuse(record_errors(record))


def check_event(event: JsValue, record: JsValue = UNDEFINED) -> None:
    """Refuse an event that is invalid, or that is not about the given record.

    Raises:
        JavaScriptError: It is invalid; the message joins every error with `; `.
    """
    _refuse(event_errors(event, record))


def _refuse(errors: Sequence[str]) -> None:
    if errors:
        raise JavaScriptError("; ".join(errors))


def _is(record: JsValue, kind: str) -> bool:
    return member(record, "kind") == kind


def _blank(value: JsValue, variable: str, fields: dict[str, str]) -> list[str]:
    """Return an error for each blank field; `fields` maps field names to their descriptions."""
    return [
        f"{words} is required"
        for name, words in fields.items()
        if not trim(member(value, name), f"{variable}.{name}")
    ]


def _names_itself(record: JsValue, target: JsValue) -> bool:
    return truthy(target) and strictly_equal(target, member(record, "id"))


def _self_references(record: JsValue) -> list[str]:
    if _is(record, "question"):
        named = _names_itself(record, member(record, "spawnedWorkItemId"))
        return ["question spawnedWorkItemId cannot reference the question itself"] if named else []
    waiting_on = member(record, "waitingOn")
    if waiting_on is None or waiting_on is UNDEFINED:
        return []
    named = _names_itself(record, member(waiting_on, "targetId"))
    return ["waitingOn.targetId cannot reference the work item itself"] if named else []
