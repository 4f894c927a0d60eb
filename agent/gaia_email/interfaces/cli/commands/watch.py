"""`gaia email watch`: watches a mailbox and prints every new message with its verdict."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    addresses,
    field_list,
    fields_option,
    pass_app,
)
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="watch")
@click.option("--account", metavar="NAME", help="A connected account; not needed when there is only one.")
@click.option("--maildir", metavar="DIR", help="A Maildir, with its folders.")
@click.option("--server", metavar="NAME", help="An MCP mail server of mcp_servers.json.")
@click.option(
    "--user",
    metavar="ADDRESS",
    multiple=True,
    callback=addresses,
    help="Address of the mailbox's owner; repeatable. Default: the account's, or the most frequent recipient.",
)
@click.option(
    "--folder",
    "folders",
    metavar="NAME",
    multiple=True,
    help="Watch this folder or label; repeat for several. Default: the inbox.",
)
@click.option("--all", "everything", is_flag=True, help="On the first run, also show what is already there.")
@click.option("--once", is_flag=True, help="Show what is new since the last run, then exit.")
@click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line.")
@fields_option
@pass_app
def command(
    app: App,
    account: str | None,
    maildir: str | None,
    server: str | None,
    user: tuple[str, ...],
    folders: tuple[str, ...],
    everything: bool,
    once: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Understand each new message within moments of its arrival. Changes nothing; runs until stopped.

    The first run starts at now. What was told is remembered below GAIA_HOME, so that after a stop, a crash
    or days without a network the next run goes on where the last one was.
    """
    from gaia_email.interfaces.cli.watching import watch

    source = NamedSource(account=account, maildir=maildir, mcp_server=server, user=user).resolve(app)
    view = OutputChoice(chosen_format(False, as_jsonl, fields), field_list(fields))
    return watch(app, source, view, folders=folders, everything=everything, once=once)
