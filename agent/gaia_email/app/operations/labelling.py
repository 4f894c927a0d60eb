"""Operations that put messages where they belong at the provider: spam, trash, labels. Entry: `LABELLING`."""

from __future__ import annotations

from typing import Any

from gaia_email.app import App
from gaia_email.app.documents.actions import ActedDocument
from gaia_email.app.operations.acting import ArchiveInput, acted
from gaia_email.app.operations.operation import Operation, OperationCall


def spam(app: App, call: OperationCall[ArchiveInput]) -> dict[str, Any]:
    """Move messages to where the provider keeps spam; it can be undone.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import put_in_spam

    ids, session_id = call.asked.message_ids, call.session_id or None
    return acted(app, call, "spam", lambda session: put_in_spam(session, ids, session_id=session_id))


def trash(app: App, call: OperationCall[ArchiveInput]) -> dict[str, Any]:
    """Move messages to Trash; it can be undone as long as the provider keeps them there.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import put_in_trash

    ids, session_id = call.asked.message_ids, call.session_id or None
    return acted(app, call, "trash", lambda session: put_in_trash(session, ids, session_id=session_id))


SPAM = Operation(
    name="spam", run=spam, input=ArchiveInput, output=ActedDocument, risk="person", mailbox="one"
)
TRASH = Operation(
    name="trash", run=trash, input=ArchiveInput, output=ActedDocument, risk="person", mailbox="one"
)
LABELLING: tuple[Operation[Any], ...] = (SPAM, TRASH)
