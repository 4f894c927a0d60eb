"""What a listing of mail shows that its owner did: answered, starred, put away unread, read. Entry: `owner_actions_in`.

Only labels, dates and threads are looked at; what an action may teach is in `meant`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaia_email.cascade.verdict import Bucket
from gaia_email.mailbox.contact_graph import parse_date
from gaia_mail.exchanged import was_exchanged

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary

OwnerAction = Literal["answered", "starred", "archived_unread", "read"]
WORDS: Mapping[OwnerAction, str] = {
    "answered": "you answered it at once",
    "starred": "you starred it",
    "archived_unread": "you put it away unread",
    "read": "you read it",
}
"""An action in words."""

LEFT_ALONE: tuple[OwnerAction, ...] = ("read",)
"""Actions that the inbox alone shows: nothing else has to be read for them."""

AT_ONCE_S, SETTLED_S, BACK_S = 4 * 3600.0, 86_400.0, 30 * 86_400.0
"""An answer within four hours is one at once; mail of a day or older and up to thirty days old is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandledMessage:
    """A message of somebody else's, and what its owner did with it."""

    summary: Summary
    action: OwnerAction


def owner_actions_in(
    summaries: Iterable[Summary], owner: Collection[str], now: float
) -> list[HandledMessage]:
    """What was done with the mail of the last thirty days, newest first; `owner` is in lower case."""
    mail = list(summaries)
    answers: defaultdict[str, list[float]] = defaultdict(list)
    for one in mail:
        date = parse_date(one["date"])
        if date is not None and one["from"]["address"].lower() in owner and was_exchanged(one):
            answers[one["thread_id"]].append(date)
    found: list[tuple[float, HandledMessage]] = []
    for one in mail:
        date = parse_date(one["date"])
        theirs = one["from"]["address"].lower() not in owner and "SENT" not in one["labels"]
        if date is None or not theirs or not was_exchanged(one) or not SETTLED_S <= now - date <= BACK_S:
            continue
        action = _action(one["labels"], date, answers.get(one["thread_id"], ()))
        if action is not None:
            found.append((date, HandledMessage(summary=one, action=action)))
    return [done for _, done in sorted(found, key=lambda pair: -pair[0])]


def _action(labels: Collection[str], date: float, answers: Sequence[float]) -> OwnerAction | None:
    if any(0 < answer - date <= AT_ONCE_S for answer in answers):
        return "answered"
    if "STARRED" in labels:
        return "starred"
    if "INBOX" not in labels:
        return "archived_unread" if "UNREAD" in labels else None
    return None if "UNREAD" in labels else "read"


def meant(action: OwnerAction, was: Bucket) -> Bucket | None:
    """Where an action says that a message of bucket `was` belongs; None where it says nothing.

    An action that agrees counts, too: what was read and left alone holds what resembles it in place. None makes
    anything urgent, and what is urgent is put away by none: one may be too late for it.
    """
    if action in ("answered", "starred"):
        return was if was in ("urgent", "actionable") else "actionable"
    if action == "archived_unread":
        return None if was == "urgent" else "low_priority"
    return was


def owner_action_of(features: Mapping[str, object]) -> OwnerAction | None:
    """The action that a lesson was drawn from; None for what the owner said."""
    return next((action for action in WORDS if action == features.get("deed")), None)
