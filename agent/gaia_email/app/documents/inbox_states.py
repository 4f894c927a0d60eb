"""States of the Agent Inbox by the protocol's names. Entry points: `QUESTION_STATES`, `WORK_ITEM_STATES`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from gaia_email.ledger import PendingState
QuestionState: TypeAlias = Literal["open", "answered", "closed", "declined"]

QUESTION_STATES: Final[Mapping[PendingState, QuestionState]] = {
    "open": "open",
    "approved": "answered",
    "rejected": "declined",
    "expired": "declined",
    "void": "closed",
}
"""States of an item of type `question`."""

WORK_ITEM_STATES: Final[Mapping[PendingState, Literal["review", "done", "cancelled"]]] = {
    "open": "review",
    "approved": "done",
    "rejected": "cancelled",
    "expired": "cancelled",
    "void": "cancelled",
}
"""States of an item of type `review`, which is a work item."""

NOTE_STATES: Final[Mapping[PendingState, Literal["open", "closed"]]] = {
    "open": "open",
    "approved": "closed",
    "rejected": "closed",
    "expired": "closed",
    "void": "closed",
}
"""States of an item of type `notify`, which is a status message: unread or read."""

CALL_STATES: Final[Mapping[str, QuestionState]] = {
    "open": "open",
    "granted": "answered",
    "used": "answered",
    "refused": "declined",
    "expired": "declined",
}
"""States of the gate's question about one call."""
