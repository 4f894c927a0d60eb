"""The rows of any document as a table on a terminal. Entry: `print_table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email.app.documents.columns import cells, heading
from gaia_email.interfaces.cli.output import console, note


def print_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> None:
    """Print the rows under their columns; numbers stand to the right."""
    from rich.table import Table
    from rich.text import Text

    if not rows:
        note("nothing to show.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        counts = all(isinstance(row.get(column), int | float) for row in rows)
        table.add_column(
            heading(column), justify="right" if counts else "left", overflow="ellipsis", no_wrap=True
        )
    for row in rows:
        table.add_row(*map(Text, cells(row, columns)))
    console().print(table)
