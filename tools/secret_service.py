"""A keyring as desktops have it (freedesktop's Secret Service) on a message bus of its own. Entry: `run_with_keyring`.

`python -m tools.secret_service` makes sure that its programs are installed, for `make test`.
Specification: https://specifications.freedesktop.org/secret-service/latest/
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from tools.debian import install

ADVICE = (
    "The keyring tests need GNOME Keyring and D-Bus, which are not installed here. On Debian or Ubuntu: sudo apt-get "
    "install gnome-keyring dbus-daemon; on Fedora: sudo dnf install gnome-keyring dbus-daemon."
)
MOST_S = 20.0

State = Literal["unlocked", "locked", "absent"]

_DAEMON = {
    "unlocked": "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ",
    "locked": "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; ",
    "absent": "",
}


_BARE_BUS = """<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def problem() -> str:
    """Why there can be no keyring here, and what to do; empty when there can. macOS has one of its own."""
    if sys.platform != "linux":
        return "The Secret Service is Linux's."
    programs = ("dbus-run-session", "gnome-keyring-daemon")
    return "" if all(map(shutil.which, programs)) else ADVICE


def run_with_keyring(
    command: Sequence[str], folder: Path, state: State, environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command on a bus where the keyring is so; what it keeps lies in `folder` and ends with the run."""
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
    inside = {
        **environ,
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_DATA_HOME": str(folder / "data"),
        "HOME": str(folder),
    }
    bus = ["dbus-run-session"]
    if state == "absent":
        # An ordinary bus starts a keyring by itself when it is asked for one.
        (folder / "bus.conf").write_text(_BARE_BUS, encoding="utf-8")
        bus.append(f"--config-file={folder / 'bus.conf'}")
    script = f'{_DAEMON[state]}exec "$@"'
    return subprocess.run(
        [*bus, "--", "sh", "-c", script, "sh", *command],
        env=inside,
        capture_output=True,
        text=True,
        check=False,
        timeout=MOST_S,
    )


def main() -> int:
    """Install them where that may be done unasked; else say how, and fail where `CI=true`."""
    if sys.platform != "linux":
        return 0
    if problem():
        install(["gnome-keyring", "dbus-daemon"], "the keyring tests")
    why = problem()
    if not why:
        return 0
    sys.stderr.write(why + "\n")
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    raise SystemExit(main())
