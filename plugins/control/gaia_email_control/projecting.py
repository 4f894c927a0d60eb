"""Runs, conversations and the Agent Inbox as the protocol's records. Entry points: `run_flight`, `item_record`.

Nothing is copied: a record is made on request from the ledger and the runs. No record contains a mail's sender, subject
or body; callers decide who may see those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from gaia_email.app.documents.inbox_states import NOTE_STATES, QUESTION_STATES, WORK_ITEM_STATES
from gaia_email_control.collaboration_records import (
    CollaborationEvent,
    CollaborationRecord,
    ControlQuestion,
    ControlWorkItem,
)
from gaia_email_control.identities import LocalIdentities
from gaia_email_control.javascript import WHITESPACE
from gaia_email_control.records import ControlFlight, ControlInvocation, ControlMessage, MessageAudience
from gaia_email_control.vocabulary import (
    AcceptanceState,
    CollaborationEventKind,
    CollaborationKind,
    DeliveryPolicy,
    FlightState,
)
from gaia_email_control.wire import WireMetadata
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.ledger import PendingItem, PendingState
    from gaia_email.runs.status import RunStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """A line of the owner in a conversation, and the state of its answer; times are epoch seconds.

    Attributes:
        turn_id: The run id of the turn's actions.
        session_id: The conversation.
        line: The owner's text.
        state: The state of the answer.
        asked_at: Time of the line.
        answered_at: Time at which the answer was complete; None until then.
        error: Why there is no answer; empty if there is one.
    """

    turn_id: str
    session_id: str
    line: str
    state: FlightState
    asked_at: float
    answered_at: float | None = None
    error: str = ""


Steps: TypeAlias = Sequence[tuple[CollaborationEventKind, Literal["agent", "owner"]]]
"""Events in order, each with the actor who causes it."""

_BEGUN: Final[Mapping[str, Steps]] = {
    "question": (("created", "agent"),),
    "review": (("created", "agent"), ("review_requested", "agent")),
}
_CLOSED: Final[Mapping[str, Mapping[PendingState, Steps]]] = {
    "question": {
        "approved": (("answered", "owner"), ("accepted", "owner")),
        "rejected": (("declined", "owner"),),
        "expired": (("declined", "agent"),),
    },
    "review": {
        "approved": (("accepted", "owner"), ("done", "owner")),
        "rejected": (("cancelled", "owner"),),
        "expired": (("cancelled", "agent"),),
        "void": (("cancelled", "agent"),),
    },
}


def run_invocation(run: RunStatus, who: LocalIdentities) -> ControlInvocation:
    """Return the invocation of a run."""
    return ControlInvocation.of(
        id=invocation_id(run.id),
        requester_id=who.owner_id,
        requester_node_id=who.node_id,
        target_agent_id=who.agent_id,
        action="execute",
        task=f"{run.kind} {run.mailbox}".strip(),
        ensure_awake=True,
        stream=False,
        created_at=_ms(run.created_at or run.started_at or run.finished_at or 0.0),
        metadata={"kind": run.kind, "mailbox": run.mailbox, "scheduled": run.scheduled},
    )


def run_flight(run: RunStatus, who: LocalIdentities, *, waiting: int = 0) -> ControlFlight:
    """Return the flight of a run; its id is the run id.

    Args:
        run: The run.
        who: The ids of this machine.
        waiting: Number of its open questions and reviews. While there are any, the flight of a completed run is
            `waiting`; it is completed when the last one is answered.
    """
    waits = run.state == "completed" and waiting > 0
    counts = {"messages": run.messages, "actions": run.actions, "asked": run.asked}
    counts["waiting"] = waiting if waits else None
    failed = run.state in ("failed", "cancelled")
    return ControlFlight.of(
        id=run.id,
        invocation_id=invocation_id(run.id),
        requester_id=who.owner_id,
        target_agent_id=who.agent_id,
        state="waiting" if waits else run.state,
        summary=None if failed else run.reason or None,
        error=run.reason or None if failed else None,
        started_at=_ms_if_known(run.started_at),
        completed_at=None if waits else _ms_if_known(run.finished_at),
        metadata={name: count for name, count in counts.items() if count is not None},
    )


def turn_invocation(turn: ChatTurn, who: LocalIdentities) -> ControlInvocation:
    """Return the invocation of a conversation turn, with the owner's text."""
    return ControlInvocation.of(
        id=invocation_id(turn.turn_id),
        requester_id=who.owner_id,
        requester_node_id=who.node_id,
        target_agent_id=who.agent_id,
        action="consult",
        task=turn.line,
        conversation_id=turn.session_id,
        ensure_awake=True,
        stream=True,
        created_at=_ms(turn.asked_at),
    )


def turn_flight(turn: ChatTurn, who: LocalIdentities) -> ControlFlight:
    """Return the flight of a conversation turn. The answer is not stored, so the flight does not include it."""
    return ControlFlight.of(
        id=turn.turn_id,
        invocation_id=invocation_id(turn.turn_id),
        requester_id=who.owner_id,
        target_agent_id=who.agent_id,
        state=turn.state,
        error=turn.error or None,
        started_at=_ms(turn.asked_at),
        completed_at=_ms_if_known(turn.answered_at),
    )


def note_message(item: PendingItem, text: str, who: LocalIdentities) -> ControlMessage:
    """Return an item of type `notify` as a status message in the Agent Inbox's conversation.

    Args:
        item: The item.
        text: The text for the owner.
        who: The ids of this machine.
    """
    about: WireMetadata = {"state": NOTE_STATES[item.state], **_about(item)}
    return inbox_message(item.item_id, text, item.created_at, who, about)


def inbox_message(
    message_id: str,
    body: str,
    made_at: float,
    who: LocalIdentities,
    about: WireMetadata,
    *,
    policy: DeliveryPolicy = "durable",
) -> ControlMessage:
    """Return a status message from the agent to its owner; None values in `about` are left out of its metadata."""
    return ControlMessage.of(
        id=message_id,
        conversation_id=who.inbox_id,
        actor_id=who.agent_id,
        origin_node_id=who.node_id,
        message_class="status",
        body=body,
        audience=MessageAudience.of(notify=[who.owner_id], reason="conversation_visibility"),
        visibility="private",
        policy=policy,
        created_at=_ms(made_at),
        metadata={name: value for name, value in about.items() if value is not None},
    )


def item_record(item: PendingItem, title: str, who: LocalIdentities) -> CollaborationRecord:
    """Return an item of type `question` as a question, or of type `review` as a work item; always valid.

    Args:
        item: The item.
        title: A short title of the question or of the prepared work.
        who: The ids of this machine.

    Raises:
        BadArgument: It is of type `notify`, which is a message: see `note_message`.
    """
    match item.type:
        case "question":
            return _question(item, title, who)
        case "review":
            return _work_item(item, title, who)
        case "notify":
            raise BadArgument("A note is a message, neither a question nor a work item; use note_message.")


def item_events(item: PendingItem, who: LocalIdentities) -> list[CollaborationEvent]:
    """Return the events of a question or work item so far, oldest first; empty for a note, which is a message.

    Only the owner answers: expired or withdrawn items are closed by the agent. The protocol has no event for a
    withdrawn question; its record has the state `closed`.
    """
    if item.type == "notify":
        return []
    return steps_taken(
        item.item_id,
        "question" if item.type == "question" else "work_item",
        (
            (_BEGUN[item.type], _ms(item.created_at)),
            (_CLOSED[item.type].get(item.state, ()), _closed_at(item)),
        ),
        who,
    )


def steps_taken(
    record_id: str, record_kind: CollaborationKind, taken: Iterable[tuple[Steps, int]], who: LocalIdentities
) -> list[CollaborationEvent]:
    """Return the events of a record from its steps, with actor and time in milliseconds."""
    return [
        CollaborationEvent.of(
            id=f"{record_id}:{kind}",
            record_id=record_id,
            record_kind=record_kind,
            kind=kind,
            actor_id=who.owner_id if by == "owner" else who.agent_id,
            at=at,
        )
        for steps, at in taken
        for kind, by in steps
    ]


def invocation_id(run_id: str) -> str:
    """Return the id of the invocation whose flight a run is."""
    return f"invocation:{run_id}"


def _question(item: PendingItem, title: str, who: LocalIdentities) -> ControlQuestion:
    state = QUESTION_STATES[item.state]
    next_move = {"open": who.owner_id, "answered": who.agent_id}
    return ControlQuestion.of(
        **_common(item, title, "A question", who),
        kind="question",
        state=state,
        next_move_owner_id=next_move.get(state),
        asked_by_id=who.agent_id,
        asked_of_id=who.owner_id,
        closed_at=_closed_at(item) if state in ("closed", "declined") else None,
    )


def _work_item(item: PendingItem, title: str, who: LocalIdentities) -> ControlWorkItem:
    state = WORK_ITEM_STATES[item.state]
    return ControlWorkItem.of(
        **_common(item, title, "A review", who),
        kind="work_item",
        state=state,
        owner_id=who.agent_id,
        next_move_owner_id=who.owner_id if state == "review" else None,
        requested_by_id=who.owner_id,
        started_at=_ms(item.created_at),
        review_requested_at=_ms(item.created_at),
        completed_at=None if state == "review" else _closed_at(item),
    )


def _common(item: PendingItem, title: str, untitled: str, who: LocalIdentities) -> dict[str, object]:
    accepted: dict[PendingState, AcceptanceState] = {"open": "pending", "approved": "accepted"}
    return {
        "id": item.item_id,
        "title": title if title.strip(WHITESPACE) else untitled,
        "summary": item.why or None,
        "created_by_id": who.agent_id,
        "conversation_id": who.inbox_id,
        "acceptance_state": accepted.get(item.state, "none"),
        "created_at": _ms(item.created_at),
        "updated_at": _ms(item.created_at) if item.state == "open" else _closed_at(item),
        "metadata": {"outcome": item.state, **_about(item)},
    }


def _about(item: PendingItem) -> WireMetadata:
    """Return the ids and other facts of an item, without text from mail."""
    named = {
        "accountId": item.account_id,
        "messageId": item.message_id,
        "threadId": item.thread_id,
        "runId": item.run_id,
        "cohort": item.cohort,
        "confidence": item.confidence,
        "expiresAt": _ms_if_known(item.expires_at),
    }
    return {name: value for name, value in named.items() if value is not None}


def _closed_at(item: PendingItem) -> int:
    """Return when an item was answered or expired, but not before its creation; its creation time if unknown."""
    closed = item.expires_at if item.state == "expired" else item.answered_at
    return _ms(item.created_at if closed is None else max(closed, item.created_at))


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _ms_if_known(seconds: float | None) -> int | None:
    return None if seconds is None else _ms(seconds)
