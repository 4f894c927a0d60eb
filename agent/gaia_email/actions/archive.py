"""Messages that leave the inbox because the user says so. Entry point: `archive`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, carry_out, record
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import ARCHIVE
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
    read = await session.mail.read_emails(ids, format="summary")
    if read["missing"]:
        raise NotFound(f"No message here has the id {read['missing'][0][:80]!r}.", argument="id")
    wanted = [
        label_action(
            summary,
            LabelIdChange.of((), ("INBOX",)),
            kind=ARCHIVE,
            session_id=session_id,
            why="You archived it.",
            user_confirmed=True,
        )
        for summary in read["emails"]
    ]
    actions = [action for action in wanted if action is not None]
    return await carry_out(session, record(session, actions)) if actions else AppliedActions()
