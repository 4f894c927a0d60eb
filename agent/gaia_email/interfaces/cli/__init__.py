"""The command line: `gaia email …`. Entry point: `main`."""

from __future__ import annotations

import gc
import os
import sys

GARBAGE = (200_000, 50, 50)
"""New objects after which Python looks for garbage in circles, and how often it looks through older ones."""


def main() -> None:
    """The `gaia` script; leaves with the exit code of the command."""
    # What is imported and read is no garbage: looking through it so often takes a seventh of a short run.
    gc.set_threshold(*GARBAGE)
    try:
        code = _run()
    except KeyboardInterrupt:  # while its modules are loaded, which `guarded` cannot see
        code = 130
    gc.freeze()  # Python would look through all that was imported for garbage once more, for a tenth of a short run
    sys.exit(code)


def _run() -> int:
    from gaia_email.interfaces.cli.app import gaia
    from gaia_email.interfaces.cli.errors import guarded
    from gaia_email_registry.clock import take_from_home
    from gaia_email_registry.egress.recording import record
    from gaia_email_registry.private_file import keep_files_private

    keep_files_private()
    take_from_home(os.environ)
    record(os.environ, "gaia")
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # Mail is UTF-8 whatever the locale says; a terminal that cannot show a character must not stop a run.
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    code = guarded(lambda: gaia.main(prog_name="gaia", standalone_mode=False))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = guarded(_closed)
    return code


def _open_closed_streams() -> None:
    """Whoever closed an output (`>&-`) wants nothing of it; Python has None for it then."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _closed() -> int:
    raise BrokenPipeError
