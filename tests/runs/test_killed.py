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


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("step", "when", "number"),
    [("plan", "after", "1"), ("apply_some", "after", "2"), ("finish", "before", "1")],
)
def test_a_killed_run_is_resumed_at_its_step_and_nothing_is_done_twice(
    box: Box, step: str, when: str, number: str
) -> None:
    box.fill(COUNT)
    assert run(box, "r1", step, when, number) == -signal.SIGKILL
    assert run(box, "r2", "", "never", "0") == 0
    taken = (box.home / "steps").read_text().split("\n")
    # A step is repeated only where it was cut short.
    assert taken.count("r1 plan") == (2 if step == "plan" else 1)
    assert taken.count("r1 finish") == 1
    assert [flight.state for flight in runs(box.environ)] == ["completed", "completed"]
    assert {flight.run_id: flight.actions for flight in runs(box.environ)} == {"r1": COUNT, "r2": 0}
    actions = box.actions()
    assert {action.run_id for action in actions} == {"r1"}
    assert len({action.message_id for action in actions}) == len(actions) == COUNT
    assert {action.state for action in actions} == {"applied"}
    kinds = box.kinds()
    assert (kinds["run.started"], kinds["run.finished"]) == (1, 1)
    assert kinds["action.applied"] == COUNT + 3  # and three labels
