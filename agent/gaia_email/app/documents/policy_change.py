"""The document of a change of the policy, and what it would have meant.

Entries: `ChangedSetting`, `change_document`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from gaia_email.app.documents.classify import Json
from gaia_email.cascade.verdict import Bucket
from gaia_email.cascade.wording.certainty import capped
from gaia_email.document import (
    Count,
    FromAddress,
    FromText,
    Level,
    PlanAction,
    PlanMode,
    Stated,
    Version,
    clean,
)

if TYPE_CHECKING:
    from collections import Counter

    from gaia_email.policy.backtest import BackTest, BacktestDifference
    from gaia_email.policy.model import Decision


class ModeCount(TypedDict):
    """How many messages an action would be planned for, and how."""

    mode: PlanMode
    action: PlanAction
    count: Count


class WouldRow(TypedDict):
    """What would be done with a message."""

    cohort: str
    level: Level
    mode: PlanMode
    action: PlanAction


class DifferenceRow(FromAddress):
    """A past message with which something else would be done."""

    id: str
    subject: str
    confidence: Stated
    bucket: Bucket
    before: WouldRow
    after: WouldRow


class BackTestRow(TypedDict):
    """What a change would have meant for past mail."""

    total: Count
    changed: Count
    newly_applied: Count
    moved: Count
    unknown: Count
    before: list[ModeCount]
    after: list[ModeCount]
    borderline: list[DifferenceRow]


class ChangeRow(FromText):
    """What is changed, in words."""

    what: str
    name: str
    to: str


class ChangeDocument(TypedDict):
    """What commands that change the policy print; `same` says that it is so already."""

    schema_version: Version
    saved: bool
    version: Count
    needs_yes: bool
    same: bool
    change: ChangeRow
    backtest: BackTestRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSetting:
    """What is changed, in words: `what` of `name`, `before` to `after`; `of_cohort` says that `name` is a cohort."""

    what: str
    name: str = ""
    before: str = ""
    after: str = ""
    of_cohort: bool = False

    @property
    def payload(self) -> Json:
        """For the event log."""
        named: Json = {"cohort": self.name} if self.of_cohort else {"name": self.name}
        return {"what": self.what, **named, "from": self.before, "to": self.after}

    @property
    def row(self) -> ChangeRow:
        """For a document."""
        return {
            "what": self.what,
            "name": clean(self.name),
            "from": clean(self.before),
            "to": clean(self.after),
        }


def backtest_row(tried: BackTest) -> BackTestRow:
    """What a change would have meant for past mail."""
    return {
        "total": tried.total,
        "changed": tried.changed,
        "newly_applied": tried.newly_applied,
        "moved": tried.moved,
        "unknown": tried.unknown,
        "before": _counts(tried.before),
        "after": _counts(tried.after),
        "borderline": [_difference(one) for one in tried.borderline],
    }


def _counts(counted: Counter[tuple[PlanMode, PlanAction]]) -> list[ModeCount]:
    return [
        {"mode": mode, "action": action, "count": count}
        for (mode, action), count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    ]


def _difference(one: BacktestDifference) -> DifferenceRow:
    return {
        "id": clean(one.facts.message_id),
        "from": {"name": clean(one.facts.sender_name), "address": clean(one.facts.sender)},
        "subject": clean(one.facts.subject),
        "confidence": capped(one.judged.confidence),
        "bucket": one.judged.bucket,
        "before": _would(one.before),
        "after": _would(one.after),
    }


def _would(decision: Decision) -> WouldRow:
    return {
        "cohort": decision.cohort,
        "level": decision.effective_level,
        "mode": decision.mode,
        "action": decision.action,
    }


def change_document(
    change: ChangedSetting, tried: BackTest, *, version: int, needs_yes: bool, same: bool
) -> ChangeDocument:
    """A change that was tried and not saved; `version` is that of the policy as it is now."""
    return {
        "schema_version": 1,
        "saved": False,
        "version": version,
        "needs_yes": needs_yes,
        "same": same,
        "change": change.row,
        "backtest": backtest_row(tried),
    }
