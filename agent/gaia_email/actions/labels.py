"""The agent's own labels, made where they are missing. Entry points: `ensure_labels`, `triage_labels`.

They are what the user sees of the agent's work at the provider; the ledger is what the agent goes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import give_up, record, write_down
from gaia_email.actions.kinds import MAKE_LABEL
from gaia_email.actions.writing import make_label
from gaia_email.ledger import NewAction, Outcome
from gaia_email.policy.gate import Consent, Pass, Refused
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from gaia_mail.snoozing import snoozed_until

PROCESSED = "gaia/processed"
_TRIAGED = "gaia/triaged-"


def triage_labels(bucket_label: str, now: float) -> tuple[str, ...]:
    """What a triaged message is marked with: its bucket, that it was handled, and on which day (UTC)."""
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    return (bucket_label, PROCESSED, f"{_TRIAGED}{day}")


async def ensure_labels(
    desk: AccountSession, names: Sequence[str], consent: Consent, *, run_id: str | None = None
) -> dict[str, str]:
    """The ids of labels by name; those that are missing are made, each written down before and after.

    Raises:
        NeedsApproval: They may not be made.
        MailError: The server does not make one.
    """
    known = await desk.labels()
    if any(name.casefold() not in known for name in names):
        known = await desk.labels(fresh=True)
    for name in dict.fromkeys(names):
        if name.casefold() not in known:
            await _make(desk, name, consent, run_id)
    known = await desk.labels()
    return {name: known[name.casefold()]["id"] for name in names}


async def _make(desk: AccountSession, name: str, consent: Consent, run_id: str | None) -> None:
    shown = not name.startswith((PROCESSED, _TRIAGED)) and snoozed_until(name) is None
    new = NewAction(
        account_id=desk.account,
        message_id="",
        action_type=MAKE_LABEL,
        payload={"name": name},
        run_id=run_id,
        level=f"L{consent.level}" if consent.by == "level" else None,
        why=consent.why,
        user_confirmed=consent.by == "user",
    )
    planned = record(desk, [new])
    given = await desk.gate.ask(make_label(desk.account, name, shown=shown), consent)
    if not isinstance(given, Pass):
        reason = given.reason if isinstance(given, Refused) else "It waits for your agreement."
        give_up(desk, planned, reason)
        raise NeedsApproval(reason)
    try:
        answer = await desk.writer.write_label(given)
    except (BadArgument, NotFound, NeedsApproval) as error:
        give_up(desk, planned, error.message)
        raise
    write_down(desk, [Outcome(action_id=planned[0].action_id)])
    label = answer.get("label")
    known = await desk.labels()
    if label is not None:
        known[name.casefold()] = label
