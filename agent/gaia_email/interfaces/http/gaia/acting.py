"""Drafts, sending, archiving and quarantine in the peer's words; each takes a person's yes. Entry: `PeerActing`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email.actions.sending import OutgoingMail
from gaia_email.app.services.history import actions_to_undo, undo_named
from gaia_email.app.services.moving import archive_messages, move_to_spam
from gaia_email.app.services.opening import account_of
from gaia_email.app.services.outgoing import outgoing_question, send_outgoing
from gaia_email.app.services.questions import archive_question, spam_question, undo_question
from gaia_email.app.services.reading import read_messages
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.answering import Answering
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.gaia.answers import (
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
from gaia_email.interfaces.http.gaia.approvals import PeerAction, PeerTokens
from gaia_email.interfaces.http.gaia.errors import NotHere
from gaia_email.interfaces.http.gaia.inputs import (
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
from gaia_email.interfaces.http.gaia.mailboxes import PeerMailboxes
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.undo import UndoOutcome
    from gaia_email.ledger import LoggedAction

UNDO_S = 90 * 86_400
"""Seconds for which an undo is promised: as long as the record is kept by default, unless the message is changed."""

SPAM = "SPAM"

_ACTION_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

UNDOES = {"unarchive": "archive", "unquarantine": "junk"}
"""The kind of action, as the ledger has it, that each of these takes back."""


class PeerActing:
    """The endpoints with effects.

    Args:
        answering: What knows the mailboxes and takes turns.
        mailboxes: Finds the mailbox of a provider.
        tokens: The confirmation tokens that were given out.
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
        source = self._mailboxes.one(asked.provider)
        mail = _mail(asked)
        action = await self._answering.turn(lambda: self._sending(source, mail))
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
        source, mail = self._tokens.bound_to(asked.confirmation_token), _mail(asked)
        action = await self._answering.turn(lambda: self._sending(source, mail))
        await self._tokens.redeem(asked.confirmation_token, action, principal=principal)
        sent = await self._answering.turn(
            lambda: send_outgoing(self._app, source, mail, action.shown, origin=principal.origin),
            changes=True,
        )
        return {
            "sent": True,
            "sent_id": sent.message_id or sent.action_id,
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
        action = await self._answering.turn(lambda: self._moving(source, asked.action, asked.message_id))
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
        source, message_id = await self._agreed(asked, "archive", principal)
        done = await self._answering.turn(
            lambda: _one(archive_messages(self._app, source, [message_id], origin=principal.origin)),
            changes=True,
        )
        return {
            "schema_version": CONTRACT,
            "archived": True,
            "message_id": asked.message_id,
            "post_archive_id": done.message_id,
            "action_id": done.action_id,
            "batch_id": done.action_id,
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
        source, message_id = await self._agreed(asked, "quarantine", principal)
        done = await self._answering.turn(
            lambda: _one(move_to_spam(self._app, source, [message_id], origin=principal.origin)), changes=True
        )
        before = done.action_payload.get("before")
        return {
            "schema_version": CONTRACT,
            "quarantined": True,
            "message_id": asked.message_id,
            "action_id": done.action_id,
            "quarantine_label_id": SPAM,
            "prior_labels": [str(label) for label in before] if isinstance(before, list) else [],
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
            "messages": [{"message_id": back.message_id, "action_id": back.action_id}],
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
            "message_id": back.message_id,
            "action_id": back.action_id,
        }

    async def _agreed(
        self, asked: PeerArchiveInput | QuarantineInput, name: str, principal: Principal
    ) -> tuple[SourceSpec, str]:
        """The mailbox and the whole id of the message that a person agreed to move."""
        source = self._tokens.bound_to(asked.confirmation_token)
        action = await self._answering.turn(lambda: self._moving(source, name, asked.message_id))
        await self._tokens.redeem(asked.confirmation_token, action, principal=principal)
        return source, str(action.exact["message_id"])

    async def _taken_back(
        self, name: str, action_id: str, provider: str | None, principal: Principal
    ) -> LoggedAction:
        action, meant = await self._answering.turn(
            lambda: self._undoing(name, action_id, provider, principal.origin), changes=True
        )
        if not principal.decides:
            await self._tokens.require_yes(action, principal)
        return await self._answering.turn(
            lambda: _back(
                undo_named(
                    self._app, action.source, action_id, origin=principal.origin, meant=frozenset((meant,))
                )
            ),
            changes=True,
        )

    def _sending(self, source: SourceSpec, mail: OutgoingMail) -> PeerAction:
        return PeerAction(
            name="send",
            source=source,
            account=account_of(self._app, source),
            exact=mail.exact,
            shown=outgoing_question(self._app, source, mail),
        )

    def _moving(self, source: SourceSpec, name: str, message_id: str) -> PeerAction:
        found = read_messages(self._app, source, [message_id])
        ask = archive_question if name == "archive" else spam_question
        return PeerAction(
            name=name,
            source=source,
            account=account_of(self._app, source),
            exact={"message_id": found[0].summary["id"]},
            shown=ask(found),
        )

    def _undoing(
        self, name: str, action_id: str, provider: str | None, origin: RequestOrigin
    ) -> tuple[PeerAction, str]:
        """What would be taken back, and the id of the action."""
        sources = [self._mailboxes.one(provider)] if provider else self._mailboxes.every()
        for source in sources if _ACTION_ID.fullmatch(action_id) else ():
            try:
                found: Sequence[LoggedAction] = actions_to_undo(self._app, source, action_id, origin=origin)
            except NotFound:
                continue
            if len(found) == 1 and found[0].action_type == UNDOES[name]:
                action = PeerAction(
                    name=name,
                    source=source,
                    account=account_of(self._app, source),
                    exact={"action_id": action_id},
                    shown=undo_question(found),
                )
                return action, found[0].action_id
        raise StateConflict("There is nothing of that id left to take back.")


def _mail(asked: PeerDraftInput) -> OutgoingMail:
    if asked.attachments:
        raise NotHere("Files are not sent through this contract here; send it without them.")
    return OutgoingMail(to=tuple(map(_mailbox, asked.to)), subject=asked.subject, body=asked.body)


def _mailbox(person: PeerAddress) -> str:
    name = (person.name or "").replace("\\", "").replace('"', "'").strip()
    return f'"{name}" <{person.email}>' if name else person.email


def _people(people: Sequence[PeerAddress]) -> list[AddressAnswer]:
    return [{"email": one.email, "name": one.name} for one in people]


def _one(applied: AppliedActions) -> LoggedAction:
    """The one action that was done.

    Raises:
        StateConflict: The message is as it would be already, or was changed by somebody else.
        MailError: The mailbox did not do it.
    """
    if applied.done:
        return applied.done[0]
    if applied.problem is not None:
        raise applied.problem
    if applied.failed:
        raise StateConflict(applied.failed[0].error or "It was not done.")
    raise StateConflict("The message is not in the inbox any more; nothing was done.")


def _back(outcome: UndoOutcome) -> LoggedAction:
    """The one action that was taken back.

    Raises:
        StateConflict: It was not, since the message was changed.
        MailError: The mailbox did not do it.
    """
    if outcome.taken_back:
        return outcome.taken_back[0]
    if outcome.problem is not None:
        raise outcome.problem
    raise StateConflict(outcome.kept[0].reason if outcome.kept else "Nothing was taken back.")
