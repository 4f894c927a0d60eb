"""Operations on the control protocol: grants, conversations, flights, events and invocations."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import RowLimit, on_command_line
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_control import cards
from gaia_email_control.store import ControlStore

if TYPE_CHECKING:
    from gaia_email_control.documents import (
        AgentList,
        ConversationList,
        EventList,
        FlightList,
        GivenGrant,
        RevokedGrant,
    )

ActionName = Literal["consult", "execute", "summarize", "status", "wake"]
AgentId = Annotated[
    str,
    Meta(min_length=1, max_length=60, description="The id of an agent of another program."),
    on_command_line(argument=True, metavar="AGENT"),
]


class GrantInput(OperationInput, frozen=True, kw_only=True):
    """An agent and its permissions."""

    agent_id: AgentId
    actions: Annotated[
        tuple[ActionName, ...],
        Meta(max_length=5, description="Actions that it may invoke; none lets it only converse."),
        on_command_line(option="--may", metavar="ACTION"),
    ] = ()
    for_account: Annotated[
        str,
        Meta(max_length=200, description="Only about this account; empty for whichever there is."),
        on_command_line(option="--account", metavar="NAME"),
    ] = ""


class AgentInput(OperationInput, frozen=True, kw_only=True):
    """One agent."""

    agent_id: AgentId


class ConversationsInput(OperationInput, frozen=True, kw_only=True):
    """A conversation to list messages of; none to list conversations."""

    conversation_id: Annotated[
        str,
        Meta(max_length=200, description="Show the messages of this one; empty for none."),
        on_command_line(option="--messages", metavar="ID"),
    ] = ""


class FlightsInput(OperationInput, frozen=True, kw_only=True):
    """Choice of flights."""

    state: Annotated[
        Literal["", "queued", "waking", "running", "waiting", "completed", "failed", "cancelled"],
        Meta(description="Only in this state; empty for all."),
    ] = ""
    limit: RowLimit = 20


class TailInput(OperationInput, frozen=True, kw_only=True):
    """From where on, and how much."""

    after: Annotated[
        int,
        Meta(ge=-1, le=(1 << 53) - 1, description="Events after this number; -1 for the last ones."),
        on_command_line(metavar="NUMBER"),
    ] = -1
    limit: RowLimit = 50


class InvokeInput(OperationInput, frozen=True, kw_only=True):
    """A request to our agent."""

    action: Annotated[
        ActionName,
        Meta(description="consult answers a question, summarize gives the brief, execute runs a triage."),
        on_command_line(argument=True, metavar="ACTION"),
    ]
    task: Annotated[
        str,
        Meta(max_length=4_000, description="The question, or what is to be run: triage."),
        on_command_line(metavar="TEXT"),
    ] = ""


@operation(
    output="control-agents",
    path="GET /v1/control/agents",
    cli=Command(
        name="agents",
        heading="control",
        help="Agents, and what each was granted.",
        view="gaia_email_control.cli.AGENTS_VIEW",
    ),
)
def control_agents(app: App, call: OperationCall[NoInput]) -> AgentList:
    """List the agents of the control protocol: ours, and those of other programs with what they were granted.

    Raises:
        MailError: The ledger cannot be used.
    """
    from gaia_email_control.documents import list_agents
    from gaia_email_control.reading import ControlReading
    from gaia_email_control.service import opened_control

    with opened_control(app) as service:
        agents = ControlReading(service, service.program()).agents()
        with service.ledger.read() as tx:
            grants = {one.agent_id: one for one in ControlStore.of(service.ledger).grants(tx)}
    return list_agents(agents, grants)


@operation(
    output="control-grant",
    path="POST /v1/control/agents",
    example={"agent_id": "notes", "actions": ["status"]},
    risk="person",
    columns=("agent_id", "key"),
    card=cards.GRANT,
    cli=Command(
        name="grant",
        heading="control",
        after="agents",
        help="Give the agent AGENT of another program a key, shown this once; --may names what it may invoke.",
        asks="Give an agent of another program a key",
    ),
)
def control_grant(app: App, call: OperationCall[GrantInput]) -> GivenGrant:
    """Let an agent of another program converse and invoke, with a key that is shown this once.

    Raises:
        BadArgument: The id is none.
        MailError: The ledger cannot be written.
    """
    from gaia_email_control.documents import describe_grant
    from gaia_email_control.service import grant_agent

    asked = call.asked
    grant, key = grant_agent(app, asked.agent_id, asked.actions, account=asked.for_account, by=call.actor)
    return describe_grant(grant, key)


@operation(
    output="control-revoke",
    path="DELETE /v1/control/agents/{agent_id}",
    example={"agent_id": "notes"},
    risk="restrain",
    columns=("agent_id",),
    card=cards.REVOKED,
    cli=Command(
        name="revoke",
        heading="control",
        after="grant",
        help="Take back what AGENT was granted; its key opens nothing any more.",
    ),
)
def control_revoke(app: App, call: OperationCall[AgentInput]) -> RevokedGrant:
    """Take back what an agent was granted; its key opens nothing any more.

    Raises:
        NotFound: Nothing is granted to it.
        MailError: The ledger cannot be written.
    """
    from gaia_email_control.documents import RevokedGrant
    from gaia_email_control.service import revoke_agent

    revoke_agent(app, call.asked.agent_id, by=call.actor)
    return RevokedGrant(agent_id=call.asked.agent_id)


@operation(
    output="control-conversations",
    path="GET /v1/control/conversations",
    cli=Command(
        name="conversations",
        heading="control",
        after="revoke",
        help="Conversations, or with --messages what was said in one.",
        view="gaia_email_control.cli.CONVERSATIONS_VIEW",
    ),
)
def control_conversations(app: App, call: OperationCall[ConversationsInput]) -> ConversationList:
    """List conversations, or the last messages of one.

    Raises:
        NotFound: There is no such conversation.
        MailError: The ledger cannot be used.
    """
    from gaia_email_control.documents import list_conversations
    from gaia_email_control.reading import ControlReading
    from gaia_email_control.service import opened_control

    with opened_control(app) as service:
        reading, wanted = ControlReading(service, service.program()), call.asked.conversation_id
        found = [one for one in reading.conversations() if wanted in ("", one["id"])]
        return list_conversations(found, reading.messages(wanted) if wanted else ())


@operation(
    output="control-flights",
    path="GET /v1/control/flights",
    example={"limit": 5},
    columns=("id", "requester", "state", "started_at", "summary", "error"),
    rows="flights",
    card=cards.FLIGHTS,
    cli=Command(
        name="flights",
        heading="control",
        after="conversations",
        help="List present and past work, newest first: flights of agents, runs, lines of conversations.",
    ),
)
def control_flights(app: App, call: OperationCall[FlightsInput]) -> FlightList:
    """List flights, newest first: what other programs invoked, runs, runs of automations, lines of conversations.

    Raises:
        MailError: The ledger or the database of runs cannot be used.
    """
    from gaia_email_control.documents import list_flights
    from gaia_email_control.reading import ControlReading
    from gaia_email_control.service import opened_control

    with opened_control(app) as service:
        reading = ControlReading(service, service.program())
        return list_flights(reading.flights(state=call.asked.state, limit=call.asked.limit))


@operation(
    output="control-tail",
    path="GET /v1/control/tail",
    example={"limit": 5},
    columns=("seq", "at", "kind", "actor", "about"),
    rows="events",
    card=cards.TAIL,
)
def control_tail(app: App, call: OperationCall[TailInput]) -> EventList:
    """List events of the control protocol, oldest first.

    Raises:
        MailError: The ledger cannot be used.
    """
    from gaia_email_control.documents import list_events
    from gaia_email_control.reading import tail
    from gaia_email_control.service import opened_control

    with opened_control(app) as service:
        events, reached = tail(service, after=call.asked.after, limit=call.asked.limit)
    return list_events(events, reached=reached)


@operation(
    output="control-flights",
    path="POST /v1/control/invoke",
    example={"action": "status"},
    risk="draft",
    mailbox="one",
    needs_person=lambda asked: asked.action == "execute",
    cli=Command(
        name="invoke",
        heading="control",
        after="flights",
        help="Invoke our agent: consult, summarize, status, wake, or execute --task triage.",
        view="gaia_email_control.cli.INVOKED_VIEW",
    ),
)
def control_invoke(app: App, call: OperationCall[InvokeInput]) -> FlightList:
    """Invoke our agent as another program would: the work is recorded, and done at once.

    Raises:
        BadArgument: That cannot be invoked.
        MailError: The ledger cannot be used.
    """
    from gaia_email_control.documents import list_flights
    from gaia_email_control.reading import ControlReading
    from gaia_email_control.service import invocation_command, opened_control
    from gaia_email_control.work import work_off

    with opened_control(app) as service:
        caller = service.person() if call.by_person else service.program()
        asked = invocation_command(
            service, caller, str(uuid.uuid4()), call.asked.action, call.asked.task or call.asked.action
        )
        flight = str(service.broker.execute(asked, caller).record["id"])
        work_off(service, lambda account: call.source, models=app.environ, only=flight)
        return list_flights([ControlReading(service, caller).flight(flight)])
