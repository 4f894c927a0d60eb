"""`gaia email servers`: our servers in the config file of an MCP client, and out of it again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from gaia_email.faces.cli.options import HelpfulGroup
from gaia_email_registry.client_files import CLIENTS, client_file

client_argument = click.argument("client", type=click.Choice(tuple(CLIENTS)))
name_option = click.option(
    "--name", metavar="NAME", default="mail", show_default=True, help="What the client calls it."
)


@click.group(name="servers", cls=HelpfulGroup)
def command() -> None:
    """Give an MCP client, such as Claude Desktop, the mail of an account."""


@command.command(name="install")
@client_argument
@name_option
@click.option("--account", metavar="ACCOUNT", help="Whose mail; needed where several are connected.")
@click.option(
    "--agent", is_flag=True, help="The agent itself: triage, why, drafts, undo (docs/agent-server.md)."
)
@click.option("--demo", is_flag=True, help="With --agent: the sample mailbox.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def install_command(client: str, name: str, account: str | None, agent: bool, demo: bool, yes: bool) -> None:
    """Add our server to the config file of CLIENT, after showing what is added. Nothing else in it changes."""
    import json

    from gaia_email.faces.cli.output import note
    from gaia_email_registry.accounts import find_account
    from gaia_email_registry.client_files import install

    if demo and (account or not agent):
        raise click.UsageError("--demo goes with --agent, and without --account.")
    if demo:
        server, arguments = "email", ["--demo"]
    else:
        found = find_account(account, os.environ)
        server, arguments = ("email" if agent else found.server), ["--account", found.id]
    program = Path(sys.executable).with_name(f"gaia-{server}-mcp")
    entry = {"command": str(program), "args": arguments}
    path = client_file(client, Path.home(), sys.platform)
    note(f"in {path}:")
    note(f"+ {json.dumps(name)}: {json.dumps(entry)}")
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("There is no terminal to ask in; --yes adds it.")
        if not click.confirm("Add it?", default=True, err=True):
            note("nothing changed.")
            return
    install(path, client, name, entry)
    note(f"added. next: restart {CLIENTS[client].title}; gaia email servers remove {client} takes it out.")


@command.command(name="remove")
@client_argument
@name_option
def remove_command(client: str, name: str) -> None:
    """Take our server out of the config file of CLIENT; nothing else in it changes."""
    from gaia_email.faces.cli.output import note
    from gaia_email_registry.client_files import uninstall

    uninstall(client_file(client, Path.home(), sys.platform), client, name)
    note(f"removed {name} from {CLIENTS[client].title}; restart it.")
