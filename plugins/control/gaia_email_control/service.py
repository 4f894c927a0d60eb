"""This machine's broker, opened once, and the grants of agents. Entries: `ControlService`, `grant_agent`."""

from __future__ import annotations

import hashlib
import hmac
import platform
import re
import secrets
import threading
import uuid
from collections.abc import Collection, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, get_args

from gaia_email.actions.pending.telling import AGENT
from gaia_email.app import App
from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email.ledger.failures import LostRace
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_control.broker.callers import ControlCaller
from gaia_email_control.broker.commands import UNDER_WAY, ControlBroker
from gaia_email_control.broker.flights import ControlFlights
from gaia_email_control.broker.following import EventProjection
from gaia_email_control.identities import LocalIdentities, agent_record, node_record, owner_record
from gaia_email_control.records import ControlAgent
from gaia_email_control.selectors import format_selector
from gaia_email_control.store import AgentGrant, ControlStore
from gaia_email_control.vocabulary import InvocationAction
from gaia_email_registry.errors import BadArgument, NotFound

if TYPE_CHECKING:
    from gaia_email_control.wire import WireRecord

KEY: Final = "gaia-agent"
"""Prefix of an agent's key."""

ACTIONS: Final[tuple[InvocationAction, ...]] = get_args(InvocationAction)
NODE_DOCUMENT: Final = "control:node"

_AGENT_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")


class ControlService:
    """The broker over a program's ledger. Thread-safe; nothing is opened before it is used."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._opening = threading.Lock()
        self._ledger: Ledger | None = None
        self._broker: ControlBroker | None = None

    def close(self) -> None:
        """Close the ledger; safe to call twice."""
        with self._opening:
            opened, self._ledger, self._broker = self._ledger, None, None
        if opened is not None:
            opened.close()

    @property
    def broker(self) -> ControlBroker:
        """The broker, the only writer of protocol records.

        Raises:
            MailError: The ledger cannot be opened.
        """
        with self._opening:
            if self._broker is None:
                self._ledger = self.app.ledger()
                self._broker = ControlBroker(self._ledger, identities(self._ledger))
            return self._broker

    @property
    def ledger(self) -> Ledger:
        """The ledger behind the broker.

        Raises:
            MailError: It cannot be opened.
        """
        return self.broker.ledger

    @property
    def who(self) -> LocalIdentities:
        """The ids of this machine's node, and of its owner, agent and programs.

        Raises:
            MailError: The ledger cannot be opened.
        """
        return self.broker.who

    @property
    def flights(self) -> ControlFlights:
        """The flights of invocations."""
        return ControlFlights(self.broker)

    @property
    def projection(self) -> EventProjection:
        """The events as the stream presents them."""
        return EventProjection(self.ledger, self.who)

    def person(self) -> ControlCaller:
        """Return the owner as caller; the owner's presence must have been verified."""
        return ControlCaller(actor_id=self.who.owner_id, kind="person", actions=frozenset(ACTIONS))

    def program(self) -> ControlCaller:
        """Return a program of the owner as caller, which may request but not decide."""
        return ControlCaller(actor_id=self.who.program_id, kind="program")

    def agent(self, agent_id: str) -> ControlCaller:
        """Return another program's agent as caller, within its grant.

        Raises:
            NotFound: Nothing is granted to it any more.
            MailError: The ledger cannot be opened.
        """
        with self.ledger.read() as tx:
            grant = ControlStore.of(self.ledger).grant(tx, agent_id=agent_id)
        if grant is None:
            raise NotFound(f"Nothing is granted to an agent {agent_id[:60]!r}.", argument="agent_id")
        actions = frozenset(ACTIONS).intersection(grant.actions)
        return ControlCaller(actor_id=agent_id, kind="agent", actions=actions, account=grant.account)

    def of_key(self, given: str) -> AgentGrant | None:
        """Return the grant for a key, or None if it is invalid. Compares in constant time."""
        prefix, _, rest = given.partition("_")
        key_id, _, secret = rest.partition("_")
        if prefix != KEY or not secret or not has_ledger(self.app.environ):
            return None
        with self.ledger.read() as tx:
            grant = ControlStore.of(self.ledger).grant(tx, key_id=key_id) if key_id else None
        return grant if grant is not None and hmac.compare_digest(grant.key_digest, _digest(given)) else None

    def knows(self, key_id: str) -> bool:
        """Return True if a grant with that key still exists."""
        with self.ledger.read() as tx:
            return ControlStore.of(self.ledger).grant(tx, key_id=key_id) is not None

    def has_unfinished(self) -> bool:
        """Return True if an invocation is unfinished; creates no ledger."""
        if not has_ledger(self.app.environ):
            return False
        return any(self.flights.in_state(state) for state in UNDER_WAY)

    def last_event(self) -> int:
        """Return the number of the log's last event."""
        with self.ledger.read() as tx:
            return self.ledger.events.last(tx)

    def members(self, conversation_id: str, caller: ControlCaller) -> frozenset[str]:
        """Return the participants of one of the caller's conversations.

        Raises:
            NotFound: The caller takes part in no conversation with this id.
        """
        with self.ledger.read() as tx:
            return frozenset(self.broker.conversation(tx, conversation_id, caller).participant_ids)

    def standing(self) -> list[WireRecord]:
        """Return the records of this machine, its agent and its owner."""
        with self.ledger.read() as tx:
            document = self.ledger.documents.read(tx, NODE_DOCUMENT)
        at = document.updated_at if document is not None else self.app.clock()
        return [
            node_record(self.who, platform.node() or "this machine", registered_at=at),
            agent_record(self.who),
            owner_record(self.who, "Owner"),
        ]


def settle_questions(ledger: Ledger) -> None:
    """Pass the owner's answers in the Agent Inbox on to agents, and resume what waited for them.

    Raises:
        ProviderError: The ledger cannot be written.
    """
    if ledger.reads_only:
        return
    with ledger.read() as tx:
        if not ControlStore.of(ledger).select(tx, "collaboration.upserted", limit=1):
            return
    ControlFlights(ControlBroker(ledger, identities(ledger))).go_on()


@contextmanager
def opened_control(app: App) -> Generator[ControlService, None, None]:
    """Yield the broker for one use case."""
    service = ControlService(app)
    try:
        yield service
    finally:
        service.close()


def invocation_command(
    service: ControlService, caller: ControlCaller, invocation_id: str, action: InvocationAction, task: str
) -> dict[str, object]:
    """Return the command with which a caller invokes our agent."""
    invocation = {
        "id": invocation_id,
        "requesterId": caller.actor_id,
        "requesterNodeId": service.who.node_id,
        "targetAgentId": service.who.agent_id,
        "action": action,
        "task": task,
        "ensureAwake": True,
        "stream": False,
        "createdAt": round(service.app.clock() * 1000),
    }
    return {"kind": "agent.invoke", "invocation": invocation}


def identities(ledger: Ledger) -> LocalIdentities:
    """Return the ids of this machine; the node id is created on first use.

    Raises:
        ProviderError: The ledger cannot be written.
    """
    with ledger.read() as tx:
        document = ledger.documents.read(tx, NODE_DOCUMENT)
    if document is None:
        with suppress(LostRace), ledger.write() as tx:
            ledger.documents.write(tx, NODE_DOCUMENT, {"node_id": f"node-{uuid.uuid4()}"}, 0)
        return identities(ledger)
    return LocalIdentities(node_id=str(document.value["node_id"]))


def grant_agent(
    app: App, agent_id: str, actions: Collection[str], *, account: str = "", by: str
) -> tuple[AgentGrant, str]:
    """Grant actions to another program's agent; return the grant and its key, which is shown only once.

    A new grant replaces the previous one and invalidates its key.

    Raises:
        BadArgument: The id or an action is invalid.
        MailError: The ledger cannot be written.
    """
    with opened_control(app) as service:
        broker = service.broker
        if not _AGENT_ID.fullmatch(agent_id) or agent_id in broker.who.ids:
            raise BadArgument(
                "The id of an agent begins with a letter or digit, has at most 60 lower-case letters, digits, dots, "
                "hyphens and underscores, and is none of ours.",
                argument="agent_id",
            )
        chosen = tuple(one for one in ACTIONS if one in actions)
        if len(chosen) != len(set(actions)):
            raise BadArgument(f"Actions are {', '.join(ACTIONS)}.", argument="actions")
        key_id = secrets.token_hex(4)
        key = f"{KEY}_{key_id}_{secrets.token_urlsafe(32)}"
        grant = AgentGrant(
            agent_id=agent_id,
            key_id=key_id,
            key_digest=_digest(key),
            actions=chosen,
            account=account,
            granted_by=by,
        )
        with broker.ledger.write() as tx:
            store = ControlStore.of(broker.ledger)
            store.put_grant(tx, grant)
            broker.ledger.events.append(
                tx,
                NewLedgerEvent(
                    kind="agent.granted", actor=by, payload={"agent": agent_id, "actions": list(chosen)}
                ),
            )
            if store.get(tx, "agent.registered", agent_id) is None:
                broker.append(tx, broker.who.owner_id, ("agent.registered", _new_agent(agent_id, broker.who)))
            kept = store.grant(tx, agent_id=agent_id)
        return kept or grant, key


def revoke_agent(app: App, agent_id: str, *, by: str) -> None:
    """Revoke an agent's grant; its key becomes invalid.

    Raises:
        NotFound: Nothing is granted to it.
        MailError: The ledger cannot be written.
    """
    with app.ledger() as ledger, ledger.write() as tx:
        if not ControlStore.of(ledger).remove_grant(tx, agent_id):
            raise NotFound(
                f"Nothing is granted to an agent {agent_id[:60]!r}.",
                argument="agent_id",
                hint="gaia email control agents lists them.",
            )
        ledger.events.append(tx, NewLedgerEvent(kind="agent.revoked", actor=by, payload={"agent": agent_id}))
        asked = ledger.pending.select(tx, account_id=AGENT + agent_id)
        gone = ledger.pending.void(tx, item_ids=[one.item_id for one in asked])
        if gone:
            event = NewLedgerEvent(kind="approval.void", actor=by, payload={"item_ids": gone})
            ledger.events.append(tx, event)


def _new_agent(agent_id: str, who: LocalIdentities) -> ControlAgent:
    return ControlAgent.of(
        id=agent_id,
        kind="agent",
        display_name=agent_id,
        definition_id=agent_id,
        default_selector=format_selector({"definitionId": agent_id}),
        agent_class="general",
        capabilities=["chat"],
        wake_policy="manual",
        home_node_id=who.node_id,
        authority_node_id=who.node_id,
        advertise_scope="local",
        owner_id=who.owner_id,
    )


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
