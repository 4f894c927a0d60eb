"""Commands of ours as they must be typed at this terminal. Entries: `make_runnable`, `after_failure`."""

from __future__ import annotations

import os
import sys
from functools import cache
from shlex import quote
from shutil import which

PROGRAM = "gaia"

NAMED = 10
"""Maximum messages named that were not done or not undone; the rest are counted."""


def make_runnable(text: str) -> str:
    """Return `text` with the path of `gaia` in its commands, if the shell would not find this program by name."""
    return text.replace("gaia email", f"{_program(sys.argv[0])} email") if "gaia email" in text else text


@cache
def _program(started: str) -> str:
    """Return the name that starts the program again; `started` is the name it was started with."""
    if os.path.basename(started) != PROGRAM or not os.path.isfile(started):
        return PROGRAM
    found = which(PROGRAM)
    if found is not None and os.path.samefile(found, started):
        return PROGRAM
    inside = os.path.relpath(started)
    return quote(os.path.abspath(started) if inside.startswith(os.pardir) else inside)


def after_failure(message_id: str) -> str:
    """Return the command that shows a message on which an action failed, with a note on how to retry."""
    return f"gaia email show {message_id} looks at it; the same command tries it again."
