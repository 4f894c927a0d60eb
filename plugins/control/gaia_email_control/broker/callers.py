"""The senders of commands and their permissions. Entry points: `ControlCaller`, `sees`, `check_no_approval`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from gaia_email_control.collaboration_records import (
    CollaborationEvent,
    CollaborationRecord,
    ControlQuestion,
    ControlWorkItem,
)
from gaia_email_control.events import EventKind
from gaia_email_control.records import (
    ControlActor,
    ControlBinding,
    ControlConversation,
    ControlDelivery,
    ControlDeliveryAttempt,
    ControlEndpoint,
    ControlFlight,
    ControlInvocation,
    ControlMessage,
    ControlNode,
)
from gaia_email_control.vocabulary import InvocationAction
from gaia_email_registry.errors import NeedsApproval

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email_control.store import ControlStore
    from gaia_email_control.wire import WireRecord

CallerKind = Literal["person", "program", "agent"]
HARMLESS: Final[frozenset[InvocationAction]] = frozenset(("consult", "summarize", "status", "wake"))
"""Actions that change no mailbox."""

ONLY_PERSON: Final = "Only a person answers for the owner; nothing that a program or an agent sends approves."


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCaller:
    """The authenticated caller of the broker.

    Attributes:
        actor_id: The actor that everything they send must come from.
        kind: A person; a program of theirs, which can only ask; or an agent of another program.
        actions: The actions they may invoke.
        account: The account concerned; empty for any.
    """

    actor_id: str
    kind: CallerKind
    actions: Collection[InvocationAction] = field(default=HARMLESS)
    account: str = ""

    def check_is(self, actor_id: str, name: str) -> None:
        """Refuse a command sent in the name of another actor.

        Raises:
            NeedsApproval: The actor is not the caller.
        """
        if actor_id != self.actor_id:
            raise NeedsApproval(
                f"{name} is not yours: with this key you are {self.actor_id!r}.", argument=name
            )

    def need_person(self, what: str) -> None:
        """Refuse a command that only a person may send.

        Raises:
            NeedsApproval: The caller is not a person.
        """
        if self.kind != "person":
            raise NeedsApproval(what, hint="gaia email serve --open opens the page of a person.")


def sees(
    tx: Connection, store: ControlStore, caller: ControlCaller, kind: EventKind, record: WireRecord
) -> bool:
    """Return True if a caller may see a record: an agent sees itself, its conversations, and what it asked for."""
    if caller.kind != "agent":
        return True
    me = caller.actor_id
    match record:
        case ControlNode() | ControlActor():
            return True
        case ControlEndpoint(agent_id=agent_id):
            return agent_id == me
        case ControlConversation(participant_ids=participants):
            return me in participants
        case ControlMessage(audience=audience):
            visible = None if audience is None else audience.visible_to
            among = visible is None or me in visible or record.actor_id == me
            return among and store.is_member(tx, record.conversation_id, me)
        case ControlBinding(conversation_id=conversation):
            return store.is_member(tx, conversation, me)
        case ControlInvocation(requester_id=requester) | ControlFlight(requester_id=requester):
            return requester == me
        case ControlDelivery(target_id=target):
            return target == me
        case ControlDeliveryAttempt(delivery_id=delivery):
            found = store.get(tx, "delivery.planned", delivery)
            return found is not None and found.get("targetId") == me
        case ControlQuestion() | ControlWorkItem():
            return takes_part(tx, store, caller, record)
        case CollaborationEvent(record_id=about):
            found = store.get(tx, "collaboration.upserted", about)
            named = found is not None and me in _named_in(found)
            return named or (found is not None and _is_in_conversation(tx, store, found, me))
        case _:
            return False


def takes_part(
    tx: Connection, store: ControlStore, caller: ControlCaller, record: CollaborationRecord
) -> bool:
    """Return True if a question or work item names the caller, or is in one of their conversations."""
    wire = record.to_wire()
    return caller.actor_id in _named_in(wire) or _is_in_conversation(tx, store, wire, caller.actor_id)


_ROLES: Final = ("createdById", "ownerId", "nextMoveOwnerId", "askedById", "askedOfId", "requestedById")
_FIXED: Final = (
    "kind",
    "createdById",
    "askedById",
    "askedOfId",
    "requestedById",
    "conversationId",
    "createdAt",
)
"""Fields that decide whose answer a record waits for; once set, only a person may change them."""


def check_no_approval(
    caller: ControlCaller, record: CollaborationRecord, before: CollaborationRecord | None
) -> None:
    """Refuse a record in which an actor answers for another one.

    Raises:
        NeedsApproval: It accepts something, answers a question to another actor, ends what another one owns, or changes
            whose answer is expected.
    """
    if caller.kind == "person":
        return
    wire, old = record.to_wire(), {} if before is None else before.to_wire()
    if before is not None and any(wire.get(name) != old.get(name) for name in _FIXED):
        raise NeedsApproval("Whose word a record waits for is changed by a person only.")
    if (
        record.acceptance_state in ("accepted", "reopened")
        and old.get("acceptanceState") != record.acceptance_state
    ):
        raise NeedsApproval(ONLY_PERSON)
    if old.get("acceptanceState") == "pending" and record.acceptance_state == "none":
        raise NeedsApproval(ONLY_PERSON)
    if record.state == old.get("state"):
        return
    match before:
        case None if record.state in ("answered", "declined", "closed", "done", "cancelled"):
            raise NeedsApproval("What is new begins open.")
        case ControlQuestion(asked_of_id=asked) if record.state in ("answered", "declined"):
            allowed = asked == caller.actor_id
        case ControlQuestion(created_by_id=creator):
            allowed = creator == caller.actor_id
        case ControlWorkItem(owner_id=owner, created_by_id=creator):
            allowed = caller.actor_id == owner or (record.state == "cancelled" and caller.actor_id == creator)
        case _:
            allowed = True
    if not allowed:
        raise NeedsApproval(ONLY_PERSON)


def check_no_approving_event(
    caller: ControlCaller, event: CollaborationEvent, about: CollaborationRecord
) -> None:
    """Refuse an event by which an actor answers for another one.

    Raises:
        NeedsApproval: The caller may not report this event.
    """
    if caller.kind == "person":
        return
    match event.kind, about:
        case (("accepted" | "reopened"), _):
            raise NeedsApproval(ONLY_PERSON)
        case (("answered" | "declined"), ControlQuestion(asked_of_id=asked)) if asked != caller.actor_id:
            raise NeedsApproval(ONLY_PERSON)
        case (("done" | "cancelled"), ControlWorkItem(owner_id=owner)) if owner != caller.actor_id:
            raise NeedsApproval(ONLY_PERSON)
        case _:
            return


def _named_in(record: Mapping[str, object]) -> set[object]:
    return {record.get(name) for name in _ROLES}


def _is_in_conversation(
    tx: Connection, store: ControlStore, record: Mapping[str, object], actor_id: str
) -> bool:
    conversation = record.get("conversationId")
    return isinstance(conversation, str) and store.is_member(tx, conversation, actor_id)
