"""What triage would do with a message, and how far the user's policy lets it. Entry point: `plan_for`.

Only a plan: nothing here reaches a mailbox. The levels are the defaults of the cohorts; a verdict that is
not sure of itself lowers the level by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_email.cascade.model import Bucket, Cohort, Verdict

DEFAULT_LEVELS: dict[Cohort, int] = {
    "vip": 2,
    "newsletters": 5,
    "social": 5,
    "transactional": 4,
    "first_contact": 1,
    "intra_org": 2,
    "cross_org": 1,
    "default": 2,
}
"""Autonomy level (0 to 5) a cohort starts with."""

LEVEL_NAMES = ("manual", "query only", "suggest per message", "batch suggest", "act with undo", "autonomous")

UNSURE_BELOW = 0.6
"""A verdict below this confidence is shown as unsure and lowers the level by one."""

ACT_FROM_LEVEL = 4
"""From this level labels and archiving are done without asking, and can be undone."""

Action = Literal["reply", "do", "label", "archive", "warn", "keep"]
Mode = Literal["apply", "review", "suggest", "leave"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One planned step. `mode`: `apply` it (with undo), put it up for `review`, `suggest` it, or `leave` it."""

    action: Action
    label: str
    level: int
    mode: Mode


_ACTIONS: dict[Bucket, Action] = {
    "urgent": "do",
    "actionable": "do",
    "informational": "label",
    "low_priority": "archive",
}


def is_unsure(verdict: Verdict) -> bool:
    """Whether the person should look at this verdict themselves."""
    return verdict.confidence < UNSURE_BELOW


def plan_for(verdict: Verdict, bucket: Bucket) -> Step:
    """The step for a message that ended in `bucket` (a thread's bucket may differ from the message's own)."""
    level = DEFAULT_LEVELS[verdict.cohort]
    if is_unsure(verdict):
        level = max(0, level - 1)
    action: Action = _ACTIONS[bucket]
    if verdict.flags.phishing.score >= 0.5 or verdict.flags.injection.score >= 0.5:
        action = "warn"
    elif action == "do" and verdict.needs_reply:
        action = "reply"
    return Step(action=action, label=f"gaia/{bucket}", level=level, mode=_mode(action, level))


def _mode(action: Action, level: int) -> Mode:
    if action == "warn" or level <= 1:
        return "leave"
    if action in ("reply", "do"):
        return "suggest"
    if level >= ACT_FROM_LEVEL:
        return "apply"
    return "review" if level == 3 else "suggest"
