"""A thread of the inbox: its messages, the one that stands for it, and whose messages are shown. Entry: `item_of`."""

from __future__ import annotations

from dataclasses import dataclass

from gaia_email.cascade.verdict import BUCKETS, WARNINGS, Bucket, Verdict, WarningName
from gaia_email.policy.model import Decision, MessageFacts
from gaia_email.policy.user_rules import UserRules
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.address import parse_addresses
from gaia_mail.subjects import base_subject

REPLY_TO = "reply-to"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMember:
    """A message of a thread that is shown, and what would be done with it where the thread is."""

    summary: Summary
    verdict: Verdict
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxItem:
    """One thread of the inbox, represented by the message that decides its bucket.

    Attributes:
        members: Every message of the thread that is shown, the representative among them.
        also_in: Other accounts that the same message came to, where several are looked at together.
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
        """What the person should be warned of in any message of the thread, the gravest first."""
        found = {name for member in self.members for name in member.verdict.flags.warnings}
        return tuple(name for name in WARNINGS if name in found)

    @property
    def others(self) -> tuple[ThreadMember, ...]:
        """The messages besides the representative."""
        return tuple(one for one in self.members if one.summary["id"] != self.summary["id"])

    @property
    def unsure(self) -> bool:
        """Whether the person should look at this themselves."""
        return self.decision.unsure


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMessage:
    """A message and its own verdict; `content_hash` tells whether its bytes are still those that were judged.

    `is_taught`: what the owner taught has moved it.
    """

    summary: Summary
    verdict: Verdict
    facts: MessageFacts
    date: float | None
    content_hash: str
    is_taught: bool = False


def rank(item: InboxItem) -> tuple[float, float, str]:
    """What threads of one bucket are sorted by: the most pressing first, of equals the newest."""
    return (
        -item.verdict.priority.score,
        item.age_s if item.age_s is not None else float("inf"),
        item.summary["id"],
    )


def same_message(summary: Summary) -> str:
    """Return a text that is equal for copies of one message in several accounts; empty if it has no Message-ID.

    A Message-ID alone is no proof, since anybody may write one that somebody else used.
    """
    if not summary["message_id"]:
        return ""
    subject, _ = base_subject(summary["subject"])
    return "\n".join((summary["message_id"], summary["from"]["address"].lower(), subject))


def item_of(
    messages: list[JudgedMessage], owner: frozenset[str], rules: UserRules, now: float
) -> InboxItem | None:
    """Return the thread as a row of the inbox, or None if it is only copies of what the user sent.

    What presses most stands for the thread, of equals what is not over, then the newest; a message with a warning
    only if all have one, so that nobody who joins a conversation speaks in the place of its people.
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
    """True if the message is a copy of what the user sent to others: by a mailing list, by Bcc or Cc to oneself.

    What a form, a scanner or the user wrote to the user's own address is a message like others, and so is what names
    another address to answer to. Whatever has a warning is shown, since anybody may write any address.
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
