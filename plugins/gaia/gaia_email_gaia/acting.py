"""Drafts, sending, archiving and quarantine in the peer's contract; each needs a person's yes. Entry: `PeerActing`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gaia_email.app.operations.acting import ArchiveInput, UndoInput, archive, undo
from gaia_email.app.operations.composing import SendInput, WrittenInput, outgoing, send
from gaia_email.app.operations.labelling import spam
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput
from gaia_email.app.operations.questions import archive_question, spam_question, undo_question
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.answering import Answering
from gaia_email.interfaces.http.credentials import Principal
from gaia_email_gaia.answers import (
    AddressAnswer,
    ArchiveAnswer,
    ConfirmAnswer,
    DraftAnswer,
    DraftReplyAnswer,
    QuarantineAnswer,
    SendAnswer,
    UnarchiveAnswer,
    UnquarantineAnswer,
)
from gaia_email_gaia.approvals import PeerAction, PeerTokens
from gaia_email_gaia.errors import NotHere
from gaia_email_gaia.inputs import (
    CONTRACT,
    PeerAddress,
    PeerArchiveInput,
    PeerConfirmInput,
    PeerDraftInput,
    PeerSendInput,
    QuarantineInput,
    UnarchiveInput,
    UnquarantineInput,
)
from gaia_email_gaia.mailboxes import PeerMailboxes
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict

UNDO_S = 90 * 86_400
"""Seconds for which an undo is promised: the default retention of the record, unless the message is changed."""

SPAM_LABEL = "SPAM"

_ACTION_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

UNDOES = {"unarchive": "archive", "unquarantine": "junk"}
"""Kind of action in the ledger that each of these undoes."""


class PeerActing:
    """The endpoints with effects.

    Args:
        answering: Runs the operations on the mailboxes, with limited concurrency.
        mailboxes: Finds the mailbox of a provider.
        tokens: The issued confirmation tokens.
    """

    def __init__(self, answering: Answering, mailboxes: PeerMailboxes, tokens: PeerTokens) -> None:
        self._answering = answering
        self._app = answering.app
        self._mailboxes = mailboxes
        self._tokens = tokens

    async def draft(self, asked: PeerDraftInput, *, principal: Principal) -> DraftAnswer:
        """A mail to be sent, and a token that is good once a person agreed to every word of it.

        Raises:
            MailError: No mailbox is meant, or the question cannot be put.
        """
        action, _ = await self._sending(self._mailboxes.one(asked.provider), asked, principal)
        token = await self._tokens.mint(action, principal=principal)
        draft: DraftReplyAnswer = {
            "to": _people(asked.to),
            "subject": asked.subject,
            "body": asked.body,
            "attachments": [],
        }
        return {"draft": draft, "confirmation_token": token}

    async def send(self, asked: PeerSendInput, *, principal: Principal) -> SendAnswer:
        """Send exactly what a person agreed to, once.

        Raises:
            NeedsApproval: Nobody has; nothing was sent.
            MailError: It cannot be sent, or nobody knows whether it was.
        """
        source = self._tokens.bound_to(asked.confirmation_token)
        action, agreed = await self._sending(source, asked, principal)
        await self._tokens.redeem(asked.confirmation_token, action, principal=principal)
        sent = await self._done(send, SendInput(**_written(asked), agreed=agreed), source, principal)
        return {
            "sent": True,
            "sent_id": sent["message_id"] or sent["action_id"],
            "to": _people(asked.to),
            "subject": asked.subject,
            "attachments": [],
        }

    async def confirm(self, asked: PeerConfirmInput, *, principal: Principal) -> ConfirmAnswer:
        """A token for one action on one message, which is good once a person agreed to it.

        Raises:
            MailError: There is no such message, or the question cannot be put.
        """
        source = self._mailboxes.one(asked.provider)
        action, _ = await self._moving(source, asked.action, asked.message_id, principal)
        return {
            "schema_version": CONTRACT,
            "action": asked.action,
            "message_id": asked.message_id,
            "confirmation_token": await self._tokens.mint(action, principal=principal),
        }

    async def archive(self, asked: PeerArchiveInput, *, principal: Principal) -> ArchiveAnswer:
        """Take a message out of the inbox, as a person agreed to.

        Raises:
            NeedsApproval: Nobody has; nothing was done.
            StateConflict: It is not in the inbox.
            MailError: The mailbox cannot be changed.
        """
        done, _ = await self._moved(asked, "archive", principal)
        return {
            "schema_version": CONTRACT,
            "archived": True,
            "message_id": asked.message_id,
            "post_archive_id": done["message_id"],
            "action_id": done["action_id"],
            "batch_id": done["action_id"],
            "undo_window_seconds": UNDO_S,
        }

    async def quarantine(self, asked: QuarantineInput, *, principal: Principal) -> QuarantineAnswer:
        """Move a message to where the provider keeps spam, as a person agreed to.

        Raises:
            BadArgument: The caller does not say that it is phishing.
            NeedsApproval: Nobody has agreed; nothing was done.
            StateConflict: It is there already.
            MailError: The mailbox cannot be changed.
        """
        if not asked.is_phishing:
            raise BadArgument(
                "Only mail that is_phishing says to be a trap is quarantined; nothing was done."
            )
        done, before = await self._moved(asked, "quarantine", principal)
        return {
            "schema_version": CONTRACT,
            "quarantined": True,
            "message_id": asked.message_id,
            "action_id": done["action_id"],
            "quarantine_label_id": SPAM_LABEL,
            "prior_labels": before,
            "undo_window_seconds": UNDO_S,
        }

    async def unarchive(self, asked: UnarchiveInput, *, principal: Principal) -> UnarchiveAnswer:
        """Put a message back into the inbox, as a person agreed to.

        Raises:
            NeedsApproval: Nobody has; nothing was done.
            StateConflict: There is nothing of that to take back, or the message was changed since.
            MailError: The mailbox cannot be changed.
        """
        back = await self._taken_back("unarchive", asked.batch_id, asked.provider, principal)
        return {
            "schema_version": CONTRACT,
            "undone": True,
            "batch_id": asked.batch_id,
            "restored": 1,
            "messages": [{"message_id": back["message_id"], "action_id": back["action_id"]}],
            "failed": [],
        }

    async def unquarantine(self, asked: UnquarantineInput, *, principal: Principal) -> UnquarantineAnswer:
        """Put a message back to where it was before its quarantine, as a person agreed to.

        Raises:
            NeedsApproval: Nobody has; nothing was done.
            StateConflict: There is nothing of that to take back, or the message was changed since.
            MailError: The mailbox cannot be changed.
        """
        back = await self._taken_back("unquarantine", asked.action_id, asked.provider, principal)
        return {
            "schema_version": CONTRACT,
            "restored": True,
            "message_id": back["message_id"],
            "action_id": back["action_id"],
        }

    async def _moved(
        self, asked: PeerArchiveInput | QuarantineInput, name: str, principal: Principal
    ) -> tuple[Mapping[str, Any], list[str]]:
        """Move a message as a person agreed; return the action and the message's earlier labels."""
        source = self._tokens.bound_to(asked.confirmation_token)
        action, before = await self._moving(source, name, asked.message_id, principal)
        await self._tokens.redeem(asked.confirmation_token, action, principal=principal)
        message = ArchiveInput(message_ids=[str(action.exact["message_id"])])
        document = await self._done(archive if name == "archive" else spam, message, source, principal)
        return _only(document), before

    async def _taken_back(
        self, name: str, action_id: str, provider: str | None, principal: Principal
    ) -> Mapping[str, Any]:
        action, asked = await self._undoing(name, action_id, provider, principal)
        if not principal.decides:
            await self._tokens.require_yes(action, principal)
        document = await self._done(
            undo, UndoInput(id=action_id), action.source, principal, confirm=lambda now: now == asked
        )
        return _back(document)

    async def _sending(
        self, source: SourceSpec, asked: PeerDraftInput, principal: Principal
    ) -> tuple[PeerAction, str]:
        """Return the mail to send as an action, and the identifier of a yes to its question."""
        written = _written(asked)
        found = await self._question(outgoing, WrittenInput(**written), source, principal)
        return _action("send", source, found, written), found["agreed"]

    async def _moving(
        self, source: SourceSpec, name: str, message_id: str, principal: Principal
    ) -> tuple[PeerAction, list[str]]:
        """Return the move as an action, and the message's labels."""
        operation = archive_question if name == "archive" else spam_question
        found = await self._question(operation, ArchiveInput(message_ids=[message_id]), source, principal)
        (message,) = found["about"]
        return _action(name, source, found, {"message_id": message["id"]}), message["labels"]

    async def _undoing(
        self, name: str, action_id: str, provider: str | None, principal: Principal
    ) -> tuple[PeerAction, Mapping[str, Any]]:
        """Return the undo as an action, and its question."""
        sources = [self._mailboxes.one(provider)] if provider else self._mailboxes.every()
        for source in sources if _ACTION_ID.fullmatch(action_id) else ():
            try:
                found = await self._question(undo_question, UndoInput(id=action_id), source, principal)
            except NotFound:
                continue
            if [one["kind"] for one in found["about"]] == [UNDOES[name]]:
                return _action(name, source, found, {"action_id": action_id}), found
        raise StateConflict("There is nothing of that id left to take back.")

    async def _question(
        self, operation: Operation[Any], asked: OperationInput, source: SourceSpec, principal: Principal
    ) -> Mapping[str, Any]:
        """Return the document of an operation that has no effect yet."""
        call: OperationCall[Any] = OperationCall(asked=asked, origin=principal.origin, sources=[source])
        return await self._answering.turn(
            lambda: operation.run(self._app, call), changes=operation is undo_question
        )

    async def _done(
        self,
        operation: Operation[Any],
        asked: OperationInput,
        source: SourceSpec,
        principal: Principal,
        *,
        confirm: Callable[[Mapping[str, Any]], bool] | None = None,
    ) -> Mapping[str, Any]:
        """Return the document of an operation that a person agreed to."""
        call: OperationCall[Any] = OperationCall(
            asked=asked, origin=principal.origin, by_person=True, sources=[source], confirm=confirm
        )
        return await self._answering.turn(lambda: operation.run(self._app, call), changes=True)


def _action(
    name: str, source: SourceSpec, found: Mapping[str, Any], exact: Mapping[str, object]
) -> PeerAction:
    return PeerAction(
        name=name, source=source, account=found["account"], exact=exact, shown=found["question"]
    )


def _written(asked: PeerDraftInput) -> dict[str, Any]:
    if asked.attachments:
        raise NotHere("Files are not sent through this contract here; send it without them.")
    return {"to": list(map(_mailbox, asked.to)), "subject": asked.subject, "body": asked.body}


def _mailbox(person: PeerAddress) -> str:
    name = (person.name or "").replace("\\", "").replace('"', "'").strip()
    return f'"{name}" <{person.email}>' if name else person.email


def _people(people: Sequence[PeerAddress]) -> list[AddressAnswer]:
    return [{"email": one.email, "name": one.name} for one in people]


def _only(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the single completed action.

    Raises:
        StateConflict: The message already has the requested state, or was changed in the meantime.
    """
    if document["done"]:
        found: Mapping[str, Any] = document["done"][0]
        return found
    if document["failed"]:
        raise StateConflict(document["failed"][0]["error"] or "It was not done.")
    raise StateConflict("The message is not in the inbox any more; nothing was done.")


def _back(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the single undone action.

    Raises:
        StateConflict: It was not undone, since the message was changed.
    """
    if document["taken_back"]:
        found: Mapping[str, Any] = document["taken_back"][0]
        return found
    kept = document["kept"]
    raise StateConflict(kept[0]["reason"] if kept else "Nothing was taken back.")
