"""Entries for our servers in the config files of MCP clients. Entries: `account_entry`, `add_to_client`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gaia_email.app.accounts.connect_files import files_of
from gaia_email_registry import paths
from gaia_email_registry.accounts import Account
from gaia_email_registry.client_files import client_entries, install
from gaia_email_registry.errors import MailError, ProviderError

AGENT = "email"

OURS = "gaia-"
"""Prefix of the names of our programs."""

TRIAL_S = 30.0
"""Seconds in which an entry must start and list its tools."""

_PATH_VARIABLES = ("GAIA_VAULT_KEY_FILE",)
"""Variables with storage paths, in addition to `GAIA_HOME`, that a client does not pass on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientEntry:
    """The program that a client starts, with its arguments and variables."""

    command: str
    args: Sequence[str]
    env: Mapping[str, str]

    def to_json(self) -> dict[str, object]:
        """Return the entry as it is written in the client's file."""
        env = {"env": dict(self.env)} if self.env else {}
        return {"command": self.command, "args": list(self.args), **env}


def account_entry(
    account: Account | None,
    environ: Mapping[str, str],
    *,
    agent: bool = False,
    read_only: bool | None = None,
) -> ClientEntry:
    """Return the entry that serves an account, directly or through the agent; the agent's sample mailbox without one.

    If `read_only` is None, only the server of mail files is read-only, since no provider could restore
    deleted mail.
    """
    kept = ["--read-only"] if read_only else []
    if account is None:
        return _entry(AGENT, ["--demo", *kept], {})
    if agent:
        return _entry(AGENT, ["--account", account.id, *kept], _paths(environ))
    files = files_of(account)
    if files is None:
        return _entry(account.server, ["--account", account.id, *kept], _paths(environ))
    kept = [] if read_only is False else ["--read-only"]
    return _entry(
        account.server, [f"--{files.kind}", files.path, "--account", account.id, *kept], _paths(environ)
    )


def _entry(server: str, args: Sequence[str], env: Mapping[str, str]) -> ClientEntry:
    return ClientEntry(
        command=str(Path(sys.executable).with_name(f"gaia-{server}-mcp")), args=tuple(args), env=env
    )


def _paths(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for storage paths that differ from the defaults."""
    home = paths.home(environ)
    found = {} if home == paths.home({}) else {"GAIA_HOME": str(home)}
    return found | {
        name: os.path.abspath(os.path.expanduser(environ[name]))
        for name in _PATH_VARIABLES
        if environ.get(name)
    }


def starts(entry: ClientEntry) -> int:
    """Start the entry as the client will, and end it; return the number of tools it lists.

    Raises:
        ProviderError: It does not start or lists no tools, with the reason.
    """
    from gaia_email.mailbox.trial import tools_of_program

    return len(asyncio.run(tools_of_program(entry.command, entry.args, entry.env, within_s=TRIAL_S)))


def ours_there(client: str, name: str) -> Mapping[str, object] | None:
    """Return the entry with that name in the client's file; None if it is missing or not one of our programs.

    Raises:
        MailError: The file cannot be read.
    """
    found = client_entries(client, Path.home(), sys.platform).get(name, {})
    return found if Path(str(found.get("command", ""))).name.startswith(OURS) else None


def add_to_client(
    path: Path, client: str, name: str, entry: ClientEntry, *, instead_of: Mapping[str, object] | None = None
) -> int:
    """Test an entry and, if it works, write it into the client's file; return the number of tools it lists.

    Raises:
        ProviderError: It does not start; nothing was written.
        BadArgument: The file cannot be changed, see `client_files.install`.
    """
    try:
        tools = starts(entry)
    except MailError as error:
        said = " ".join((entry.command, *entry.args))
        raise ProviderError(
            f"Nothing was added, since {said} does not work here: {error.message}.",
            hint="gaia email doctor looks for what is wrong.",
        ) from None
    install(path, client, name, entry.to_json(), instead_of=instead_of)
    return tools
