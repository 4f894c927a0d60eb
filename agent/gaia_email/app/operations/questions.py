"""Confirmation questions before an effect that a program requested; code builds them from the effect.

An interface shows the `question` to the user through a channel that no model reads or writes; after an
approval it calls the operation itself, with `confirm` for exactly this. None of these operations changes
anything or is offered on its own. Entries: `undo_question`, `waiting`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.documents.waiting import WaitingDocument
from gaia_email.app.operations.acting import (
    ArchiveInput,
    CorrectInput,
    TriageInput,
    UndoInput,
    chosen_to_undo,
)
from gaia_email.app.operations.inputs import since_of
from gaia_email.app.operations.mailbox_work import on_mailbox
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_email.app.operations.replies import ReplyByTemplateInput
from gaia_email.app.services import questions
from gaia_email.app.services.questions import QuestionDocument

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.triage.inbox import FoundMessage


class WaitingInput(OperationInput, frozen=True, kw_only=True):
    """Choice of waiting items."""

    id: Annotated[
        str, Meta(max_length=200, description="Only what has this id, or is about the message of this id.")
    ] = ""


@operation(output=QuestionDocument, risk="draft", mailbox="one")
def undo_question(app: App, call: OperationCall[UndoInput]) -> dict[str, Any]:
    """Ask whether to take back what was done last, or what an id names.

    Raises:
        NotFound: There is nothing of that to undo here.
        MailError: The mailbox or the ledger cannot be used.
    """
    from gaia_email.app.services.history import left_to_undo

    chosen = chosen_to_undo(app, call.asked)

    async def look(session: AccountSession) -> QuestionDocument:
        return questions.undo_question(session.account, await left_to_undo(session, chosen))

    return {**on_mailbox(app, call, look)}


@operation(output=QuestionDocument, mailbox="one")
def archive_question(app: App, call: OperationCall[ArchiveInput]) -> dict[str, Any]:
    """Ask whether to take messages out of the inbox.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    return {**questions.archive_question(*_read(app, call, call.asked.message_ids))}


@operation(output=QuestionDocument, mailbox="one")
def spam_question(app: App, call: OperationCall[ArchiveInput]) -> dict[str, Any]:
    """Ask whether to move messages to where the provider keeps spam.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    return {**questions.spam_question(*_read(app, call, call.asked.message_ids))}


@operation(output=QuestionDocument, mailbox="one")
def template_question(app: App, call: OperationCall[ReplyByTemplateInput]) -> dict[str, Any]:
    """Ask whether to answer a message from a template.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    account, (found,) = _read(app, call, [call.asked.message_id])
    return {**questions.template_question(account, found, call.asked.template)}


def _read(app: App, call: OperationCall[Any], ids: Sequence[str]) -> tuple[str, Sequence[FoundMessage]]:
    """Return the account of a call, and the messages."""
    from gaia_email.app.services.opening import account_of
    from gaia_email.app.services.reading import read_messages

    return account_of(app, call.source), read_messages(app, call.source, ids)


@operation(output=QuestionDocument, mailbox="one")
def correct_question(app: App, call: OperationCall[CorrectInput]) -> dict[str, Any]:
    """Ask whether a message belongs in another bucket.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.services.reading import read_message

    found = read_message(app, call.source, call.asked.message_id)
    return {**questions.correction_question(found.summary["account"], found, call.asked.bucket)}


@operation(output=QuestionDocument, mailbox="one")
def triage_question(app: App, call: OperationCall[TriageInput]) -> dict[str, Any]:
    """Ask before a triage acts on a mailbox for the first time; nothing is asked where one has, or would do nothing.

    Raises:
        MailError: The mailbox or the ledger cannot be read.
    """
    from gaia_email.app.services.opening import account_of
    from gaia_email.app.services.triage_run import first_plan, has_acted

    planned = Counter[tuple[str, str]]()
    if not has_acted(app, call.source):
        planned = first_plan(app, call.source, since_of(call.asked.since), call.progress)
    return {**questions.first_triage_question(account_of(app, call.source), planned)}


@operation(output=WaitingDocument)
def waiting(app: App, call: OperationCall[WaitingInput]) -> dict[str, Any]:
    """List what waits for the user's answer, oldest first, each with its messages.

    Raises:
        NotFound: Nothing that waits has the id.
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.answers import every_waiting, waiting_named

    rows = (
        [waiting_named(app, call.asked.id, call.actor)] if call.asked.id else every_waiting(app, call.actor)
    )
    return {"schema_version": 1, "waiting": rows}
