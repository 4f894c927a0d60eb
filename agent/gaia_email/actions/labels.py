"""The agent's own labels, created if missing and removed when unused.

Entry points: `ensure_labels`, `clear_away`, `triage_labels`.

They show the agent's work to the user at the provider; the agent itself relies on the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.call_facts import ask_gate
from gaia_email.actions.kinds import MAKE_LABEL
from gaia_email.actions.writing import make_label, remove_label
from gaia_email.ledger import ActionOutcome, NewAction, Selection
from gaia_email.mailbox.reader import ANYWHERE
from gaia_email.policy.gate import CallRefused, Consent, Pass
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound
from gaia_mail.snoozing import snoozed_until

PROCESSED = "gaia/processed"
_TRIAGED = "gaia/triaged-"
PAGE = 500


def triage_labels(bucket_label: str, now: float) -> tuple[str, ...]:
    """Return the labels of a triaged message: its bucket, the processed mark and the day (UTC)."""
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    return (bucket_label, PROCESSED, f"{_TRIAGED}{day}")


async def ensure_labels(
    session: AccountSession, names: Sequence[str], consent: Consent, *, run_id: str | None = None
) -> dict[str, str]:
    """Return label IDs by name; missing labels are created, each recorded before and after.

    Raises:
        NeedsApproval: They may not be created.
        MailError: The server cannot create a label.
    """
    known = await session.labels()
    if any(name.casefold() not in known for name in names):
        known = await session.labels(fresh=True)
    for name in dict.fromkeys(names):
        if name.casefold() not in known:
            await _make(session, name, consent, run_id)
    known = await session.labels()
    return {name: known[name.casefold()]["id"] for name in names}


async def clear_away(session: AccountSession, consent: Consent) -> list[str]:
    """Remove unused labels that the agent created, as far as possible. Returns their names."""
    with session.ledger.read() as tx:
        chosen = Selection(account_id=session.account, types=(MAKE_LABEL,), states=("applied",))
        made = {
            str(one.action_payload["name"]).casefold(): one
            for one in session.ledger.actions.select(tx, chosen)
        }
    if not made:
        return []
    known = await session.labels(fresh=True)
    empty = {known[name]["id"]: name for name in made if name in known}
    for carried in await _carried(session):
        empty.pop(carried, None)
    cleared: list[str] = []
    for label_id, name in empty.items():
        given = await ask_gate(session, remove_label(session.account, label_id), consent)
        if not isinstance(given, Pass):
            break
        try:
            await session.writer.write_label(given)
        except MailError:
            break
        cleared.append(known.pop(name)["name"])
        with session.ledger.write() as tx:
            session.ledger.actions.reverse(tx, [made[name].action_id], actor=session.actor)
    return cleared


async def _carried(session: AccountSession) -> set[str]:
    """Return the IDs of all labels in use, in any folder."""
    copy, cursor, found = session.copy, None, set[str]()
    while True:
        page = await copy.list_emails(query=ANYWHERE, limit=PAGE, cursor=cursor)
        found.update(*(summary["labels"] for summary in page["emails"]))
        cursor = page["next_cursor"]
        if cursor is None:
            return found


async def _make(session: AccountSession, name: str, consent: Consent, run_id: str | None) -> None:
    shown = not name.startswith((PROCESSED, _TRIAGED)) and snoozed_until(name) is None
    new = NewAction(
        account_id=session.account,
        message_id="",
        action_type=MAKE_LABEL,
        payload={"name": name},
        run_id=run_id,
        level=f"L{consent.level}" if consent.by == "level" else None,
        why=consent.why,
        user_confirmed=consent.by == "user",
    )
    planned = record(session, [new])
    given = await ask_gate(session, make_label(session.account, name, shown=shown), consent)
    if not isinstance(given, Pass):
        reason = given.reason if isinstance(given, CallRefused) else "It waits for your agreement."
        give_up(session, planned, reason)
        raise NeedsApproval(reason)
    try:
        answer = await session.writer.write_label(given)
    except (BadArgument, NotFound, NeedsApproval) as error:
        give_up(session, planned, error.message)
        raise
    write_down(session, [ActionOutcome(action_id=planned[0].action_id)])
    label = answer.get("label")
    known = await session.labels()
    if label is not None:
        known[name.casefold()] = label
