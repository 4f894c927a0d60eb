"""The user's browser, where there is a screen. Entry: `opener`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

START_S = 10.0
"""Seconds that a browser may take to say that it was started."""

_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"


def opener(environ: Mapping[str, str], platform: str = sys.platform) -> Callable[[Path], bool] | None:
    """What shows a file in the user's browser; None on a machine without a screen, or seen from another one."""
    if any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY")):
        return None
    if platform != "darwin" and not any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return None
    return show


def show(path: Path) -> bool:
    """Open the file; False when no browser could be started.

    In a process of its own: what a browser is started through may print, and this one's output is the protocol.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-c", _OPEN, path.as_uri()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=START_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
