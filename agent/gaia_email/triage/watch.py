"""Follows a mailbox and understands every new message as it comes, for months. Entries: `Watch`, `only_watch`.

The copy of the mailbox in the ledger is brought up to date, then the mailbox is waited on; what came is told by the
events of the ledger (`mail.arrived`, `mail.moved`), whichever program brought the copy up to date. How far was told is
remembered on disk after it was told, so a restart misses nothing; only a crash between the two can tell one message
again. Failures of the server are said once and tried again, slower and slower.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gaia_email.cascade.understand import Understood, content_hash, failure, raw_bytes, read_raw, understand
from gaia_email.cascade.verdict import Tier
from gaia_email.ledger import EventFilter, LedgerEvent
from gaia_email.ledger.keeping import WATCH_DOCUMENT
from gaia_email.mailbox.contact_graph import ContactGraph, parse_date
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import ANYWHERE
from gaia_email.mailbox.sync import ARRIVED, MOVED
from gaia_email.policy.model import Decision
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.surveying import contacts_of, summaries_of
from gaia_email_registry.backoff import pause_s
from gaia_email_registry.clock import now as clock_now
from gaia_email_registry.contract.wire import Email, Label, Summary
from gaia_email_registry.errors import BadArgument, InternalError, MailError, ProviderError, RateLimited
from gaia_email_registry.private_file import held

if TYPE_CHECKING:
    from gaia_email.triage.uncertain import UncertainMessages

WAIT_S = 240.0
"""Seconds a single wait lasts; then the mailbox is looked at anyway."""

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


class NotRecorded(ProviderError):
    """How far was told cannot be recorded just now."""


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


class WatchPosition(msgspec.Struct, frozen=True, kw_only=True):
    """How far was told, as the ledger keeps it.

    Attributes:
        after: The number of the last event of which everything was told.
        told: Messages of the event after it that were told.
        since: Date and id of the last message told of those that were there before the first run, oldest first; None
            where these are not told.
        left: Messages that were left out, to be tried again.
    """

    after: int
    told: tuple[str, ...] = ()
    since: tuple[float, str] | None = None
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Due:
    """A message that is to be told, and how far is told with it."""

    message_id: str
    size: int
    then: WatchPosition


@contextmanager
def only_watch(home: Path, mailbox: str, folders: Sequence[str]) -> Generator[None]:
    """Be the one program that tells what comes to these folders of a mailbox.

    Raises:
        BadArgument: Another program does.
        NotRecorded: The file that says so cannot be made.
    """
    name = "\0".join((mailbox, *sorted({one.lower() for one in folders or ("INBOX",)})))
    path = home / "watch" / f"{blake2b(name.encode(), digest_size=10).hexdigest()}.lock"
    with ExitStack() as stack:
        try:
            other = stack.enter_context(held(path))
        except OSError as error:
            raise NotRecorded(f"{path.parent} cannot be written: {error.strerror}.") from None
        if other is not None:
            raise BadArgument("Another gaia email watch follows this mailbox already.")
        yield


Opener = Callable[[], AbstractAsyncContextManager[MailCopy]]


class Watch:
    """One mailbox being watched."""

    def __init__(
        self,
        tier: Tier,
        hooks: WatchHooks,
        *,
        owner: Sequence[str] = (),
        folders: Sequence[str] = (),
        everything: bool = False,
        rules: Callable[[], UserRules] = UserRules,
        uncertain: UncertainMessages | None = None,
        clock: Callable[[], float] = clock_now,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Prepare to watch.

        Args:
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
        self._labels: frozenset[str] = frozenset()
        self._position = WatchPosition(after=0)
        self._is_noted = True
        self._looked_up_to = 0
        self._pending: deque[_Due] = deque()
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

    async def _stay(self, mail: MailCopy, *, once: bool) -> bool:
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

    async def _round(self, mail: MailCopy, *, wait: bool) -> None:
        """Wait a while, take in what has come, tell it; nothing while what was told before cannot be noted."""
        if not self._is_noted:
            self._note(mail, self._position)
        quick = False
        if wait and not self._pending:
            began = self._clock()
            await mail.wait_for_news(timeout_s=WAIT_S)
            quick = self._clock() - began < QUICK_S
        synced = await mail.follow(headers_only=True)
        came = bool(synced.added or synced.changed or synced.removed)
        if not self._ready:
            await self._begin(mail, synced.account_id)
        self._take(mail)
        await self._tell(mail)
        self._idle_waits = self._idle_waits + 1 if quick and not came else 0
        if self._idle_waits > 1:  # one such wait is what a change told twice looks like
            await self._pause(pause_s(self._idle_waits - 1, first_s=FIRST_PAUSE_S, longest_s=LONGEST_REST_S))

    async def _begin(self, mail: MailCopy, account: str) -> None:
        """Find where the last run stopped, or begin at now; what is there already comes first where it is wanted."""
        self._account = account
        self._labels = _label_ids(self._folders, await mail.labels())
        there = [one async for one in summaries_of(mail, ANYWHERE) if self._is_watched(one["labels"])]
        position = self._noted(mail)
        if position is None:
            with mail.ledger.read() as tx:
                position = WatchPosition(after=mail.ledger.events.last(tx))
            if self._everything:
                position = msgspec.structs.replace(position, since=(0.0, ""))
            self._note(mail, position)
        self._position, self._looked_up_to = position, position.after
        self._pending.clear()
        self._queue(mail, {id_: msgspec.structs.replace(position, left=()) for id_ in position.left})
        if position.since is not None:
            later = {id_ for event in self._arrivals(mail) for id_ in self._of(event)}
            self._looked_up_to = position.after
            dated = sorted((parse_date(one["date"]) or 0.0, one["id"]) for one in there)
            waiting = [one for one in dated if one > position.since and one[1] not in later]
            told = {one[1]: WatchPosition(after=position.after, since=one) for one in waiting[:-1]}
            self._queue(mail, told | {id_: WatchPosition(after=position.after) for _, id_ in waiting[-1:]})
        self._hooks.ready(account, len(there), mail.poll_s)
        self._ready = True

    def _arrivals(self, mail: MailCopy) -> list[LedgerEvent]:
        """What came after what was looked at, which then was."""
        found: list[LedgerEvent] = []
        wanted = EventFilter(kinds=(ARRIVED, MOVED), account_id=self._account)
        with mail.ledger.read() as tx:
            while True:
                page = mail.ledger.events.page(tx, self._looked_up_to, wanted)
                found += page.events
                self._looked_up_to = page.reached
                if page.reached >= page.last:
                    return found

    def _take(self, mail: MailCopy) -> None:
        """Queue what the events of the ledger say is new in the watched folders."""
        for event in self._arrivals(mail):
            told = self._position.told if event.seq == self._position.after + 1 else ()
            ids = [id_ for id_ in self._of(event) if id_ not in told]
            listed = mail.summaries(ids)
            ids = sorted(listed, key=lambda id_: (parse_date(listed[id_]["date"]) or 0.0, id_))
            before = WatchPosition(after=event.seq - 1)
            queued = {
                id_: msgspec.structs.replace(before, told=(*told, *ids[:count]))
                for count, id_ in enumerate(ids[:-1], 1)
            }
            self._queue(mail, queued | {id_: WatchPosition(after=event.seq) for id_ in ids[-1:]}, listed)

    def _queue(
        self,
        mail: MailCopy,
        told: dict[str, WatchPosition],
        listed: dict[str, Summary] | None = None,
    ) -> None:
        known = mail.summaries(list(told)) if listed is None else listed
        self._pending += [
            _Due(message_id=id_, size=known[id_]["size"], then=then)
            for id_, then in told.items()
            if id_ in known
        ]

    def _of(self, event: LedgerEvent) -> list[str]:
        """The messages that came to a watched folder by an event."""
        messages = event.payload.get("messages")
        if not isinstance(messages, dict):
            return []
        return [
            id_ for id_, labels in messages.items() if isinstance(labels, list) and self._is_watched(labels)
        ]

    def _is_watched(self, labels: Sequence[object]) -> bool:
        return not self._labels.isdisjoint(labels)

    async def _tell(self, mail: MailCopy) -> None:
        while self._pending:
            batch = self._batch()
            here = mail.summaries([due.message_id for due in batch])
            try:
                found = {email["id"]: email for email in (await mail.read_emails(list(here)))["emails"]}
            except ProviderError as error:
                self._tries += 1
                if self._tries < TRIES:
                    raise
                # The server answers, as the catching up before showed, but for this one message.
                due = self._pending.popleft()
                self._hooks.left_out(due.message_id, error)
                self._tries = 0
                self._note(mail, due.then, left=(*self._position.left, due.message_id))
                continue
            self._tries = 0
            rules = await self._rules().at(mail.labels)
            senders = {email["from"]["address"].lower() for email in found.values()}
            contacts = await contacts_of(mail, mail, await mail.status(), self._owner, senders)
            if self._uncertain is not None:
                await self._ask(self._uncertain, list(found.values()), rules, contacts)
            for due in batch:
                if due.message_id in found:
                    self._hooks.arrived(self._understand(found[due.message_id], rules, contacts))
                self._pending.popleft()
                self._note(mail, due.then, left=[one for one in self._position.left if one != due.message_id])

    def _batch(self) -> list[_Due]:
        batch: list[_Due] = []
        held = 0
        for due in self._pending:
            held += due.size
            if len(batch) == READ_BATCH or (batch and (held > READ_BYTES or self._tries)):
                break
            batch.append(due)
        return batch

    async def _ask(
        self,
        uncertain: UncertainMessages,
        emails: Sequence[Email],
        rules: UserRules,
        contacts: ContactGraph,
    ) -> None:
        """Have a language model asked about what the rules are unsure of among them; `_understand` has its answers."""
        for email in emails:
            with suppress(Exception):  # told when its turn comes
                understood = self._judge(email, rules, contacts)
                if rules.leaves_open(email, rules.facts(email, understood), understood.verdict):
                    uncertain.note(content_hash(raw_bytes(email)), understood)
        await uncertain.settle(self._account)

    def _judge(self, email: Email, rules: UserRules, contacts: ContactGraph) -> Understood:
        """By the tier, and what the user taught it."""
        sender, date = email["from"]["address"], parse_date(email["date"])
        known = contacts.history.context(sender, date, email["thread_id"])
        context = replace(known, age_s=contacts.age_s(date, self._clock()))
        understood = understand(read_raw(email), rules.context(context, sender), self._tier)
        return replace(understood, verdict=rules.learned(email, understood.verdict))

    def _understand(self, email: Email, rules: UserRules, contacts: ContactGraph) -> Arrival:
        try:
            understood = self._judge(email, rules, contacts)
        except Exception as error:
            # One message that our own rules stumble over must not end the watch of the others.
            return Arrival(email=email, understood=None, decision=None, problem=failure(error))
        facts, verdict = rules.facts(email, understood), rules.corrected(email, understood.verdict)
        if self._uncertain is not None and rules.leaves_open(email, facts, verdict):
            verdict = self._uncertain.after(content_hash(raw_bytes(email)), verdict)
        understood = replace(understood, verdict=verdict)
        decision = rules.decide(facts, verdict, verdict.bucket, self._clock())
        return Arrival(email=email, understood=understood, decision=decision)

    @property
    def _key(self) -> str:
        return "\n".join(sorted(self._labels))

    def _noted(self, mail: MailCopy) -> WatchPosition | None:
        with mail.ledger.read() as tx:
            found = mail.ledger.documents.read(tx, WATCH_DOCUMENT + self._account)
        try:
            value = None if found is None else found.value.get(self._key)
            return msgspec.convert(value, WatchPosition | None)
        except msgspec.ValidationError:  # in another program's form
            return None

    def _note(self, mail: MailCopy, position: WatchPosition, left: Sequence[str] | None = None) -> None:
        if left is not None:
            position = msgspec.structs.replace(position, left=tuple(left))
        self._position, self._is_noted = position, False
        name, ledger = WATCH_DOCUMENT + self._account, mail.ledger
        try:
            with ledger.write() as tx:
                found = ledger.documents.read(tx, name)
                value = {**(found.value if found else {}), self._key: msgspec.to_builtins(position)}
                ledger.documents.write(tx, name, value, found.version if found else 0)
        except ProviderError as error:
            raise NotRecorded(
                f"What was told cannot be noted in the ledger ({error.message.rstrip('.')}), so nothing more is told "
                "until it can be; make room there, or see who may write."
            ) from None
        self._is_noted = True


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
