"""What `approve` and `reject` print. Entry point: `print_answers`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.faces.cli.errors import OK, PARTIAL, REFUSED
from gaia_email.faces.cli.output import OutputFormat, note, write_rows
from gaia_email.faces.cli.pending_documents import ANSWER_COLUMNS, outcome_row
from gaia_email.pending.inbox import Answered


def print_answers(answers: Sequence[Answered], form: OutputFormat, fields: list[str]) -> int:
    """Print them; the exit code: 0 all counted, 3 some did, 5 none."""
    rows = [outcome_row(answered) for answered in answers]
    counted = sum(answered.counts for answered in answers)
    if form != "card":
        document = {"schema_version": 1, "answered": counted, "items": rows}
        write_rows(document, rows, ANSWER_COLUMNS, form, fields)
    for answered in answers:
        if answered.reason and form in ("card", "tsv"):
            note(f"{answered.item.item_id[:8]}: {answered.reason}")
    if form == "card" and counted:
        note(f"{counted:,} of {len(answers):,} done.")
    if counted == len(answers):
        return OK
    return PARTIAL if counted else REFUSED
