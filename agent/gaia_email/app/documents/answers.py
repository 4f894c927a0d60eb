"""The document of `approve` and `reject`. Entry: `answers_document`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.pending.inbox import AnsweredItem
from gaia_email.actions.pending.questions import AnsweredQuestion
from gaia_email.app.documents.pending import outcome_row, question_outcome_row
from gaia_email.app.documents.pending_types import AnswersDocument, OutcomeRow


def answer_rows(answers: Sequence[AnsweredItem | AnsweredQuestion]) -> list[OutcomeRow]:
    """Return one row per answer."""
    return [_row(one) for one in answers]


def answers_document(
    answers: Sequence[AnsweredItem | AnsweredQuestion], rows: Sequence[OutcomeRow]
) -> AnswersDocument:
    """Return the document for the rows of `answer_rows`; `answered` counts the answers that took effect."""
    counted = sum(answered.counts for answered in answers)
    return {"schema_version": 1, "answered": counted, "items": list(rows)}


def _row(answered: AnsweredItem | AnsweredQuestion) -> OutcomeRow:
    match answered:
        case AnsweredQuestion():
            return question_outcome_row(answered)
        case AnsweredItem():
            return outcome_row(answered)
