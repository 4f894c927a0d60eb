"""A program that runs a triage and is killed at a step: `python -m tests.runs.dying HOME RUN STEP WHEN NUMBER`.

`WHEN` is `before` or `after` the step's NUMBERth time; with `never` it lives. Each step is written to HOME/steps.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from gaia_email.runs import host, steps
from tests.runs.mailbox import Box

AT_ONCE = 4


def main(home: str, run_id: str, step: str, when: str, number: str) -> None:
    counts: dict[str, int] = {}

    def dying(name: str) -> None:
        real = getattr(steps, name)

        async def doing(*args: Any, **more: Any) -> Any:
            counts[name] = counts.get(name, 0) + 1
            due = name == step and counts[name] == int(number)
            if due and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            with open(Path(home) / "steps", "a", encoding="utf-8") as file:
                file.write(f"{args[0].run_id} {name}\n")
            told = await real(*args, **more)
            if due and when == "after":
                os.kill(os.getpid(), signal.SIGKILL)
            return told

        setattr(steps, name, doing)

    for name in ("plan", "apply_some", "finish"):
        dying(name)
    steps.AT_ONCE = AT_ONCE
    sys.stdout.write(f"{host.execute(Box(Path(home)).job(run_id), environ=os.environ)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
