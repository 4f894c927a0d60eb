"""Kinds of mail about which people differ, and the owner's bucket for them. Entries: `kinds_of`, `find_convention`.

One owner wants every bill among what needs them, another among what is worth knowing; neither is a mistake.
The owner's setting applies to mail of that kind, below a warning and below what they said about the mail
itself.
"""

from __future__ import annotations

from gaia_understanding.cascade.priority import RuleFindings, warns
from gaia_understanding.cascade.verdict import Bucket, Convention

_YES, _DOUBTED = 0.5, 0.3
_NOTE, _LETTER = 600, 40
"""The most characters of a private note, and the fewest of serious mail."""
_MAILINGS = ("promotions", "newsletters", "social")
_ALARMS = frozenset({"alarm", "emergency", "blocked"})


def kinds_of(found: RuleFindings) -> tuple[Convention, ...]:
    """Return the kinds of a message, the plainest first; none for a mailing or the user's own mail."""
    facts = found.facts
    if facts.sender.is_owner or facts.context.answered or facts.lists.auto_reply or found.pastime is not None:
        return ()
    meeting = facts.entities.meeting
    kinds: list[Convention] = ["calendar"] if meeting is not None and meeting.source == "ics" else []
    if found.category.category in _MAILINGS:
        return tuple(kinds)
    if facts.view.has("bill"):
        kinds.append("bills")
    if facts.sender.audience == "copy":
        kinds.append("copies")
    asked = found.needs_reply or found.acts.probabilities["request"] >= _YES
    alarmed = bool(found.emergency) or any(cue.name in _ALARMS for cue in found.urgency.cues)
    if alarmed and not asked:
        kinds.append("alarming-fyi")
    if found.category.category == "primary" and facts.sender.kind == "person":
        kinds.extend(_letters(found, asked=asked))
    return tuple(kinds)


def _letters(found: RuleFindings, *, asked: bool) -> tuple[Convention, ...]:
    """Return the kinds of a letter from one person, known or not, to this user."""
    facts, length = found.facts, len(found.facts.prepared.normalized)
    dated = bool(found.urgency.deadline) or found.urgency.score >= _YES
    if dated or facts.lists.bulk or facts.lists.list_id or facts.sender.audience == "copy":
        return ()
    if facts.sender.free_mail or not facts.sender.domain:
        return ("private-notes",) if length <= _NOTE and not asked else ()
    return ("undated-business",) if asked and length >= _LETTER else ()


def find_convention(found: RuleFindings, bucket: Bucket) -> tuple[Convention, Bucket] | None:
    """Return the kind for which the owner set another bucket than the message's, and that bucket; None for none.

    Mail marked as fraud, spam or text for machines keeps its bucket; possible fraud does not become urgent.
    """
    conventions = found.facts.context.conventions
    if conventions is None or not conventions.buckets or found.injection.score >= _YES:
        return None
    if warns(found) or max(found.phishing.score, found.spam) >= _YES:
        return None
    kinds = kinds_of(found)
    pairs = [pair for kind in kinds for pair in conventions.buckets if pair[0] == kind]
    if not pairs or pairs[0][1] == bucket:
        return None
    if pairs[0][1] == "urgent" and max(found.phishing.score, found.spam) >= _DOUBTED:
        return None
    return pairs[0]
