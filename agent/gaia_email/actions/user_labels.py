"""Adds or removes labels at the user's request. Entry: `put_label`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, carry_out, record
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import LABEL
from gaia_email.actions.labels import ensure_labels
from gaia_email.actions.planning import label_action
from gaia_email.policy.gate import Consent
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import NotFound


async def summaries_named(session: AccountSession, ids: Sequence[str]) -> Sequence[Summary]:
    """Return the summaries of these messages.

    Raises:
        NotFound: A message does not exist.
        MailError: The server fails.
    """
    read = await session.mail.read_emails(ids, format="summary")
    if read["missing"]:
        raise NotFound(f"No message here has the id {read['missing'][0][:80]!r}.", argument="id")
    return read["emails"]


async def put_label(
    session: AccountSession,
    summaries: Sequence[Summary],
    name: str,
    why: str,
    *,
    off: bool = False,
    session_id: str | None = None,
) -> AppliedActions:
    """Add a label to messages, creating it if necessary, or remove it from them.

    Raises:
        MailError: The server or the ledger fails.
    """
    if off and name.casefold() not in await session.labels():
        return AppliedActions()
    made = await ensure_labels(session, [name], Consent(by="user", why=why))
    label = (made[name],)
    wanted = [
        label_action(
            summary,
            LabelIdChange.of((), label) if off else LabelIdChange.of(label),
            kind=LABEL,
            names=(name,),
            session_id=session_id,
            why=why,
            user_confirmed=True,
        )
        for summary in summaries
    ]
    actions = [action for action in wanted if action is not None]
    return await carry_out(session, record(session, actions)) if actions else AppliedActions()
