"""Whether everything is stopped or paused, kept as the name of a file. Entries: `read_halt`, `set_halt`, `clear_halt`.

`GAIA_HOME/stop.on` and `GAIA_HOME/pause.on` hold whatever the ledger says, and while it cannot be read. The files are
made before they are needed, as `stop.off` and `pause.off`: to stop is to rename one, which takes no room on a full disk
and is whole or not at all. Since when it holds is the file's modification time.
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
    """Since when everything is stopped or paused, epoch seconds; None where it is not."""

    stopped_at: float | None = None
    paused_at: float | None = None


def read_halt(environ: Mapping[str, str] = os.environ) -> Halt:
    """What holds now; two looks at names, so it can be asked before every effect."""
    folder = home(environ)
    return Halt(stopped_at=_since(folder / "stop.on"), paused_at=_since(folder / "pause.on"))


def refuse_if_stopped(environ: Mapping[str, str] = os.environ) -> None:
    """For a program that changes mail.

    Raises:
        NeedsApproval: Everything is stopped.
    """
    if read_halt(environ).stopped_at is not None:
        raise NeedsApproval(
            "Everything is stopped, so nothing was changed.",
            hint="the user lets it go on with gaia email resume.",
        )


def set_halt(which: Halting, now: float, environ: Mapping[str, str] = os.environ) -> None:
    """Stop or pause, on a full disk too; one that holds stays as it is.

    Raises:
        OSError: The home cannot be changed.
    """
    folder = home(environ)
    on, off = folder / f"{which}.on", folder / f"{which}.off"
    if on.exists():
        return
    if not off.exists():  # a home of an earlier program has none
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
    """Neither stopped nor paused by these files any more.

    Raises:
        OSError: The home cannot be changed; what held holds.
    """
    folder = home(environ)
    for which in ("stop", "pause"):
        with suppress(FileNotFoundError):
            os.rename(folder / f"{which}.on", folder / f"{which}.off")
    if folder.is_dir():
        _sync(folder)


def keep_ready(environ: Mapping[str, str] = os.environ) -> None:
    """Make what stopping will need, while there is room for it."""
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
