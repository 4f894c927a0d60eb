"""The user's browser, if there is a screen. Entry: `opener`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

START_S = 10.0
"""Maximum seconds for a browser to report that it was started."""

_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"


def opener(environ: Mapping[str, str], platform: str = sys.platform) -> Callable[[Path], bool] | None:
    """Return a function that shows a file in the browser; None without a screen or in a remote session."""
    if any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY")):
        return None
    if platform != "darwin" and not any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return None
    return show


def show(path: Path) -> bool:
    """Open the file; False if no browser could be started.

    This runs in a separate process, because browser launchers may print, and our own output is the protocol.
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
