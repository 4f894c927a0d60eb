"""Execute commands: each is checked, then its records and events are written together. Entry: `ControlBroker`.

A repeated command with the same id and content gets the same answer and writes nothing, so that a client without an
answer can simply send it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gaia_email.ledger.text import storable
from gaia_email_control.broker.callers import (
    ControlCaller,
    check_no_approval,
    check_no_approving_event,
    takes_part,
)
from gaia_email_control.broker.ledger_events import append_records
from gaia_email_control.broker.owner_questions import OwnerQuestions
from gaia_email_control.collaboration import check_event, check_record
from gaia_email_control.collaboration_records import (
    CollaborationEvent,
    CollaborationRecord,
    read_collaboration_record,
)
from gaia_email_control.commands import (
    AppendCollaborationEvent,
    ControlCommand,
    EnsureAwake,
    InvokeAgent,
    PostMessage,
    SubscribeStream,
    UpsertActor,
    UpsertAgent,
    UpsertBinding,
    UpsertCollaboration,
    UpsertConversation,
    UpsertEndpoint,
    UpsertNode,
    read_command,
)
from gaia_email_control.deliveries import plan_deliveries
from gaia_email_control.events import EventKind
from gaia_email_control.identities import LocalIdentities, flight_id_of
from gaia_email_control.javascript import JavaScriptError
from gaia_email_control.records import (
    ControlActor,
    ControlAgent,
    ControlBinding,
    ControlConversation,
    ControlDeliveryTarget,
    ControlEndpoint,
    ControlFlight,
    ControlInvocation,
    ControlMessage,
    ControlNode,
)
from gaia_email_control.refusals import MESH, command_refusal
from gaia_email_control.store import ControlStore
from gaia_email_control.vocabulary import FlightState
from gaia_email_control.wire import WireRecord, check_depth
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound, RateLimited

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger

MOST_BYTES: Final = 64 << 10
"""Maximum size of a command as JSON, in bytes."""

MOST_ID: Final = 200
MOST_PARTICIPANTS: Final = 200
MOST_FLIGHTS: Final = 20
"""Maximum number of active flights per requester."""

RUNS: Final = ("triage",)
"""Valid tasks of `execute`."""

UNDER_WAY: Final[tuple[FlightState, ...]] = ("queued", "waking", "running", "waiting")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """The result of a command.

    Attributes:
        kind: The command's kind.
        record: The stored record; for an invocation its flight.
        is_new: False if the same record existed before.
    """

    kind: str
    record: dict[str, object]
    is_new: bool

    def to_json(self) -> dict[str, object]:
        """Return the result in the form for a caller."""
        return {"kind": self.kind, "record": self.record, "isNew": self.is_new}


class ControlBroker:
    """The only writer of the protocol's records in one ledger.

    Args:
        ledger: The ledger with records and events.
        who: The ids of this machine's side.
    """

    def __init__(self, ledger: Ledger, who: LocalIdentities) -> None:
        self.ledger = ledger
        self.who = who
        self._store = ControlStore.of(ledger)
        self._questions = OwnerQuestions(ledger, who)

    def execute(self, value: object, caller: ControlCaller) -> CommandResult:
        """Execute a command completely or not at all.

        Raises:
            BadArgument: It is not a command, its record is invalid (in the protocol's words), or it is not supported
                here.
            NeedsApproval: The caller may not send it.
            NotFound: It refers to something that does not exist for this caller.
            RateLimited: The caller has too much under way.
            ProviderError: The ledger cannot be written.
        """
        command = read_command(_sized(value))
        if (sentence := command_refusal(command, node_id=self.who.node_id)) is not None:
            raise BadArgument(sentence, argument="/kind")
        with self.ledger.write() as tx:
            return self._carried_out(tx, command, caller)

    def _carried_out(self, tx: Connection, command: ControlCommand, caller: ControlCaller) -> CommandResult:
        match command:
            case PostMessage(message=message):
                return self._post(tx, message, caller)
            case InvokeAgent(invocation=invocation):
                return self._invoke(tx, invocation, caller)
            case EnsureAwake() | SubscribeStream():
                return self._written_nowhere(command, caller)
            case UpsertNode(node=node):
                return self._upsert_node(tx, node, caller)
            case UpsertActor(actor=actor):
                return self._upsert_actor(tx, actor, caller)
            case UpsertAgent(agent=agent):
                return self._upsert_agent(tx, agent, caller)
            case UpsertEndpoint(endpoint=endpoint):
                return self._upsert_endpoint(tx, endpoint, caller)
            case UpsertConversation(conversation=conversation):
                return self._upsert_conversation(tx, conversation, caller)
            case UpsertBinding(binding=binding):
                return self._upsert_binding(tx, binding, caller)
            case UpsertCollaboration(record=record):
                return self._upsert_collaboration(tx, record, caller)
            case AppendCollaborationEvent(event=event):
                return self._append_event(tx, event, caller)

    def _post(self, tx: Connection, message: ControlMessage, caller: ControlCaller) -> CommandResult:
        caller.check_is(message.actor_id, "message.actorId")
        conversation = self.conversation(tx, message.conversation_id, caller)
        if message.origin_node_id != self.who.node_id:
            raise BadArgument(MESH, argument="/message/originNodeId")
        if message.message_class == "system":
            caller.need_person("Messages of the class system are the owner's.")
        if (answered := message.reply_to_message_id) is not None:
            found = self._store.get(tx, "message.posted", answered)
            if found is None or found.get("conversationId") != conversation.id:
                raise NotFound(f"This conversation has no message {answered[:60]!r} to reply to.")
        targets = [
            ControlDeliveryTarget.of(id=one["agentId"], kind="agent", transport=one["transport"])
            for participant in conversation.participant_ids
            if participant != message.actor_id
            for one in self._store.select(tx, "agent.endpoint.upserted", {"agent_id": participant})
            if one.get("transport") in ("websocket", "local_socket")
        ]
        mentioned = {mention.actor_id for mention in message.mentions or ()}
        planned = [
            one
            for target in targets
            for one in plan_deliveries(
                message, [target], reason="mention" if target.id in mentioned else "conversation_visibility"
            )
        ]
        also: list[tuple[EventKind, WireRecord]] = [("delivery.planned", one) for one in planned]
        return self._once(tx, "conversation.post", "message.posted", message, caller, also)

    def _invoke(self, tx: Connection, invocation: ControlInvocation, caller: ControlCaller) -> CommandResult:
        caller.check_is(invocation.requester_id, "invocation.requesterId")
        if invocation.requester_node_id != self.who.node_id:
            raise BadArgument(MESH, argument="/invocation/requesterNodeId")
        if invocation.target_agent_id != self.who.agent_id:
            raise BadArgument(
                f"Only {self.who.agent_id} is invoked here; post a message to another agent.",
                argument="/invocation/targetAgentId",
            )
        if invocation.action not in caller.actions:
            raise NeedsApproval(
                f"{caller.actor_id!r} was not granted {invocation.action}.",
                argument="/invocation/action",
                hint="a person grants it: gaia email control agents grant",
            )
        if invocation.action == "execute" and invocation.task.strip().lower() not in RUNS:
            raise BadArgument(
                f"execute takes the task {' or '.join(RUNS)}; ask in words with consult.",
                argument="/invocation/task",
            )
        if invocation.conversation_id is not None:
            self.conversation(tx, invocation.conversation_id, caller)
        flight_id = flight_id_of(invocation.id)
        flight = ControlFlight.of(
            id=flight_id,
            invocation_id=invocation.id,
            requester_id=invocation.requester_id,
            target_agent_id=invocation.target_agent_id,
            state="waiting" if self._questions.blocks(tx, caller.actor_id, flight_id) else "queued",
        )
        known = self._store.get(tx, "invocation.requested", invocation.id)
        if known is None:
            under_way = sum(
                len(
                    self._store.select(
                        tx, "flight.updated", {"state": state, "requester_id": caller.actor_id}
                    )
                )
                for state in UNDER_WAY
            )
            if under_way >= MOST_FLIGHTS:
                raise RateLimited(
                    f"{MOST_FLIGHTS} flights of yours are under way; ask again after one of them."
                )
        also: list[tuple[EventKind, WireRecord]] = [("flight.updated", flight)]
        done = self._once(tx, "agent.invoke", "invocation.requested", invocation, caller, also)
        now = self._store.get(tx, "flight.updated", flight.id)
        return CommandResult(kind=done.kind, record=dict(now or flight.to_wire()), is_new=done.is_new)

    def _written_nowhere(
        self, command: EnsureAwake | SubscribeStream, caller: ControlCaller
    ) -> CommandResult:
        if isinstance(command, SubscribeStream):
            raise BadArgument(
                "stream.subscribe needs a connection that stays open.",
                argument="/kind",
                hint="send it over the WebSocket /control/v1/stream.",
            )
        caller.check_is(command.requester_id, "requesterId")
        if command.agent_id != self.who.agent_id:
            raise BadArgument(
                f"Only {self.who.agent_id} can be woken here, and it is always awake.", argument="/agentId"
            )
        return CommandResult(
            kind=command.kind, record={"agentId": command.agent_id, "state": "idle"}, is_new=False
        )

    def _upsert_node(self, tx: Connection, node: ControlNode, caller: ControlCaller) -> CommandResult:
        caller.need_person("Only a person describes this machine.")
        return self._once(tx, "node.upsert", "node.upserted", node, caller)

    def _upsert_actor(self, tx: Connection, actor: ControlActor, caller: ControlCaller) -> CommandResult:
        caller.check_is(actor.id, "actor.id")
        if caller.kind != "person" and actor.kind in ("person", "system"):
            raise NeedsApproval("A program is no person and no part of the system.", argument="/actor/kind")
        return self._once(tx, "actor.upsert", "actor.registered", actor, caller)

    def _upsert_agent(self, tx: Connection, agent: ControlAgent, caller: ControlCaller) -> CommandResult:
        caller.check_is(agent.id, "agent.id")
        if agent.kind != "agent" or agent.definition_id == self.who.agent_id:
            raise BadArgument(
                "An agent has the kind agent and a definition of its own.", argument="/agent/kind"
            )
        return self._once(tx, "agent.upsert", "agent.registered", agent, caller)

    def _upsert_endpoint(
        self, tx: Connection, endpoint: ControlEndpoint, caller: ControlCaller
    ) -> CommandResult:
        caller.check_is(endpoint.agent_id, "endpoint.agentId")
        if endpoint.node_id != self.who.node_id:
            raise BadArgument(MESH, argument="/endpoint/nodeId")
        before = self._store.get(tx, "agent.endpoint.upserted", endpoint.id)
        if before is not None and before.get("agentId") != endpoint.agent_id:
            raise _taken(endpoint.id)
        return self._once(tx, "agent.endpoint.upsert", "agent.endpoint.upserted", endpoint, caller)

    def _upsert_conversation(
        self, tx: Connection, conversation: ControlConversation, caller: ControlCaller
    ) -> CommandResult:
        participants = conversation.participant_ids
        if conversation.authority_node_id != self.who.node_id:
            raise BadArgument(MESH, argument="/conversation/authorityNodeId")
        if len(participants) > MOST_PARTICIPANTS or len(set(participants)) != len(participants):
            raise BadArgument(
                f"A conversation has at most {MOST_PARTICIPANTS} participants, each named once.",
                argument="/conversation/participantIds",
            )
        if caller.actor_id not in participants:
            raise BadArgument(
                f"You ({caller.actor_id}) take part in what you begin.",
                argument="/conversation/participantIds",
            )
        before = self._store.get(tx, "conversation.upserted", conversation.id)
        if before is not None:
            was = ControlConversation.from_wire(before)
            if caller.kind != "person" and caller.actor_id not in was.participant_ids:
                raise _taken(conversation.id)
            if caller.kind != "person" and not set(was.participant_ids) <= set(participants):
                raise NeedsApproval("Only a person removes others from a conversation.")
        for one in participants:
            if not self._is_known(tx, one):
                raise NotFound(
                    f"There is no actor {one[:60]!r} here.", argument="/conversation/participantIds"
                )
        return self._once(tx, "conversation.upsert", "conversation.upserted", conversation, caller)

    def _upsert_binding(
        self, tx: Connection, binding: ControlBinding, caller: ControlCaller
    ) -> CommandResult:
        caller.need_person("Only a person binds a conversation to a channel of another program.")
        self.conversation(tx, binding.conversation_id, caller)
        return self._once(tx, "binding.upsert", "binding.upserted", binding, caller)

    def _upsert_collaboration(
        self, tx: Connection, record: CollaborationRecord, caller: ControlCaller
    ) -> CommandResult:
        _valid(lambda: check_record(record.to_wire()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        self._check_not_ours(tx, record.id)
        kept = self._store.get(tx, "collaboration.upserted", record.id)
        before = None if kept is None else read_collaboration_record(kept)
        if before is None:
            caller.check_is(record.created_by_id, "record.createdById")
        elif caller.kind != "person" and not takes_part(tx, self._store, caller, before):
            raise _taken(record.id)
        if record.conversation_id is not None:
            self.conversation(tx, record.conversation_id, caller)
        check_no_approval(caller, record, before)
        self._questions.check(record)
        done = self._once(tx, "collaboration.upsert", "collaboration.upserted", record, caller)
        if done.is_new:
            self._questions.follow(tx, record, caller)
        return done

    def _append_event(
        self, tx: Connection, event: CollaborationEvent, caller: ControlCaller
    ) -> CommandResult:
        _valid(lambda: check_event(event.to_wire()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        caller.check_is(event.actor_id, "event.actorId")
        self._check_not_ours(tx, event.record_id)
        kept = self._store.get(tx, "collaboration.upserted", event.record_id)
        about = None if kept is None else read_collaboration_record(kept)
        if about is None or (caller.kind == "agent" and not takes_part(tx, self._store, caller, about)):
            raise NotFound(
                f"There is no record {event.record_id[:60]!r} of yours.", argument="/event/recordId"
            )
        _valid(lambda: check_event(event.to_wire(), about.to_wire()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        check_no_approving_event(caller, event, about)
        return self._once(tx, "collaboration.event.append", "collaboration.event.appended", event, caller)

    def conversation(
        self, tx: Connection, conversation_id: str, caller: ControlCaller
    ) -> ControlConversation:
        """Return a conversation that the caller takes part in.

        Raises:
            NotFound: There is none with this id for them.
        """
        found = self._store.get(tx, "conversation.upserted", conversation_id)
        if found is None or not self._store.is_member(tx, conversation_id, caller.actor_id):
            raise NotFound(
                f"You take part in no conversation {conversation_id[:60]!r}.",
                argument="conversationId",
                hint="conversation.upsert begins one.",
            )
        return ControlConversation.from_wire(found)

    def append(self, tx: Connection, actor_id: str, *made: tuple[EventKind, WireRecord]) -> None:
        """Write records and their events, in this order, in the caller's transaction."""
        append_records(self._store, tx, actor_id, made)

    def _once(
        self,
        tx: Connection,
        command: str,
        kind: EventKind,
        record: _Identified,
        caller: ControlCaller,
        also: Sequence[tuple[EventKind, WireRecord]] = (),
    ) -> CommandResult:
        """Write a record, unless it exists already.

        Raises:
            BadArgument: Its id is invalid, or belongs to another record.
        """
        if not 0 < len(record.id.strip()) == len(record.id) <= MOST_ID or not record.id.isprintable():
            raise BadArgument(f"An id is a printable text of at most {MOST_ID} characters.", argument="id")
        if record.id in self.who.ids and kind not in ("actor.registered", "node.upserted"):
            raise _taken(record.id)
        wire = record.to_wire()
        before = self._store.get(tx, kind, record.id)
        if before == wire:
            return CommandResult(kind=command, record=wire, is_new=False)
        if before is not None and kind in (
            "message.posted",
            "invocation.requested",
            "collaboration.event.appended",
        ):
            raise _taken(record.id)
        self.append(tx, caller.actor_id, (kind, record), *also)
        return CommandResult(kind=command, record=wire, is_new=True)

    def _check_not_ours(self, tx: Connection, record_id: str) -> None:
        id_ = storable(record_id)
        if self.ledger.pending.get(tx, id_) is not None or self.ledger.approvals(tx).get(id_) is not None:
            raise NeedsApproval(
                "What waits in the Agent Inbox is answered there, as it was shown.",
                hint="gaia email review, or the page of gaia email serve --open",
            )

    def _is_known(self, tx: Connection, actor_id: str) -> bool:
        return (
            actor_id in self.who.ids
            or self._store.grant(tx, agent_id=actor_id) is not None
            or self._store.get(tx, "agent.registered", actor_id) is not None
        )


_Identified = (
    ControlActor
    | ControlBinding
    | ControlConversation
    | ControlEndpoint
    | ControlInvocation
    | ControlMessage
    | ControlNode
    | CollaborationRecord
    | CollaborationEvent
)


def _sized(value: object) -> object:
    check_depth(value)
    try:
        size = len(json.dumps(value))
    except (TypeError, ValueError):
        raise BadArgument("The command is no JSON.") from None
    if size > MOST_BYTES:
        raise BadArgument(f"A command is at most {MOST_BYTES:,} bytes long; send less at once.")
    return value


def _valid(check: Callable[[], None]) -> None:
    try:
        check()
    except JavaScriptError as error:
        raise BadArgument(str(error)) from None


def _taken(record_id: str) -> BadArgument:
    return BadArgument(
        f"The id {record_id[:60]!r} belongs to something else; give each thing an id of its own.",
        argument="id",
    )
