"""Prints what `approve` and `reject` answered. Entry point: `print_answers`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.documents.answers import answer_rows, answers_document
from gaia_email.documents.pending import ANSWER_COLUMNS
from gaia_email.interfaces.cli.errors import OK, PARTIAL, REFUSED
from gaia_email.interfaces.cli.output import OutputFormat, note, write_rows
from gaia_email.interfaces.cli.pending_lines import outcome_line, server_outcome_line
from gaia_email.pending.calls import AnsweredCall
from gaia_email.pending.inbox import AnsweredItem
from gaia_email.pending.server_questions import AnsweredServer

NAMED = 10
"""Answers that are named on a terminal; the rest is counted."""


def _print_counted(answers: Sequence[AnsweredItem | AnsweredCall | AnsweredServer]) -> None:
    for answered in answers[:NAMED]:
        line = (
            server_outcome_line(answered) if isinstance(answered, AnsweredServer) else outcome_line(answered)
        )
        note(line)
    if len(answers) > NAMED:
        note(f"and {len(answers) - NAMED:,} more")
    done = [one for one in answers if not isinstance(one, AnsweredServer) and one.actions]
    if len(done) == 1 and isinstance(done[0], AnsweredItem):
        note(f"undo  gaia email undo {done[0].item.item_id[:8]}")
    elif done:
        note("undo  gaia email actions lists each with its undo")


def print_answers(
    answers: Sequence[AnsweredItem | AnsweredCall | AnsweredServer], form: OutputFormat, fields: list[str]
) -> int:
    """Print them; the exit code: 0 all counted, 3 some did, 5 none."""
    rows = answer_rows(answers)
    counted = sum(answered.counts for answered in answers)
    if form != "card":
        write_rows(answers_document(answers, rows), rows, ANSWER_COLUMNS, form, fields)
    for answered, row in zip(answers, rows, strict=True):
        if answered.reason and form in ("card", "tsv"):
            note(f"{str(row['id'])[:8]}: {answered.reason}")
    if form == "card":
        _print_counted([answered for answered in answers if answered.counts])
    if counted == len(answers):
        return OK
    return PARTIAL if counted else REFUSED
