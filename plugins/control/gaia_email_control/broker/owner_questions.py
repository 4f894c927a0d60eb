"""Questions of agents to the owner, as items of the Agent Inbox. Entry points: `OwnerQuestions`, `still_asked`.

An agent's question to the owner is in the Agent Inbox for as long as its record is open. It is answered there, or by
the owner's own command; either way record and item get the same outcome. A question that `blocks` an invocation of its
agent keeps the flight `waiting` until then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.actions.pending.telling import AGENT
from gaia_email.app.documents.inbox_states import QUESTION_STATES
from gaia_email.ledger import NewItem, NewLedgerEvent
from gaia_email.ledger.text import storable, to_json
from gaia_email_control.broker.callers import ControlCaller
from gaia_email_control.broker.ledger_events import append_records
from gaia_email_control.collaboration_records import (
    CollaborationEvent,
    CollaborationRecord,
    ControlQuestion,
    read_collaboration_record,
)
from gaia_email_control.events import EventKind
from gaia_email_control.identities import LocalIdentities, flight_id_of
from gaia_email_control.records import ControlFlight
from gaia_email_control.store import ControlStore
from gaia_email_control.vocabulary import CollaborationEventKind
from gaia_email_control.wire import WireRecord
from gaia_email_registry.errors import BadArgument, RateLimited
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger, PendingItem, PendingState

MOST_OPEN: Final = 20
"""Maximum number of one agent's open questions in the Agent Inbox."""

MOST_TITLE, MOST_SUMMARY = 200, 2_000
"""Maximum length of a title and a summary, in characters; the owner is shown both in full."""

_ANSWERS: Final[Mapping[str, PendingState]] = {"answered": "approved", "declined": "rejected"}


def asked_by_agent(item: PendingItem) -> bool:
    """Return True if an item is the question of an agent of another program."""
    return item.account_id.startswith(AGENT)


def still_asked(tx: Connection, ledger: Ledger, run_id: str) -> int:
    """Return the number of items and call questions of a run or flight that wait for the owner."""
    waiting = ledger.pending.select(tx, run_id=run_id)
    return len(waiting) + len(ledger.approvals(tx).waiting(run_id=run_id))


class OwnerQuestions:
    """The broker's handling of questions that agents ask the owner.

    Args:
        ledger: The ledger with the records and the Agent Inbox.
        who: The ids of this machine's side.
    """

    def __init__(self, ledger: Ledger, who: LocalIdentities) -> None:
        self._who = who
        self._ledger = ledger
        self._store = ControlStore.of(ledger)

    def check(self, record: CollaborationRecord) -> None:
        """Refuse a question to the owner that could not be shown in full.

        Raises:
            BadArgument: Its title or summary is too long.
        """
        if self._is_asked(record) and (
            len(record.title) > MOST_TITLE or len(record.summary or "") > MOST_SUMMARY
        ):
            raise BadArgument(
                f"What the owner is asked has a title of at most {MOST_TITLE} characters and a summary of at most "
                f"{MOST_SUMMARY:,}.",
                argument="/record/title",
            )

    def follow(self, tx: Connection, record: CollaborationRecord, caller: ControlCaller) -> None:
        """Update the Agent Inbox to match a record that was just written.

        Raises:
            RateLimited: Too many questions of this agent are open.
        """
        if not self._is_asked(record) or not isinstance(record, ControlQuestion):
            return
        about = AGENT + record.created_by_id
        standing = next(iter(self._ledger.pending.on_threads(tx, about, [storable(record.id)])), None)
        new = self._item(tx, record, about)
        if record.state == "open":
            if standing is not None and standing.proposal.get("fingerprint") == new.proposal["fingerprint"]:
                return
            if standing is not None:
                self._take_back(tx, standing)
            self._put_up(tx, new)
        elif standing is not None:
            answer = _ANSWERS.get(record.state) if caller.kind == "person" else None
            if answer is None:
                self._take_back(tx, standing)
                return
            self._ledger.pending.answer(
                tx, standing.item_id, "approved" if answer == "approved" else "rejected", by="control"
            )
            kind = "approval.granted" if answer == "approved" else "approval.refused"
            self._note(tx, kind, standing)

    def settle(self) -> int:
        """Write outcomes from the Agent Inbox into the records of questions; return their number."""
        with self._ledger.read() as tx:
            if not self._open_questions(tx):
                return 0
        done = 0
        with self._ledger.write() as tx:
            for record in self._open_questions(tx):
                about = AGENT + record.created_by_id
                item = self._ledger.pending.newest_about(tx, about, storable(record.id))
                if item is not None and item.state != "open":
                    made = self._answered(record, item)
                    actor = self._who.owner_id if item.answered_by else self._who.agent_id
                    append_records(self._store, tx, actor, made)
                    done += 1
        return done

    def blocks(self, tx: Connection, requester_id: str, flight_id: str) -> bool:
        """Return True if an open question of a requester keeps their flight waiting."""
        about = AGENT + requester_id
        return bool(self._ledger.pending.select(tx, account_id=about, run_id=flight_id, limit=1))

    def was_declined(self, tx: Connection, requester_id: str, flight_id: str) -> bool:
        """Return True if a question that kept a flight waiting was declined or expired."""
        about = AGENT + requester_id
        ends: tuple[PendingState, ...] = ("rejected", "expired")
        return any(
            self._ledger.pending.select(tx, state=state, account_id=about, run_id=flight_id, limit=1)
            for state in ends
        )

    def _is_asked(self, record: CollaborationRecord) -> bool:
        who = self._who
        return (
            isinstance(record, ControlQuestion)
            and record.asked_of_id == who.owner_id
            and record.created_by_id not in who.ids
        )

    def _open_questions(self, tx: Connection) -> list[ControlQuestion]:
        found = (
            read_collaboration_record(one)
            for one in self._store.select(tx, "collaboration.upserted")
            if one.get("state") == "open" and one.get("kind") == "question"
        )
        return [one for one in found if isinstance(one, ControlQuestion) and self._is_asked(one)]

    def _item(self, tx: Connection, record: ControlQuestion, about: str) -> NewItem:
        asker = record.created_by_id
        seal = hashlib.sha256(to_json([record.id, record.title, record.summary]).encode()).hexdigest()
        proposal = PendingProposal(
            doing="tell",
            bucket="actionable",
            asked=record.summary or "Yes or no?",
            targets=(
                ProposalTarget(
                    message_id="",
                    labels=(),
                    seal=seal,
                    name=asker,
                    address="",
                    subject=record.title,
                    date="",
                ),
            ),
        )
        return NewItem(
            type="question",
            account_id=about,
            proposal=proposal.to_json(about),
            origin=RequestOrigin(principal="agent", interface="control", name=asker),
            why=f"Asked by {asker}, an agent of another program.",
            thread_id=storable(record.id),
            run_id=self._flight_blocked(tx, record),
        )

    def _flight_blocked(self, tx: Connection, record: ControlQuestion) -> str | None:
        """Return the flight of the first invocation that a question blocks; None if that is not its agent's."""
        named = [one.target_id for one in record.relations or () if one.kind == "blocks"]
        if not named:
            return None
        flight_id = flight_id_of(named[0])
        flight = self._store.get(tx, "flight.updated", flight_id)
        is_theirs = flight is None or flight.get("requesterId") == record.created_by_id
        return flight_id if is_theirs else None

    def _put_up(self, tx: Connection, item: NewItem) -> None:
        if len(self._ledger.pending.select(tx, account_id=item.account_id)) >= MOST_OPEN:
            raise RateLimited(
                f"{MOST_OPEN} questions of yours wait for the owner; ask again when one is answered."
            )
        self._ledger.pending.add(tx, [item])
        payload = {"items": 1, "item_ids": [item.item_id]}
        event = NewLedgerEvent(
            kind="pending.raised", account_id=item.account_id, run_id=item.run_id, payload=payload
        )
        self._ledger.events.append(tx, event)
        flight = self._store.get(tx, "flight.updated", item.run_id or "")
        if flight is not None and flight.get("state") == "queued":
            waiting = ControlFlight.from_wire({**flight, "state": "waiting"})
            append_records(self._store, tx, self._who.agent_id, [("flight.updated", waiting)])

    def _take_back(self, tx: Connection, item: PendingItem) -> None:
        self._ledger.pending.void(tx, item_ids=[item.item_id])
        self._note(tx, "approval.void", item)

    def _note(self, tx: Connection, kind: str, item: PendingItem) -> None:
        payload = {"item_id": item.item_id, "type": item.type, "cohort": None}
        event = NewLedgerEvent(
            kind=kind, actor="control", account_id=item.account_id, run_id=item.run_id, payload=payload
        )
        self._ledger.events.append(tx, event)

    def _answered(self, record: ControlQuestion, item: PendingItem) -> list[tuple[EventKind, WireRecord]]:
        """Return a record and its events after its item was closed."""
        who, state = self._who, QUESTION_STATES[item.state]
        now = round((item.answered_at or item.expires_at or self._ledger.clock()) * 1000)
        at = max(now, record.updated_at)
        accepts = state == "answered" and record.acceptance_state == "pending"
        wire = {
            **record.to_wire(),
            "state": state,
            "updatedAt": at,
            "acceptanceState": "accepted" if accepts else "none",
            "nextMoveOwnerId": record.asked_by_id or record.created_by_id,
        }
        if state != "answered":
            wire["closedAt"] = at
            del wire["nextMoveOwnerId"]
        made: list[tuple[EventKind, WireRecord]] = [
            ("collaboration.upserted", ControlQuestion.from_wire(wire))
        ]
        kinds: list[CollaborationEventKind] = [] if state == "closed" else ["declined"]
        if state == "answered":
            kinds = ["answered", "accepted"] if accepts else ["answered"]
        reason = item.answer.get("reason")
        for kind in kinds:
            event = CollaborationEvent.of(
                id=f"{item.item_id}:{kind}",
                record_id=record.id,
                record_kind="question",
                kind=kind,
                actor_id=who.owner_id if item.answered_by else who.agent_id,
                at=at,
                summary=reason if isinstance(reason, str) and reason else None,
            )
            made.append(("collaboration.event.appended", event))
        return made
