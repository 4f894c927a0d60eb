"""`gaia email servers`: MCP servers in `mcp_servers.json` with their tools, and ours in the files of clients."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import HelpfulGroup, field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format
from gaia_email_registry.client_files import CLIENTS, client_file
from gaia_email_registry.contract.tools import RiskTier

TIERS: tuple[RiskTier, ...] = ("read", "write", "destructive")

client_argument = click.argument("client", type=click.Choice(tuple(CLIENTS)))
NAME, AGENT_NAME = "mail", "gaia-email"
"""Default names of our mail server and of the agent in a client."""


@click.group(name="servers", cls=HelpfulGroup)
def command() -> None:
    """MCP servers: those of others whose mail `--server NAME` reads, and ours in Claude Desktop and the like.

    They are listed in mcp_servers.json, as MCP clients list theirs. A tool is called only in the form you approved.
    """


@command.command(name="list")
@output_options
@pass_app
def list_command(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """The servers that are listed, and how many of their tools are approved. None is started."""
    from gaia_email.interfaces.cli.servers_view import print_servers

    print_servers(app, chosen_format(as_json, as_jsonl, fields), field_list(fields))


@command.command(name="tools")
@click.argument("name", metavar="[NAME]", default="")
@click.option("--kept", is_flag=True, help="As they were last seen; no server is started.")
@output_options
@pass_app
def tools_command(app: App, name: str, kept: bool, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """The tools of NAME, or of every server of yours: how dangerous each is, and what changed since you approved it."""
    from gaia_email.interfaces.cli.servers_view import print_tools

    return print_tools(app, name, chosen_format(as_json, as_jsonl, fields), field_list(fields), kept=kept)


@command.command(name="test")
@click.argument("name", metavar="[NAME]", default="")
@output_options
@pass_app
def test_command(app: App, name: str, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """Start or reach NAME, or every server of yours, and say whether it can be read as a mailbox."""
    from gaia_email.interfaces.cli.servers_view import print_test

    # The default is lines, even in a pipe, since they are read like a log; a table only on request.
    form = chosen_format(as_json, as_jsonl, fields) if as_json or as_jsonl or fields else "card"
    return print_test(app, name, form, field_list(fields))


@command.command(name="approve")
@click.argument("wanted", metavar="NAME[.TOOL]")
@click.option("--tier", type=click.Choice(TIERS), help="Danger of the tool, as you judge it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def approve_command(app: App, wanted: str, tier: RiskTier | None, yes: bool) -> None:
    """Let the tools of NAME, or one of them, be called as they are now, after showing them and what changed."""
    from gaia_email.interfaces.cli.servers_view import print_approved

    print_approved(app, wanted, tier, yes=yes)


@command.command(name="add")
@click.argument("name", metavar="NAME")
@click.argument("words", metavar="[-- COMMAND ARG…]", nargs=-1)
@click.option("--url", metavar="URL", help="Address of a server that already runs.")
@click.option("--env", metavar="NAME=VALUE", multiple=True, help="A variable for it.")
@click.option(
    "--secret",
    metavar="NAME",
    multiple=True,
    help="A variable whose value is asked for and kept in the vault.",
)
@click.option("--token", is_flag=True, help="With --url: ask for its bearer token and keep it in the vault.")
@pass_app
def add_command(
    app: App,
    name: str,
    words: tuple[str, ...],
    url: str | None,
    env: tuple[str, ...],
    secret: tuple[str, ...],
    token: bool,
) -> None:
    """Add a server to mcp_servers.json; nothing else in the file changes.

    A secret is asked for without being shown; in a pipe each is a line of standard input.
    """
    from gaia_email.interfaces.cli.servers_view import add_server

    if name in CLIENTS:
        raise click.UsageError(f"{name} is the name of a client; call the server otherwise.")
    if bool(words) == bool(url):
        raise click.UsageError("Say what starts it (-- COMMAND ARG…) or where it is (--url URL).")
    if (url and (env or secret)) or (token and not url):
        raise click.UsageError("--env and --secret go with a command, --token with --url.")
    variables = _variables(env)
    asked = {one: _secret(one) for one in (*secret, *(["Authorization"] if token else []))}
    entry: dict[str, object] = {"url": url} if url else {"command": words[0], "args": list(words[1:])}
    if token:
        entry["headers"] = {"Authorization": f"Bearer {asked['Authorization']}"}
    elif variables or asked:
        entry["env"] = {**variables, **asked}
    add_server(app, name, entry, [f"{'headers' if url else 'env'}.{one}" for one in asked])


def _variables(given: tuple[str, ...]) -> dict[str, str]:
    from gaia_email_registry.servers import looks_secret

    found: dict[str, str] = {}
    for one in given:
        key, equals, value = one.partition("=")
        if not equals or not key:
            raise click.UsageError("--env takes NAME=VALUE.")
        if looks_secret(key):
            raise click.UsageError(
                f"{key} looks like a secret, which a command line shows: --secret {key} asks for it."
            )
        found[key] = value
    return found


def _secret(name: str) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(f"Value of {name}", hide_input=True, err=True))
    value = sys.stdin.readline().rstrip("\r\n")
    if not value:
        raise click.UsageError(f"No value of {name} came on standard input.")
    return value


@command.command(name="import")
@client_argument
@click.argument("names", metavar="[NAME…]", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def import_command(app: App, client: str, names: tuple[str, ...], yes: bool) -> None:
    """Take over the servers of CLIENT, or some of them; their secrets go into the vault. The client's file stays."""
    from gaia_email.interfaces.cli.servers_view import import_from_client

    import_from_client(app, client, names, yes=yes)


@command.command(name="logs")
@click.argument("name", metavar="NAME")
@pass_app
def logs_command(app: App, name: str) -> None:
    """Show what NAME last wrote to standard error, at most 200 lines, without its secrets."""
    from gaia_email.interfaces.cli.servers_view import print_log

    print_log(app, name)


@command.command(name="install")
@client_argument
@click.option(
    "--name",
    metavar="NAME",
    help=f"What the client calls it: {NAME}, or {AGENT_NAME} for the agent, if left out.",
)
@click.option("--account", metavar="ACCOUNT", help="Account; required if several are connected.")
@click.option(
    "--agent", is_flag=True, help="The agent itself: triage, why, drafts, undo (docs/agent-server.md)."
)
@click.option("--demo", is_flag=True, help="With --agent: the sample mailbox.")
@click.option(
    "--read-only/--read-write",
    "read_only",
    default=None,
    help="Offer only tools that change nothing, or all of them. Mail files are read-only if neither is given.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def install_command(
    app: App,
    client: str,
    name: str | None,
    account: str | None,
    agent: bool,
    demo: bool,
    read_only: bool | None,
    yes: bool,
) -> None:
    """Add our server to the config file of CLIENT, or replace it, after showing it. Nothing else there changes."""
    import json

    from gaia_email.app.services.client_entries import account_entry, add_to_client, ours_there
    from gaia_email.interfaces.cli.output import note
    from gaia_email_registry.accounts import find_account

    if demo and (account or not agent):
        raise click.UsageError("--demo goes with --agent, and without --account.")
    served = None if demo else find_account(account, app.environ)
    entry = account_entry(served, app.environ, agent=agent, read_only=read_only)
    name = name or (AGENT_NAME if agent else NAME)
    path = client_file(client, Path.home(), sys.platform)
    before = ours_there(client, name)
    note(f"in {path}:")
    if before is not None:
        note(f"- {json.dumps(name)}: {json.dumps(before)}")
    note(f"+ {json.dumps(name)}: {json.dumps(entry.to_json())}")
    if read_only is None and "--read-only" in entry.args:
        note("the client can only read this mail; --read-write lets it change it, too.")
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("There is no terminal to ask in; --yes adds it.")
        if not click.confirm("Add it?" if before is None else "Replace it?", default=True, err=True):
            note("nothing changed.")
            return
    tools = add_to_client(path, client, name, entry, instead_of=before)
    removal = f"gaia email servers remove {client}" + (f" --name {name}" if name != NAME else "")
    note(
        f"{'added' if before is None else 'replaced'}: it starts and lists {tools} tools. "
        f"next: restart {CLIENTS[client].title}; {removal} takes it out."
    )


@command.command(name="remove")
@click.argument("server", metavar="NAME|CLIENT")
@click.option(
    "--name", metavar="NAME", default=NAME, show_default=True, help="Name of the server in the client."
)
@pass_app
def remove_command(app: App, server: str, name: str) -> None:
    """Take NAME out of mcp_servers.json, or our server out of the config file of CLIENT; nothing else changes."""
    from gaia_email.interfaces.cli.output import note
    from gaia_email_registry.client_files import uninstall

    if server not in CLIENTS:
        from gaia_email.app.services.mcp_servers import remove_server

        note(f"removed {server} from {remove_server(app, server)}, with its secrets and approvals.")
        return
    client = server
    uninstall(client_file(client, Path.home(), sys.platform), client, name)
    note(f"removed {name} from {CLIENTS[client].title}; restart it.")
