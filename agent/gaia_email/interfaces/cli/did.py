"""How the commands that act print what they did, and their exit codes. Entry points: `show_run`, `ACTED`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.app.documents.actions import ACTION_COLUMNS, run_document
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.errors import OK, PARTIAL
from gaia_email.interfaces.cli.from_operation import OperationView
from gaia_email.interfaces.cli.output import OutputFormat, note, write_rows

if TYPE_CHECKING:
    from gaia_email.actions.triaging import RunReport
    from gaia_email.app.documents.actions import ActedDocument, ActionOutcomeRow


def show_run(report: RunReport, source: SourceSpec, form: OutputFormat, fields: list[str]) -> int:
    """Print a triage that acted; its exit code."""
    undo = f"gaia email undo --run {report.run_id[:8]} {source.flags}".rstrip() if report.applied.done else ""
    document = run_document(report, undo)
    if form == "card":
        from gaia_email.interfaces.cli.action_card import print_run

        print_run(document)
        return exit_code(document)
    for said in problems(document) if form != "json" else ():
        note(said)
    write_rows(document, document["done"], ACTION_COLUMNS, form, fields)
    return exit_code(document)


def problems(document: Mapping[str, object]) -> list[str]:
    """What kept a command from doing all of it."""
    return [str(document[key]) for key in ("problem", "halted") if document.get(key)]


def exit_code(document: ActionOutcomeRow) -> int:
    """0 when all was done, else 3."""
    return PARTIAL if document["failed"] or document["left"] else OK


def _with_undo(document: ActedDocument, source: str) -> ActedDocument:
    """With the command that takes it back, for what a command takes back."""
    undo = (
        f"gaia email undo {source}".rstrip() if document["command"] == "snooze" and document["done"] else ""
    )
    return {**document, "undo": undo}


ACTED = OperationView(
    printed=_with_undo,
    columns=ACTION_COLUMNS,
    rows=lambda document: document["done"],
    notes=problems,
    noted=("jsonl", "tsv"),
    card="action_card.print_acted",
    code=exit_code,
)
"""How a command prints what it did to messages."""
