"""Ask the owner short questions about mail, and measure what the answers change.

Entries: `TeachingSession`, `pool_of`.

Every answer is stored at once, so that nothing is lost by leaving. Every fifth is held back for measuring: the product
has to predict it from the other answers alone before it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gaia_email.document import Count, Document
from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email.ledger.policy_store import NOT_SAID, PolicyStore, owners_of, says_of
from gaia_email.triage.inbox import FoundMessage, Inbox
from gaia_email.triage.learn.agreement import MEASURED
from gaia_email.triage.learn.corrections import correct
from gaia_email.triage.learn.questions import QuestionCandidate, choose
from gaia_email_registry.contract.wire import Summary
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.model.conventions import kinds_of
from gaia_understanding.cascade.verdict import Bucket, Convention, Verdict

QUESTIONS = 20
POOL = 80
"""Number of least certain messages from which the questions are chosen."""
_HELD = 5
_SAME_EACH_TIME = 3
_SUSPECTED = 0.5


class HeldBackAgreement(Document, frozen=True, kw_only=True):
    """The number of held-back answers that match the verdict, before and after learning from the others."""

    held_back: Count = 0
    before: Count = 0
    after: Count = 0


class Habit(Document, frozen=True, kw_only=True):
    """A kind of mail that was answered the same each time; a candidate for a convention."""

    kind: Convention
    bucket: Bucket
    answers: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedThread:
    """A thread of the inbox that was not asked about but is now in another bucket."""

    summary: Summary
    was: Bucket
    bucket: Bucket


def pool_of(inbox: Inbox, answered: Iterable[str]) -> list[str]:
    """Return the messages that could be asked about, least certain first, without suspicious or answered ones."""
    known = set(answered)
    items = [
        item
        for bucket in inbox.buckets.values()
        for item in bucket
        if item.summary["id"] not in known and not suspicious(item.verdict)
    ]
    items.sort(key=lambda item: item.verdict.confidence)
    return [item.summary["id"] for item in items[:POOL]]


def suspicious(verdict: Verdict) -> bool:
    """Return True if a message is marked as phishing, spam or prompt injection; these teach nothing."""
    flags = verdict.flags
    return max(flags.phishing.score, flags.injection.score, flags.spam) >= _SUSPECTED


def chosen_of(founds: Sequence[FoundMessage], count: int, tier: BuiltinTier) -> list[FoundMessage]:
    """Return the messages whose answers teach most, in the order to ask them."""
    by_id = {found.summary["id"]: found for found in founds}
    candidates = [
        QuestionCandidate(
            key=found.summary["id"],
            sender=found.summary["from"]["address"],
            seen=tier.extract_owner_features(found.understood.prepared, found.context),
            kinds=kinds_of(tier.findings(found.understood.prepared, found.context)),
        )
        for found in founds
    ]
    return [by_id[one.key] for one in choose(candidates, count)]


def answered_in(ledger: Ledger, account: str) -> set[str]:
    """Return the messages of an account that the owner has corrected or confirmed."""
    with ledger.read() as tx:
        said = ledger.corrections.since(tx, account_id=account)
        return {one.message_id for one in said if one.source != NOT_SAID}


@dataclass(slots=True, kw_only=True)
class TeachingSession:
    """The questions of one session and the answers so far."""

    ledger: Ledger
    tier: BuiltinTier
    questions: Sequence[FoundMessage]
    answers: dict[str, Bucket] = field(default_factory=dict[str, Bucket])
    skipped: int = 0

    def answer(self, found: FoundMessage, bucket: Bucket, *, actor: str) -> None:
        """Store an answer at once."""
        correct(self.ledger, found, bucket, actor=actor)
        self.answers[found.summary["id"]] = bucket

    @property
    def held_back(self) -> list[FoundMessage]:
        """Every fifth of the answered questions."""
        answered = [one for one in self.questions if one.summary["id"] in self.answers]
        return answered[_HELD - 1 :: _HELD]

    def agreement(self, shown: Mapping[str, Bucket] | None = None) -> HeldBackAgreement:
        """Compare the held-back answers with the verdicts before and after learning from all other lessons.

        Args:
            shown: The bucket of each message when it was asked about; None if nothing was learned since.
        """
        held = {found.summary["id"]: found for found in self.held_back}
        stood = {key: found.understood.verdict.bucket for key, found in held.items()} | dict(shown or {})
        before = sum(stood[key] == self.answers[key] for key in held)
        after = sum(self._said_without(held, found) == self.answers[key] for key, found in held.items())
        return HeldBackAgreement(held_back=len(held), before=before, after=after)

    def habits(self) -> list[Habit]:
        """Return kinds of mail with at least three answers, all the same, that mostly differ from the verdict."""
        said: dict[Convention, list[tuple[Bucket, Bucket]]] = {}
        for found in self.questions:
            bucket = self.answers.get(found.summary["id"])
            if bucket is not None:
                findings = self.tier.findings(found.understood.prepared, found.context)
                for kind in kinds_of(findings):
                    said.setdefault(kind, []).append((found.understood.verdict.bucket, bucket))
        return [
            Habit(kind=kind, bucket=pairs[0][1], answers=len(pairs))
            for kind, pairs in said.items()
            if len(pairs) >= _SAME_EACH_TIME
            and len({bucket for _, bucket in pairs}) == 1
            and 2 * sum(was == bucket for was, bucket in pairs) < len(pairs)
        ]

    def note(self, agreement: HeldBackAgreement, account: str, *, actor: str) -> None:
        """Store the measured agreement for statistics over time; does nothing if no answer was held back."""
        if not agreement.held_back:
            return
        payload = {
            "held_back": agreement.held_back,
            "before": agreement.before,
            "after": agreement.after,
        }
        with self.ledger.write() as tx:
            event = NewLedgerEvent(kind=MEASURED, actor=actor, account_id=account, payload=payload)
            self.ledger.events.append(tx, event)

    def _said_without(self, held: Mapping[str, FoundMessage], found: FoundMessage) -> Bucket:
        account, message = found.summary["account"], found.summary["id"]
        with self.ledger.read() as tx:
            behaviour = PolicyStore(self.ledger).read(tx).policy.behaviour
            kept = [
                one
                for one in self.ledger.corrections.since(tx, account_id=account)
                if one.message_id not in held and (behaviour or one.source != NOT_SAID)
            ]
        owners, sender = owners_of(kept), found.summary["from"]["address"]
        verdict = self.tier.judge(found.understood.prepared, found.context)
        learned = apply_lessons(verdict, owners.of(account) if owners else None, sender)
        return says_of(kept).judge(account, message, sender, learned).bucket


def find_moved(before: Inbox, after: Inbox, asked: Iterable[str]) -> list[MovedThread]:
    """Return the threads whose bucket changed, without those that were asked about."""
    known = set(asked)
    was: dict[str, Bucket] = {
        item.summary["id"]: bucket for bucket, items in before.buckets.items() for item in items
    }
    return [
        MovedThread(summary=item.summary, was=was[item.summary["id"]], bucket=bucket)
        for bucket, items in after.buckets.items()
        for item in items
        if item.summary["id"] not in known and was.get(item.summary["id"], bucket) != bucket
    ]
