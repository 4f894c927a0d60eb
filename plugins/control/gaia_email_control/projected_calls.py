"""The gate's questions about one exact call as the protocol's questions. Entry points: `call_record`, `call_events`.

A record names the tool and the ids it is about. The content and recipients of the call are shown where it is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from gaia_email.app.documents.inbox_states import CALL_STATES
from gaia_email_control.collaboration_records import CollaborationEvent, ControlQuestion
from gaia_email_control.identities import LocalIdentities
from gaia_email_control.projecting import Steps, steps_taken
from gaia_email_registry.calls import message_of

if TYPE_CHECKING:
    from gaia_email_registry.approvals import Approval, ApprovalState

_BEGUN: Final[Steps] = (("created", "agent"),)
_ANSWERED: Final[Steps] = (("answered", "owner"), ("accepted", "owner"))
_CLOSED: Final[Mapping[ApprovalState, Steps]] = {
    "open": (),
    "granted": _ANSWERED,
    "used": _ANSWERED,
    "refused": (("declined", "owner"),),
    "expired": (("declined", "agent"),),
}


def call_record(found: Approval, who: LocalIdentities) -> ControlQuestion:
    """Return the question if a call may be made: `answered` for yes, `declined` for no or expired; always valid."""
    asked, state = found.asked, CALL_STATES[found.state]
    closed = _closed_at(found)
    about = {
        "outcome": found.state,
        "tool": asked.tool,
        "accountId": asked.account,
        "messageId": message_of(asked.arguments),
        "runId": asked.run_id,
        "expiresAt": round(found.expires_at * 1000),
    }
    return ControlQuestion.of(
        id=found.approval_id,
        kind="question",
        title=f"May {asked.tool} be called?",
        created_by_id=who.agent_id,
        asked_by_id=who.agent_id,
        asked_of_id=who.owner_id,
        next_move_owner_id={"open": who.owner_id, "answered": who.agent_id}.get(state),
        conversation_id=who.inbox_id,
        state=state,
        acceptance_state={"open": "pending", "answered": "accepted"}.get(state, "none"),
        created_at=_made_at(found),
        updated_at=_made_at(found) if state == "open" else closed,
        closed_at=closed if state == "declined" else None,
        metadata={name: value for name, value in about.items() if value is not None},
    )


def call_events(found: Approval, who: LocalIdentities) -> list[CollaborationEvent]:
    """Return the events of the question so far, oldest first; only the owner answers it."""
    taken = ((_BEGUN, _made_at(found)), (_CLOSED[found.state], _closed_at(found)))
    return steps_taken(found.approval_id, "question", taken, who)


def _made_at(found: Approval) -> int:
    return round(found.created_at * 1000)


def _closed_at(found: Approval) -> int:
    at = found.answered_at if found.answered_at is not None else found.expires_at
    return max(round(at * 1000), _made_at(found))
