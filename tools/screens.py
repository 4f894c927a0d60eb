"""Records the commands on the sample mailbox for docs/screens.md: `python -m tools.screens`.

The program prints to a pseudo-terminal, by this machine's clock. So the page is written on request and not checked for
staleness.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from gaia_email.app import App
from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.tui.render import frame
from gaia_email.interfaces.cli.tui.state import ScreenState
from gaia_email.interfaces.cli.tui.work import MailboxWork

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "screens.md"
WIDTH, HEIGHT = 100, 34
MOST_LINES = 36
"""The most lines of a screen that the page shows."""

_WATCHED = 12
"""Enough lines of `watch` to see all kinds of mail."""

_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
_CODE = re.compile(r"Type (\w+) for yes: \Z")
_PROGRESS = re.compile(r"^(understood|copied|done) [\d,]+.*$", re.MULTILINE)
_HEAD = """# Screens

These screens show commands on the sample mailbox, after `gaia email demo --write ~/demo-mail` and
`gaia email connect --maildir ~/demo-mail`. `python -m tools.screens` records them again.
"""


def main() -> int:
    """Write the page."""
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(GAIA_HOME=home)
        mail = Path(home) / "demo-mail"
        write_sample(mail, now=time.time())
        typed("connect", "--maildir", str(mail), "--user", SAMPLE_OWNER)
        source = SourceSpec(kind="maildir", path=str(mail), user=(SAMPLE_OWNER,))
        parts = [_section(title, command, text, mail) for title, command, text in _screens(source)]
    PAGE.write_text("\n".join([_HEAD, *parts]), encoding="utf-8")
    sys.stdout.write(f"wrote {PAGE.relative_to(ROOT)}\n")
    return 0


def _screens(source: SourceSpec) -> Iterator[tuple[str, str, str]]:
    yield "The inbox", "gaia email", _list(source)
    typed("inbox")
    yield "The reason for a verdict", "gaia email why 1", typed("why", "1")
    yield "One message, without quotes and hidden text", "gaia email show 2", typed("show", "2")
    yield "New mail as it arrives", "gaia email watch", _beginning(typed("watch", "--once", "--all"))
    typed("triage", "--apply", "--yes")
    yield "Questions that wait for you, one key each", "gaia email review", typed("review", keys="wq")
    yield "Actions, and how to undo them", "gaia email actions", typed("actions")


def _beginning(text: str) -> str:
    return "\n".join(text.strip().splitlines()[:_WATCHED])


def _section(title: str, command: str, text: str, mail: Path) -> str:
    lines = [line.rstrip().replace(str(mail), "~/demo-mail") for line in text.strip("\n").splitlines()]
    return "\n".join([f"## {title}", "```", f"$ {command}", *lines[:MOST_LINES], "```", ""])


def typed(*words: str, keys: str = "") -> str:
    """Return the output of `gaia email WORDS` on a terminal, on which `keys` are pressed in turn."""
    return run_on_terminal([str(Path(sys.executable).with_name("gaia")), "email", *words], keys=keys)


def run_on_terminal(command: Sequence[str], *, keys: str = "") -> str:
    """Return the output of a command on a terminal, without control sequences; its code for yes is typed."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", NO_COLOR="1", COLUMNS=str(WIDTH), LINES=str(HEIGHT))
        os.execv(command[0], list(command))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    shown = b""
    pressed = 0
    while True:
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
        if code := _CODE.search(_clean(shown)):
            os.write(terminal, f"{code[1]}\n".encode())
        if pressed < len(keys) and _clean(shown).rstrip().endswith("quit") and _clean(piece).strip():
            os.write(terminal, keys[pressed].encode())
            pressed += 1
    os.close(terminal)
    os.waitpid(child, 0)
    return _PROGRESS.sub("", _clean(shown))


def _clean(shown: bytes) -> str:
    return _STEERING.sub("", shown.decode("utf-8", "replace"))


def _list(source: SourceSpec) -> str:
    state = ScreenState(title="demo-mail").refresh(MailboxWork(App(), [source]).load(), waiting=0)
    return "\n".join("".join(part[1] for part in line) for line in frame(state, WIDTH, HEIGHT))


if __name__ == "__main__":
    raise SystemExit(main())
