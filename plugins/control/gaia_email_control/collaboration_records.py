"""Types of questions, work items and their events. Entry points: `ControlQuestion`, `ControlWorkItem`.

These define the fields and their types; `collaboration` defines when a record is valid.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from gaia_email_control.vocabulary import (
    AcceptanceState,
    CollaborationEventKind,
    CollaborationKind,
    CollaborationPriority,
    QuestionState,
    RelationKind,
    WaitingOnKind,
    WorkItemState,
)
from gaia_email_control.wire import (
    Milliseconds,
    ScoutId,
    WireMetadata,
    WireRecord,
    check_depth,
    refuse_record,
)


class RecordRelation(WireRecord):
    """Relation of one record to another."""

    kind: RelationKind
    target_id: ScoutId
    metadata: WireMetadata | None = None


class ItemWaitingOn(WireRecord):
    """Cause for which a work item waits."""

    kind: WaitingOnKind
    label: str
    target_id: ScoutId | None = None
    metadata: WireMetadata | None = None


class ItemProgress(WireRecord):
    """Progress of a work item."""

    completed_steps: int | float | None = None
    total_steps: int | float | None = None
    checkpoint: str | None = None
    summary: str | None = None
    percent: int | float | None = None


class _CollaborationBase(WireRecord):
    id: ScoutId
    title: str
    summary: str | None = None
    created_by_id: ScoutId
    owner_id: ScoutId | None = None
    next_move_owner_id: ScoutId | None = None
    conversation_id: ScoutId | None = None
    parent_id: ScoutId | None = None
    priority: CollaborationPriority | None = None
    labels: list[str] | None = None
    relations: list[RecordRelation] | None = None
    acceptance_state: AcceptanceState
    created_at: Milliseconds
    updated_at: Milliseconds
    metadata: WireMetadata | None = None


class ControlQuestion(_CollaborationBase):
    """Something that somebody is to answer."""

    kind: Literal["question"]
    state: QuestionState
    asked_by_id: ScoutId | None = None
    asked_of_id: ScoutId | None = None
    answer_message_id: ScoutId | None = None
    spawned_work_item_id: ScoutId | None = None
    closed_at: Milliseconds | None = None


class ControlWorkItem(_CollaborationBase):
    """Something that somebody is to do."""

    kind: Literal["work_item"]
    state: WorkItemState
    requested_by_id: ScoutId | None = None
    waiting_on: ItemWaitingOn | None = None
    progress: ItemProgress | None = None
    started_at: Milliseconds | None = None
    review_requested_at: Milliseconds | None = None
    completed_at: Milliseconds | None = None


CollaborationRecord: TypeAlias = Annotated[ControlQuestion | ControlWorkItem, Field(discriminator="kind")]

_RECORDS: Final[TypeAdapter[CollaborationRecord]] = TypeAdapter(CollaborationRecord)


class CollaborationEvent(WireRecord):
    """Something that happened to a question or a work item."""

    id: ScoutId
    record_id: ScoutId
    record_kind: CollaborationKind
    kind: CollaborationEventKind
    actor_id: ScoutId
    at: Milliseconds
    summary: str | None = None
    metadata: WireMetadata | None = None


def read_collaboration_record(value: object) -> CollaborationRecord:
    """Parse a question or work item from a JSON value, without validating its content.

    Raises:
        BadArgument: It is neither; the message names the fields.
    """
    check_depth(value)
    try:
        return _RECORDS.validate_python(value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise refuse_record("The question or work item", error) from None
