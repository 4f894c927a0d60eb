"""Tools of connected MCP servers as actions, named `server.tool`. Entries: `action_here`, `server_tool`.

The arguments of such a tool are known from the server's own listing, as the user approved it; a definition can name it
without that, so that it reads the same everywhere. Everything passed to it is sent to others.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.actions.one_call import CallAnswer, CallsQuestion, leave_for, row_of
from gaia_email.actions.unseen import make_unseen
from gaia_email.app.json_schemas import check_schema
from gaia_email.ledger import Ledger
from gaia_email.mailbox.known_tools import servers_known, tools_of
from gaia_email.policy.gate import Pass
from gaia_email_automations.actions import ActionType, action_named, action_types, server_action
from gaia_email_automations.engine import ACTOR, StepWaits, StepWork
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.capabilities import ServerTool
from gaia_email_registry.errors import BadArgument, NeedsApproval

_WHY_NOT: Mapping[str, str] = {
    "new": "was never approved",
    "changed": "is not what you approved any more",
    "gone": "is not there any more",
}


def known_tool(ledger: Ledger, name: str) -> ServerTool:
    """Return the tool `server.tool` as it was approved.

    Raises:
        BadArgument: The server has no known tool by that name.
        NeedsApproval: It has changed since it was approved.
    """
    server, _, tool = name.partition(".")
    found = tools_of(ledger, server).get(tool)
    if found is None:
        raise BadArgument(
            f"There is no tool {tool[:60]!r} of an MCP server {server[:60]!r}.",
            argument="action",
            hint="gaia email servers tools lists them.",
        )
    if found.approval_state != "approved":
        raise NeedsApproval(
            f"{tool} of the MCP server {server} {_WHY_NOT[found.approval_state]}.",
            hint=f"gaia email servers approve {name} shows what it is now, and asks.",
        )
    return found


def action_here(ledger: Ledger | None, name: str) -> ActionType:
    """Return the action with this name; with a ledger, a server's tool gets the schema of its listing.

    Raises:
        BadArgument: There is none.
        NeedsApproval: It is a tool that has changed since it was approved.
    """
    if ledger is None or "." not in name:
        return action_named(name)
    tool = known_tool(ledger, name)
    schema = {key: value for key, value in tool.seen.input_schema.items() if key not in ("$schema", "$id")}
    for error in check_schema(schema):
        raise BadArgument(f"The schema of {name} cannot be used: {error.message}", argument="action")
    return server_action(name, tool.seen.description, schema, tool.risk()[0])


def approved_names(ledger: Ledger) -> list[str]:
    """Return every known server tool that is approved in its current form."""
    return [
        f"{server}.{name}"
        for server in servers_known(ledger)
        for name, one in tools_of(ledger, server).items()
        if one.approval_state == "approved"
    ]


def actions_here(ledger: Ledger | None) -> list[ActionType]:
    """Return every action that a step can name here; tools with an unusable schema are left out."""
    found = list(action_types().values())
    for name in [] if ledger is None else approved_names(ledger):
        try:
            found.append(action_here(ledger, name))
        except BadArgument:
            continue
    return found


async def server_tool(work: StepWork) -> object:
    """Call the tool once; if the outcome is unknown, it is not called again.

    Raises:
        NeedsApproval: It has changed since it was approved, or the user declined.
        UnclearEnd: It is unknown if the call took effect.
        MailError: It was not done.
    """
    engine, name = work.engine, work.step.action
    risk = known_tool(engine.ledger, name).risk()[0]
    if work.asks and risk == "read":
        risk = "write"  # untrusted text would be sent to its server
    wanted = work.call_to_make(ToolCall.of_server(work.run.account_id, name, work.config, risk))
    given: list[Pass] = []

    async def ask() -> CallsQuestion | None:
        found = await leave_for(engine.ledger, ACTOR, wanted, _unprotected)
        if isinstance(found, CallsQuestion):
            return found
        given.append(found)
        return None

    async def call() -> CallAnswer:
        return await engine.call_server(given.pop())

    if risk == "read":
        await ask()
        return await call()
    new, keep = row_of(wanted), work.keep
    made = await make_unseen(engine.ledger, engine.environ, new, call, keep, actor=ACTOR, ask=ask)
    return StepWaits(confirmation_id=made.confirmation_id) if isinstance(made, CallsQuestion) else made


async def _unprotected() -> str:
    """Return no objection: no mailbox is changed."""
    return ""
