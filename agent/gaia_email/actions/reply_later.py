"""The queue of messages to answer later, which is a label at the provider. Entry point: `reply_later`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.user_labels import put_label, summaries_named

REPLY_LATER = "gaia/reply-later"
"""The label of queued messages; removing it at the provider removes a message from the queue."""


async def reply_later(
    session: AccountSession, ids: Sequence[str], *, done: bool = False, session_id: str | None = None
) -> AppliedActions:
    """Add messages to the reply-later queue or remove them, without moving them.

    Raises:
        NotFound: A message does not exist.
        MailError: The server or the ledger fails.
    """
    why = "You took it off the queue." if done else "You put it off to answer later."
    found = await summaries_named(session, ids)
    return await put_label(session, found, REPLY_LATER, why, off=done, session_id=session_id)
