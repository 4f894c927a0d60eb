"""Lessons: the messages that the user is asked about, and how well the answers were learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, field

from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_understanding.cascade.verdict import Bucket

if TYPE_CHECKING:
    from gaia_email.app.services.teaching import TeachingOutcome


class TeachInput(OperationInput, frozen=True, kw_only=True):
    """Number of questions, or the answers of a finished lesson."""

    count: Annotated[int, Meta(ge=1, le=60, description="Number of messages to ask about.")] = 20
    answers: Annotated[
        dict[str, Bucket],
        Meta(
            max_length=60,
            description="With answers, which correct has kept already, nothing is asked: every fifth is held back, to "
            "tell how often it agrees with what was learned from the others.",
        ),
    ] = field(default_factory=dict[str, Bucket])
    shown: Annotated[
        dict[str, Bucket],
        Meta(max_length=60, description="With answers: where each message stood when it was asked about."),
    ] = field(default_factory=dict[str, Bucket])


@operation(output="teach", path="POST /v1/email/teach", example={"count": 5}, risk="person", mailbox="one")
def teach(app: App, call: OperationCall[TeachInput]) -> TeachingOutcome:
    """The messages about which an answer teaches most; correct keeps each answer, and retract takes it back.

    Raises:
        NotFound: A message that was answered is gone.
        MailError: The mailbox or the ledger cannot be used.
    """
    from gaia_email.app.services.teaching import Sitting, measure_lesson

    if answers := call.asked.answers:
        return measure_lesson(app, call.source, answers, call.asked.shown, actor=call.actor)
    return Sitting(app, call.source, count=call.asked.count).outcome()
