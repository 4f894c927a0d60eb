"""Apply an owner's lessons to a verdict, in one pure function. Entries: `apply_lessons`, `placements`.

The stored verdict is the one without lessons, so that no lesson voids it: lessons are applied each time it is
read. Possible fraud and advertising never become urgent; mail marked as fraud or spam keeps its mark and can
only be moved to `low_priority` with it; mail that addresses machines keeps its bucket.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_understanding.cascade.bands import BASE, lower_score, within
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Lean, OwnerModel, Placement, Signal, Verdict
from gaia_understanding.cascade.wording.certainty import MOST

if TYPE_CHECKING:
    from gaia_understanding.cascade.fading import PastDate
    from gaia_understanding.cascade.priority import Ranking, RuleFindings

_YES, _DOUBTED = 0.5, 0.3
_WEIGHT = 0.3
_NEEDED: tuple[Bucket, ...] = ("urgent", "actionable")


def apply_lessons(verdict: Verdict, model: OwnerModel | None, sender: str) -> Verdict:
    """Return the verdict after the lessons; unchanged if they do not move it or were applied before.

    Args:
        verdict: The product's own.
        model: The owner's lessons; None if there are none.
        sender: The address of the message's sender, as written there.
    """
    known = verdict.teachable
    if model is None or known is None or not known.placements or verdict.flags.injection.score >= _YES:
        return verdict
    lean = model.lean(known.seen)
    if lean is None or not _may_move(verdict, lean.bucket):
        return verdict
    from gaia_understanding.cascade.priority import (  # imported late: lessons move few messages
        EVIDENCE_CHARS,
        SIGNALS,
        heaviest_first,
    )
    from gaia_understanding.cascade.wording.reason import fit

    placement = known.placements[BUCKETS.index(lean.bucket)]
    up = BUCKETS.index(lean.bucket) < BUCKETS.index(lean.was)
    name = "like_your_deeds" if lean.noticed else "like_your_corrections"
    own = Signal(name=name, weight=_WEIGHT if up else -_WEIGHT, evidence=sender[:EVIDENCE_CHARS].rstrip())
    signals = sorted((*verdict.priority.signals, *((own,) if own.evidence else ())), key=heaviest_first)
    score = within(lean.bucket, BASE + sum(signal.weight for signal in signals))
    if placement.late or placement.bucket != lean.bucket:
        score = lower_score(score, lean.bucket, placement.bucket)
    warned = verdict.flags.phishing.score >= _YES
    return replace(
        verdict,
        bucket=placement.bucket,
        confidence=min(MOST, round(lean.chance, 3)),
        is_over=placement.late,
        needs_reply=known.awaits and lean.bucket in _NEEDED,
        priority=replace(
            verdict.priority,
            score=score,
            reason=fit(placement.said if warned else f"{_because(lean)}{placement.said}", placement.ending),
            signals=tuple(signals[:SIGNALS]),
        ),
        teachable=replace(known, placements=()),
    )


def placements(found: RuleFindings, ranking: Ranking, parts: tuple[str, str]) -> tuple[Placement, ...]:
    """Return the message's placement in each bucket; none if no lesson may move it (own, answered, automatic mail).

    `parts` are the parts of its reason in its present bucket (`wording.reason.parts_for`).
    """
    facts = found.facts
    if facts.sender.is_owner or facts.context.answered or facts.lists.auto_reply:
        return ()
    from gaia_understanding.cascade.fading import fade
    from gaia_understanding.cascade.priority import Opinion, Ranking, warns
    from gaia_understanding.cascade.wording.reason import parts_for

    says_the_same = warns(found) or found.spam >= _YES or found.pastime is not None
    # A reason depends on whether the user is needed and on the past date, not on the bucket itself.
    known: dict[tuple[bool, PastDate | None], tuple[str, str]] = {}
    if says_the_same or (
        found.opinion is not None
        and (found.opinion.bucket in _NEEDED) == ranking.needed
        and found.needs_reply == (found.awaits and ranking.needed)
    ):
        known[ranking.needed, ranking.late] = parts
    made: list[Placement] = []
    for bucket in BUCKETS:
        now, late = fade(facts, found.urgency, bucket)
        if bucket == "low_priority":  # its reason is that of `informational`
            made.append(replace(made[-1], bucket=now, late=late is not None))
            continue
        key = bucket in _NEEDED, late
        if key not in known:
            there = Ranking(bucket=now, own=bucket, score=ranking.score, signals=(), late=late)
            opinion, needs_reply = Opinion(bucket=bucket, confidence=0.0), found.awaits and key[0]
            as_if = found if says_the_same else replace(found, opinion=opinion, needs_reply=needs_reply)
            known[key] = parts_for(as_if, there)
        said, ending = known[key]
        made.append(Placement(bucket=now, late=late is not None, said=said, ending=ending))
    return tuple(made)


def _may_move(verdict: Verdict, bucket: Bucket) -> bool:
    if bucket == "low_priority":
        return True
    suspected = max(verdict.flags.phishing.score, verdict.flags.spam)
    if suspected >= _YES:
        return False
    return bucket != "urgent" or not (suspected >= _DOUBTED or verdict.content_category == "promotions")


def _because(lean: Lean) -> str:
    from gaia_understanding.cascade.wording.reason import spell_number

    if lean.noticed:
        return f"Because of what you did with {spell_number(lean.noticed)} like it: "
    return f"Because you corrected {spell_number(lean.alike)} like it: "
