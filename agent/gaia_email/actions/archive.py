"""Moves or marks messages at the user's request. Entries: `archive`, `move`, `mark`, `put_in_spam`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, carry_out, record
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import ARCHIVE, JUNK, MARKS, MOVE, TRASH
from gaia_email.actions.planning import label_action
from gaia_email_registry.errors import NotFound


async def archive(
    session: AccountSession, ids: Sequence[str], *, session_id: str | None = None
) -> AppliedActions:
    """Remove messages from the inbox; others stay unchanged. `undo` puts them back.

    Raises:
        NotFound: A message does not exist.
        MailError: The server or the ledger fails.
    """
    return await _put_away(
        session, ids, ARCHIVE, LabelIdChange.of((), ("INBOX",)), "You archived it.", session_id
    )


async def put_in_spam(
    session: AccountSession, ids: Sequence[str], *, session_id: str | None = None
) -> AppliedActions:
    """Move messages to the provider's spam folder; those already there stay unchanged. `undo` puts them back.

    Raises:
        NotFound: A message does not exist.
        MailError: The server or the ledger fails.
    """
    change = LabelIdChange.of(("SPAM",), ("INBOX",))
    return await _put_away(session, ids, JUNK, change, "You moved it to spam.", session_id)


async def put_in_trash(
    session: AccountSession, ids: Sequence[str], *, session_id: str | None = None
) -> AppliedActions:
    """Move messages to Trash; those already there stay unchanged. `undo` puts them back.

    Raises:
        NotFound: A message does not exist.
        MailError: The server or the ledger fails.
    """
    change = LabelIdChange.of(("TRASH",), ("INBOX",))
    return await _put_away(session, ids, TRASH, change, "You moved it to Trash.", session_id)


MarkedState = Literal["read", "unread", "starred", "unstarred"]

_MARKING: dict[MarkedState, LabelIdChange] = {
    "read": LabelIdChange.of((), ("UNREAD",)),
    "unread": LabelIdChange.of(("UNREAD",)),
    "starred": LabelIdChange.of(("STARRED",)),
    "unstarred": LabelIdChange.of((), ("STARRED",)),
}


async def move(
    session: AccountSession, ids: Sequence[str], to: str, *, session_id: str | None = None
) -> AppliedActions:
    """Move messages to the inbox, the archive, spam, Trash, or another folder or label of the mailbox.

    `undo` puts them back.

    Raises:
        NotFound: A message, folder or label does not exist.
        MailError: The server or the ledger fails.
    """
    place = to.strip().casefold()
    if place == "archive":
        return await archive(session, ids, session_id=session_id)
    if place in ("spam", "junk"):
        return await put_in_spam(session, ids, session_id=session_id)
    if place == "trash":
        return await put_in_trash(session, ids, session_id=session_id)
    if place == "inbox":
        change = LabelIdChange.of(("INBOX",), ("SPAM", "TRASH"))
        return await _put_away(session, ids, MOVE, change, "You moved it to the inbox.", session_id)
    label = (await session.labels(fresh=True)).get(place)
    if label is None:
        raise NotFound(
            f"This mailbox has no folder or label {to[:60]!r}.",
            argument="to",
            hint="take inbox, archive, spam, trash, or the name of a folder; gaia email label makes a label.",
        )
    change = LabelIdChange.of((label["id"],), ("INBOX", "SPAM", "TRASH"))
    why = f"You moved it to {label['name']}."
    return await _put_away(session, ids, MOVE, change, why, session_id, names=(label["name"],))


async def mark(
    session: AccountSession, ids: Sequence[str], state: MarkedState, *, session_id: str | None = None
) -> AppliedActions:
    """Mark messages read, unread, starred or unstarred without moving them. `undo` restores the previous state.

    Raises:
        NotFound: A message does not exist.
        MailError: The server or the ledger fails.
    """
    return await _put_away(session, ids, MARKS[state], _MARKING[state], f"You marked it {state}.", session_id)


async def _put_away(
    session: AccountSession,
    ids: Sequence[str],
    kind: str,
    change: LabelIdChange,
    why: str,
    session_id: str | None,
    names: Sequence[str] = (),
) -> AppliedActions:
    read = await session.mail.read_emails(ids, format="summary")
    if read["missing"]:
        raise NotFound(f"No message here has the id {read['missing'][0][:80]!r}.", argument="id")
    wanted = [
        label_action(
            summary, change, kind=kind, names=names, session_id=session_id, why=why, user_confirmed=True
        )
        for summary in read["emails"]
    ]
    actions = [action for action in wanted if action is not None]
    return await carry_out(session, record(session, actions)) if actions else AppliedActions()
