"""The stop and pause switches, stored as file names. Entries: `read_halt`, `set_halt`, `clear_halt`.

`GAIA_HOME/stop.on` and `GAIA_HOME/pause.on` apply regardless of the ledger, even if it cannot be read. The files are
created in advance, as `stop.off` and `pause.off`: to stop is to rename one, which is atomic and needs no space on a
full disk. A switch has been on since the file's modification time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gaia_email_registry.errors import NeedsApproval
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.private_file import make_private

Halting = Literal["stop", "pause"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Halt:
    """The times at which everything was stopped or paused, in epoch seconds; None if it is not."""

    stopped_at: float | None = None
    paused_at: float | None = None


def read_halt(environ: Mapping[str, str] = os.environ) -> Halt:
    """Return the current state; checks only two file names, so it is cheap enough to call before every effect."""
    folder = home(environ)
    return Halt(stopped_at=_since(folder / "stop.on"), paused_at=_since(folder / "pause.on"))


def refuse_if_stopped(environ: Mapping[str, str] = os.environ) -> None:
    """Raise an error if everything is stopped, before a program changes mail.

    Raises:
        NeedsApproval: Everything is stopped.
    """
    if read_halt(environ).stopped_at is not None:
        raise NeedsApproval(
            "Everything is stopped, so nothing was changed.",
            hint="the user lets it go on with gaia email resume.",
        )


def set_halt(which: Halting, now: float, environ: Mapping[str, str] = os.environ) -> None:
    """Stop or pause, even on a full disk; a switch that is already on keeps its time.

    Raises:
        OSError: The home cannot be changed.
    """
    folder = home(environ)
    on, off = folder / f"{which}.on", folder / f"{which}.off"
    if on.exists():
        return
    if not off.exists():  # a home from an earlier version has none
        make_private(off)
    with suppress(OSError):
        os.utime(off, (now, now))
    try:
        os.rename(off, on)
    except FileNotFoundError:
        if not on.exists():  # else another program was faster
            raise
    _sync(folder)


def clear_halt(environ: Mapping[str, str] = os.environ) -> None:
    """Switch off both stop and pause.

    Raises:
        OSError: The home cannot be changed; the switches are unchanged.
    """
    folder = home(environ)
    for which in ("stop", "pause"):
        with suppress(FileNotFoundError):
            os.rename(folder / f"{which}.on", folder / f"{which}.off")
    if folder.is_dir():
        _sync(folder)


def keep_ready(environ: Mapping[str, str] = os.environ) -> None:
    """Create the files that stopping needs, while there is space for them."""
    folder = home(environ)
    for which in ("stop", "pause"):
        off = folder / f"{which}.off"
        if not off.exists() and not (folder / f"{which}.on").exists():
            with suppress(OSError):
                ensure_private_directory(folder)
                make_private(off)


def _since(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _sync(folder: Path) -> None:
    with suppress(OSError):
        directory = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
