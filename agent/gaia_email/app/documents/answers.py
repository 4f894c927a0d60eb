"""The document of `approve` and `reject`. Entry: `answers_document`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.pending.calls import AnsweredCall
from gaia_email.actions.pending.inbox import AnsweredItem
from gaia_email.actions.pending.server_questions import AnsweredServer
from gaia_email.app.documents.pending import call_outcome_row, outcome_row
from gaia_email.app.documents.pending_types import AnswersDocument, OutcomeRow
from gaia_email.app.documents.server_questions import server_outcome_row


def answer_rows(answers: Sequence[AnsweredItem | AnsweredCall | AnsweredServer]) -> list[OutcomeRow]:
    """One row an answer."""
    return [_row(one) for one in answers]


def answers_document(
    answers: Sequence[AnsweredItem | AnsweredCall | AnsweredServer], rows: Sequence[OutcomeRow]
) -> AnswersDocument:
    """What was answered, how many of them counted, around the rows of `answer_rows`."""
    counted = sum(answered.counts for answered in answers)
    return {"schema_version": 1, "answered": counted, "items": list(rows)}


def _row(answered: AnsweredItem | AnsweredCall | AnsweredServer) -> OutcomeRow:
    match answered:
        case AnsweredServer():
            return server_outcome_row(answered)
        case AnsweredCall():
            return call_outcome_row(answered)
        case AnsweredItem():
            return outcome_row(answered)
