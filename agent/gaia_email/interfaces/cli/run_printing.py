"""What `runs` and `schedule` print. Entry points: `print_runs`, `print_schedules`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.table import Table

from gaia_email.app import App
from gaia_email.documents.runs import runs_document, schedules_document
from gaia_email.interfaces.cli.action_card import ID_SHOWN
from gaia_email.interfaces.cli.card import one_line
from gaia_email.interfaces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.interfaces.cli.terminal import local_time
from gaia_email.runs.history import Schedule, runs

RUN_COLUMNS = ("id", "kind", "mailbox", "state", "started_at", "messages", "actions", "asked", "reason")
LONG = ("mailbox", "reason")
"""Columns that are cut where the terminal is narrow."""

SCHEDULE_COLUMNS = ("name", "kind", "mailbox", "cron", "zone", "overlap", "active", "last_fired_at")


def print_runs(app: App, limit: int, form: OutputFormat, fields: list[str]) -> None:
    """The latest runs.

    Raises:
        ProviderError: Their database cannot be used.
    """
    document = runs_document(runs(app.environ, limit=limit))
    _print(document, document["runs"], RUN_COLUMNS, form, fields, empty="nothing was run yet.")


def print_schedules(found: Sequence[Schedule], form: OutputFormat, fields: list[str]) -> None:
    """What is run by the clock."""
    document = schedules_document(found)
    _print(document, document["schedules"], SCHEDULE_COLUMNS, form, fields, empty="nothing is scheduled.")


def _print(
    document: Mapping[str, object],
    rows: Sequence[Mapping[str, object]],
    columns: Sequence[str],
    form: OutputFormat,
    fields: list[str],
    *,
    empty: str,
) -> None:
    if form != "card":
        write_rows(document, rows, columns, form, fields)
    elif rows:
        shown = [name for name in columns if any(row[name] not in (None, "") for row in rows)]
        table = Table(box=None, pad_edge=False, header_style="dim")
        for name in shown:
            title = name.removesuffix("_at")
            whole = max(map(cell_len, (title, *(_cell(name, row[name]) for row in rows))))
            least = None if name in LONG else whole
            table.add_column(title, min_width=least, overflow="ellipsis", no_wrap=name not in LONG)
        for row in rows:
            table.add_row(*(_cell(name, row[name]) for name in shown))
        console().print(table)
    else:
        note(empty)


def _cell(name: str, value: object) -> str:
    """As a person reads it: the beginning of an id, which will do, and the time of this machine."""
    if value is None:
        return ""
    text = one_line(str(value))
    if name.endswith("_at"):
        return local_time(text)
    return text[:ID_SHOWN] if name == "id" else text
