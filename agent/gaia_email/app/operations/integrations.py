"""Operations on accounts, channels and MCP servers as one list of integrations.

All of them need the user: they reveal what is connected here, start programs, and decide what a model may
call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, field

from gaia_email.app import App
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.app.services.configuration import Configuration
    from gaia_email.app.services.integrations import IntegrationHealth, Integrations
    from gaia_email.app.services.server_lists import ToolList

ServerName = Annotated[str, Meta(min_length=1, max_length=64, description="As mcp_servers.json lists it.")]
SecretText = Annotated[str, Meta(max_length=8_000)]


class IntegrationInput(OperationInput, frozen=True, kw_only=True):
    """One integration."""

    id: Annotated[str, Meta(max_length=400, description="As integrations lists it.")]


class LimitInput(OperationInput, frozen=True, kw_only=True):
    """A limit of an account."""

    account: Annotated[str, Meta(min_length=1, max_length=320, description="Its id or its address.")]
    limit: Annotated[
        Literal["read_only", "no_send"],
        Meta(description="Limit for the agent: change nothing there, or send nothing from there."),
    ]
    on: Annotated[bool, Meta(description="Set it, or lift it.")] = True


class ServerToolsInput(OperationInput, frozen=True, kw_only=True):
    """A server, and the choice to ask it again."""

    name: ServerName
    look: Annotated[
        bool, Meta(description="Start or reach it; otherwise its tools as they were last seen.")
    ] = False


class AddServerInput(OperationInput, frozen=True, kw_only=True):
    """A server by the command that starts it, or by where it is."""

    name: Annotated[
        str, Meta(min_length=1, max_length=64, description="Letters, digits, dots, dashes and underscores.")
    ]
    command: Annotated[
        str,
        Meta(
            max_length=4_000,
            description="Program with its arguments, as in a shell; no shell runs.",
        ),
    ] = ""
    url: Annotated[str, Meta(max_length=2_000, description="Address of a server that already runs.")] = ""
    env: Annotated[
        dict[str, SecretText], Meta(max_length=50, description="Variables for it, none of them secret.")
    ] = field(default_factory=dict[str, str])
    secrets: Annotated[
        dict[str, SecretText], Meta(max_length=20, description="Variables whose values go into the vault.")
    ] = field(default_factory=dict[str, str])
    token: Annotated[
        str, Meta(max_length=8_000, description="With url: its bearer token, for the vault.")
    ] = ""


class NamedServerInput(OperationInput, frozen=True, kw_only=True):
    """A server."""

    name: ServerName


class SwitchServerInput(NamedServerInput, frozen=True, kw_only=True):
    """A server, and how it is switched."""

    on: Annotated[bool, Meta(description="On, or off.")]


class ServerSecretInput(OperationInput, frozen=True, kw_only=True):
    """Another value of a server's secret."""

    name: ServerName
    variable: Annotated[str, Meta(min_length=1, max_length=200, description="The variable or header.")]
    value: Annotated[str, Meta(min_length=1, max_length=8_000, description="Its new value, for the vault.")]


class ApproveToolsInput(OperationInput, frozen=True, kw_only=True):
    """Tools to approve, each in the form in which it was shown."""

    name: ServerName
    tools: Annotated[
        dict[str, Annotated[str, Meta(max_length=200)]],
        Meta(
            min_length=1,
            max_length=500,
            description="Each tool with the digest that server_tools gave of it.",
        ),
    ]
    tier: Annotated[
        Literal["", "read", "write", "destructive"],
        Meta(description="Danger of the tools, as the user judges it; empty for the default."),
    ] = ""


@operation(output="app.services.integrations.Integrations", path="GET /v1/email/integrations", risk="person")
def integrations(app: App, call: OperationCall[NoInput]) -> Integrations:
    """Accounts, channels and MCP servers: what each is for, how it stands, what it may, and how it was detected.

    Raises:
        MailError: A list or the ledger cannot be read.
    """
    return _integrations(app)


def _integrations(app: App) -> Integrations:
    from gaia_email.app.services.integrations import integrations as every

    return every(app)


@operation(
    output="app.services.integrations.IntegrationHealth",
    path="GET /v1/email/integrations/health",
    example={"id": "server:weather"},
    risk="person",
)
def integration_health(app: App, call: OperationCall[IntegrationInput]) -> IntegrationHealth:
    """Check an account or an MCP server: open it anew, ask it, and read what it wrote.

    Raises:
        MailError: There is none of that name.
    """
    from gaia_email.app.services.integrations import health_of

    return health_of(app, call.asked.id)


@operation(
    output="app.services.integrations.Integrations",
    path="PUT /v1/email/integrations/limit",
    example={"account": "ann@example.com", "limit": "no_send"},
    risk="person",
)
def limit_account(app: App, call: OperationCall[LimitInput]) -> Integrations:
    """Forbid the agent to change anything of an account, or to send from it, or allow it again.

    Raises:
        NotFound: No account of that name is connected.
        MailError: The list of accounts cannot be written.
    """
    from gaia_email_registry.accounts import set_limit

    set_limit(call.asked.account, call.asked.limit, call.asked.on, app.environ)
    return _integrations(app)


@operation(
    output="tools", path="GET /v1/email/servers/{name}/tools", example={"name": "weather"}, risk="person"
)
def server_tools(app: App, call: OperationCall[ServerToolsInput]) -> ToolList:
    """The tools of an MCP server: how dangerous each is, and what changed since it was approved.

    Raises:
        MailError: There is no such server.
    """
    from gaia_email.app.services import mcp_servers

    return _tools(app, call.asked.name, within_s=mcp_servers.PATIENT_S if call.asked.look else None)


@operation(
    output="tools",
    path="POST /v1/email/servers",
    example={"name": "weather", "command": "/nowhere/weather-mcp"},
    risk="person",
)
def add_server(app: App, call: OperationCall[AddServerInput]) -> ToolList:
    """List an MCP server in the user's mcp_servers.json, its secrets in the vault, and look at its tools.

    Raises:
        BadArgument: It cannot be listed so; nothing was kept.
        MailError: The file or the vault cannot be written.
    """
    from gaia_email.app.services import mcp_servers
    from gaia_email_registry.client_files import CLIENTS

    asked = call.asked
    if bool(asked.command.strip()) == bool(asked.url.strip()):
        raise BadArgument("Say what starts it or where it is, one of the two.", argument="/command")
    if asked.name in CLIENTS:
        raise BadArgument(
            f"{asked.name} is the name of a client; call the server otherwise.", argument="/name"
        )
    entry, secrets = _entry(asked)
    one = mcp_servers.ImportedEntry(name=asked.name, entry=entry, secrets=secrets)
    mcp_servers.import_server(app, one)
    return _tools(app, asked.name, within_s=mcp_servers.PATIENT_S)


def _entry(asked: AddServerInput) -> tuple[dict[str, object], list[str]]:
    """Return the entry, and the names of its secret variables or headers."""
    import shlex

    if asked.url:
        if asked.env or asked.secrets:
            raise BadArgument("Variables go with a command, a token with an address.", argument="/env")
        headers = {"headers": {"Authorization": f"Bearer {asked.token}"}} if asked.token else {}
        return {"url": asked.url.strip(), **headers}, ["headers.Authorization"] if asked.token else []
    if asked.token:
        raise BadArgument("A token goes with an address; name a variable for a command.", argument="/token")
    try:
        command, *args = shlex.split(asked.command)
    except ValueError:
        raise BadArgument("A quotation mark of the command is not closed.", argument="/command") from None
    entry: dict[str, object] = {"command": command, "args": args}
    if asked.env or asked.secrets:
        entry["env"] = {**asked.env, **asked.secrets}
    return entry, [f"env.{name}" for name in asked.secrets]


@operation(
    output="tools",
    path="POST /v1/email/servers/{name}/approve",
    example={"name": "weather", "tools": {"forecast": "0"}},
    risk="person",
)
def approve_tools(app: App, call: OperationCall[ApproveToolsInput]) -> ToolList:
    """Let tools of an MCP server be called, in exactly the form that was shown; one that changed meanwhile is left out.

    Raises:
        MailError: There is no such server, or the ledger cannot be written.
    """
    from gaia_email.app.services import mcp_servers

    asked = call.asked
    known = mcp_servers.server_named(app, asked.name).tools
    shown = [
        known[tool]
        for tool, digest in asked.tools.items()
        if tool in known and known[tool].seen.digest == digest
    ]
    done = mcp_servers.approve(app, asked.name, shown, asked.tier or None) if shown else []
    left = len(asked.tools) - len(done)
    problems = [f"{left} changed meanwhile and were not approved; look at them again."] if left else []
    return _tools(app, asked.name, problems=problems)


@operation(
    output="app.services.integrations.Integrations",
    path="PUT /v1/email/servers/{name}",
    example={"name": "weather", "on": False},
    risk="person",
)
def switch_server(app: App, call: OperationCall[SwitchServerInput]) -> Integrations:
    """Switch an MCP server of the user's mcp_servers.json on or off; one that is off is not started.

    Raises:
        NotFound: The user's file has none of that name.
        MailError: The file cannot be written.
    """
    from gaia_email.app.services import mcp_servers

    mcp_servers.switch_server(app, call.asked.name, call.asked.on)
    return _integrations(app)


@operation(
    output="app.services.integrations.Integrations",
    path="DELETE /v1/email/servers/{name}",
    example={"name": "weather"},
    risk="person",
)
def remove_server(app: App, call: OperationCall[NamedServerInput]) -> Integrations:
    """Take a server out of the user's mcp_servers.json, with its secrets in the vault and what was approved of it.

    Raises:
        NotFound: The user's file has none of that name.
        MailError: The file, the vault or the ledger cannot be written.
    """
    from gaia_email.app.services import mcp_servers

    mcp_servers.remove_server(app, call.asked.name)
    return _integrations(app)


@operation(
    output="tools",
    path="PUT /v1/email/servers/{name}/secret",
    example={"name": "weather", "variable": "WEATHER_KEY", "value": "of-the-vault"},
    risk="person",
)
def replace_server_secret(app: App, call: OperationCall[ServerSecretInput]) -> ToolList:
    """Put another value in the place of a server's secret in the vault.

    Raises:
        NotFound: There is no such server, or no such secret of it.
        MailError: The vault cannot be written.
    """
    from gaia_email.app.services import mcp_servers

    mcp_servers.replace_secret(app, call.asked.name, call.asked.variable, call.asked.value)
    return _tools(app, call.asked.name)


def _tools(
    app: App, name: str, *, within_s: float | None = None, problems: list[str] | None = None
) -> ToolList:
    """Return the tools of a server, after inspecting it if `within_s` is given."""
    from gaia_email.app.services import mcp_servers
    from gaia_email.app.services.server_lists import list_tools

    told = list(problems or ())
    if within_s is not None:
        (look,) = mcp_servers.look_at(app, [mcp_servers.server_named(app, name)], within_s=within_s)
        told += [text for text in (look.failed, look.hint if look.failed else "", *look.problems) if text]
    return list_tools({name: mcp_servers.server_named(app, name).tools}, told)


@operation(
    output="app.services.configuration.Configuration", path="GET /v1/email/configuration", risk="person"
)
def configuration(app: App, call: OperationCall[NoInput]) -> Configuration:
    """Return everything connected and decided, without passwords, tokens or addresses of webhooks.

    Raises:
        MailError: A list or the ledger cannot be read.
    """
    from gaia_email.app.services.configuration import configuration as told

    return told(app)
