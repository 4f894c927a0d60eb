"""Whether this program's connections are written down, and by which name. Entry: `record`.

It stands by itself so that a program that opens no connection imports nothing of the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping

_recorded_for: tuple[Mapping[str, str], str] | None = None


def record(environ: Mapping[str, str], program: str) -> None:
    """From now on every connection of this process is written down by the name of `program`.

    Args:
        environ: Says where the ledger is, each time it is written.
        program: What `main` calls itself.
    """
    global _recorded_for
    _recorded_for = (environ, program)


def recorded() -> tuple[Mapping[str, str], str] | None:
    """What `record` was told last; None in a program that never said so."""
    return _recorded_for
