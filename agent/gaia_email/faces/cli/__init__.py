"""The command line: `gaia email …`. Entry point: `main`."""

from __future__ import annotations

import sys


def main() -> None:
    """The `gaia` script; leaves with the exit code of the command."""
    from gaia_email.faces.cli.app import gaia
    from gaia_email.faces.cli.errors import guarded

    for stream in (sys.stdout, sys.stderr):
        # Mail is UTF-8 whatever the locale says; a terminal that cannot show a character must not stop a run.
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    code = guarded(lambda: gaia.main(prog_name="gaia", standalone_mode=False))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = guarded(_closed)
    sys.exit(code)


def _closed() -> int:
    raise BrokenPipeError
