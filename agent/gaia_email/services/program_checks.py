"""Whether the programs that MCP clients start for us are there, and of this version. Entry: `clients`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from gaia_email.accounts.checks import Finding
from gaia_email_registry.client_files import CLIENTS, client_file

OURS = "gaia-"
"""What the names of our programs begin with."""

PATIENCE_S = 10.0


def clients(environ: Mapping[str, str]) -> Iterator[Finding]:
    """What each MCP client of this machine starts of ours: whether it is there, and as new as this program."""
    home = Path(environ.get("HOME") or Path.home())
    for name, client in CLIENTS.items():
        for entry, command in _entries(client_file(name, home, sys.platform), client.section):
            if Path(command).name.startswith(OURS):
                yield _program(name, client.title, entry, command, environ)


def _program(name: str, title: str, entry: str, command: str, environ: Mapping[str, str]) -> Finding:
    mend = f"gaia email servers install {name}"
    found = shutil.which(command, path=environ.get("PATH"))
    if found is None:
        return Finding(
            check=title, ok=False, says=f"Its server {entry} starts {command}, which is not there.", mend=mend
        )
    ours = version("gaia-email")
    if Path(found).resolve().parent == Path(sys.executable).resolve().parent:
        return Finding(check=title, ok=True, says=f"Its server {entry} can be started ({ours}).")
    theirs = _version(found, environ)
    if theirs != ours:
        return Finding(
            check=title,
            ok=False,
            says=f"Its server {entry} starts {command}, which is of {theirs or 'an unknown version'}; this is {ours}.",
            mend=mend,
        )
    return Finding(check=title, ok=True, says=f"Its server {entry} can be started ({ours}).")


def _version(program: str, environ: Mapping[str, str]) -> str:
    """What the program says of its version; empty where it says nothing in time."""
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


def _entries(path: Path, section: str) -> Iterator[tuple[str, str]]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        servers = kept.get(section, {})
        yield from ((str(name), str(one["command"])) for name, one in servers.items() if "command" in one)
    except (OSError, ValueError, AttributeError, TypeError, KeyError):
        return  # another program's file, in whatever state it is
