"""Operations that answer pending items of the Agent Inbox, or undo an answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import on_command_line
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_email_registry.errors import BadArgument

ItemIds = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=200)]],
    Meta(min_length=1, max_length=500, description="Ids of what waits, as `pending` lists them."),
    on_command_line(argument=True, metavar="ID..."),
]


class ApproveInput(OperationInput, frozen=True, kw_only=True):
    """Items that the person agrees to."""

    ids: ItemIds
    bucket: Annotated[
        Literal["", "urgent", "actionable", "informational", "low_priority"],
        Meta(description="As that instead, for one item; empty for as it is."),
        on_command_line(
            metavar="B", words="As that instead: urgent, actionable, informational or low_priority."
        ),
    ] = ""
    all_of_cohort: Annotated[bool, Meta(description="Also everything else of the same kind and cohort.")] = (
        False
    )


class RejectInput(OperationInput, frozen=True, kw_only=True):
    """Items that the person declines."""

    ids: ItemIds
    reason: Annotated[
        str,
        Meta(max_length=500, description="Reason, for the user's own records."),
        on_command_line(metavar="TEXT", words="Why, for yourself."),
    ] = ""


class ReopenInput(OperationInput, frozen=True, kw_only=True):
    """Items whose rejection is taken back."""

    ids: ItemIds


@operation(
    output="approve",
    path="POST /v1/email/pending/{id}/approve",
    example={"id": "ITEM"},
    lists="ids",
    risk="person",
)
def approve(app: App, call: OperationCall[ApproveInput]) -> dict[str, Any]:
    """Do what items propose, exactly as they were shown, once; a mailbox that is named is where the mail is now.

    Raises:
        MailError: An id names nothing that waits, or a mailbox cannot be opened.
    """
    from gaia_email.app.documents.answers import answer_rows, answers_document
    from gaia_email.app.services.answers import approve as agree

    asked = call.asked
    if asked.bucket and (len(asked.ids) > 1 or asked.all_of_cohort):
        raise BadArgument("A bucket is about one item.", argument="/bucket")
    answers = agree(
        app,
        asked.ids,
        interface=call.actor,
        bucket=asked.bucket or None,
        all_of_cohort=asked.all_of_cohort,
        maildir=call.sources[0].path if call.sources else None,
    )
    return {**answers_document(answers, answer_rows(answers))}


@operation(
    output="reject",
    path="POST /v1/email/pending/{id}/reject",
    example={"id": "ITEM", "reason": "Not now."},
    lists="ids",
    risk="person",
    cli=Command(
        name="reject",
        heading="Act",
        after="approve",
        line="Say no to something that is waiting.",
        help="Do nothing of what item or question ID proposes. "
        "A step of a level that was earned by approvals is taken back.",
        view="answering.ANSWERED",
    ),
)
def reject(app: App, call: OperationCall[RejectInput]) -> dict[str, Any]:
    """Do nothing of what items propose.

    Raises:
        MailError: An id names nothing that waits.
    """
    from gaia_email.app.documents.answers import answer_rows, answers_document
    from gaia_email.app.services.answers import reject as decline

    answers = decline(app, call.asked.ids, interface=call.actor, reason=call.asked.reason)
    return {**answers_document(answers, answer_rows(answers))}


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
