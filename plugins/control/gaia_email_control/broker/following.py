"""Convert the ledger's events to those of the protocol's stream. Entry points: `EventProjection`, `SubscriptionFilter`.

Records written by other programs are passed on unchanged. Runs, conversation turns and the Agent Inbox of
this program are converted to the protocol's records, in their state at the time of conversion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from gaia_email.document import Timestamp
from gaia_email.runs.activities import all_activities, all_channels
from gaia_email.runs.status import RunStatus
from gaia_email_control.broker.callers import ControlCaller, sees
from gaia_email_control.broker.ledger_events import control_event
from gaia_email_control.broker.owner_questions import asked_by_agent, still_asked
from gaia_email_control.commands import StreamSubscription
from gaia_email_control.events import ControlEvent, EventKind, new_event
from gaia_email_control.identities import LocalIdentities
from gaia_email_control.projected_calls import call_events, call_record
from gaia_email_control.projected_messages import (
    BRIEF_MADE,
    ToldMessage,
    brief_told,
    channel_binding,
    note_told,
    post_told,
)
from gaia_email_control.projecting import (
    ChatTurn,
    item_events,
    item_record,
    run_flight,
    run_invocation,
    turn_flight,
    turn_invocation,
)
from gaia_email_control.records import ControlConversation, ControlFlight
from gaia_email_control.store import ControlStore
from gaia_email_control.vocabulary import FlightState
from gaia_email_control.wire import WireRecord

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger, LedgerEvent, PendingItem

THEIRS: Final = ("control.*",)

_RUN_STATES: Final = {"run.started": "running", "run.finished": "completed", "run.cancelled": "cancelled"}

TURN_STATES: Final[Mapping[str, FlightState]] = {
    "chat.turn.started": "running",
    "chat.turn.finished": "completed",
    "chat.turn.failed": "failed",
}
_OVER: Final = ("completed", "failed", "cancelled")

Made = tuple[EventKind, WireRecord, str]
"""A kind of event, its record, and the actor who caused it."""


def our_events() -> tuple[str, ...]:
    """Return the kinds of this program's events that are converted, some as patterns."""
    channels = all_channels()
    return (
        "run.*",
        *(one.events for one in all_activities()),
        *("chat.turn.*", "pending.*", "approval.*", BRIEF_MADE),
        *(one.posted for one in channels),
        *(one.added for one in channels),
    )


class SubscriptionFilter:
    """The events that a subscription wants.

    Named conversations and flights are alternatives; event kinds apply in addition.
    """

    def __init__(self, wanted: StreamSubscription) -> None:
        self._conversations = None if wanted.conversation_ids is None else set(wanted.conversation_ids)
        self._flights = None if wanted.flight_ids is None else set(wanted.flight_ids)
        self._kinds = None if wanted.event_kinds is None else set(wanted.event_kinds)

    def matches(self, event: ControlEvent, record: WireRecord, conversation: str | None = None) -> bool:
        """Return True if an event is wanted; `conversation` is that of its flight's invocation."""
        if self._kinds is not None and event.kind not in self._kinds:
            return False
        if self._conversations is None and self._flights is None:
            return True
        wire = record.to_wire()
        about = record.id if isinstance(record, ControlConversation) else wire.get("conversationId")
        if {about, conversation} & (self._conversations or set()):
            return True
        return isinstance(record, ControlFlight) and record.id in (self._flights or ())


class EventProjection:
    """The protocol's events of one ledger.

    Args:
        ledger: The ledger with the event log.
        who: The ids of this machine's side.
    """

    def __init__(self, ledger: Ledger, who: LocalIdentities) -> None:
        self._ledger = ledger
        self._who = who
        self._store = ControlStore.of(ledger)
        self._channels = all_channels()
        self._run_kinds = {kind: one.run_kind for one in all_activities() for kind in one.states}
        others = (one.states.items() for one in all_activities())
        self._run_states = {**_RUN_STATES, **{kind: state for states in others for kind, state in states}}

    def events(
        self, event: LedgerEvent, caller: ControlCaller, wanted: SubscriptionFilter
    ) -> list[ControlEvent]:
        """Return the protocol's events for an event of the ledger, as far as the caller may see and wants them."""
        with self._ledger.read() as tx:
            return [
                told
                for told, record in self._told(tx, event)
                if sees(tx, self._store, caller, told.kind, record)
                and wanted.matches(told, record, self._conversation_of(tx, record))
            ]

    def _told(self, tx: Connection, event: LedgerEvent) -> Iterator[tuple[ControlEvent, WireRecord]]:
        theirs = control_event(event, self._who.node_id)
        if theirs is not None:
            record = theirs.record()
            if isinstance(record, ControlFlight) and record.state == "completed":
                record = self._with_output(tx, record)
                theirs = new_event(
                    theirs.kind,
                    record,
                    id=theirs.id,
                    ts=theirs.ts,
                    actor_id=theirs.actor_id,
                    node_id=theirs.node_id,
                )
            yield theirs, record
            return
        for number, (kind, record, actor) in enumerate(self._ours(tx, event)):
            yield (
                new_event(
                    kind,
                    record,
                    id=f"event:{event.seq}:{number}",
                    ts=round(event.at * 1000),
                    actor_id=actor,
                    node_id=self._who.node_id,
                ),
                record,
            )

    def _ours(self, tx: Connection, event: LedgerEvent) -> Iterator[Made]:
        if event.kind in self._run_states:
            yield from self._run(tx, event, self._run_states[event.kind])
        elif event.kind in TURN_STATES:
            yield from self._turn(event, TURN_STATES[event.kind])
        elif event.kind.startswith(("pending.", "approval.")):
            yield from self._items(tx, event)
        elif event.kind == BRIEF_MADE:
            yield from self._message(brief_told(event, self._who))
        else:
            yield from self._outside(tx, event)

    def _outside(self, tx: Connection, event: LedgerEvent) -> Iterator[Made]:
        for channels in self._channels:
            if event.kind == channels.posted:
                for action in self._ledger.actions.get(tx, [event.action_id or ""]):
                    yield from self._message(post_told(action, channels, self._who))
            elif event.kind == channels.added:
                binding = channel_binding(channels, str(event.payload.get("name")), self._who)
                yield "binding.upserted", binding, self._who.owner_id

    def _run(self, tx: Connection, event: LedgerEvent, state: str) -> Iterator[Made]:
        run_id, agent, at = event.run_id or "", self._who.agent_id, Timestamp(event.at)
        if self._store.get(tx, "flight.updated", run_id) is not None:
            return  # another program invoked it, and the flight's own events report it
        run = RunStatus(
            id=run_id,
            kind=self._run_kinds.get(event.kind) or str(event.payload.get("kind") or "triage"),
            mailbox=event.account_id or "",
            state=state,
            created_at=at,
            started_at=None if state in (*_OVER, "queued") else at,
            finished_at=at if state in _OVER else None,
            scheduled=False,
        )
        if state in ("queued", "running"):
            yield "invocation.requested", run_invocation(run, self._who), self._who.owner_id
        waiting = still_asked(tx, self._ledger, run_id)
        yield "flight.updated", run_flight(run, self._who, waiting=waiting), agent

    def _turn(self, event: LedgerEvent, state: FlightState) -> Iterator[Made]:
        turn = ChatTurn(
            turn_id=event.run_id or "",
            session_id=event.session_id or "",
            line="",
            state=state,
            asked_at=event.at,
            answered_at=event.at if state in _OVER else None,
        )
        if state == "running":
            yield "invocation.requested", turn_invocation(turn, self._who), self._who.owner_id
        yield "flight.updated", turn_flight(turn, self._who), self._who.agent_id

    def _items(self, tx: Connection, event: LedgerEvent) -> Iterator[Made]:
        named = [one for name in ("item_ids", "voided_ids", "item_id") for one in _ids(event.payload, name)]
        called = [
            one for name in ("confirmation_ids", "confirmation_id") for one in _ids(event.payload, name)
        ]
        items = [one for one in (self._ledger.pending.get(tx, item_id) for item_id in named) if one]
        calls = [one for one in (self._ledger.approvals(tx).get(one) for one in called) if one]
        for item in items:
            yield from self._item(item)
        for call in calls:
            yield "collaboration.upserted", call_record(call, self._who), self._who.agent_id
            for step in call_events(call, self._who)[0 if call.state == "open" else 1 :]:
                yield "collaboration.event.appended", step, step.actor_id
        if event.kind.startswith("approval."):
            run_ids = [item.run_id for item in items] + [call.asked.run_id for call in calls]
            for run_id in dict.fromkeys(filter(None, run_ids)):
                yield from self._resumed(tx, run_id)

    def _item(self, item: PendingItem) -> Iterator[Made]:
        agent = self._who.agent_id
        if asked_by_agent(item):
            return  # its own records report it
        if item.type == "notify":
            yield from self._message(note_told(item, self._who), is_new=item.state == "open")
            return
        yield "collaboration.upserted", item_record(item, "", self._who), agent
        steps, begun = item_events(item, self._who), 1 if item.type == "question" else 2
        for step in steps[:begun] if item.state == "open" else steps[begun:]:
            yield "collaboration.event.appended", step, step.actor_id

    def _message(self, told: ToldMessage, *, is_new: bool = True) -> Iterator[Made]:
        agent = self._who.agent_id
        if is_new:
            yield "message.posted", told.message, agent
        yield "delivery.planned", told.delivery, agent
        for attempt in told.attempts if is_new else told.attempts[1:]:
            yield "delivery.attempted", attempt, agent

    def _resumed(self, tx: Connection, run_id: str) -> Iterator[Made]:
        """Yield the flight of a run, once its last question was answered."""
        if self._store.get(tx, "flight.updated", run_id) is not None:
            return
        finished = self._ledger.events.since(tx, kind="run.finished", run_id=run_id, limit=1)
        if finished and not still_asked(tx, self._ledger, run_id):
            yield from self._run(tx, finished[0], "completed")

    def _with_output(self, tx: Connection, flight: ControlFlight) -> ControlFlight:
        output = self._store.output(tx, flight.id)
        return flight if output is None else ControlFlight.from_wire({**flight.to_wire(), "output": output})

    def _conversation_of(self, tx: Connection, record: WireRecord) -> str | None:
        if not isinstance(record, ControlFlight):
            return None
        asked = self._store.get(tx, "invocation.requested", record.invocation_id)
        conversation = None if asked is None else asked.get("conversationId")
        return conversation if isinstance(conversation, str) else None


def _ids(payload: Mapping[str, object], name: str) -> Iterable[str]:
    """Return the ids in a field that has one or a list of them."""
    found = payload.get(name)
    if isinstance(found, str):
        return [found] if found else []
    return [str(one) for one in found] if isinstance(found, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
