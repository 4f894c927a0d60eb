"""Messages to be answered later: a label at the provider is the queue. Entry point: `reply_later`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, carry_out, record
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import LABEL
from gaia_email.actions.labels import ensure_labels
from gaia_email.actions.planning import label_action
from gaia_email.policy.gate import Consent
from gaia_email_registry.errors import NotFound

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
    read = await session.mail.read_emails(ids, format="summary")
    if read["missing"]:
        raise NotFound(f"No message here has the id {read['missing'][0][:80]!r}.", argument="id")
    why = "You took it off the queue." if done else "You put it off to answer later."
    labels = await ensure_labels(session, [REPLY_LATER], Consent(by="user", why=why))
    label = (labels[REPLY_LATER],)
    wanted = [
        label_action(
            summary,
            LabelIdChange.of((), label) if done else LabelIdChange.of(label),
            kind=LABEL,
            names=(REPLY_LATER,),
            session_id=session_id,
            why=why,
            user_confirmed=True,
        )
        for summary in read["emails"]
    ]
    actions = [action for action in wanted if action is not None]
    return await carry_out(session, record(session, actions)) if actions else AppliedActions()
