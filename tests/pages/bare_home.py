"""A home with nothing of ours in it, where lines are typed on a terminal. Entry points: `BareHome`, `Typed`, `CODE`."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_STEERING = re.compile(r"\x1b[\[\]()][0-9;?]*[A-Za-z]|\x1b[=>]|\r")
MOST_S = 60.0


CODE = (r"Type (\w+) for yes", "{0}\n")
"""A person's yes: they read the code and type it."""


@dataclass(frozen=True)
class Typed:
    """What a line must show, as a pattern, and what the reader does meanwhile.

    Attributes:
        shows: A pattern of what stands on the terminal at the end.
        keys: What is typed once each pattern was shown, in this order; each pattern is looked for after the one before.
            `{0}` stands for what the pattern's first group found.
        code: How the program ends.
    """

    shows: str
    keys: Sequence[tuple[str, str]] = ()
    code: int = 0


@dataclass(frozen=True)
class BareHome:
    """A home, and the folder of the programs that stand in front of the system's on the PATH."""

    home: Path
    programs: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """Nothing but what a login sets: no keyring, no browser, no setting of ours."""
        return {
            "HOME": str(self.home),
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "NO_COLOR": "1",
        }

    def types(self, line: str, expected: Typed) -> str:
        """Type a line into a shell in the home, do what is expected of the reader, and answer what was shown."""
        terminal, of_child = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 110, 0, 0))
        child = subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", line],
            cwd=self.home,
            env=dict(self.environment),
            stdin=of_child,
            stdout=of_child,
            stderr=of_child,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(of_child)
        try:
            shown = _until_it_ends(terminal, expected.keys)
            code = child.wait(MOST_S)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
            os.close(terminal)
        assert code == expected.code, f"$ {line}\n{shown}\nended with {code}"
        assert re.search(expected.shows, shown), f"$ {line}\n{shown}\ndoes not show {expected.shows!r}"
        return shown


def _take_terminal() -> None:
    """Make the terminal that is the standard input the one of this session, so that Ctrl-C typed there arrives."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _until_it_ends(terminal: int, keys: Sequence[tuple[str, str]]) -> str:
    """What is shown until the other end is closed, typing each of `keys` when its time has come."""
    shown, looked, left = "", 0, list(keys)
    until = time.monotonic() + MOST_S
    raw = b""
    while True:
        ready, _, _ = select.select([terminal], [], [], max(0.0, until - time.monotonic()))
        assert ready, f"nothing more came after {MOST_S:.0f} s, still to type {left}:\n{shown}"
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # Linux's word for a terminal that nobody has open any more
            break
        if not piece:
            break
        raw += piece
        shown = _STEERING.sub("", raw.decode("utf-8", "replace"))
        while left and (found := re.compile(left[0][0]).search(shown, min(looked, len(shown)))):
            looked = found.end()
            os.write(terminal, left.pop(0)[1].format(*found.groups()).encode())
    assert not left, f"it ended before {left[0][0]!r} was shown:\n{shown}"
    return shown
