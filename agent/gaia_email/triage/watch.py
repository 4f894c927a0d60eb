"""Follows a mailbox and understands every new message as it comes, for months. Entries: `Watch`, `pause_after`.

It lists the mailbox once (who writes to whom, what is there already), then waits for changes over MCP. What
was told is remembered on disk after it was told, so a restart misses nothing; only a crash between the two
can tell one message again. Failures of the server are said once and tried again, slower and slower.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gaia_email.cascade.understand import Understood, content_hash, failure, raw_bytes, read_raw, understand
from gaia_email.cascade.verdict import Tier
from gaia_email.mailbox.contact_graph import OUT_OF_SIGHT, ContactGraph, parse_date
from gaia_email.mailbox.reader import MailReader, Remarking
from gaia_email.mailbox.receiving_server import receivers_of
from gaia_email.policy.model import Decision
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.reported_messages import ReportedMessages
from gaia_email_registry.backoff import pause_s
from gaia_email_registry.contract.wire import (
    Email,
    Label,
    Summary,
    SyncResult,
)
from gaia_email_registry.errors import BadArgument, InternalError, MailError, ProviderError, RateLimited

if TYPE_CHECKING:
    from gaia_email.triage.uncertain import UncertainMessages

WAIT_S = 240.0
"""Seconds a single wait lasts; then the mailbox is looked at anyway."""

PAGE = 500
"""Summaries an answer of `sync_emails`."""

SURVEYED = 2_000
"""Messages of a mailbox that a sample is taken of, to see what its server says of senders."""

READ_BATCH, READ_BYTES = 25, 2_000_000
"""Messages, and bytes of them, that are in memory together at most (a larger one comes alone)."""

FIRST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_THROTTLED_S = 1.0, 4.0, 300.0
"""Seconds before the second try, between tries while the server is away, and while it says that it is asked too often.

A server that is back is noticed within five seconds."""

QUICK_S, LONGEST_REST_S = 5.0, 60.0
"""Waits in a row that end sooner and bring nothing are followed by rests, each longer than the last, up to a minute."""

TRIES = 4
"""Times a message is asked for before it is left out until the next start."""

REOPEN_AFTER = 5
"""Failures in a row after which the server is started anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A new message. `understood` and `decision` are None where `problem` says why it could not be understood."""

    email: Email
    understood: Understood | None
    decision: Decision | None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchHooks:
    """Who is told what.

    Attributes:
        arrived: A new message; when it returns, the message counts as told.
        ready: The mailbox is known, new mail is told from now on: account, messages in the watched folders, and seconds
            between two looks where its server tells nobody of news (0 where it does).
        failed: The first of a row of failures.
        recovered: The first success after one, and the failure it ends.
        left_out: A message (its id) that the server cannot give; it is tried again at the next start.
    """

    arrived: Callable[[Arrival], None]
    ready: Callable[[str, int, float], None] = lambda account, known, poll_s: None
    failed: Callable[[MailError, float], None] = lambda error, pause_s: None
    recovered: Callable[[MailError], None] = lambda error: None
    left_out: Callable[[str, MailError], None] = lambda message_id, error: None


Opener = Callable[[], AbstractAsyncContextManager[MailReader]]


class Watch:
    """One mailbox being watched."""

    def __init__(
        self,
        seen: ReportedMessages,
        tier: Tier,
        hooks: WatchHooks,
        *,
        owner: Sequence[str] = (),
        folders: Sequence[str] = (),
        everything: bool = False,
        rules: Callable[[], UserRules] = UserRules,
        uncertain: UncertainMessages | None = None,
        clock: Callable[[], float] = time.time,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Prepare to watch.

        Args:
            seen: What was told before.
            tier: Who judges.
            hooks: Who is told.
            owner: The user's addresses; empty to take the account's, or the most frequent recipient.
            folders: Names of labels or folders; empty for the inbox.
            everything: On the first run tell what is there already, oldest first.
            rules: Gives the user's policy and switches; asked again for every new mail, since they change.
            uncertain: Takes what the tier is unsure of to a language model of this machine, before it is told.
            clock: Epoch seconds, for the switches.
            pause: How to wait between tries.
        """
        self._seen = seen
        self._tier = tier
        self._hooks = hooks
        self._owner = owner
        self._folders = folders or ("INBOX",)
        self._everything = everything
        self._rules = rules
        self._uncertain = uncertain
        self._clock = clock
        self._pause = pause
        self._failures = 0
        self._failure: MailError | None = None
        self._tries = 0
        self._idle_waits = 0
        self._account = ""
        self._cursor: str | None = None
        self._labels: frozenset[str] = frozenset()
        self._acquaintance = ContactGraph("", owner)
        self._pending: deque[tuple[str, int]] = deque()
        self._ready = False

    async def run(self, open_server: Opener, *, once: bool = False) -> None:
        """Watch until cancelled, or until everything that is there now was told (`once`).

        Raises:
            MailError: What no second try can mend: a folder that does not exist, a login that is refused.
        """
        while True:
            try:
                async with open_server() as mail:
                    if await self._stay(mail, once=once):
                        return
            except (ProviderError, RateLimited, InternalError) as error:
                if once:
                    raise
                await self._failed(error)

    async def _stay(self, mail: MailReader, *, once: bool) -> bool:
        """Rounds with one server; True when it is over, False when the server should be started anew."""
        while True:
            try:
                await self._round(mail, wait=self._ready and not once)
            except (ProviderError, RateLimited, InternalError) as error:
                if once:
                    raise
                await self._failed(error)
                if self._failures % REOPEN_AFTER == 0:
                    return False
                continue
            if self._failure is not None:
                failure, self._failure, self._failures = self._failure, None, 0
                self._hooks.recovered(failure)
            if once:
                return True

    async def _failed(self, error: MailError) -> None:
        self._failures += 1
        self._failure = self._failure or error
        pause = pause_after(error, self._failures)
        if self._failures == 1:
            self._hooks.failed(error, pause)
        await self._pause(pause)

    async def _round(self, mail: MailReader, *, wait: bool) -> None:
        """Catch up, wait a while, tell what has come; nothing while what was told before cannot be noted."""
        if not self._seen.fresh:
            self._seen.commit()
        quick = False
        if self._cursor is None:
            await self._survey(mail)
        elif wait and not self._pending:
            began = self._clock()
            await mail.wait_for_changes(self._cursor, timeout_s=WAIT_S)
            quick = self._clock() - began < QUICK_S
        came = await self._catch_up(mail)
        await self._tell(mail)
        self._seen.commit()
        self._ready = True
        self._idle_waits = self._idle_waits + 1 if quick and not came else 0
        if self._idle_waits > 1:  # one such wait is what a change told twice looks like
            await self._pause(pause_s(self._idle_waits - 1, first_s=FIRST_PAUSE_S, longest_s=LONGEST_REST_S))

    async def _survey(self, mail: MailReader) -> None:
        """List the whole mailbox: learn who writes to whom, and find what was not told yet."""
        status = await mail.status()
        account = self._account = status["account"]
        self._labels = _label_ids(self._folders, await mail.labels())
        silent = self._seen.fresh and not self._everything
        acquaintance = ContactGraph(account, self._owner)
        unknown: list[tuple[float, str, int]] = []
        sampled: list[Summary] = []
        known = 0
        page = await mail.sync_emails(None, limit=PAGE)
        while True:
            for summary in page["added"]:
                if not OUT_OF_SIGHT.intersection(summary["labels"]):
                    acquaintance.note(summary)
                if self._is_watched(summary["labels"]):
                    known += 1
                    if len(sampled) < SURVEYED:
                        sampled.append(summary)
                    if silent:
                        self._seen.add((summary["id"],))
                    elif summary["id"] not in self._seen:
                        unknown.append((parse_date(summary["date"]) or 0.0, summary["id"], summary["size"]))
            if not page["more"]:
                break
            page = await mail.sync_emails(page["cursor"], limit=PAGE)
            if page["reset"]:
                acquaintance, unknown, known = ContactGraph(account, self._owner), [], 0
        acquaintance.close().receivers = await receivers_of(mail, sampled, status["provider"])
        self._seen.commit()
        self._acquaintance = acquaintance
        self._pending = deque((message_id, size) for _, message_id, size in sorted(unknown))
        self._cursor = page["cursor"]
        if not self._ready:
            self._hooks.ready(account, known, mail.poll_s if isinstance(mail, Remarking) else 0.0)

    async def _catch_up(self, mail: MailReader) -> bool:
        """Take in what the server says is new; whether it names anything."""
        more, came = True, False
        while more and self._cursor is not None:
            page = await mail.sync_emails(self._cursor, limit=PAGE)
            if page["reset"]:
                self._cursor = None
                await self._survey(mail)
                return False
            self._take(page)
            came = came or bool(page["added"] or page["changed"] or page["removed"])
            self._cursor, more = page["cursor"], page["more"]
        return came

    def _take(self, page: SyncResult) -> None:
        found: list[tuple[float, str, int]] = []
        for summary in page["added"]:
            if not OUT_OF_SIGHT.intersection(summary["labels"]):
                self._acquaintance.learn(summary)
            if self._is_watched(summary["labels"]) and summary["id"] not in self._seen:
                found.append((parse_date(summary["date"]) or 0.0, summary["id"], summary["size"]))
        found += (
            (0.0, changed["id"], READ_BYTES)
            for changed in page["changed"]
            if self._is_watched(changed["labels"]) and changed["id"] not in self._seen
        )
        self._pending.extend((message_id, size) for _, message_id, size in sorted(found))
        self._seen.discard(page["removed"])

    def _is_watched(self, labels: Sequence[str]) -> bool:
        return not self._labels.isdisjoint(labels)

    async def _tell(self, mail: MailReader) -> None:
        while self._pending:
            batch = self._batch()
            try:
                emails = (await mail.read_emails(batch))["emails"]
            except ProviderError as error:
                self._tries += 1
                if self._tries < TRIES:
                    raise
                # The server answers, as the catching up before showed, but for this one message.
                self._hooks.left_out(self._pending.popleft()[0], error)
                self._tries = 0
                continue
            self._tries = 0
            rules = await self._rules().at(mail.labels)
            if self._uncertain is not None:
                await self._ask(self._uncertain, emails, rules)
            for email in emails:
                if email["id"] not in self._seen:
                    self._hooks.arrived(self._understand(email, rules))
                    self._seen.add((email["id"],))
                    self._seen.commit()
            for _ in batch:
                self._pending.popleft()

    def _batch(self) -> list[str]:
        batch: list[str] = []
        held = 0
        for message_id, size in self._pending:
            held += size
            if len(batch) == READ_BATCH or (batch and (held > READ_BYTES or self._tries)):
                break
            batch.append(message_id)
        return batch

    async def _ask(self, uncertain: UncertainMessages, emails: Sequence[Email], rules: UserRules) -> None:
        """Have a language model asked about what the rules are unsure of among them; `_understand` has its answers."""
        for email in emails:
            if email["id"] in self._seen:
                continue
            with suppress(Exception):  # told when its turn comes
                understood = self._judge(email, rules)
                if rules.leaves_open(email, rules.facts(email, understood), understood.verdict):
                    uncertain.note(content_hash(raw_bytes(email)), understood)
        await uncertain.settle(self._account)

    def _judge(self, email: Email, rules: UserRules) -> Understood:
        """By the tier, and what the user taught it."""
        sender, date = email["from"]["address"], parse_date(email["date"])
        known = self._acquaintance.history.context(sender, date, email["thread_id"])
        context = replace(known, age_s=self._acquaintance.age_s(date, self._clock()))
        understood = understand(read_raw(email), rules.context(context, sender), self._tier)
        return replace(understood, verdict=rules.learned(email, understood.verdict))

    def _understand(self, email: Email, rules: UserRules) -> Arrival:
        try:
            understood = self._judge(email, rules)
        except Exception as error:
            # One message that our own rules stumble over must not end the watch of the others.
            return Arrival(email=email, understood=None, decision=None, problem=failure(error))
        facts, verdict = rules.facts(email, understood), rules.corrected(email, understood.verdict)
        if self._uncertain is not None and rules.leaves_open(email, facts, verdict):
            verdict = self._uncertain.after(content_hash(raw_bytes(email)), verdict)
        understood = replace(understood, verdict=verdict)
        decision = rules.decide(facts, verdict, verdict.bucket, self._clock())
        return Arrival(email=email, understood=understood, decision=decision)


def pause_after(error: MailError, failures: int) -> float:
    """Seconds before a mailbox is looked at again that failed so often in a row, for the last time with `error`."""
    longest = LONGEST_THROTTLED_S if isinstance(error, RateLimited) else LONGEST_PAUSE_S
    pause = pause_s(failures, first_s=FIRST_PAUSE_S, longest_s=longest)
    return max(pause, error.retry_after_s or 0.0)


def _label_ids(folders: Sequence[str], labels: Sequence[Label]) -> frozenset[str]:
    """The label ids of folder names, whatever their case.

    Raises:
        BadArgument: There is no such folder.
    """
    known = {name.lower(): label["id"] for label in labels for name in (label["name"], label["id"])}
    for folder in folders:
        if folder.lower() not in known:
            names = ", ".join(sorted(label["name"] for label in labels)[:12])
            raise BadArgument(
                f"There is no folder {folder[:60]!r} here; there are: {names}.", argument="--folder"
            )
    return frozenset(known[folder.lower()] for folder in folders)
