"""How the commands that act print what they did, and their exit codes. Entry points: `show_run`, `show_acted`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.documents.actions import (
    ACTION_COLUMNS,
    Acted,
    acted_document,
    action_rows,
    run_document,
)
from gaia_email.interfaces.cli.errors import OK, PARTIAL
from gaia_email.interfaces.cli.output import OutputFormat, note, write_rows
from gaia_email.services.source import SourceSpec

if TYPE_CHECKING:
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.triaging import RunReport


def show_run(report: RunReport, source: SourceSpec, form: OutputFormat, fields: list[str]) -> int:
    """Print a triage that acted; its exit code."""
    undo = f"gaia email undo --run {report.run_id[:8]} {source.flags}".rstrip() if report.applied.done else ""
    if form == "card":
        from gaia_email.interfaces.cli.action_card import print_run

        print_run(report, undo)
    else:
        show(run_document(report, undo), action_rows(report.applied.done), form, fields)
    return exit_code(report.applied)


def show_acted(acted: Acted, form: OutputFormat, fields: list[str]) -> int:
    """Print what one command did; its exit code.

    Raises:
        MailError: It could not be tried.
    """
    if acted.applied.problem is not None and not acted.applied.done:
        raise acted.applied.problem
    if form == "card":
        from gaia_email.interfaces.cli.action_card import print_acted

        print_acted(acted)
    else:
        show(acted_document(acted), action_rows(acted.applied.done), form, fields)
    return exit_code(acted.applied)


def show(
    document: Mapping[str, object],
    rows: Sequence[Mapping[str, object]],
    form: OutputFormat,
    fields: list[str],
) -> None:
    """Print a document, or `rows` of it line by line."""
    for problem in (document.get("problem"), document.get("halted")):
        if problem and form != "json":
            note(str(problem))
    write_rows(document, rows, ACTION_COLUMNS, form, fields)


def exit_code(applied: AppliedActions) -> int:
    """0 when all was done, else 3."""
    return PARTIAL if applied.failed or applied.left else OK
