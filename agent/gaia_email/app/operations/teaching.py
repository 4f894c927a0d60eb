"""A lesson: which messages the user is asked about. Entry: `TEACH`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput


class TeachInput(OperationInput, frozen=True, kw_only=True):
    """How many questions."""

    count: Annotated[int, Meta(ge=1, le=60, description="How many messages are asked about.")] = 20


def teach(app: App, call: OperationCall[TeachInput]) -> dict[str, Any]:
    """The messages about which an answer teaches most; correct keeps each answer, and retract takes it back.

    Raises:
        MailError: The mailbox cannot be read.
    """
    from gaia_email.app.documents.teaching import teaching_document
    from gaia_email.app.services.teaching import Sitting
    from gaia_email.triage.learn.teach import HeldBackAgreement

    sitting = Sitting(app, call.source, count=call.asked.count)
    nothing = HeldBackAgreement(held_back=0, before=0, after=0)
    return {**teaching_document(sitting.account, sitting.questions, nothing, [])}


TEACH = Operation(name="teach", run=teach, input=TeachInput, output="teach", risk="person", mailbox="one")
