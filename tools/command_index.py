"""Index of the commands that are derived from operations, so that help needs no operation. Entry: `generate`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.cli.app import IndexedCommand

INDEX = Path("agent/gaia_email/interfaces/cli/derived_commands.tsv")


def generate() -> Iterator[tuple[Path, str]]:
    """Yield one line for each derived command: the fields of `IndexedCommand`, separated by tabs."""
    rows = [
        IndexedCommand(
            name=one.command.name,
            heading=one.command.heading,
            after=one.command.after,
            module=one.run.__module__,
            line=one.command.line or one.summary,
        )
        for one in OPERATIONS.values()
        if one.command
    ]
    yield INDEX, "".join("\t".join(row) + "\n" for row in rows)
