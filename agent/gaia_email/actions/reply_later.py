"""Messages to be answered later: a label at the provider is the queue. Entry point: `reply_later`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.user_labels import put_label, summaries_named

REPLY_LATER = "gaia/reply-later"
"""The label of what waits in the queue; taking it off at the provider takes a message out."""


async def reply_later(
    session: AccountSession, ids: Sequence[str], *, done: bool = False, session_id: str | None = None
) -> AppliedActions:
    """Put messages into the queue of what is answered later, or take them out; they stay where they are.

    Raises:
        NotFound: A message is not there.
        MailError: The server or the ledger fails.
    """
    why = "You took it off the queue." if done else "You put it off to answer later."
    found = await summaries_named(session, ids)
    return await put_label(session, found, REPLY_LATER, why, off=done, session_id=session_id)
