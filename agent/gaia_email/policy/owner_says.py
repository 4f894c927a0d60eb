"""Applies the user's corrections to verdicts on the same message or sender. Entry: `OwnerSays`.

Corrections are exact matches, not predictions. A corrected message is in the user's bucket. Other mail from its
sender follows if the user made the same correction for two messages and the rules make the same mistake again. A
correction never weakens a fraud warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.bands import within
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Signal, Verdict

SUSPECTED = 0.5
"""Score of phishing or injection from which corrections are ignored."""

SURE_OF_MESSAGE, SURE_OF_SENDER = 0.99, 0.9
LEAST_AGREEING = 2
"""Number of messages from a sender that must be corrected alike before other mail from that sender follows."""

SIGNAL = "your_correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class OneCorrection:
    """The user's correction of a message from the bucket `was` to `now`.

    `left_alone` marks a message that the user read and did not correct; it counts against a rule about its sender.
    """

    account: str
    message_id: str
    sender: str
    was: str | None
    now: str | None
    left_alone: bool = False


_TAUGHT = lazy_pattern(
    r"^(?:Because you corrected [\w,]+ like it|Because of what you did with [\w,]+ like it"
    r"|As you set for [a-z ]+): "
)
"""Start of a reason if learning moved the message; a direct correction replaces it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerSays:
    """The valid corrections of all accounts; without arguments, those of a new user.

    Attributes:
        messages: Account and message → corrected bucket.
        senders: Account, sender and the bucket of the rules → corrected bucket and number of corrections. Only
            senders with the same correction each time, for at least `LEAST_AGREEING` messages and for more than were
            left alone.
    """

    messages: Mapping[tuple[str, str], Bucket] = field(default_factory=dict[tuple[str, str], Bucket])
    senders: Mapping[tuple[str, str, Bucket], tuple[Bucket, int]] = field(
        default_factory=dict[tuple[str, str, Bucket], tuple[Bucket, int]]
    )

    @staticmethod
    def of(corrections: Iterable[OneCorrection]) -> OwnerSays:
        """Collect corrections, oldest first. A message's last one counts; any outweighs "left alone"."""
        said_last = sorted(corrections, key=lambda one: not one.left_alone)
        last = {(one.account, one.message_id): one for one in said_last}
        messages: dict[tuple[str, str], Bucket] = {}
        said: dict[tuple[str, str, Bucket], Counter[Bucket]] = {}
        left = Counter[tuple[str, str, Bucket | None]]()
        for key, one in last.items():
            was, now = _bucket(one.was), _bucket(one.now)
            if one.left_alone:
                left[one.account, one.sender, was] += 1
                continue
            if now is not None:
                messages[key] = now
            if was is not None and now is not None and one.sender:
                said.setdefault((one.account, one.sender, was), Counter())[now] += 1
        agreed = {
            key: next(iter(found.items()))
            for key, found in said.items()
            if len(found) == 1 and found.total() >= max(LEAST_AGREEING, left[key] + 1)
        }
        return OwnerSays(messages=messages, senders=agreed)

    def covers(self, account: str, message_id: str, sender: str, bucket: Bucket) -> bool:
        """Return True if a correction covers this message, or mail from its sender that the rules put in `bucket`."""
        return (account, message_id) in self.messages or (account, sender.lower(), bucket) in self.senders

    def judge(self, account: str, message_id: str, sender: str, verdict: Verdict) -> Verdict:
        """Return the verdict as corrected by the user, or the same verdict if no correction applies."""
        flags = verdict.flags
        if max(flags.phishing.score, flags.injection.score) >= SUSPECTED:
            return verdict
        bucket = self.messages.get((account, message_id))
        sure, times, whose = SURE_OF_MESSAGE, 0, "this"
        if bucket is None:
            found = self.senders.get((account, sender.lower(), verdict.bucket))
            if found is None:
                return verdict
            bucket, times = found
            sure, whose = SURE_OF_SENDER, f"{times} messages from {sender.lower()}"
        reason = _TAUGHT.sub("", verdict.priority.reason)
        if bucket == verdict.bucket and reason == verdict.priority.reason:
            return verdict
        priority = replace(
            verdict.priority,
            score=within(bucket, verdict.priority.score),
            reason=f"{_moved(whose, verdict.bucket, bucket)} {reason}",
            signals=(Signal(name=SIGNAL, weight=0.0, evidence=sender), *verdict.priority.signals),
        )
        return replace(verdict, bucket=bucket, confidence=sure, priority=priority, is_over=False)


_NAMES: Mapping[Bucket, str] = {
    "urgent": "Urgent",
    "actionable": "Needs you",
    "informational": "Worth knowing",
    "low_priority": "Low priority",
}


def _moved(whose: str, was: Bucket, now: Bucket) -> str:
    """Return the sentence about the correction and the bucket that the rules gave."""
    if was == now:
        return f"You said that {whose} belong{'s' if whose == 'this' else ''} in {_NAMES[now]}."
    rules = "the rules would have it" if whose == "this" else "the rules would have this one"
    return f"You moved {whose} to {_NAMES[now]}; {rules} in {_NAMES[was]}."


def _bucket(name: str | None) -> Bucket | None:
    return next((bucket for bucket in BUCKETS if bucket == name), None)
