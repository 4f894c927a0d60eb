"""Converts between a saved conversation and a session. Entry points: `shown_of`, `page_of`, `as_left`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from gaia_email.interfaces.chat.grammar import ChatRequestKind, Request
from gaia_email.interfaces.chat.references import ShownMessage, ShownToUser

if TYPE_CHECKING:
    from gaia_email.app.services.conversations import Conversation


def shown_of(conversation: Conversation) -> ShownToUser:
    """Return the messages that the user last saw."""
    focus = conversation.focus
    return ShownToUser(
        listed=[_message(row) for row in conversation.listed], focus=_message(focus) if focus else None
    )


def page_of(conversation: Conversation) -> tuple[Request, int] | None:
    """Return the list that `more` continues."""
    page = conversation.page
    if not page:
        return None
    kind = cast("ChatRequestKind", page["kind"])
    return Request(kind=kind, about=str(page["about"]), extra=str(page["extra"])), int(str(page["start"]))


def as_left(
    session_id: str,
    shown: ShownToUser,
    page: tuple[Request, int] | None,
    lines: tuple[str, ...],
    unanswered: str,
    version: int,
) -> Conversation:
    """Return a session as a conversation to save."""
    from gaia_email.app.services.conversations import Conversation

    return Conversation(
        session_id=session_id,
        lines=lines,
        unanswered=unanswered,
        listed=tuple(asdict(one) for one in shown.listed),
        focus=asdict(shown.focus) if shown.focus else None,
        page={**asdict(page[0]), "start": page[1]} if page else None,
        version=version,
    )


def _message(row: Mapping[str, object]) -> ShownMessage:
    return ShownMessage(
        id=str(row["id"]), name=str(row["name"]), address=str(row["address"]), subject=str(row["subject"])
    )
