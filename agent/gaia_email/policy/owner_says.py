"""What the user said about where mail belongs, put to verdicts on the same message and sender. Entry: `OwnerSays`.

Exact, and no guess: a corrected message is where the user put it, and other mail of its sender follows where the user
said the same of two messages and the rules make that mistake again. A warning of fraud is never weakened by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gaia_email.cascade.bands import within
from gaia_email.cascade.verdict import BUCKETS, Bucket, Signal, Verdict
from gaia_mail.lazy import lazy_pattern

SUSPECTED = 0.5
"""Likelihood of fraud, or of text that speaks to machines, from which a verdict stands whatever was said."""

SURE_OF_MESSAGE, SURE_OF_SENDER = 0.99, 0.9
LEAST_AGREEING = 2
"""Of how many messages of a sender the user has to say the same before other mail of that sender follows."""

SIGNAL = "your_correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class OneCorrection:
    """A message that was in the bucket `was` and belongs in `now`, by the user's word.

    `left_alone` is one that the user read and left in `was`: not a word, but it speaks against a rule about its sender.
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
"""What a reason begins with where likeness to corrections moved the message; what was said of it outweighs that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerSays:
    """The corrections that stand, of all accounts; without arguments, those of a new user.

    Attributes:
        messages: Account and message → where it belongs.
        senders: Account, sender and the bucket of the rules → where it belongs, and how often that was said. Only where
            the user said the same each time, of `LEAST_AGREEING` messages or more, and left fewer alone there.
    """

    messages: Mapping[tuple[str, str], Bucket] = field(default_factory=dict[tuple[str, str], Bucket])
    senders: Mapping[tuple[str, str, Bucket], tuple[Bucket, int]] = field(
        default_factory=dict[tuple[str, str, Bucket], tuple[Bucket, int]]
    )

    @staticmethod
    def of(corrections: Iterable[OneCorrection]) -> OwnerSays:
        """From corrections in the order they were made; of a message the last one counts, and any before left alone."""
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
        """Whether the user said where this message belongs, or mail of its sender that the rules put in `bucket`."""
        return (account, message_id) in self.messages or (account, sender.lower(), bucket) in self.senders

    def judge(self, account: str, message_id: str, sender: str, verdict: Verdict) -> Verdict:
        """The verdict as the user would have it; the same one where nothing was said of such mail."""
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
    """What the owner did, and against what: where the rules would have it."""
    if was == now:
        return f"You said that {whose} belong{'s' if whose == 'this' else ''} in {_NAMES[now]}."
    rules = "the rules would have it" if whose == "this" else "the rules would have this one"
    return f"You moved {whose} to {_NAMES[now]}; {rules} in {_NAMES[was]}."


def _bucket(name: str | None) -> Bucket | None:
    return next((bucket for bucket in BUCKETS if bucket == name), None)
