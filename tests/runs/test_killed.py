"""A program that is killed in the middle of a run: the next one goes on after the last finished step."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from gaia_email.runs.history import runs
from tests.runs.mailbox import Box

COUNT = 10


def run(box: Box, *args: str) -> int:
    command = [sys.executable, "-m", "tests.runs.dying", str(box.home), *args]
    return subprocess.run(command, env=box.environ, timeout=60, check=False).returncode


@pytest.mark.timeout(180)
def test_a_killed_run_is_resumed_at_its_step_and_nothing_is_done_twice(box: Box) -> None:
    box.fill(COUNT)
    killed = -signal.SIGKILL
    # The plan is written down, but the run does not know that yet.
    assert run(box, "r1", "plan", "after", "1") == killed
    # The second batch is done, but the run knows of the first only.
    assert run(box, "r2", "apply_some", "after", "2") == killed
    assert run(box, "r3", "finish", "before", "1") == killed
    assert run(box, "r4", "", "never", "0") == 0
    taken = (box.home / "steps").read_text().split("\n")
    assert [taken.count(f"r1 {step}") for step in ("plan", "apply_some", "finish")] == [2, 3, 1]
    found = {flight.id: (flight.state, flight.actions) for flight in runs(box.environ)}
    assert found == {"r1": ("completed", COUNT)} | dict.fromkeys(("r2", "r3", "r4"), ("completed", 0))
    actions = box.actions()
    assert {action.run_id for action in actions} == {"r1"}
    assert len({action.message_id for action in actions}) == len(actions) == COUNT
    assert {action.state for action in actions} == {"applied"}
    kinds = box.kinds()
    assert (kinds["run.started"], kinds["run.finished"]) == (1, 1)
    assert kinds["action.applied"] == COUNT + 3  # and three labels
