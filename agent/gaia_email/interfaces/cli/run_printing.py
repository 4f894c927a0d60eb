"""What `runs` and `schedule` print. Entry points: `print_runs`, `print_schedules`, `table_card`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.documents.times import local_time
from gaia_email.interfaces.cli.action_card import ID_SHOWN
from gaia_email.interfaces.cli.output import console, note

if TYPE_CHECKING:
    from gaia_email.app.documents.runs import RunsDocument, SchedulesDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

RUN_COLUMNS = ("id", "kind", "mailbox", "state", "started_at", "messages", "actions", "asked", "reason")
LONG = ("mailbox", "reason")
"""Columns that are cut where the terminal is narrow."""

SCHEDULE_COLUMNS = ("name", "kind", "mailbox", "cron", "zone", "overlap", "active", "last_fired_at")


def print_runs(document: RunsDocument, answer: OperationAnswer) -> None:
    """The latest runs, as a card."""
    table_card(document["runs"], RUN_COLUMNS, empty="nothing was run yet.")


def print_schedules(document: SchedulesDocument, answer: OperationAnswer) -> None:
    """What is run by the clock, as a card."""
    table_card(document["schedules"], SCHEDULE_COLUMNS, empty="nothing is scheduled.")


def table_card(rows: Sequence[Mapping[str, object]], columns: Sequence[str], *, empty: str) -> None:
    """Rows as a table without the columns that are empty, or the sentence `empty`."""
    if rows:
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
