"""Printing of the answers of `approve` and `reject`. Entries: `ANSWERED`, `print_answers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.interfaces.cli.errors import OK, PARTIAL, REFUSED
from gaia_email.interfaces.cli.from_operation import OperationAnswer, OperationView
from gaia_email.interfaces.cli.output import SHORT, note

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import AnswersDocument

NAMED = 10
"""Maximum answers named on a terminal; the rest are counted."""


def _reasons(document: AnswersDocument) -> list[str]:
    return [f"{one['id'][:SHORT]}: {one['reason']}" for one in document["items"] if one["reason"]]


def _code(document: AnswersDocument) -> int:
    """Return 0 if all answers counted, 3 if some did, 5 if none did."""
    counted = document["answered"]
    return OK if counted == len(document["items"]) else PARTIAL if counted else REFUSED


def print_answers(document: AnswersDocument, answer: OperationAnswer) -> None:
    """Print the reasons of answers that did not count, one line per answer that did, and the undo."""
    from gaia_email.app.documents.cards.wording import one_line

    for said in _reasons(document):
        note(said)
    counted = [one for one in document["items"] if one["counts"]]
    for one in counted[:NAMED]:
        note(f"{one['id'][:SHORT]}  {one['result']}: {one_line(one['text'])}")
    if len(counted) > NAMED:
        note(f"and {len(counted) - NAMED:,} more")
    done = [one for one in counted if one["actions"]]
    if len(done) == 1 and done[0]["type"] != "confirmation":
        note(f"undo  gaia email undo {done[0]['id'][:SHORT]}")
    elif done:
        note("undo  gaia email actions lists each with its undo")


ANSWERED = OperationView(
    columns=("id", "result", "reason"),
    rows=lambda document: document["items"],
    notes=_reasons,
    noted=("tsv",),
    card="answering.print_answers",
    code=_code,
)
