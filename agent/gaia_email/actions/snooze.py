"""Snoozed messages: a label at the provider contains the time of their return. Entry points: `snooze`, `wake`.

The label is the only record, so any machine that runs `wake` brings the messages back, and removing the label cancels
the snooze. A message that is in Trash or Spam at that time stays there.
"""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, carry_out, record
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import SNOOZE, WAKE
from gaia_email.actions.labels import ensure_labels
from gaia_email.actions.planning import label_action
from gaia_email.ledger import NewAction
from gaia_email.policy.gate import Consent
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import NotFound, StateConflict
from gaia_mail.snoozing import snooze_label, snoozed_until

PAGE = 500
LATEST_S = 10 * 366 * 86_400.0


async def snooze(
    session: AccountSession,
    ids: Sequence[str],
    until: float,
    *,
    run_id: str | None = None,
    session_id: str | None = None,
) -> AppliedActions:
    """Remove messages from the inbox until a time (epoch seconds), at the user's request.

    Raises:
        BadArgument: The time is in the past, or more than ten years away.
        NotFound: A message does not exist.
        MailError: The server or the ledger fails.
    """
    now = session.ledger.clock()
    if not now < until < now + LATEST_S:
        raise StateConflict("Snooze until a time to come, within ten years.", argument="until")
    read = await session.mail.read_emails(ids, format="summary")
    if read["missing"]:
        raise NotFound(f"No message here has the id {read['missing'][0][:80]!r}.", argument="id")
    name = snooze_label(until)
    made = await ensure_labels(session, [name], Consent(by="user", why="You snoozed it."), run_id=run_id)
    known = await session.labels()
    others = [
        label["id"]
        for label in known.values()
        if snoozed_until(label["name"]) is not None and label["id"] != made[name]
    ]
    new = [
        label_action(
            summary,
            LabelIdChange.of(
                [made[name]], ["INBOX", *(label for label in others if label in summary["labels"])]
            ),
            kind=SNOOZE,
            names=[name],
            run_id=run_id,
            session_id=session_id,
            why="You snoozed it.",
            user_confirmed=True,
        )
        for summary in read["emails"]
    ]
    return await _do(session, new)


async def wake(session: AccountSession, *, run_id: str | None = None) -> AppliedActions:
    """Bring back messages whose snooze has ended: in the inbox, unread, without the label.

    Raises:
        MailError: The server or the ledger fails.
    """
    now = session.ledger.clock()
    total = AppliedActions()
    for label in (await session.labels(fresh=True)).values():
        until = snoozed_until(label["name"])
        if until is None or until > now:
            continue
        new = [
            label_action(
                summary,
                _waking(summary, label["id"]),
                kind=WAKE,
                names=[label["name"]],
                run_id=run_id,
                why="Its time has come.",
                user_confirmed=True,
            )
            for summary in await _carrying(session, label["id"])
        ]
        total.add(await _do(session, new))
        if total.problem is not None or total.halted:
            break
    return total


def _waking(summary: Summary, label: str) -> LabelIdChange:
    labels = summary["labels"]
    away = not {"INBOX", "TRASH", "SPAM"}.isdisjoint(labels)  # already back, or deleted
    return LabelIdChange.of(() if away else ("INBOX", "UNREAD"), (label,))


async def _carrying(session: AccountSession, label: str) -> list[Summary]:
    found: list[Summary] = []
    cursor: str | None = None
    while True:
        # Includes messages in Spam and Trash, which lose the label and stay there.
        page = await session.mail.list_emails(query="in:anywhere", label=label, limit=PAGE, cursor=cursor)
        found += [summary for summary in page["emails"] if label in summary["labels"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


async def _do(session: AccountSession, new: Sequence[NewAction | None]) -> AppliedActions:
    wanted = [action for action in new if action is not None]
    return await carry_out(session, record(session, wanted)) if wanted else AppliedActions()
