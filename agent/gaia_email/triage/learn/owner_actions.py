"""Detect the owner's actions in a listing: answered, starred, archived unread, read. Entry: `owner_actions_in`.

Uses only labels, dates and threads; `infer_bucket` decides what an action teaches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaia_email.mailbox.contact_graph import parse_date
from gaia_mail.exchanged import was_exchanged
from gaia_understanding.cascade.verdict import Bucket

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary

OwnerAction = Literal["answered", "starred", "archived_unread", "read"]
WORDS: Mapping[OwnerAction, str] = {
    "answered": "you answered it at once",
    "starred": "you starred it",
    "archived_unread": "you put it away unread",
    "read": "you read it",
}
"""Description of each action."""

LEFT_ALONE: tuple[OwnerAction, ...] = ("read",)
"""Actions that the inbox alone shows, so that no other mail needs to be read."""

AT_ONCE_S, SETTLED_S, BACK_S = 4 * 3600.0, 86_400.0, 30 * 86_400.0
"""An answer within four hours is immediate; only mail between one and thirty days old is considered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandledMessage:
    """A received message, and the owner's action on it."""

    summary: Summary
    action: OwnerAction


def owner_actions_in(
    summaries: Iterable[Summary], owner: Collection[str], now: float
) -> list[HandledMessage]:
    """Return the owner's actions on mail of the last thirty days, newest first; `owner` is in lower case."""
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


def infer_bucket(action: OwnerAction, was: Bucket) -> Bucket | None:
    """Return the bucket that an action implies for a message in bucket `was`; None if it implies none.

    Confirmation counts too: a message that was read and left alone keeps similar ones in place. No action makes mail
    urgent or removes urgent mail, since an action may come too late for it.
    """
    if action in ("answered", "starred"):
        return was if was in ("urgent", "actionable") else "actionable"
    if action == "archived_unread":
        return None if was == "urgent" else "low_priority"
    return was


def owner_action_of(features: Mapping[str, object]) -> OwnerAction | None:
    """Return the action that a lesson was drawn from; None for the owner's own correction."""
    return next((action for action in WORDS if action == features.get("deed")), None)
