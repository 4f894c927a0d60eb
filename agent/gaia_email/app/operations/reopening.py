"""Taking rejections back."""

from __future__ import annotations

from typing import Any

from gaia_email.app import App
from gaia_email.app.operations.acting import ItemIds
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation


class ReopenInput(OperationInput, frozen=True, kw_only=True):
    """Whose rejection is taken back."""

    ids: ItemIds


@operation(
    output="reject",
    path="POST /v1/email/pending/{id}/reopen",
    example={"id": "ITEM"},
    lists="ids",
    risk="person",
)
def reopen(app: App, call: OperationCall[ReopenInput]) -> dict[str, Any]:
    """Take rejections back, so that the items wait for an answer again until their time is over.

    Raises:
        MailError: An id names nothing that waited.
    """
    from gaia_email.app.documents.answers import answer_rows, answers_document
    from gaia_email.app.services.answers import reopen as wait_again

    answers = wait_again(app, call.asked.ids, interface=call.actor)
    return {**answers_document(answers, answer_rows(answers))}
