"""Listings of the control protocol, limited to what the caller may see. Entries: `ControlReading`, `tail`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from gaia_email.ledger import EventFilter, Selection
from gaia_email.runs.activities import all_activities, all_channels
from gaia_email.runs.files import has_runs
from gaia_email.runs.status import RunStatus
from gaia_email_control.broker.callers import ControlCaller, sees
from gaia_email_control.broker.following import THEIRS, TURN_STATES, SubscriptionFilter, our_events
from gaia_email_control.broker.owner_questions import asked_by_agent, still_asked
from gaia_email_control.commands import StreamSubscription
from gaia_email_control.events import EVENT_RECORDS, ControlEvent, EventKind
from gaia_email_control.identities import inbox_record, session_record
from gaia_email_control.projected_calls import call_record
from gaia_email_control.projected_messages import (
    BRIEF_MADE,
    ToldMessage,
    brief_told,
    channel_binding,
    note_told,
    post_told,
)
from gaia_email_control.projecting import ChatTurn, item_record, run_flight, turn_flight
from gaia_email_control.records import ControlAgent, ControlFlight
from gaia_email_control.service import ControlService
from gaia_email_control.store import ControlStore
from gaia_email_control.wire import WireRecord
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import LedgerEvent

MOST: Final = 200
"""Maximum number of records in a listing."""


class ControlReading:
    """Listings for one caller: an agent sees its own records; the owner and their programs also see ours."""

    def __init__(self, service: ControlService, caller: ControlCaller) -> None:
        self._service = service
        self._caller = caller
        self._who = service.who
        self._ledger = service.ledger
        self._store = ControlStore.of(service.ledger)

    @property
    def _is_ours(self) -> bool:
        return self._caller.kind != "agent"

    def agents(self) -> list[dict[str, object]]:
        """Return the agents: ours, and those of other programs."""
        ours = [one.to_wire() for one in self._service.standing() if isinstance(one, ControlAgent)]
        with self._ledger.read() as tx:
            return [*ours, *self._seen(tx, "agent.registered")]

    def conversations(self) -> list[dict[str, object]]:
        """Return the conversations, most recently changed first."""
        ours: list[WireRecord] = []
        with self._ledger.read() as tx:
            if self._is_ours:
                sessions = dict.fromkeys(one.session_id for one in self._turn_events(tx) if one.session_id)
                ours = [inbox_record(self._who), *(session_record(one, self._who) for one in sessions)]
            return [*(one.to_wire() for one in ours), *self._seen(tx, "conversation.upserted")]

    def messages(self, conversation_id: str, *, limit: int = MOST) -> list[dict[str, object]]:
        """Return the last messages of a conversation, oldest first.

        Raises:
            NotFound: The caller takes part in no conversation with this id.
        """
        with self._ledger.read() as tx:
            if self._is_ours and conversation_id == self._who.inbox_id:
                told = sorted(self._told(tx), key=lambda one: one.message.created_at)
                return [one.message.to_wire() for one in told[-limit:]]
            found = self._store.get(tx, "conversation.upserted", conversation_id)
            if found is None or not self._may_see(tx, "conversation.upserted", found):
                raise NotFound(f"You take part in no conversation {conversation_id[:60]!r}.")
            return self._seen(tx, "message.posted", limit, conversation_id=conversation_id)[::-1]

    def bindings(self) -> list[dict[str, object]]:
        """Return the channels bound to conversations: those of plug-ins, and those bound by hand."""
        ours = [
            channel_binding(channels, name, self._who).to_wire()
            for channels in (all_channels() if self._is_ours else ())
            for name in channels.names(self._ledger)
        ]
        with self._ledger.read() as tx:
            return [*ours, *self._seen(tx, "binding.upserted")]

    def deliveries(self) -> list[dict[str, object]]:
        """Return the deliveries of messages, newest first."""
        with self._ledger.read() as tx:
            told = self._told(tx) if self._is_ours else []
            newest = sorted(told, key=lambda one: -one.message.created_at)[:MOST]
            return [*(one.delivery.to_wire() for one in newest), *self._seen(tx, "delivery.planned")]

    def flights(self, *, state: str = "", limit: int = 50) -> list[dict[str, object]]:
        """Return current and past flights, newest first."""
        with self._ledger.read() as tx:
            found = [self._with_output(tx, one) for one in self._seen(tx, "flight.updated", MOST)]
            known = {str(one["id"]) for one in found}
            ours = [*self._turns(tx), *self._other_runs(tx)] if self._is_ours else []
            runs = self._runs() if self._is_ours else []
            ours += [run_flight(one, self._who, waiting=self._open(tx, one.id)) for one in runs]
        whole = [*found, *(one.to_wire() for one in ours if one.id not in known)]
        chosen = [one for one in whole if state in ("", one["state"])]
        return sorted(chosen, key=_newest_first)[:limit]

    def flight(self, flight_id: str) -> dict[str, object]:
        """Return one flight, with its output.

        Raises:
            NotFound: The caller has no flight with this id.
        """
        for one in self.flights(limit=10 * MOST):
            if one["id"] == flight_id:
                return one
        raise NotFound(f"There is no flight {flight_id[:60]!r} of yours.", argument="flight")

    def records(self) -> list[dict[str, object]]:
        """Return questions and work items; of the Agent Inbox, only those that are open."""
        with self._ledger.read() as tx:
            items = self._ledger.pending.select(tx) if self._is_ours else []
            calls = self._ledger.approvals(tx).waiting() if self._is_ours else []
            asked = [one for one in items if one.type != "notify" and not asked_by_agent(one)]
            ours = [item_record(one, "", self._who).to_wire() for one in asked]
            ours += [call_record(one, self._who).to_wire() for one in calls]
            return [*ours, *self._seen(tx, "collaboration.upserted")]

    def _told(self, tx: Connection) -> list[ToldMessage]:
        """Return the messages of the Agent Inbox: open notes, the latest briefs, the latest posts."""
        notes = self._ledger.pending.select(tx, type="notify", limit=MOST)
        briefs = self._ledger.events.newest(tx, EventFilter(kinds=(BRIEF_MADE,)), limit=MOST)
        channels = {one.action_type: one for one in all_channels()}
        chosen = Selection(types=tuple(channels))
        posts = self._ledger.actions.select(tx, chosen, limit=MOST, newest_first=True) if channels else []
        return [
            *(note_told(one, self._who) for one in notes),
            *(brief_told(one, self._who) for one in briefs),
            *(post_told(one, channels[one.action_type], self._who) for one in posts),
        ]

    def _seen(
        self, tx: Connection, kind: EventKind, limit: int = MOST, **columns: str
    ) -> list[dict[str, object]]:
        looked_at = limit if self._is_ours else 10 * limit
        found = self._store.select(tx, kind, columns, newest=True, limit=looked_at)
        seen: list[dict[str, object]] = [dict(one) for one in found if self._may_see(tx, kind, one)]
        return seen[:limit]

    def _may_see(self, tx: Connection, kind: EventKind, record: Mapping[str, object]) -> bool:
        if self._is_ours:
            return True
        from gaia_email_control.collaboration_records import read_collaboration_record

        types = EVENT_RECORDS[kind][1]
        read = types[0].from_wire(record) if len(types) == 1 else read_collaboration_record(record)
        return sees(tx, self._store, self._caller, kind, read)

    def _with_output(self, tx: Connection, flight: dict[str, object]) -> dict[str, object]:
        output = self._store.output(tx, str(flight["id"]))
        return flight if output is None else {**flight, "output": output}

    def _open(self, tx: Connection, run_id: str) -> int:
        return still_asked(tx, self._ledger, run_id)

    def _runs(self) -> list[RunStatus]:
        if not has_runs(self._service.app.environ):
            return []
        from gaia_email.runs.history import runs

        elsewhere = {one.run_kind for one in all_activities()}
        return [one for one in runs(self._service.app.environ) if one.kind not in elsewhere]

    def _other_runs(self, tx: Connection) -> Iterable[ControlFlight]:
        for activities in all_activities():
            for one in activities.newest(self._ledger, tx, 50):
                yield run_flight(one, self._who)

    def _turn_events(self, tx: Connection) -> list[LedgerEvent]:
        return self._ledger.events.newest(tx, EventFilter(kinds=("chat.turn.*",)), limit=MOST)[::-1]

    def _turns(self, tx: Connection) -> Iterable[ControlFlight]:
        ended: dict[str, LedgerEvent] = {}
        seen = set[str]()
        for event in self._turn_events(tx):
            run_id = event.run_id or ""
            if event.kind != "chat.turn.started":
                ended.setdefault(run_id, event)
                continue
            if run_id in seen:
                continue
            seen.add(run_id)
            end = ended.get(run_id)
            yield turn_flight(
                ChatTurn(
                    turn_id=run_id,
                    session_id=event.session_id or "",
                    line="",
                    state=TURN_STATES.get((end or event).kind, "completed"),
                    asked_at=event.at,
                    answered_at=None if end is None else end.at,
                ),
                self._who,
            )


def _newest_first(flight: Mapping[str, Any]) -> float:
    return -float(flight.get("startedAt") or flight.get("completedAt") or 9e15)


def tail(service: ControlService, *, after: int, limit: int) -> tuple[list[tuple[int, ControlEvent]], int]:
    """Return numbered events of the protocol, oldest first, and the number up to which the log was read.

    Args:
        service: The broker.
        after: The number of the last event already seen; -1 for the latest events.
        limit: The maximum number of events.

    Raises:
        MailError: The ledger cannot be read.
    """
    kinds = EventFilter(kinds=(*THEIRS, *our_events()))
    everything = SubscriptionFilter(StreamSubscription.of(actor_id=service.who.program_id))
    ledger, caller, projection = service.ledger, service.program(), service.projection
    with ledger.read() as tx:
        last = ledger.events.last(tx)
        found = (
            ledger.events.newest(tx, kinds, limit=limit)
            if after < 0
            else ledger.events.page(tx, after, kinds, limit=limit).events
        )
    reached = found[-1].seq if len(found) == limit and after >= 0 else last
    told = [(one.seq, event) for one in found for event in projection.events(one, caller, everything)]
    return (told[-limit:] if after < 0 else told), reached
