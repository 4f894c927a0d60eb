"""Checks that our programs started by MCP clients exist, have this version and work. Entry: `clients`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import cast

from gaia_email.app.accounts.checks import CheckFinding
from gaia_email.app.services.client_entries import OURS, ClientEntry, starts
from gaia_email.mailbox.ref import mailbox_named
from gaia_email_registry import paths
from gaia_email_registry.accounts import find_account
from gaia_email_registry.client_files import CLIENTS, client_entries
from gaia_email_registry.errors import MailError

PATIENCE_S = 10.0

_BY_ACCOUNT = ("gaia-imap-mcp", "gaia-graph-mcp", "gaia-email-mcp")
"""Programs whose `--account` is in `accounts.json`; Gmail's may name a login stored elsewhere."""


def clients(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check each of our programs in this machine's MCP clients: whether it exists, is up to date, and starts."""
    home = Path(environ.get("HOME") or Path.home())
    for name, client in CLIENTS.items():
        for called, entry in _entries(name, home):
            if Path(entry.command).name.startswith(OURS):
                yield _program(name, client.title, called, entry, environ)


def _program(
    name: str, title: str, called: str, entry: ClientEntry, environ: Mapping[str, str]
) -> CheckFinding:
    mend = f"gaia email servers remove {name} --name {called}, then gaia email servers install {name}"
    wrong = _wrong(entry, environ)
    if wrong:
        return CheckFinding(check=title, ok=False, says=f"Its server {called} {wrong}.", mend=mend)
    try:
        tools = starts(entry)
    except MailError as error:
        says = f"Its server {called} cannot be used: {error.message}."
        return CheckFinding(check=title, ok=False, says=says, mend=mend)
    ours = version("gaia-email")
    says = f"Its server {called} starts and lists {tools} tools ({ours})."
    return CheckFinding(check=title, ok=True, says=says)


def _wrong(entry: ClientEntry, environ: Mapping[str, str]) -> str:
    """Return the problem of an entry that can be found without starting it; empty for none."""
    found = shutil.which(entry.command, path=environ.get("PATH"))
    if found is None:
        return f"starts {entry.command}, which is not there"
    ours = version("gaia-email")
    if Path(found).resolve().parent != Path(sys.executable).resolve().parent:
        theirs = _version(found, environ)
        if theirs != ours:
            return f"starts {entry.command}, which is of {theirs or 'an unknown version'}; this is {ours}"
    return _serves_nothing(entry)


def _serves_nothing(entry: ClientEntry) -> str:
    """Return the missing mail named by its arguments: our servers would start without it, but answer nothing."""
    given = dict(zip(entry.args, entry.args[1:], strict=False))
    account = given.get("--account", "")
    files = mailbox_named(account) if Path(entry.command).stem == "gaia-email-mcp" else None
    path = next((given[flag] for flag in ("--maildir", "--mbox", "--eml") if flag in given), "")
    path = path or (files.path if files else "")
    if path and not Path(path).expanduser().exists():
        return f"serves {path}, which is not there"
    if account and not files and Path(entry.command).stem in _BY_ACCOUNT:
        try:
            find_account(account, entry.env, disabled_too=True)
        except MailError:
            return f"serves {account}, which is not connected in {paths.home(entry.env)}"
    return ""


def _version(program: str, environ: Mapping[str, str]) -> str:
    """Return the version that a program reports; empty if it does not answer in time."""
    try:
        ran = subprocess.run(
            [program, "--version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=PATIENCE_S,
            check=True,
            env=dict(environ),
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    words = ran.stdout.split()
    return words[-1][:40] if words else ""


def _entries(client: str, home: Path) -> Iterator[tuple[str, ClientEntry]]:
    try:
        servers = client_entries(client, home, sys.platform)
    except MailError:
        return  # another program's file, which may be in any state
    for name, one in servers.items():
        args, env = one.get("args"), one.get("env")
        if isinstance(command := one.get("command"), str):
            yield (
                name,
                ClientEntry(
                    command=command,
                    args=tuple(map(str, cast("list[object]", args))) if isinstance(args, list) else (),
                    env={key: str(value) for key, value in cast("dict[str, object]", env).items()}
                    if isinstance(env, dict)
                    else {},
                ),
            )
