"""A triage over `--server` that is killed on the way is resumed where it was, and undone, like one of an account."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.services.scripts import let_scripts_answer
from gaia_email_registry.paths import servers_file
from tests.cli.printed import Run
from tests.runs.mailbox import ME, Box
from tests.servers.convention_box import ConventionBox

State = Mapping[str, Any]


def dying(box: Box, *args: str) -> int:
    command = [sys.executable, "-m", "tests.runs.dying", str(box.home), *args]
    return subprocess.run(command, env=box.environ, timeout=60, check=False).returncode


def served_maildir(box: Box) -> Callable[[], State]:
    """Ten newsletters that a local server of another process serves; answers how they are."""
    box.fill(10)
    let_scripts_answer(App(), answer=True)
    program = ["-m", "gaia_local_mcp.server", "--maildir", str(box.home / "Maildir"), "--account", ME]
    entry = {"command": sys.executable, "args": program}
    servers_file(os.environ).write_text(json.dumps({"mcpServers": {"post": entry}}), encoding="utf-8")

    def state() -> State:
        mail = (box.home / "Maildir").rglob("*.m:2,*")
        return {path.name.partition(":")[0]: (path.parent, path.name.partition(",")[2]) for path in mail}

    return state


def convention(box: Box) -> Callable[[], State]:
    """Mail that a server with the convention's tools alone serves; answers how it is."""
    found = ConventionBox(box.home)
    held = found.held()
    for number in range(6):
        held["mail"][f"n{number}"] = {**held["mail"]["m3"], "subject": f"Weekly news {number}"}
    found.write(held)
    found.serve()
    return lambda: {id_: found.labels(id_) for id_ in found.held()["mail"]}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("serve", [served_maildir, convention])
def test_a_triage_over_a_server_is_applied_killed_resumed_and_undone(
    serve: Callable[[Box], Callable[[], State]], run: Run, tmp_path: Path
) -> None:
    box = Box(tmp_path / "home")
    box.home.mkdir()
    state = serve(box)
    before = state()
    assert run("policy", "set", "--cohort", "first_contact", "--level", "4", "--yes").code == 0
    killed = -signal.SIGKILL
    assert dying(box, "r1", "plan", "after", "1") == killed
    planned = {action.message_id for action in box.actions()}
    assert len(planned) > 4 and state() == before
    assert dying(box, "r2", "apply_some", "after", "1") == killed
    done = {id_ for id_, now in state().items() if now != before[id_]}
    assert 0 < len(done) < len(planned)
    assert dying(box, "r3", "", "never", "0") == 0
    actions = box.actions()
    assert {action.run_id for action in actions} == {"r1"}
    assert len(actions) == len(planned) and {action.state for action in actions} == {"applied"}
    assert sum(state()[id_] != before[id_] for id_ in before) == len(planned)
    undone = run("undo", "--server", "post")
    assert undone.code == 0, undone.err
    assert state() == before
    assert box.kinds()["action.applied"] > 0
