"""The switch that turns on the egress ledger for this program, with its name. Entry: `record`.

A separate module, so that a program without connections imports nothing of the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping

_recorded_for: tuple[Mapping[str, str], str] | None = None


def record(environ: Mapping[str, str], program: str) -> None:
    """Record every further connection of this process under the name `program`.

    Args:
        environ: Locates the ledger on each write.
        program: Name of the program, from its `main`.
    """
    global _recorded_for
    _recorded_for = (environ, program)


def get_recording() -> tuple[Mapping[str, str], str] | None:
    """Return the last arguments of `record`; None if it was never called."""
    return _recorded_for
