"""Whatever the umask is, nothing that the programs make is open to others."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.http.serving import MAIN
from tests.plugins.bundled import is_installed

pytestmark = pytest.mark.timeout(300)

COMMANDS = (
    "demo --write SAMPLE",
    "connect --files SAMPLE",
    "inbox --json",
    "triage --apply --yes --maildir SAMPLE",
    "label --help",
    *(("automations starters --json",) if is_installed("automations") else ()),
    "export --output OUT/below/export.json",
    "brief --json",
    "serve token rotate",
    "pending --json",
    "doctor --offline --json",
)
"""What makes files: the sample mailbox, accounts, ledger, runs, exports, tokens, keys."""


def run(command: str, place: Path) -> str:
    """Run a command under a umask that hides nothing; what it said."""
    words = [
        word.replace("SAMPLE", str(place / "sample")).replace("OUT", str(place / "out"))
        for word in command.split()
    ]
    done = subprocess.run(
        [sys.executable, "-c", f"import os; os.umask(0); {MAIN}", "email", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "GAIA_HOME": str(place / "home"), "GAIA_VAULT": "file", "HOME": str(place)},
        cwd=place,
        check=False,
    )
    return f"{done.returncode} {done.stdout[-300:]} {done.stderr[-600:]}"


def open_to_others(place: Path) -> list[str]:
    """Every file and directory below that anybody but its owner may use."""
    return sorted(
        f"{oct(mode)} {path.relative_to(place)}"
        for path in place.rglob("*")
        if not path.is_symlink() and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077
    )


def test_the_main_commands_make_nothing_that_others_may_read(tmp_path: Path) -> None:
    said = {command: run(command, tmp_path) for command in COMMANDS}
    assert open_to_others(tmp_path) == []
    assert said["demo --write SAMPLE"].startswith("0 "), said
    made = {path.name for path in tmp_path.rglob("*")}
    assert {"ledger.db", "agent-http-token", "export.json", "cur"} <= made, said
