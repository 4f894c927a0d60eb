"""Estimate how likely the bucket is right, up to 0.99; below 0.6 the verdict counts as unsure. Entry: `estimate`.

If the learned model has decided, this is its calibrated probability. If rules decided alone, it comes from a
table of their known reliability: headers of bulk mail are nearly certain, a plain question is quite certain,
a long letter without a clear ask is not.
"""

from __future__ import annotations

from gaia_understanding.cascade.priority import RuleFindings
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.wording.certainty import MOST

_KNOWN_LANGUAGES = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})
_LONG = 2_500


def estimate(found: RuleFindings, bucket: Bucket) -> float:
    """Start from what decided the bucket, then subtract for what makes a rule unreliable."""
    facts = found.facts
    if found.opinion is not None and bucket == found.opinion.bucket:
        return min(MOST, found.opinion.confidence)
    if found.phishing.score >= 0.5:
        value = 0.55 + 0.4 * found.phishing.score
    elif found.spam >= 0.5:
        value = 0.5 + 0.4 * found.spam
    elif facts.sender.is_owner or facts.context.answered or _invitation(found):
        value = 0.85
    elif found.category.category != "primary":
        value = _machine(found)
    else:
        value = _person(found, bucket)
    if facts.prepared.language and facts.prepared.language not in _KNOWN_LANGUAGES:
        value -= 0.2
    if facts.message.encrypted or (not facts.prepared.normalized.strip() and not facts.entities.meeting):
        value -= 0.2
    if 0.3 <= found.phishing.score < 0.5 or 0.3 <= found.spam < 0.5:
        value -= 0.12
    if found.injection.score >= 0.5:
        value -= 0.1
    if not facts.sender.address:
        value -= 0.1
    return round(max(0.1, min(0.97, value)), 3)


def _invitation(found: RuleFindings) -> bool:
    """Return True for a calendar object, which says what it is."""
    meeting = found.facts.entities.meeting
    return meeting is not None and meeting.source == "ics" and bool(meeting.method)


def _machine(found: RuleFindings) -> float:
    facts = found.facts
    value = 0.6 + 0.25 * found.category.margin
    if facts.lists.unsubscribe is not None or facts.lists.automatic:
        value += 0.08
    if found.category.category in ("newsletters", "promotions", "social") and facts.lists.bulk:
        value += 0.06
    if found.alert.kind in ("do", "signup", "check", "know"):
        value -= 0.08
    return value


def _person(found: RuleFindings, bucket: Bucket) -> float:
    facts, request = found.facts, found.acts.probabilities["request"]
    if bucket in ("urgent", "actionable"):
        value = 0.5 + 0.3 * request
        value += 0.06 * (facts.sender.audience == "me")
        value -= 0.05 * (bucket == "urgent" and found.urgency.score < 0.6)
        return value
    value = 0.74 - 0.3 * request
    if facts.lists.discussion:
        value = max(value, 0.72)
    if len(facts.prepared.normalized) > _LONG:
        value -= 0.06
    return value
