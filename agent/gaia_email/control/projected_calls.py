"""The gate's questions about one exact call as questions of the protocol. Entry points: `call_record`, `call_events`.

A record names the tool and the ids it is about. What the call would send, and to whom, is shown where it is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.control.collaboration_records import CollaborationEvent, ControlQuestion
from gaia_email.control.identities import LocalIdentities
from gaia_email.control.inbox_states import CALL_STATES
from gaia_email.control.projecting import Steps
from gaia_email.policy.calls import message_of

if TYPE_CHECKING:
    from gaia_email.ledger import StoredConfirmation


def call_record(asked: StoredConfirmation, who: LocalIdentities) -> ControlQuestion:
    """Whether a call may be made: `answered` with yes, `declined` with no or when it ran out; always a valid one."""
    state = CALL_STATES[asked.state]
    closed = _closed_at(asked)
    about = {
        "outcome": asked.state,
        "tool": asked.tool,
        "accountId": asked.account_id,
        "messageId": message_of(asked.arguments),
        "runId": asked.run_id,
        "expiresAt": round(asked.expires_at * 1000),
    }
    return ControlQuestion.of(
        id=asked.confirmation_id,
        kind="question",
        title=f"May {asked.tool} be called?",
        created_by_id=who.agent_id,
        asked_by_id=who.agent_id,
        asked_of_id=who.owner_id,
        next_move_owner_id={"open": who.owner_id, "answered": who.agent_id}.get(state),
        conversation_id=who.inbox_id,
        state=state,
        acceptance_state={"open": "pending", "answered": "accepted"}.get(state, "none"),
        created_at=_made_at(asked),
        updated_at=_made_at(asked) if state == "open" else closed,
        closed_at=closed if state == "declined" else None,
        metadata={name: value for name, value in about.items() if value is not None},
    )


def call_events(asked: StoredConfirmation, who: LocalIdentities) -> list[CollaborationEvent]:
    """What has happened to the question so far, oldest first; only the owner answers it."""
    steps: Steps
    match asked.state:
        case "open":
            steps = ()
        case "granted" | "used":
            steps = (("answered", "owner"), ("accepted", "owner"))
        case "refused":
            steps = (("declined", "owner"),)
        case "expired":
            steps = (("declined", "agent"),)
    return [
        CollaborationEvent.of(
            id=f"{asked.confirmation_id}:{kind}",
            record_id=asked.confirmation_id,
            record_kind="question",
            kind=kind,
            actor_id=who.owner_id if by == "owner" else who.agent_id,
            at=_made_at(asked) if kind == "created" else _closed_at(asked),
        )
        for kind, by in (("created", "agent"), *steps)
    ]


def _made_at(asked: StoredConfirmation) -> int:
    return round(asked.created_at * 1000)


def _closed_at(asked: StoredConfirmation) -> int:
    at = asked.answered_at if asked.answered_at is not None else asked.expires_at
    return max(round(at * 1000), _made_at(asked))
