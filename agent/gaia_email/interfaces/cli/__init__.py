"""The command line: `gaia email …`. Entry point: `main`."""

from __future__ import annotations

import gc
import os
import sys

GARBAGE = (200_000, 50, 50)
"""Thresholds of Python's garbage collector: new objects before a run, and how often it examines older ones."""


def main() -> None:
    """Run the `gaia` script and exit with the command's exit code."""
    # Imported modules and loaded data are not garbage; scanning them so often takes a seventh of a short run.
    gc.set_threshold(*GARBAGE)
    try:
        code = _run()
    except KeyboardInterrupt:  # while its modules are loaded, which `run_guarded` cannot see
        code = 130
    gc.freeze()  # Python would otherwise scan all imported modules for garbage at exit, a tenth of a short run
    sys.exit(code)


def _run() -> int:
    from gaia_email.interfaces.cli.app import gaia
    from gaia_email.interfaces.cli.errors import run_guarded
    from gaia_email_registry.clock import take_from_home
    from gaia_email_registry.egress.recording import record
    from gaia_email_registry.private_file import keep_files_private

    keep_files_private()
    take_from_home(os.environ)
    record(os.environ, "gaia")
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # Mail is UTF-8 regardless of the locale; a character that the terminal cannot show must not stop a run.
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    code = run_guarded(lambda: gaia.main(prog_name="gaia", standalone_mode=False))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = run_guarded(_closed)
    return code


def _open_closed_streams() -> None:
    """Replace closed outputs (`>&-`), which are None in Python, with the null device."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _closed() -> int:
    raise BrokenPipeError
