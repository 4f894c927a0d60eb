"""The MCP servers of `mcp_servers.json`: list, add, inspect, approve. Entries: `find_servers`, `look_at`.

The user's file takes precedence over the project's (`./mcp_servers.json`), which is read but never written.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from gaia_email.actions.pending.telling import take_back, tell
from gaia_email.app import App
from gaia_email.app.services.client_entries import OURS
from gaia_email.ledger import Ledger
from gaia_email.mailbox import known_tools
from gaia_email.mailbox.client import listing
from gaia_email.mailbox.project_servers import FILE, ProjectFile, listed_server, project_of
from gaia_email.mailbox.server_log import last_lines, log_file
from gaia_email_registry import origin, paths
from gaia_email_registry.capabilities import ServerTool
from gaia_email_registry.client_files import change_file, client_entries
from gaia_email_registry.contract.tools import RiskTier
from gaia_email_registry.errors import BadArgument, MailError, NotFound, StateConflict
from gaia_email_registry.json_edit import add_entry, entries_of, remove_entry
from gaia_email_registry.secret_source import read_secret
from gaia_email_registry.servers import (
    VAULT,
    HttpServer,
    InProcessServer,
    ServerSpec,
    StdioServer,
    is_reference,
    is_secret,
    parse_servers,
    read_servers,
)
from gaia_email_registry.vault import open_vault

LOOK_S = 5.0
"""Seconds in which a server must start and list its tools."""

PATIENT_S = 30.0
"""The same for a server that the user names: a program that is downloaded first takes a while."""

SECTION = "mcpServers"
_PLACEHOLDER = re.compile(r"\$\{[^}\"]+\}")
"""`${input:token}` and `${env:NAME}` of VS Code, `${NAME}` of Claude Code."""
EMPTY = '{\n  "mcpServers": {}\n}\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedServer:
    """A server, the file that lists it, and its tools as last seen."""

    name: str
    spec: ServerSpec
    file: Path
    tools: Mapping[str, ServerTool]

    @property
    def target(self) -> str:
        """The command that starts it, or its address."""
        return target_of(self.spec)

    @property
    def is_off(self) -> bool:
        """True if its file disables it."""
        return not isinstance(self.spec, InProcessServer) and self.spec.disabled


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInspection:
    """The result of inspecting a server: an error, or its tools and the problems with them.

    `told` is the note added to the Agent Inbox, empty for none.
    """

    name: str
    told: str = ""
    failed: str = ""
    hint: str = ""
    problems: Sequence[str] = ()
    tools: Mapping[str, ServerTool] = field(default_factory=dict[str, ServerTool])


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEntry:
    """An entry of a client's file in the form of ours; `secrets` are the names of values that go into the vault.

    `left_out` is the reason why it cannot be imported, empty if it can.
    """

    name: str
    entry: Mapping[str, object]
    secrets: Sequence[str]
    left_out: str = ""


def target_of(spec: ServerSpec) -> str:
    """Return the command that starts a server, or its address."""
    if isinstance(spec, StdioServer):
        return " ".join((spec.command, *spec.args))
    return spec.url if isinstance(spec, HttpServer) else ""


def find_servers(app: App) -> list[ListedServer]:
    """Return all servers, those of the user's file first; it also wins if a name is in both files."""
    found: dict[str, tuple[ServerSpec, Path]] = {}
    for path in _files(app):
        if not path.exists():
            continue
        for name, spec in read_servers(path).items():
            found.setdefault(name, (spec, path))
    if not found:
        return []
    with app.ledger() as ledger:
        return [
            ListedServer(name=name, spec=spec, file=path, tools=known_tools.tools_of(ledger, name))
            for name, (spec, path) in found.items()
        ]


def users(app: App) -> list[ListedServer]:
    """Return the servers of the user's own file.

    A project's servers are only started by name, so that a folder from elsewhere starts nothing.

    Raises:
        MailError: As in `find_servers`.
    """
    return [one for one in find_servers(app) if one.file == paths.servers_file(app.environ)]


def server_named(app: App, name: str) -> ListedServer:
    """Return the server with that name.

    Raises:
        NotFound: It does not exist.
        MailError: As in `find_servers`.
    """
    servers = find_servers(app)
    for one in servers:
        if one.name == name:
            return one
    there = f"There are {', '.join(one.name for one in servers)}." if servers else "None is listed yet."
    raise NotFound(
        f"There is no MCP server {name[:60]!r}. {there}",
        argument="name",
        hint="gaia email servers add NAME -- COMMAND adds one.",
    )


def to_agree(app: App, name: str) -> ProjectFile | None:
    """Return the project file that the user must approve before that server is started; None if not needed.

    Raises:
        MailError: A file or the ledger cannot be read.
    """
    project = project_of(name, environ=app.environ)
    return None if project is None or project.is_agreed(app.environ) else project


def look_at(
    app: App, servers: Sequence[ListedServer], *, within_s: float | None = None
) -> list[ServerInspection]:
    """Inspect every server, from a program without an event loop (`look_at_all`)."""
    return asyncio.run(look_at_all(app, servers, within_s=within_s))


async def look_at_all(
    app: App, servers: Sequence[ListedServer], *, within_s: float | None = None
) -> list[ServerInspection]:
    """Start or contact the servers in parallel and record their tools; an error affects only that server's result.

    A tool that differs from what was approved is reported in the Agent Inbox.
    """
    seconds = LOOK_S if within_s is None else within_s
    # A server that exits while being written to leaves a failed write behind, which `_look` has already
    # reported.
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    return list(await asyncio.gather(*(_look(app, one, seconds) for one in servers)))


async def _look(app: App, server: ListedServer, seconds: float) -> ServerInspection:
    try:
        spec = listed_server(server.name, environ=app.environ)
        assert isinstance(spec, (StdioServer, HttpServer))
        async with asyncio.timeout(seconds):
            problems = (await listing(spec)).problems
    except TimeoutError:
        return ServerInspection(name=server.name, failed=f"It did not answer within {seconds:.0f} seconds.")
    except MailError as error:
        return ServerInspection(name=server.name, failed=error.message, hint=error.hint or "")
    except Exception as error:  # whatever another server does to the SDK, the remaining servers are inspected
        return ServerInspection(name=server.name, failed=f"It broke off ({type(error).__name__}).")
    with app.ledger() as ledger:
        tools = known_tools.tools_of(ledger, server.name)
        told = note_changes(ledger, server.name, tools)
        return ServerInspection(name=server.name, told=told, problems=problems, tools=tools)


def to_approve(app: App, wanted: str, tier: RiskTier | None) -> tuple[str, list[ServerTool]]:
    """Return the server that `NAME` or `NAME.TOOL` means, and its tools to approve, as last seen.

    Raises:
        NotFound: The server or tool does not exist.
    """
    names = [one.name for one in find_servers(app)]
    named = [name for name in names if wanted == name or wanted.startswith(f"{name}.")]
    server = max(named, key=len) if named else server_named(app, wanted.partition(".")[0]).name
    with app.ledger() as ledger:
        return server, known_tools.to_approve(ledger, server, wanted[len(server) + 1 :], tier)


def approve(app: App, server: str, shown: Sequence[ServerTool], tier: RiskTier | None) -> list[ServerTool]:
    """Approve these tools as they were shown; return those that have not changed since."""
    with app.ledger() as ledger:
        done = known_tools.approve_tools(ledger, server, shown, tier)
        note_changes(ledger, server, known_tools.tools_of(ledger, server))
        return done


def add_server(app: App, name: str, entry: Mapping[str, object]) -> Path:
    """Write a server into the user's file; everything else in it stays byte for byte.

    Raises:
        BadArgument: The entry or the file cannot be used, or the name is taken.
    """
    parse_servers(_text_of(name, entry))
    path = paths.servers_file(app.environ)
    paths.ensure_private_directory(path.parent)
    change_file(path, lambda text: add_entry(text or EMPTY, SECTION, name, entry))
    return path


def switch_server(app: App, name: str, on: bool) -> None:
    """Enable or disable a server of the user's file (`disabled`); a disabled one keeps its approvals.

    Raises:
        NotFound: The user's file has no server with that name.
        MailError: The file cannot be written.
    """
    if server_named(app, name).file != paths.servers_file(app.environ):
        raise NotFound(f"{name} is listed in the project's file.", hint="Switch it there.")

    def switch(text: str) -> str:
        entry = {key: value for key, value in entries_of(text, SECTION)[name].items() if key != "disabled"}
        return add_entry(
            remove_entry(text, SECTION, name), SECTION, name, entry if on else {**entry, "disabled": True}
        )

    change_file(paths.servers_file(app.environ), switch)


def remove_server(app: App, name: str) -> Path:
    """Remove a server from the user's file, with its secrets in the vault and the record of its tools.

    Raises:
        NotFound: The user's file has no server with that name.
    """
    one = server_named(app, name)
    path = paths.servers_file(app.environ)
    if one.file != path:
        raise NotFound(f"{name} is listed in {one.file}, which is the project's.", hint="Take it out there.")
    change_file(path, lambda text: remove_entry(text, SECTION, name))
    for reference in variable_references(one.spec).values():
        open_vault(app.environ).remove(reference.removeprefix(VAULT))
    with app.ledger() as ledger:
        known_tools.forgotten(ledger, name)
        forget_notes(ledger, name)
    log_file(name, app.environ).unlink(missing_ok=True)
    return path


def importable(app: App, client: str) -> list[ImportedEntry]:
    """Return a client's servers that are not listed here, except our own.

    Raises:
        MailError: The client's file, or one of ours, cannot be read.
    """
    here = {one.name for one in find_servers(app)}
    found: list[ImportedEntry] = []
    for name, entry in client_entries(client, Path.home(), sys.platform).items():
        command = str(entry.get("command", ""))
        if name in here or Path(command).name.startswith(OURS):
            continue
        if entry.get("disabled") is True:
            continue
        kept = {key: entry[key] for key in ("command", "args", "env", "url", "headers") if key in entry}
        secrets = tuple(secret_names(kept))
        found.append(ImportedEntry(name=name, entry=kept, secrets=secrets, left_out=_only_there(entry)))
    return found


def _only_there(entry: Mapping[str, object]) -> str:
    """Return the reason why only its client can use an entry; empty for none."""
    for key, what in (
        ("cwd", "is started in a folder of its own"),
        ("envFile", "reads its variables from a file"),
    ):
        if entry.get(key):
            return f"it {what} ({key})"
    found = _PLACEHOLDER.search(json.dumps(entry))
    return f"it names {found[0][:60]}, which only its client fills in" if found else ""


def import_server(app: App, one: ImportedEntry) -> Path:
    """Add an entry of a client's file to ours, with its secrets in the vault.

    Raises:
        BadArgument: It cannot be imported; nothing was stored.
    """
    if one.left_out:
        raise BadArgument(
            f"{one.left_out}.",
            hint=f"gaia email servers add {one.name} --secret VARIABLE -- COMMAND adds it by hand.",
        )
    if one.name in {known.name for known in users(app)}:
        # Checked before anything is stored: the vault would overwrite that server's own secrets.
        raise StateConflict(
            f"There is a server {one.name!r} already.",
            argument="name",
            hint=f"gaia email servers remove {one.name} takes it out.",
        )
    references: list[str] = []
    vault = open_vault(app.environ)

    def store_secret(holder: str, name: str, value: str) -> str:
        if f"{holder}.{name}" not in one.secrets:
            return value
        bare = value.removeprefix("Bearer ")
        references.append(vault.put(f"server/{one.name}/{name}", bare))
        return f"{value[: len(value) - len(bare)]}{VAULT}{references[-1]}"

    entry = dict(one.entry)
    for holder in ("env", "headers"):
        if values := _texts(entry.get(holder)):
            entry[holder] = {name: store_secret(holder, name, value) for name, value in values.items()}
    try:
        return add_server(app, one.name, entry)
    except MailError:
        for reference in references:
            vault.remove(reference)
        raise


def log_lines(app: App, name: str) -> list[str]:
    """Return a server's latest output on standard error, with its secrets removed.

    Raises:
        NotFound: The server does not exist.
    """
    hidden: list[str] = []
    for reference in variable_references(server_named(app, name).spec).values():
        try:
            hidden.append(read_secret(reference, app.environ))
        except MailError:
            continue  # no longer in the vault, so it cannot be disclosed
    lines = last_lines(name, app.environ)
    for secret in hidden:
        lines = [line.replace(secret, "…") for line in lines]
    return lines


def _files(app: App) -> tuple[Path, ...]:
    return (paths.servers_file(app.environ), FILE)


def variable_references(spec: ServerSpec) -> dict[str, str]:
    """Return the variables and headers of a server whose values are in the vault, with the references."""
    match spec:
        case StdioServer():
            values = dict(spec.env)
        case HttpServer():
            values = {"Authorization": spec.secret, **spec.headers}
        case _:
            values = {}
    return {name: value for name, value in values.items() if value.startswith(VAULT)}


def replace_secret(app: App, name: str, variable: str, value: str) -> None:
    """Replace a server's secret in the vault.

    Raises:
        NotFound: The server does not exist, or the variable's value is not in the vault.
        MailError: The vault cannot be written.
    """
    reference = variable_references(server_named(app, name).spec).get(variable)
    if reference is None:
        raise NotFound(f"{name} has no secret {variable[:60]!r} in the vault.", argument="variable")
    open_vault(app.environ).replace(reference.removeprefix(VAULT), value)


def _texts(values: object) -> dict[str, str]:
    """Return the variables or headers of an entry as text; the check of the whole entry rejects other types."""
    if not isinstance(values, dict):
        return {}
    return {name: str(value) for name, value in cast("dict[str, object]", values).items()}


def secret_names(entry: Mapping[str, object]) -> list[str]:
    """Return the variables and headers of an entry that contain a plain-text secret, as `env.NAME`."""
    found: list[str] = []
    for holder in ("env", "headers"):
        for name, value in _texts(entry.get(holder)).items():
            if is_secret(name, value) and not is_reference(value):
                found.append(f"{holder}.{name}")
    return found


def _text_of(name: str, entry: Mapping[str, object]) -> str:
    return json.dumps({SECTION: {name: entry}})


MOST_NAMED = 3
"""Maximum number of tools whose differences are listed; the command shows all."""


def note_changes(ledger: Ledger, server: str, tools: Mapping[str, ServerTool]) -> str:
    """Keep a note while tools of a server differ from what was approved, and remove it afterwards.

    Returns:
        One sentence that is new to the user; empty if there is none.
    """
    about = f"server:{server}"
    changed = sorted(name for name, one in tools.items() if one.approval_state == "changed")
    with ledger.write() as tx:
        if not changed:
            take_back(ledger, tx, about)
            return ""
        what = f"{len(changed)} tool{'s' * (len(changed) > 1)} of {server} changed and {'are' if changed[1:] else 'is'}"
        asked = f"{what} not called: gaia email servers approve {server}"
        why = " ".join(
            f"{server}.{name}: {'; '.join(tools[name].differences())}." for name in changed[:MOST_NAMED]
        )
        return asked if tell(ledger, tx, about, asked=asked, why=why, origin=origin.OURS) else ""


def forget_notes(ledger: Ledger, server: str) -> None:
    """Remove the notes about a deleted server."""
    with ledger.write() as tx:
        take_back(ledger, tx, f"server:{server}")
