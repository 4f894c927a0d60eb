"""Messages that leave the inbox because the user says so. Entries: `archive`, `put_in_spam`, `put_in_trash`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, carry_out, record
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import ARCHIVE, JUNK, TRASH
from gaia_email.actions.planning import label_action
from gaia_email_registry.errors import NotFound


async def archive(
    session: AccountSession, ids: Sequence[str], *, session_id: str | None = None
) -> AppliedActions:
    """Take messages out of the inbox; what is not in it stays as it is. `undo` puts them back.

    Raises:
        NotFound: A message is not there.
        MailError: The server or the ledger fails.
    """
    return await _put_away(
        session, ids, ARCHIVE, LabelIdChange.of((), ("INBOX",)), "You archived it.", session_id
    )


async def put_in_spam(
    session: AccountSession, ids: Sequence[str], *, session_id: str | None = None
) -> AppliedActions:
    """Move messages to where the provider keeps spam; what is there stays as it is. `undo` puts them back.

    Raises:
        NotFound: A message is not there.
        MailError: The server or the ledger fails.
    """
    change = LabelIdChange.of(("SPAM",), ("INBOX",))
    return await _put_away(session, ids, JUNK, change, "You moved it to spam.", session_id)


async def put_in_trash(
    session: AccountSession, ids: Sequence[str], *, session_id: str | None = None
) -> AppliedActions:
    """Move messages to Trash; what is there stays as it is. `undo` puts them back.

    Raises:
        NotFound: A message is not there.
        MailError: The server or the ledger fails.
    """
    change = LabelIdChange.of(("TRASH",), ("INBOX",))
    return await _put_away(session, ids, TRASH, change, "You moved it to Trash.", session_id)


async def _put_away(
    session: AccountSession,
    ids: Sequence[str],
    kind: str,
    change: LabelIdChange,
    why: str,
    session_id: str | None,
) -> AppliedActions:
    read = await session.mail.read_emails(ids, format="summary")
    if read["missing"]:
        raise NotFound(f"No message here has the id {read['missing'][0][:80]!r}.", argument="id")
    wanted = [
        label_action(summary, change, kind=kind, session_id=session_id, why=why, user_confirmed=True)
        for summary in read["emails"]
    ]
    actions = [action for action in wanted if action is not None]
    return await carry_out(session, record(session, actions)) if actions else AppliedActions()
