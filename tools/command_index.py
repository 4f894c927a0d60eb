"""Index of the commands that are derived from operations, so that help needs no operation. Entry: `generate`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.cli.app import indexed_rows
from gaia_email.plugins import installed_plugins

INDEX = Path("agent/gaia_email/interfaces/cli/derived_commands.tsv")


def generate() -> Iterator[tuple[Path, str]]:
    """Yield one line for each derived command of the core and of each plug-in: the fields of `IndexedCommand`."""
    rows = indexed_rows(OPERATIONS.values())
    indexes = {"gaia_email": INDEX.parent}
    indexes.update((one.package, Path("plugins", one.name, one.package)) for one in installed_plugins())
    for package, folder in indexes.items():
        if found := [row for row in rows if row.module.partition(".")[0] == package]:
            yield folder / INDEX.name, "".join("\t".join(row) + "\n" for row in found)
