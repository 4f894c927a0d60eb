"""Documents of `control`: agents, conversations, flights and events of the control protocol.

Entries: `list_agents`, `list_conversations`, `list_flights`, `list_events`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gaia_email.document import Count, Document, Timestamp, at

if TYPE_CHECKING:
    from gaia_email_control.events import ControlEvent
    from gaia_email_control.store import AgentGrant

MOST_TOLD = 200
"""Maximum number of characters of a message or task shown in a list of events."""


class AgentSummary(Document, frozen=True, kw_only=True):
    """An agent with its grant; our own agent has none, since it is the one invoked."""

    id: str
    name: str
    selector: str
    capabilities: list[str]
    actions: list[str]
    account: str
    granted_at: Timestamp | None


class AgentList(Document, frozen=True, kw_only=True):
    """The document of `control agents`."""

    shown: Count
    agents: list[AgentSummary]


class GivenGrant(Document, frozen=True, kw_only=True):
    """The document of `control grant`; the key is shown only once."""

    agent_id: str
    actions: list[str]
    account: str
    key: str


class RevokedGrant(Document, frozen=True, kw_only=True):
    """The document of `control revoke`."""

    agent_id: str


class ConversationSummary(Document, frozen=True, kw_only=True):
    """A conversation and its participants."""

    id: str
    kind: str
    title: str
    participants: list[str]


class MessageInConversation(Document, frozen=True, kw_only=True):
    """A message in a conversation."""

    id: str
    at: Timestamp
    actor: str
    body: str


class ConversationList(Document, frozen=True, kw_only=True):
    """The document of `control conversations`; `messages` belong to the conversation that was named."""

    shown: Count
    conversations: list[ConversationSummary]
    messages: list[MessageInConversation]


class FlightSummary(Document, frozen=True, kw_only=True):
    """A flight: `output` is its result, `error` the reason it has none."""

    id: str
    invocation: str
    requester: str
    state: str
    summary: str
    output: str
    error: str
    started_at: Timestamp | None
    completed_at: Timestamp | None


class FlightList(Document, frozen=True, kw_only=True):
    """The document of `control flights` and `control invoke`."""

    shown: Count
    flights: list[FlightSummary]


class EventSummary(Document, frozen=True, kw_only=True):
    """An event of the stream: its number in the event log, and the event in protocol form."""

    seq: Count
    at: Timestamp
    kind: str
    actor: str
    about: str
    event: dict[str, object]


class EventList(Document, frozen=True, kw_only=True):
    """The document of `control tail`; the next call continues after `reached`."""

    shown: Count
    reached: Count
    events: list[EventSummary]


def list_agents(agents: Sequence[Mapping[str, object]], grants: Mapping[str, AgentGrant]) -> AgentList:
    """List agents, given as protocol records, each with its grant."""
    rows = [_agent(one, grants.get(str(one["id"]))) for one in agents]
    return AgentList(shown=len(rows), agents=rows)


def _agent(agent: Mapping[str, object], grant: AgentGrant | None) -> AgentSummary:
    return AgentSummary(
        id=_word(agent, "id"),
        name=_word(agent, "displayName"),
        selector=_word(agent, "defaultSelector") or f"@{_word(agent, 'definitionId')}",
        capabilities=_words(agent, "capabilities"),
        actions=[] if grant is None else list(grant.actions),
        account="" if grant is None else grant.account,
        granted_at=None if grant is None else Timestamp(grant.granted_at),
    )


def describe_grant(grant: AgentGrant, key: str) -> GivenGrant:
    """Describe a grant that was just made."""
    return GivenGrant(agent_id=grant.agent_id, actions=list(grant.actions), account=grant.account, key=key)


def list_conversations(
    conversations: Sequence[Mapping[str, object]], messages: Sequence[Mapping[str, object]] = ()
) -> ConversationList:
    """List conversations and messages, given as protocol records."""
    return ConversationList(
        shown=len(conversations),
        conversations=[
            ConversationSummary(
                id=_word(one, "id"),
                kind=_word(one, "kind"),
                title=_word(one, "title"),
                participants=_words(one, "participantIds"),
            )
            for one in conversations
        ],
        messages=[
            MessageInConversation(
                id=_word(one, "id"),
                at=_time(one, "createdAt") or Timestamp(0),
                actor=_word(one, "actorId"),
                body=_word(one, "body"),
            )
            for one in messages
        ],
    )


def list_flights(flights: Sequence[Mapping[str, object]]) -> FlightList:
    """List flights, given as protocol records."""
    return FlightList(
        shown=len(flights),
        flights=[
            FlightSummary(
                id=_word(one, "id"),
                invocation=_word(one, "invocationId"),
                requester=_word(one, "requesterId"),
                state=_word(one, "state"),
                summary=_word(one, "summary"),
                output=_word(one, "output"),
                error=_word(one, "error"),
                started_at=_time(one, "startedAt"),
                completed_at=_time(one, "completedAt"),
            )
            for one in flights
        ],
    )


def list_events(events: Sequence[tuple[int, ControlEvent]], *, reached: int) -> EventList:
    """List events with their numbers."""
    return EventList(
        shown=len(events),
        reached=reached,
        events=[
            EventSummary(
                seq=seq,
                at=Timestamp(one.ts / 1000),
                kind=one.kind,
                actor=one.actor_id,
                about=_about(one),
                event=one.to_wire(),
            )
            for seq, one in events
        ],
    )


def _about(event: ControlEvent) -> str:
    """Return a short description of an event's subject."""
    record: Any = next(iter(event.payload.values()), dict[str, Any]())
    words = [_word(record, name) for name in ("state", "status", "action", "kind", "title", "task", "body")]
    told = " ".join(one for one in words if one)
    return f"{_word(record, 'id')} {told[:MOST_TOLD]}".strip()


def _word(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _words(record: Mapping[str, object], name: str) -> list[str]:
    value = record.get(name)
    return [str(one) for one in value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _time(record: Mapping[str, object], name: str) -> Timestamp | None:
    """Return a time of the protocol, or None if it is missing or out of range."""
    value = record.get(name)
    if not isinstance(value, int | float):
        return None
    found = Timestamp(value / 1000)
    try:
        at(found)
    except (OverflowError, ValueError, OSError):
        return None
    return found
