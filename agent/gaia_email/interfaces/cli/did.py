"""Output and exit codes of commands that act. Entry points: `show_run`, `ACTED`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gaia_email.app.documents.actions import ACTION_COLUMNS, RunOutcome
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.services.source import SourceSpec
from gaia_email.document import answer_of
from gaia_email.interfaces.cli.errors import OK, PARTIAL
from gaia_email.interfaces.cli.from_operation import OperationView
from gaia_email.interfaces.cli.output import SHORT, OutputFormat, note, write_rows
from gaia_email.interfaces.cli.typed_command import NAMED, after_failure

if TYPE_CHECKING:
    from gaia_email.actions.triaging import RunReport


def show_run(report: RunReport, source: SourceSpec, form: OutputFormat, fields: list[str]) -> int:
    """Print a triage that acted; return its exit code."""
    undo = f"gaia email undo --run {report.run_id[:8]} {source.flags}".rstrip() if report.applied.done else ""
    document = answer_of(RunOutcome.of(report, undo))
    if form == "card":
        from gaia_email.interfaces.cli.action_card import print_run

        print_run(document)
        return exit_code(document)
    for said in problems(document) if form != "json" else ():
        note(said)
    write_rows(document, document["done"], ACTION_COLUMNS, form, fields)
    return exit_code(document)


def problems(document: Mapping[str, Any]) -> list[str]:
    """Return the reasons for an incomplete command: the first failed messages by name, and what stopped it."""
    failed: Sequence[Mapping[str, Any]] = document.get("failed", ())
    told = [
        f"not done: {one_line(one['subject']) or '(no subject)'}, from {one_line(one['sender'])}: "
        f"{one_line(one['error'] or 'no reason was given.')} Next: {after_failure(one['message_id'])}"
        for one in failed[:NAMED]
    ]
    if len(failed) > NAMED:
        told.append(f"{len(failed) - NAMED:,} more were not done; --json names them all.")
    return told + [str(document[key]) for key in ("problem", "halted") if document.get(key)]


def exit_code(document: Mapping[str, Any]) -> int:
    """Return 0 if everything was done, or else 3."""
    return PARTIAL if document["failed"] or document["left"] else OK


def _with_undo(document: Mapping[str, Any], source: str) -> Mapping[str, Any]:
    """Add the command that undoes everything, if the actions can be undone."""
    done = [one for one in document["done"] if one["undoable"]]
    sessions = {one["session_id"] for one in done}
    which = ""
    if len(done) == 1:
        which = f"--action {done[0]['action_id'][:SHORT]}"
    elif len(sessions) == 1 and (session := sessions.pop()) is not None:
        which = f"--session {session}"
    return {**document, "undo": f"gaia email undo {which} {source}".rstrip() if which else ""}


ACTED = OperationView(
    printed=_with_undo,
    columns=ACTION_COLUMNS,
    rows=lambda document: document["done"],
    notes=problems,
    noted=("jsonl", "tsv"),
    card="action_card.print_acted",
    code=exit_code,
)
"""Output of a command's actions on messages."""
