"""Output of `gaia email servers` about MCP servers and their tools. Entries: `print_servers`, `print_tools`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from gaia_email.app import App
from gaia_email.app.documents.layouts.filled_card import fill_layout
from gaia_email.app.documents.layouts.state import SERVERS, TOOLS
from gaia_email.app.services import mcp_servers
from gaia_email.app.services.server_lists import describe_looks, list_servers, list_tools
from gaia_email.document import answer_of
from gaia_email.interfaces.cli.document_card import print_filled
from gaia_email.interfaces.cli.errors import FAILURE, OK, PARTIAL
from gaia_email.interfaces.cli.output import OutputFormat, note, write_rows
from gaia_email.interfaces.cli.person import says_yes
from gaia_email.interfaces.cli.project_file import ask_about_project
from gaia_email_registry.client_files import CLIENTS
from gaia_email_registry.contract.tools import RiskTier
from gaia_email_registry.errors import MailError, NotFound
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.services.mcp_servers import ListedServer, ServerInspection

SERVER_COLUMNS = ("name", "target", "tools", "approved", "changed", "new", "file")
TOOL_COLUMNS = ("id", "tier", "standing", "description")
TRIED_COLUMNS = ("name", "works", "mailbox", "tools", "failed")
NAMED = 6
"""Maximum unapproved tools named."""
SHOWN = 4_000
"""Maximum characters of a description shown before its approval."""


def print_servers(app: App, form: OutputFormat, fields: Sequence[str]) -> None:
    """Print every listed server."""
    document = answer_of(list_servers(mcp_servers.find_servers(app)))
    rows = document["servers"]
    if form == "card":
        print_filled(fill_layout(SERVERS, document))
    else:
        write_rows(document, rows, SERVER_COLUMNS, form, fields)


def print_tools(app: App, name: str, form: OutputFormat, fields: Sequence[str], *, kept: bool) -> int:
    """Print the tools of one server or of all; return the exit code."""
    servers = _chosen(app, name)
    looks = [] if kept else _looks(app, name)
    tools = {one.name: one.tools for one in servers} | {
        one.name: one.tools for one in looks if not one.failed
    }
    problems = [f"{look.name}: {text}" for look in looks for text in (look.failed, *look.problems) if text]
    document = answer_of(list_tools(tools, problems))
    rows = document["tools"]
    if form == "card":
        print_filled(fill_layout(TOOLS, document))
    else:
        write_rows(document, rows, TOOL_COLUMNS, form, fields)
    for problem in problems:
        note(problem)
    failed = [look for look in looks if look.failed]
    for look in failed:
        if look.hint:
            note(f"  next: {look.hint}")
    return OK if not failed else FAILURE if len(failed) == len(looks) else PARTIAL


def print_test(app: App, name: str, form: OutputFormat = "card", fields: Sequence[str] = ()) -> int:
    """Print a line per server with the result of a test; return the exit code."""
    looks = _looks(app, name)
    document = answer_of(describe_looks(looks))
    rows = document["servers"]
    if form != "card":
        write_rows(document, rows, TRIED_COLUMNS, form, fields)
    for row, look in zip(rows, looks, strict=True):
        if form == "card" or row["failed"]:
            note(f"{row['name']}: {row['failed'] or _use(row)}")
        if look.hint:
            note(f"  next: {look.hint}")
        for problem in row["problems"] if form == "card" else ():
            note(f"  {problem}")
        if row["works"] and form == "card":
            _say_what_waits(look)
    failed = sum(not row["works"] for row in rows)
    return OK if not failed else FAILURE if failed == len(rows) else PARTIAL


def _use(row: Mapping[str, Any]) -> str:
    tools = f"{row['tools']} {'tool' if row['tools'] == 1 else 'tools'}"
    if row["missing"]:
        return f"{tools}; no mailbox, it has no {', '.join(row['missing'])}"
    return f"{tools}; a mailbox: gaia email inbox --server {row['name']}"


def _say_what_waits(look: ServerInspection) -> None:
    """Print the unapproved tools and the command that approves them."""
    waiting = sorted(tool for tool, one in look.tools.items() if one.approval_state == "new")
    if waiting:
        more = f" and {len(waiting) - NAMED} more" if len(waiting) > NAMED else ""
        note(visible(f"  not approved, so not called: {', '.join(waiting[:NAMED])}{more}"))
        note(f"  next: gaia email servers approve {look.name}.{waiting[0]} shows it, and asks.")


def print_approved(app: App, wanted: str, tier: RiskTier | None, *, yes: bool) -> None:
    """Show new or changed tools, ask, approve them, and print the result.

    Raises:
        UsageError: A tier is given for all tools at once, or there is no terminal to ask in.
    """
    server, waiting = mcp_servers.to_approve(app, wanted, tier)
    if tier and wanted == server:
        raise click.UsageError("--tier goes with one tool: NAME.TOOL.")
    if not waiting:
        note("nothing was new or changed.")
        return
    rows = answer_of(list_tools({server: {one.tool: one for one in waiting}}, []))["tools"]
    for row, one in zip(rows, sorted(waiting, key=lambda one: one.tool), strict=True):
        said = " ".join(row["description"].split())
        more = f" … and {len(said) - SHOWN:,} characters more, which --json of servers tools shows"
        note(
            f"{row['id']} ({row['standing']}, {row['tier']}): "
            f"{said[:SHOWN] or 'it says nothing of itself'}{more if len(said) > SHOWN else ''}"
        )
        note(f"  takes {', '.join(sorted(one.seen.arguments)) or 'nothing that it names'}")
        for line in row["differences"]:
            note(f"  {line}")
    question = "Let it be called as it is now?" if len(rows) == 1 else "Let them be called as they are now?"
    if not yes and not sys.stdin.isatty():
        raise click.UsageError("There is no terminal to ask in.")
    if not says_yes(app, question, said=yes):
        note("nothing changed.")
        return
    done = mcp_servers.approve(app, server, waiting, tier)
    for one in done:
        note(f"approved {server}.{one.tool} ({one.risk()[0]}).")
    if len(done) < len(waiting):
        note("the others changed meanwhile; the same command shows how.")


def add_server(app: App, name: str, entry: Mapping[str, object], secrets: Sequence[str]) -> None:
    """Add a server with its secrets (as `env.NAME`) in the vault, and test it."""
    from gaia_email.app.services.mcp_servers import ImportedEntry, import_server

    path = import_server(app, ImportedEntry(name=name, entry=entry, secrets=secrets))
    note(f"added {name} to {path}.")
    print_test(app, name)


def import_from_client(app: App, client: str, names: Sequence[str], *, yes: bool) -> None:
    """Import servers of a client after showing them.

    Raises:
        NotFound: The client has no new server, or none with a given name.
        UsageError: There is no terminal to ask in.
    """
    found = mcp_servers.importable(app, client)
    missing = [name for name in names if name not in {one.name for one in found}]
    if missing or not found:
        title = CLIENTS[client].title
        which = f"no {', '.join(missing)}" if missing else "no server"
        raise NotFound(f"{title} has {which} that is new here.")
    chosen = [one for one in found if not names or one.name in names]
    for one in chosen:
        what = str(one.entry.get("url") or one.entry.get("command", ""))
        kept = f"; {', '.join(one.secrets)} into the vault" if one.secrets else ""
        note(visible(f"+ {one.name}: {what}{kept}"))
    if not _agreed("Take them over?", yes):
        return
    for one in chosen:
        try:
            note(f"added {one.name} to {mcp_servers.import_server(app, one)}.")
        except MailError as error:
            note(visible(f"{one.name} was left out: {error.message}"))
            if error.hint:
                note(visible(f"  next: {error.hint}"))


def print_log(app: App, name: str) -> None:
    """Print the last lines of a server's standard error."""
    lines = mcp_servers.log_lines(app, name)
    for line in lines:
        click.echo(visible(line))
    if not lines:
        note(f"{name} has written nothing.")


def _chosen(app: App, name: str) -> list[ListedServer]:
    if name:
        ask_about_project(app, name)
    return [mcp_servers.server_named(app, name)] if name else mcp_servers.users(app)


def _looks(app: App, name: str) -> list[ServerInspection]:
    """Inspect the server with this name, with a longer time limit, or all of the user's servers."""
    return mcp_servers.look_at(app, _chosen(app, name), within_s=mcp_servers.PATIENT_S if name else None)


def _agreed(question: str, yes: bool) -> bool:
    """Return True if the user agrees, by the flag or when asked.

    Raises:
        UsageError: There is no terminal to ask in.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise click.UsageError("There is no terminal to ask in; --yes agrees.")
    if click.confirm(question, default=True, err=True):
        return True
    note("nothing changed.")
    return False
