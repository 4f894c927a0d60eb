"""Rank a message: signals make a score and a bucket. Entry: `decide`.

The bucket follows from what is wanted of the user and how soon; the score orders mail within its bucket and
stays inside the bucket's band (`bands`), so that a badge and a bucket never disagree.
"""

from __future__ import annotations

from dataclasses import dataclass

from gaia_understanding.cascade.asks.acts import ActProbabilities
from gaia_understanding.cascade.asks.alerts import Alert
from gaia_understanding.cascade.asks.needs_reply import is_closing, is_owner_named, on_a_list
from gaia_understanding.cascade.asks.urgency import Urgency
from gaia_understanding.cascade.asks.waivers import NO_WAIVERS, Waivers
from gaia_understanding.cascade.bands import BASE, lower_score, within
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.fading import PastDate, fade
from gaia_understanding.cascade.kinds.category import CategoryFinding
from gaia_understanding.cascade.traps.pastime import Pastime
from gaia_understanding.cascade.verdict import (
    Bucket,
    Category,
    Cohort,
    Convention,
    Signal,
    SpeechAct,
    Suspicion,
)

_YES = 0.5
_TRAP = 0.8
"""The score from which a warning is so sure that the mail is worthless; below it, the warning is worth knowing."""
_PRESSING = frozenset({"alarm", "emergency", "blocked", "waiting", "changed_today"})
"""Cues that make mail urgent even if it asks for nothing."""
_ASKED = 0.6
_HINTED = 0.4
_PLAIN = 0.5
"""The margin from which the kind of a mailing is plain."""
SIGNALS = 8
"""The most signals that a verdict names."""
EVIDENCE_CHARS = 160
_CATEGORY_WEIGHTS: dict[Category, float] = {
    "primary": 0.0,
    "notifications": -0.05,
    "receipts": -0.1,
    "social": -0.2,
    "newsletters": -0.25,
    "promotions": -0.3,
}
_CATEGORY_FEATURES: dict[Category, str] = {
    "primary": "",
    "notifications": "cat_notification",
    "receipts": "cat_receipt",
    "social": "cat_social",
    "newsletters": "cat_newsletter",
    "promotions": "cat_promotion",
}
_ACT_WEIGHTS: dict[SpeechAct, float] = {"propose": 0.08, "commit": 0.05, "amend": 0.05}
_CONVENTION_WEIGHT = 0.2
_ALERT_WEIGHTS = {"do": 0.3, "now": 0.35, "code": 0.35, "signup": 0.25, "check": 0.25, "know": 0.2}


@dataclass(slots=True, kw_only=True)
class Opinion:
    """The learned model's bucket and its calibrated probability."""

    bucket: Bucket
    confidence: float


@dataclass(slots=True, kw_only=True)
class RuleFindings:
    """The findings of every rule file for one message; only `model.combine.settle` changes them."""

    facts: RuleFacts
    category: CategoryFinding
    cohort: Cohort
    acts: ActProbabilities
    alert: Alert
    urgency: Urgency
    needs_reply: bool
    phishing: Suspicion
    injection: Suspicion
    spam: float
    waivers: Waivers = NO_WAIVERS
    emergency: str = ""
    """The text that reports one, whether or not anything is asked."""
    pastime: Pastime | None = None
    """The kind of mail that people pass on for luck, fun or sale; None if it is not such mail."""
    opinion: Opinion | None = None
    """The learned model's opinion; None if the rules are certain or there is no model."""
    awaits: bool = False
    """True if the learned model, too, finds that an answer is awaited, whether or not the user is needed."""
    convention: Convention | None = None
    """The owner's convention that moved the message; None if none did."""

    @property
    def unhurried(self) -> bool:
        """True if the mail itself says that there is no hurry or that the reader may leave it."""
        return bool(self.waivers.free) or self.facts.view.has("no_hurry")

    @property
    def waived(self) -> bool:
        """True if the mail itself says that nothing is to be done, and asks for nothing else."""
        return bool(self.waivers.nothing) and all(span.strength < _YES for span in self.acts.requests)


@dataclass(slots=True, kw_only=True)
class Ranking:
    """A bucket, the score inside its band, and the signals behind it, heaviest first.

    `own` is the bucket on the message's own day, before time lowered it; `late` is the past date.
    """

    bucket: Bucket
    own: Bucket
    score: float
    signals: tuple[Signal, ...]
    late: PastDate | None = None

    @property
    def needed(self) -> bool:
        """True if the user was needed on the message's own day."""
        return self.own in ("urgent", "actionable")


def decide(found: RuleFindings) -> Ranking:
    """Choose the bucket by what is wanted, and the score by the sum of signals."""
    signals = _signals(found)
    signals.sort(key=heaviest_first)
    own = bucket_of(found)
    bucket, late = fade(found.facts, found.urgency, own)
    score = within(own, BASE + sum([signal.weight for signal in signals]))
    if late is not None or bucket != own:
        score = lower_score(score, own, bucket)
    return Ranking(bucket=bucket, own=own, score=score, signals=tuple(signals[:SIGNALS]), late=late)


def heaviest_first(signal: Signal) -> float:
    """Return the sort key that puts the heaviest signals first."""
    return -abs(signal.weight)


def bucket_of(found: RuleFindings) -> Bucket:
    """Choose the bucket: warnings and spam first, then the learned model's opinion, if any, then the rules."""
    if warns(found):
        return "low_priority" if found.phishing.score >= _TRAP else "informational"
    if found.spam >= _YES:
        return "low_priority"
    if found.opinion is not None:
        return found.opinion.bucket
    facts = found.facts
    if facts.sender.is_owner or facts.context.answered or facts.lists.auto_reply:
        return "informational"
    category = found.category.category
    if category in ("promotions", "newsletters", "social"):
        return "low_priority"
    if category != "primary":
        return _machine_bucket(found)
    return _personal_bucket(found)


def certain(found: RuleFindings) -> bool:
    """Return True if the rules decide alone.

    They do for a trap, the user's own mail, mail that was answered, an answering machine, a calendar part,
    and a mailing that declares itself one and whose kind is plain: alerts and tickets offer to unsubscribe,
    too.
    """
    facts = found.facts
    if warns(found) or facts.sender.is_owner or facts.context.answered or facts.lists.auto_reply:
        return True
    meeting = facts.entities.meeting
    if meeting is not None and meeting.source == "ics" and bool(meeting.method):
        return True
    return is_plain_mailing(found)


def is_plain_mailing(found: RuleFindings) -> bool:
    """Return True if the mail declares itself a mailing and its kind is plain."""
    mailing = found.category.category in ("promotions", "newsletters", "social")
    return found.facts.lists.bulk and mailing and found.category.margin >= _PLAIN


def warns(found: RuleFindings) -> bool:
    """Return True if the user is to be warned of phishing; plain spam that imitates nobody is only spam."""
    if found.phishing.score < _YES:
        return False
    if found.facts.sender.address in found.facts.context.owner:
        return True
    return found.spam < _YES or found.phishing.score >= found.spam or found.facts.imitates is not None


def asked_of_user(found: RuleFindings) -> bool:
    """Return True if a person asks this user for something; a request to a list or to many is for others."""
    facts = found.facts
    if found.opinion is not None:
        return found.opinion.bucket in ("urgent", "actionable")
    if found.needs_reply:
        return True
    if is_closing(facts, found.acts) or facts.view.has("no_reply_needed") or found.waivers.nothing:
        return False
    audience = facts.sender.audience
    if on_a_list(facts) or audience == "copy":
        return is_owner_named(facts) and found.acts.probabilities["request"] >= 0.8
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method == "REQUEST":
        return True
    needed = 0.8 if audience == "many" else _ASKED
    return found.acts.probabilities["request"] >= needed


def _machine_bucket(found: RuleFindings) -> Bucket:
    meeting = found.facts.entities.meeting
    invited = meeting is not None and meeting.method == "REQUEST"
    if found.waived and not invited:
        return "informational"
    if found.emergency and not found.waivers.nothing and found.facts.shares_domain:
        return "urgent"
    if found.alert.kind == "now" or (found.alert.kind == "do" and found.urgency.score >= _YES):
        return "urgent"
    return "actionable" if found.alert.kind not in ("none", "know") or invited else "informational"


def _personal_bucket(found: RuleFindings) -> Bucket:
    if found.pastime is not None:
        return "low_priority"
    if found.waived:
        return "informational"
    pressing = found.urgency.score >= _YES
    if asked_of_user(found):
        return "urgent" if pressing else "actionable"
    alarmed = pressing and any(cue.name in _PRESSING for cue in found.urgency.cues)
    if alarmed and not found.facts.lists.discussion:
        return "urgent"
    direct = found.facts.sender.audience in ("me", "few") and not found.facts.lists.discussion
    hinted = found.acts.probabilities["request"] >= _HINTED or found.needs_reply
    if direct and hinted and (pressing or found.urgency.deadline):
        return "actionable" if not found.facts.view.has("no_reply_needed") else "informational"
    if found.alert.kind not in ("none", "know") and direct:
        return "actionable"
    return "informational"


_Row = tuple[str, float, str]
"""A signal's name, weight and evidence; a row without evidence is dropped."""


def _signals(found: RuleFindings) -> list[Signal]:
    facts = found.facts
    rows: list[_Row] = []
    if found.phishing.score >= _YES or found.spam >= _YES:
        rows.append(("suspicious_sender", -0.3, _address(facts)))
    else:
        rows.extend([(cue.name, cue.weight * 0.5, cue.evidence) for cue in found.urgency.cues])
    _add_act_rows(rows, found)
    _add_relation_rows(rows, found)
    if found.convention is not None:
        rows.append(("your_convention", _CONVENTION_WEIGHT, _address(facts)))
    category, alert = found.category.category, found.alert.kind
    if category != "primary":
        evidence = facts.view.quote(_CATEGORY_FEATURES[category]) or facts.lists.evidence or _address(facts)
        rows.append((f"{category}_mail", _CATEGORY_WEIGHTS[category], evidence))
    if found.pastime is not None:
        rows.append((found.pastime.kind, -0.2, found.pastime.evidence))
    if alert != "none":
        rows.append((f"alert_{alert}", _ALERT_WEIGHTS[alert], found.alert.evidence))
    return [
        Signal(name=name, weight=round(weight, 3), evidence=evidence[:EVIDENCE_CHARS].rstrip())
        for name, weight, evidence in rows
        if evidence
    ]


def _add_act_rows(rows: list[_Row], found: RuleFindings) -> None:
    facts, view, acts = found.facts, found.facts.view, found.acts
    request = acts.probabilities["request"]
    if request >= 0.3 and not facts.context.answered:
        rows.append(
            ("asks_you" if found.needs_reply else "request", 0.28 * request, acts.sentences["request"])
        )
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method == "REQUEST":
        rows.append(("invitation", 0.25, _verbatim(facts, meeting.summary) or facts.message.subject))
    for act, weight in _ACT_WEIGHTS.items():
        if acts.probabilities[act] >= _YES:
            rows.append((act, weight, acts.sentences[act]))
    if view.has("no_reply_needed"):
        rows.append(("no_reply_needed", -0.15, view.quote("no_reply_needed")))
    if is_closing(facts, acts):
        rows.append(("closing", -0.1, view.quote("thanks_only")))
    if view.has("no_hurry"):
        rows.append(("no_hurry", -0.05, view.quote("no_hurry")))


def _add_relation_rows(rows: list[_Row], found: RuleFindings) -> None:
    facts = found.facts
    context, audience = facts.context, facts.sender.audience
    personal = found.category.category == "primary"
    if found.cohort == "vip":
        rows.append(("vip", 0.15, _address(facts)))
    elif context.written_to and personal:
        rows.append(("correspondent", 0.08, _address(facts)))
    elif context.first_contact and personal:
        rows.append(("first_contact", -0.03, _address(facts)))
    if context.owner_in_thread:
        rows.append(("your_thread", 0.08, facts.message.subject))
    if context.answered:
        rows.append(("answered_already", -0.25, facts.message.subject))
    if audience == "copy":
        rows.append(("copied_in", -0.1, _owner_recipient(facts)))
    elif audience == "me" and personal:
        rows.append(("to_you_alone", 0.05, _owner_recipient(facts)))
    elif audience == "many":
        rows.append(("many_recipients", -0.05, _owner_recipient(facts)))


def _address(facts: RuleFacts) -> str:
    return facts.message.sender.address if facts.message.sender else ""


def _owner_recipient(facts: RuleFacts) -> str:
    recipients, owner = (*facts.message.to[:200], *facts.message.cc[:200]), facts.context.owner
    if len(recipients) == 1:
        return recipients[0].address
    for mailbox in recipients:
        if mailbox.address.lower() in owner:
            return mailbox.address
    return ""


def _verbatim(facts: RuleFacts, text: str) -> str:
    """Return `text` if the subject or body contains it verbatim, else nothing."""
    return text if text and (text in facts.message.subject or text in facts.prepared.normalized) else ""
