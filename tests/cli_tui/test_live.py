"""`gaia email` without a command: the screen on a pseudo-terminal, over a real Maildir; help elsewhere."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.cli.test_connected_files import maildir

MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.interfaces.cli import main; main()"


class Terminal:
    """A program on a pseudo-terminal of 24 lines."""

    def __init__(self, environ: dict[str, str], columns: int) -> None:
        self.main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "email"], stdin=side, stdout=side, stderr=side, env=environ
        )
        os.close(side)
        self.shown = ""

    def until(self, words: str) -> None:
        """Read what is drawn until these words are among it."""
        deadline = time.monotonic() + 30
        while words not in self.shown:
            assert time.monotonic() < deadline, self.shown[-3000:]
            if select.select([self.main], [], [], 0.1)[0]:
                try:
                    read = os.read(self.main, 65_536).decode("utf-8", "replace")
                except OSError:  # the program has left
                    read = ""
                self.shown += read
                if "\x1b[6n" in read:
                    os.write(self.main, b"\x1b[1;1R")

    def press(self, keys: str) -> None:
        self.shown = ""
        os.write(self.main, keys.encode())


@pytest.mark.parametrize("columns", [80, 200])
def test_the_inbox_is_read_sorted_and_put_right_by_keys(columns: int, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof", "Fence")
    environ = {**os.environ, "TERM": "xterm-256color", "GAIA_HOME": str(tmp_path / "home")}
    environ.pop("GAIA_PLAIN", None)
    subprocess.run(
        [sys.executable, "-c", MAIN, "email", "connect", "--maildir", str(folder)], env=environ, check=True
    )
    terminal = Terminal(environ, columns)
    try:
        terminal.until("Fence")
        terminal.press("e")
        terminal.until("archived; u takes it back")
        terminal.press("u")
        terminal.until("taken back: 1")
        terminal.press("w")
        terminal.until("confidence")
        terminal.press("q")
        assert terminal.process.wait(20) == 0
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.main)
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize("extra", [{"GAIA_PLAIN": "1"}, {"TERM": "dumb"}])
def test_for_a_screen_reader_it_is_printed_as_lines(extra: dict[str, str], tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    environ = {**os.environ, "TERM": "xterm", "GAIA_HOME": str(tmp_path / "home"), **extra}
    subprocess.run(
        [sys.executable, "-c", MAIN, "email", "connect", "--maildir", str(folder)], env=environ, check=True
    )
    terminal = Terminal(environ, 80)
    try:
        terminal.until("1. Ann Lee: Roof.")
        assert terminal.process.wait(20) == 0
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.main)


def test_in_a_pipe_it_is_the_help(tmp_path: Path) -> None:
    environ = {**os.environ, "GAIA_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "email"], env=environ, capture_output=True, text=True, check=True
    )
    assert "Usage: gaia email" in done.stdout and "Exit codes:" in done.stdout
