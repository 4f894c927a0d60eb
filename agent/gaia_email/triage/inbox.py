"""Sort a mailbox into an inbox: every thread in a bucket, with a reason. Entry points: `triage`, `look_up`.

Two passes: first the summaries of all mail (who writes to whom, which thread waits for an answer), then the inbox
messages themselves, a hundred at a time. Both come from the mailbox or from its copy in the ledger
(`gaia_email.mailbox.mail_copy`). Time is relative to the mailbox's newest message, so the same mail gives the same
inbox on any day (`gaia_understanding.cascade.fading`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from gaia_email.mailbox.contact_graph import ContactGraph, parse_date
from gaia_email.mailbox.reader import IdFinder, MailReader
from gaia_email.policy.model import Decision, MessageFacts
from gaia_email.policy.reading import list_id
from gaia_email.policy.user_rules import TAKEN_BACK, UserRules
from gaia_email.triage.inbox_item import REPLY_TO, InboxItem, JudgedMessage, item_of, rank
from gaia_email.triage.surveying import RECENT_S, look_around, survey_now
from gaia_email.triage.verdict_rows import Judgement, VerdictRows
from gaia_email.triage.which_message import SEVERAL, the_one
from gaia_email_registry.contract.wire import Email, Summary
from gaia_email_registry.errors import NotFound
from gaia_understanding.cascade.understand import (
    Understood,
    content_hash,
    raw_bytes,
    read_raw,
    understand,
    understanding,
)
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Context, Tier
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.steps import Steps, together

if TYPE_CHECKING:
    from gaia_email.triage.uncertain import UncertainMessages
    from gaia_understanding.cascade.answers import ModelCost

READ_BATCH = 100
"""Messages per `read_emails` call; one call for 100 costs a tenth of a hundred calls for one."""

CAUGHT_UP = 1_000
"""Outdated verdicts that one listing renews in addition to those of recent mail; takes a second or two."""

Handled = Callable[[str, Sequence[str]], Collection[str]]
"""Returns the messages that an earlier run has handled, given the account and the message ids of its inbox."""


@dataclass(slots=True, kw_only=True)
class Inbox:
    """The sorted threads by bucket, most pressing first, with counts.

    Attributes:
        account: The account, or several separated by commas.
        total: Messages in the inbox, including files that could not be listed.
        threads: Threads of these messages.
        unreadable: Messages that could not be read.
        unsure: Threads that the user should check.
        handled: Messages left out because an earlier run handled them.
        problems: Error texts for files that could not be listed; counted in `total` and `unreadable` too.
        cost: The cost of asking a language model; None if none is chosen.
        older: Messages whose verdict comes from another version of the program.
        newest: Date of the mailbox's newest message, epoch seconds.
        unsettled: Threads with an unreadable message or a verdict of another version.
        listed: Number of messages, and the dates of the oldest and newest, by thread id.
        buckets: Threads by bucket.
        judged: Every message that could be read.
    """

    account: str
    total: int = 0
    threads: int = 0
    unreadable: int = 0
    unsure: int = 0
    handled: int = 0
    problems: tuple[str, ...] = ()
    cost: ModelCost | None = None
    older: int = 0
    newest: float = 0.0
    unsettled: frozenset[str] = frozenset()
    listed: dict[str, tuple[int, float, float]] = field(default_factory=dict[str, tuple[int, float, float]])
    buckets: dict[Bucket, list[InboxItem]] = field(default_factory=lambda: {bucket: [] for bucket in BUCKETS})
    judged: list[JudgedMessage] = field(default_factory=list[JudgedMessage])

    @property
    def taken_back(self) -> int:
        """Number of messages left alone because the user undid an action on them."""
        members = (member for items in self.buckets.values() for item in items for member in item.members)
        return sum(TAKEN_BACK in member.decision.limits for member in members)


async def triage(
    mail: MailReader,
    tier: Tier,
    *,
    now: float,
    owner: Sequence[str] = (),
    since: float | None = None,
    rules: UserRules | None = None,
    handled: Handled | None = None,
    uncertain: UncertainMessages | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    older_stand: bool = False,
    threads: Collection[str] | None = None,
) -> Inbox:
    """Judge the messages of the inbox and sort its threads.

    Args:
        mail: The mailbox, or its copy in the ledger.
        tier: The tier that judges.
        now: Epoch seconds, for displayed ages; buckets depend on it only for mail from the future.
        owner: The user's addresses; empty to take the account's, or the most frequent recipient.
        since: Only messages dated from then on, epoch seconds.
        rules: The user's policy and switches; None for a new user's.
        handled: Returns the messages that an earlier run has handled; these are not read again.
        uncertain: Takes messages that the tier is unsure of to a local language model, once all are read.
        progress: Callback `(done, total)` for messages; before that `(listed, LISTING)`.
        older_stand: Reuse verdicts of another version for threads without recent mail, if nothing else has changed; up
            to `CAUGHT_UP` of the newest are renewed. `Inbox.older` counts the reused ones.
        threads: Only these threads; None for all. Requires a mailbox that has its messages as rows.
    """
    rules = await (rules or UserRules()).at(mail.labels)
    status, surveyed = await survey_now(mail, owner, threads, progress)
    account = status["account"]
    wanted = [one for one in surveyed.inbox if since is None or (parse_date(one["date"]) or 0) >= since]
    known = handled(account, [summary["id"] for summary in wanted]) if handled else ()
    wanted = [summary for summary in wanted if summary["id"] not in known]
    # Only a server of mail files reports unopened files here; the errors of other servers are of another kind.
    problems = tuple(status["errors"]) if status["provider"] == "local" else ()
    total, unreadable = len(wanted) + len(problems), len(problems)
    result = Inbox(account=account, total=total, unreadable=unreadable, handled=len(known), problems=problems)
    around = partial(_context, acquaintance=surveyed.acquaintance, rules=rules, now=now)
    judging = _Judging(mail=mail, tier=tier, rules=rules, around=around, uncertain=uncertain)
    may_stand = frozenset[str]()
    if older_stand:
        may_stand = _without_recent(wanted, now, 0.0 if threads is None else surveyed.acquaintance.newest)
    result.judged, older = await judging.all_of(wanted, progress, may_stand)
    result.older = len(older)
    result.unreadable += len(wanted) - len(result.judged)
    settled = {one.summary["id"] for one in result.judged} - older
    result.listed = _listed(wanted)
    result.unsettled = frozenset(one["thread_id"] for one in wanted if one["id"] not in settled)
    if uncertain is not None:
        result.cost = await uncertain.settle(account)
        result.judged = [_asked(one, rules, uncertain) for one in result.judged]
    _sort_threads(result, surveyed.acquaintance, rules, now)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judging:
    """Judges messages, or reuses stored verdicts that are still valid."""

    mail: MailReader
    tier: Tier
    rules: UserRules
    around: Callable[[Summary], Context]
    uncertain: UncertainMessages | None = None

    async def all_of(
        self, wanted: Sequence[Summary], progress: Callable[[int, int], None], may_stand: Collection[str]
    ) -> tuple[list[JudgedMessage], set[str]]:
        """Return the judged messages, and which of `may_stand` keep a verdict of another version.

        A message on which the program's own rules fail is left out.
        """
        keeping = VerdictRows(
            self.mail, self.tier, _header_names(self.rules), [summary["id"] for summary in wanted]
        )
        found: dict[str, JudgedMessage] = {}
        unknown: list[Summary] = []
        older, caught_up = set[str](), 0
        for summary in wanted:
            context = self.around(summary)
            kept = keeping.find(summary, context)
            if kept is None and summary["id"] in may_stand:
                kept = keeping.find(summary, context, any_version=True)
                if kept is not None and caught_up < CAUGHT_UP:
                    kept, caught_up = None, caught_up + 1
                if kept is not None:
                    older.add(summary["id"])
            known = None if kept is None else self._judgement(summary, kept)
            if known is None or self._is_uncertain(known):
                unknown.append(summary)
            else:
                found[summary["id"]] = known
        for start in range(0, len(unknown), READ_BATCH):
            batch = {summary["id"]: summary for summary in unknown[start : start + READ_BATCH]}
            emails = (await self.mail.read_emails(list(batch)))["emails"]
            new: list[tuple[Summary, Context, Judgement]] = []
            for outcome in together([self._judging(email, batch[email["id"]]) for email in emails]):
                if outcome.value is None:
                    continue
                summary, context, understood, judged = outcome.value
                with suppress(Exception):
                    found[summary["id"]] = self._judgement(summary, judged)
                    new.append((summary, context, judged))
                    if self.uncertain is not None and self._is_uncertain(found[summary["id"]]):
                        self.uncertain.note(judged.content_hash, understood)
            keeping.store(new)
            progress(min(start + READ_BATCH, len(unknown)), len(unknown))
        progress(len(unknown), len(unknown))
        return [found[summary["id"]] for summary in wanted if summary["id"] in found], older

    def judge_message(
        self,
        summary: Summary,
        email: Email | None,
        account: str,
        now: float,
        kept: VerdictRows | None = None,
    ) -> FoundMessage:
        """Return one message with its verdict and decision; uses earlier answers of a language model, but asks none.

        With `kept`, the last listing's verdict is reused if it is still valid; it has no entities.
        """
        if email is None:
            raise NotFound(f"The message {summary['id']} is no longer there.", argument="id")
        context, rules = self.around(summary), self.rules
        known = kept.find(summary, context) if kept else None
        raw = raw_bytes(email)
        if known is not None and known.content_hash == content_hash(raw):
            from gaia_understanding.prepare.pipeline import (
                prepare,  # imported late: a listing does not need it
            )

            understood = Understood(prepared=prepare(read_raw(email, raw)), verdict=known.verdict)
            facts = rules.facts_again(summary, known.list_id, known.headers)
        else:
            understood = understand(read_raw(email, raw), context, self.tier)
            facts = rules.facts(summary, understood)
        verdict = rules.correct(summary, understood.verdict)
        if self.uncertain is not None and rules.leaves_open(summary, facts, verdict):
            verdict = self.uncertain.recall(account, content_hash(raw), understood, verdict)
        return FoundMessage(
            summary=summary,
            context=context,
            facts=facts,
            understood=replace(understood, verdict=verdict),
            decision=rules.decide(facts, verdict, verdict.bucket, now),
        )

    def _is_uncertain(self, one: JudgedMessage) -> bool:
        """Return True if a language model is to be asked about the message, which requires its text."""
        uncertain = self.uncertain
        if uncertain is None or not uncertain.wants(one.verdict):
            return False
        return self.rules.leaves_open(one.summary, one.facts, one.verdict)

    def _judging(
        self, email: Email, summary: Summary
    ) -> Steps[tuple[Summary, Context, Understood, Judgement]]:
        raw, context = raw_bytes(email), self.around(summary)
        message = read_raw(email, raw)
        yield
        understood = yield from understanding(message, context, self.tier)
        headers, sender = understood.message.headers, understood.message.sender
        judged = Judgement(
            # Thousands of verdicts are in memory until the threads are sorted; a listing shows no entities.
            verdict=replace(understood.verdict, entities=Entities()),
            sender=(sender.address, sender.name) if sender else ("", ""),
            list_id=list_id(headers.get("list-id", "")),
            headers={name: headers[name] for name in _header_names(self.rules) if name in headers},
            content_hash=content_hash(raw),
        )
        return summary, context, understood, judged

    def _judgement(self, summary: Summary, judged: Judgement) -> JudgedMessage:
        learned = self.rules.apply_lessons(summary, judged.verdict)
        return JudgedMessage(
            summary=summary,
            # Thousands of verdicts are in memory until the threads are sorted, and lessons are applied to each only
            # once.
            verdict=replace(self.rules.apply_corrections(summary, learned), teachable=None),
            facts=self.rules.facts_again(summary, judged.list_id, judged.headers),
            date=parse_date(summary["date"]),
            content_hash=judged.content_hash,
            is_taught=learned is not judged.verdict,
        )


def _header_names(rules: UserRules) -> frozenset[str]:
    """Return the header fields that rules ask for, and those that distinguish a form from a copy of one's own mail."""
    return rules.policy.header_names() | {REPLY_TO}


def _listed(wanted: Sequence[Summary]) -> dict[str, tuple[int, float, float]]:
    found: dict[str, tuple[int, float, float]] = {}
    for summary in wanted:
        date = parse_date(summary["date"]) or 0.0
        count, oldest, newest = found.get(summary["thread_id"], (0, date, date))
        found[summary["thread_id"]] = (count + 1, min(oldest, date), max(newest, date))
    return found


def _without_recent(wanted: Sequence[Summary], now: float, newest: float) -> frozenset[str]:
    """Return the messages of threads that are too old for a card's opening view.

    A card dates a thread by the message that decides its bucket, so the limit here is twice `RECENT_S`. `newest` is the
    date of the mailbox's newest message if `wanted` is only a part, else 0.
    """
    dates = {summary["id"]: parse_date(summary["date"]) for summary in wanted}
    newest = min(now, max((newest, *(date for date in dates.values() if date is not None))) or now)
    recent = {
        summary["thread_id"]
        for summary in wanted
        if (date := dates[summary["id"]]) is None or date >= newest - 2 * RECENT_S
    }
    return frozenset(summary["id"] for summary in wanted if summary["thread_id"] not in recent)


def _asked(one: JudgedMessage, rules: UserRules, uncertain: UncertainMessages) -> JudgedMessage:
    """Apply a model's answers to a message, unless the user has decided it.

    Two messages may have the same content while the user has decided only one of them.
    """
    if not rules.leaves_open(one.summary, one.facts, one.verdict):
        return one
    return replace(one, verdict=uncertain.after(one.content_hash, one.verdict))


def _context(summary: Summary, acquaintance: ContactGraph, rules: UserRules, now: float) -> Context:
    sender, date = summary["from"]["address"], parse_date(summary["date"])
    known = acquaintance.history.context(sender, date, summary["thread_id"])
    return rules.context(replace(known, age_s=acquaintance.age_s(date, now)), sender)


def _sort_threads(result: Inbox, acquaintance: ContactGraph, rules: UserRules, now: float) -> None:
    result.newest = acquaintance.newest
    judged: dict[str, list[JudgedMessage]] = {}
    for one in result.judged:
        judged.setdefault(one.summary["thread_id"], []).append(one)
    for messages in judged.values():
        item = item_of(messages, acquaintance.history.owner, rules, now)
        if item is None:
            continue
        result.threads += 1
        result.unsure += item.unsure
        result.buckets[item.bucket].append(item)
    for items in result.buckets.values():
        items.sort(key=rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessage:
    """One message found by its id, with its summary, context, verdict and decision."""

    summary: Summary
    context: Context
    facts: MessageFacts
    understood: Understood
    decision: Decision


async def look_up(
    mail: MailReader,
    tier: Tier,
    message_id: str,
    *,
    now: float,
    owner: Sequence[str] = (),
    rules: UserRules | None = None,
    uncertain: UncertainMessages | None = None,
    entities: bool = True,
) -> FoundMessage:
    """Judge one message again, in the context of its whole mailbox.

    Args:
        mail: The mailbox, or its copy in the ledger.
        tier: The tier that judges.
        message_id: A message id, or an unambiguous prefix.
        now: As for `triage`, and for the switches.
        owner: As for `triage`.
        rules: As for `triage`.
        uncertain: Has a language model's earlier answers; no model is asked.
        entities: True for a verdict with entities. Without them, a verdict stored by a listing is reused.

    Raises:
        NotFound: No message, or more than one, has that id.
    """
    if isinstance(mail, IdFinder):  # fail on a wrong id before any work
        message_id = the_one(
            message_id, await mail.ids_beginning(message_id, limit=SEVERAL) if message_id else []
        )
    found = await look_up_all(
        mail, tier, [message_id], now=now, owner=owner, rules=rules, uncertain=uncertain, entities=entities
    )
    return found[0]


async def look_up_all(
    mail: MailReader,
    tier: Tier,
    message_ids: Sequence[str],
    *,
    now: float,
    owner: Sequence[str] = (),
    rules: UserRules | None = None,
    uncertain: UncertainMessages | None = None,
    entities: bool = True,
) -> list[FoundMessage]:
    """Look up several messages in one pass over the mailbox, in the order of the ids.

    Raises:
        NotFound: No message, or more than one, has one of the ids.
    """
    rules = await (rules or UserRules()).at(mail.labels)
    status = await mail.status()
    acquaintance, summaries = await look_around(mail, status, owner, message_ids)
    emails: dict[str, Email] = {}
    for start in range(0, len(summaries), READ_BATCH):
        batch = [summary["id"] for summary in summaries[start : start + READ_BATCH]]
        emails |= {email["id"]: email for email in (await mail.read_emails(batch))["emails"]}
    around = partial(_context, acquaintance=acquaintance, rules=rules, now=now)
    judging = _Judging(mail=mail, tier=tier, rules=rules, around=around, uncertain=uncertain)
    kept = None
    if not entities:
        kept = VerdictRows(mail, tier, _header_names(rules), [summary["id"] for summary in summaries])
    return [
        judging.judge_message(summary, emails.get(summary["id"]), status["account"], now, kept)
        for summary in summaries
    ]
