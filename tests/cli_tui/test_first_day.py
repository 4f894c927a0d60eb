"""A first day at a terminal, from nothing to a mailbox that is sorted, put right and stopped: every screen is read."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.faces.cli import main; main()"
UNIDIOMATIC = (
    "belongs into",
    "takes no connections",
    "told as they come",
    "Asked, since",
    "take it for urgent",
    "a machine without people",
    "would leave alone",
    "the level you gave",
)


class Day:
    """Commands typed one after the other at one terminal; `screens` keeps what each showed."""

    def __init__(self, home: Path) -> None:
        self.environ = {**os.environ, "GAIA_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "80"}
        self.environ |= {"GAIA_VAULT": "file", "NO_COLOR": "1"}
        self.screens: list[str] = []

    def types(self, *arguments: str, answers: str = "", stops: bool = False, code: int = 0) -> str:
        """One command, with what is typed at it; `stops` ends it by Ctrl-C once it has said something."""
        main, side = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "email", *arguments],
            stdin=side,
            stdout=side,
            stderr=side,
            env=self.environ,
        )
        os.close(side)
        if answers:
            os.write(main, answers.encode())
        shown = b""
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline:
            if select.select([main], [], [], 0.05)[0]:
                try:
                    shown += os.read(main, 65_536)
                except OSError:
                    break
                if stops and b"\n" in shown:
                    process.send_signal(signal.SIGINT)
                    stops = False
            elif process.poll() is not None:
                break
        assert process.wait(20) == code, shown.decode("utf-8", "replace")[-2000:]
        os.close(main)
        self.screens.append(shown.decode("utf-8", "replace").replace("\r\n", "\n"))
        return self.screens[-1]


def test_a_first_day_reads_well_from_the_demo_to_the_second_triage(tmp_path: Path) -> None:
    day = Day(tmp_path / "home")
    mail = str(tmp_path / "Mail")
    assert "Urgent" in day.types("demo") and "why 1" in day.screens[-1]
    assert "asks you" in day.types("why", "2")
    day.types("demo", "--write", mail)
    assert "next: gaia email inbox" in day.types("connect", "--maildir", mail, answers="y\n")
    assert "Needs you" in day.types("inbox")
    assert "Suspicious" in day.screens[-1]
    assert "confidence" in day.types("why", "1")
    day.types("show", "1")
    assert "first triage that acts" in day.types("triage", "--apply", answers="n\n", code=5)
    assert "Nothing was done." in day.screens[-1]
    assert "Nothing was done yet" in day.types("actions")
    assert "archived" in day.types("triage", "--apply", answers="y\n")
    assert "taken back" in day.types("undo")
    day.types("triage", "--apply")
    day.types("search", "invoice")
    assert "gaia email resume" in day.types("stop")
    assert "The agent is stopped" in day.types("inbox")
    assert "stopped" in day.types("worker", stops=True, code=130)
    day.types("resume")
    assert "stopped" not in day.types("inbox")
    assert mail in day.types("status")

    everything = "\n".join(day.screens)
    assert "Traceback" not in everything and "went wrong inside" not in everything
    assert not [words for words in UNIDIOMATIC if words in everything]
    cards = [screen for screen in day.screens if "Worth knowing" in screen]
    wide = [
        line
        for card in cards
        for line in card.splitlines()
        if len(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", line)) > 80
    ]
    assert not wide, "no line of a card breaks at 80 columns"
