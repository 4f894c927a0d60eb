"""Commands in a process of their own: what a server writes to standard error goes to the real one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.scripts import let_scripts_answer
from tests.cli.printed import Ran, Run

MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.interfaces.cli import main; main()"

ANSWERED = ("approve", "correct", "policy", "schedule", "snooze", "triage", "undo")
"""Commands that a person answers, or a script that may."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """In a process of its own: what a server writes to standard error goes to the real one."""
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))

    def started(*words: str, stdin: str = "") -> Ran:
        if words[0] in ANSWERED or words[:2] == ("servers", "approve"):
            let_scripts_answer(App(), answer=True)
        command = [sys.executable, "-c", MAIN, "email", *words]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, input=stdin)
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    return started
