"""Installs Debian packages that tests need, where that may be done unasked. Entry: `install`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence


def install(packages: Sequence[str], what_for: str) -> list[str] | None:
    """By apt, as root or by a `sudo` that asks nothing; what has to stand before a command of root's.

    None where it may not be done here.
    """
    if shutil.which("apt-get") is None:
        return None
    prefix: list[str] = []
    if os.geteuid() != 0:
        prefix = ["sudo", "-n"]
        if shutil.which("sudo") is None or not _done([*prefix, "true"]):
            return None
    sys.stderr.write(f"Installing {' '.join(packages)} for {what_for}.\n")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y"]
    wanted = ["--no-install-recommends", "install", *packages]
    if not _done([*apt, *wanted]):
        _done([*apt, "update"])
        _done([*apt, *wanted])
    return prefix


def _done(command: list[str]) -> bool:
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0
