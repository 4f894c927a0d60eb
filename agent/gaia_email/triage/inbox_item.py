"""A thread of the inbox: its messages and the one that represents it. Entry: `item_of`."""

from __future__ import annotations

from dataclasses import dataclass

from gaia_email.policy.model import Decision, MessageFacts
from gaia_email.policy.user_rules import UserRules
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.address import parse_addresses
from gaia_mail.subjects import base_subject
from gaia_understanding.cascade.verdict import BUCKETS, WARNINGS, Bucket, Verdict, WarningName

REPLY_TO = "reply-to"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMember:
    """A message shown in a thread, with the decision for it in the thread's bucket."""

    summary: Summary
    verdict: Verdict
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxItem:
    """A thread of the inbox, represented by the message that decides its bucket.

    Attributes:
        members: All shown messages of the thread, including the representative.
        also_in: Other accounts that received the same message, in a merged inbox.
    """

    summary: Summary
    verdict: Verdict
    bucket: Bucket
    messages: int
    age_s: float | None
    facts: MessageFacts
    decision: Decision
    members: tuple[ThreadMember, ...] = ()
    also_in: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[WarningName, ...]:
        """The warnings of all messages in the thread, most serious first."""
        found = {name for member in self.members for name in member.verdict.flags.warnings}
        return tuple(name for name in WARNINGS if name in found)

    @property
    def others(self) -> tuple[ThreadMember, ...]:
        """The messages other than the representative."""
        return tuple(one for one in self.members if one.summary["id"] != self.summary["id"])

    @property
    def unsure(self) -> bool:
        """True if the user should check this thread."""
        return self.decision.unsure


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMessage:
    """A message with its own verdict.

    Attributes:
        content_hash: Hash of the judged bytes, to detect changes.
        is_taught: True if the user's corrections have moved it.
    """

    summary: Summary
    verdict: Verdict
    facts: MessageFacts
    date: float | None
    content_hash: str
    is_taught: bool = False


def rank(item: InboxItem) -> tuple[float, float, str]:
    """Return the sort key for threads of a bucket: most pressing first, then newest."""
    return (
        -item.verdict.priority.score,
        item.age_s if item.age_s is not None else float("inf"),
        item.summary["id"],
    )


def same_message(summary: Summary) -> str:
    """Return a text that is equal for copies of one message in several accounts; empty if it has no Message-ID.

    A Message-ID alone is not proof, since anyone can reuse one.
    """
    if not summary["message_id"]:
        return ""
    subject, _ = base_subject(summary["subject"])
    return "\n".join((summary["message_id"], summary["from"]["address"].lower(), subject))


def item_of(
    messages: list[JudgedMessage], owner: frozenset[str], rules: UserRules, now: float
) -> InboxItem | None:
    """Return the thread as a row of the inbox, or None if it has only copies of the user's own messages.

    The most pressing message represents the thread, then one that is not over, then the newest. A message with a
    warning represents it only if all have one, so that no outsider who joins a conversation can speak for it.
    """
    shown = [one for one in messages if not _is_own_copy(one, owner)]
    if not shown:
        return None
    chosen = min(
        shown,
        key=lambda one: (
            bool(one.verdict.flags.warnings),
            BUCKETS.index(one.verdict.bucket),
            one.verdict.is_over,
            -(one.date or 0.0),
            one.summary["id"],
        ),
    )
    bucket = chosen.verdict.bucket
    return InboxItem(
        summary=chosen.summary,
        verdict=chosen.verdict,
        bucket=bucket,
        messages=len(messages),
        age_s=None if chosen.date is None else now - chosen.date,
        facts=chosen.facts,
        decision=rules.decide(chosen.facts, chosen.verdict, bucket, now),
        members=tuple(
            ThreadMember(
                summary=one.summary,
                verdict=one.verdict,
                decision=rules.decide(one.facts, one.verdict, bucket, now),
            )
            for one in shown
        ),
    )


def _is_own_copy(one: JudgedMessage, owner: frozenset[str]) -> bool:
    """Return True if the message is a copy of one that the user sent to others: from a mailing list, or a Bcc or Cc.

    Messages that a form, a scanner or the user sent to the user's own address are not copies, nor are messages with a
    different Reply-To address. Messages with a warning are always shown, since any address can be forged.
    """
    summary = one.summary
    if summary["from"]["address"].lower() not in owner or one.verdict.flags.warnings:
        return False
    recipients = {person["address"].lower() for person in (*summary["to"], *summary["cc"])}
    if "SENT" not in summary["labels"]:
        found = parse_addresses(one.facts.headers.get(REPLY_TO, ""))
        answers_to = {mailbox.address.lower() for mailbox in found} - {""}
        if answers_to - owner - recipients:
            return False
    return bool(recipients - owner - {""})
