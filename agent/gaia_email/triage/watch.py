"""Follow a mailbox and judge every new message as it arrives, for months. Entries: `Watch`, `only_watch`.

The ledger's copy of the mailbox is brought up to date, then the program waits for changes. New messages are reported
from the ledger's events (`mail.arrived`, `mail.moved`), regardless of which program updated the copy. The position is
stored after each report, so a restart misses nothing; only a crash between the two can report a message twice. Server
failures are reported once and retried with increasing pauses.
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
from gaia_email_registry.private_file import try_lock_file
from gaia_understanding.cascade.understand import (
    Understood,
    content_hash,
    failure,
    raw_bytes,
    read_raw,
    understand,
)
from gaia_understanding.cascade.verdict import Tier

if TYPE_CHECKING:
    from gaia_email.triage.uncertain import UncertainMessages

WAIT_S = 240.0
"""Seconds for a single wait; after that the mailbox is checked anyway."""

READ_BATCH, READ_BYTES = 25, 2_000_000
"""Maximum number of messages, and of their bytes, in memory together; a larger message is read alone."""

FIRST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_THROTTLED_S = 1.0, 4.0, 300.0
"""Pause before the second try, longest pause while the server is away, and longest while it throttles; seconds.

A server that is back is noticed within five seconds.
"""

QUICK_S, LONGEST_REST_S = 5.0, 60.0
"""Repeated waits shorter than this that bring nothing are followed by growing pauses, up to a minute."""

TRIES = 4
"""Times a message is requested before it is left out until the next start."""

REOPEN_AFTER = 5
"""Failures in a row after which the server is restarted."""


class NotRecorded(ProviderError):
    """The watch position cannot be stored just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A new message. If it could not be judged, `understood` and `decision` are None and `problem` has the reason."""

    email: Email
    understood: Understood | None
    decision: Decision | None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchHooks:
    """Callbacks of a watch.

    Attributes:
        arrived: Receives a new message, which counts as reported once this returns.
        ready: Called when reporting begins, with the account, the number of messages in the watched folders, and the
            seconds between polls (0 if the server notifies of changes).
        failed: Receives the first failure in a row, and the pause in seconds.
        recovered: Called at the first success after failures, with the first failure.
        left_out: Receives the id of a message that the server cannot return; it is tried again at the next start.
    """

    arrived: Callable[[Arrival], None]
    ready: Callable[[str, int, float], None] = lambda account, known, poll_s: None
    failed: Callable[[MailError, float], None] = lambda error, pause_s: None
    recovered: Callable[[MailError], None] = lambda error: None
    left_out: Callable[[str, MailError], None] = lambda message_id, error: None


class WatchPosition(msgspec.Struct, frozen=True, kw_only=True):
    """The position of a watch, as stored in the ledger.

    Attributes:
        after: Number of the last event whose messages were all reported.
        told: Messages of the next event that were reported already.
        since: Date and id of the last reported message among those from before the first run, oldest first; None if
            these are not reported.
        left: Messages that were left out and are to be tried again.
    """

    after: int
    told: tuple[str, ...] = ()
    since: tuple[float, str] | None = None
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Due:
    """A message to be reported, and the position after it."""

    message_id: str
    size: int
    then: WatchPosition


@contextmanager
def only_watch(home: Path, mailbox: str, folders: Sequence[str]) -> Generator[None]:
    """Ensure that only one program reports new mail of these folders of a mailbox.

    Raises:
        BadArgument: Another program already does.
        NotRecorded: The lock file cannot be created.
    """
    name = "\0".join((mailbox, *sorted({one.lower() for one in folders or ("INBOX",)})))
    path = home / "watch" / f"{blake2b(name.encode(), digest_size=10).hexdigest()}.lock"
    with ExitStack() as stack:
        try:
            other = stack.enter_context(try_lock_file(path))
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
            tier: The tier that judges.
            hooks: Callbacks.
            owner: The user's addresses; empty to take the account's, or the most frequent recipient.
            folders: Names of labels or folders; empty for the inbox.
            everything: True to report existing mail on the first run, oldest first.
            rules: Returns the user's policy and switches; called for every batch of new mail, since they change.
            uncertain: Takes messages that the tier is unsure of to a local language model before they are reported.
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
        """Watch until cancelled, or with `once` until all current mail was reported.

        Raises:
            MailError: The failure is permanent: a folder does not exist, or the login is refused.
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
        """Run rounds with one server; return True when done, False if the server should be restarted."""
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
        """Wait, update the copy, and report new mail; first store the last position if that failed before."""
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
        if self._idle_waits > 1:  # a change that is announced twice causes one such wait
            await self._pause(pause_s(self._idle_waits - 1, first_s=FIRST_PAUSE_S, longest_s=LONGEST_REST_S))

    async def _begin(self, mail: MailCopy, account: str) -> None:
        """Resume at the stored position or begin now; with `everything`, existing mail comes first."""
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
        """Return the events after the last one read, and advance to them."""
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
        """Queue the messages that the ledger's events report as new in the watched folders."""
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
        """Return the messages that an event brought to a watched folder."""
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
                # The server answers, as the update before showed, but not for this message.
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
        """Have a language model asked about the uncertain messages; `_understand` uses its answers."""
        for email in emails:
            with suppress(Exception):  # reported when its turn comes
                understood = self._judge(email, rules, contacts)
                if rules.leaves_open(email, rules.facts(email, understood), understood.verdict):
                    uncertain.note(content_hash(raw_bytes(email)), understood)
        await uncertain.settle(self._account)

    def _judge(self, email: Email, rules: UserRules, contacts: ContactGraph) -> Understood:
        """Judge a message by the tier and the user's lessons."""
        sender, date = email["from"]["address"], parse_date(email["date"])
        known = contacts.history.context(sender, date, email["thread_id"])
        context = replace(known, age_s=contacts.age_s(date, self._clock()))
        understood = understand(read_raw(email), rules.context(context, sender), self._tier)
        return replace(understood, verdict=rules.apply_lessons(email, understood.verdict))

    def _understand(self, email: Email, rules: UserRules, contacts: ContactGraph) -> Arrival:
        try:
            understood = self._judge(email, rules, contacts)
        except Exception as error:
            # A message on which the program's own rules fail must not end the watch.
            return Arrival(email=email, understood=None, decision=None, problem=failure(error))
        facts, verdict = rules.facts(email, understood), rules.correct(email, understood.verdict)
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
        except msgspec.ValidationError:  # written by a program with another format
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
    """Return the seconds to wait before the next try, after so many `failures` in a row, the last being `error`."""
    longest = LONGEST_THROTTLED_S if isinstance(error, RateLimited) else LONGEST_PAUSE_S
    pause = pause_s(failures, first_s=FIRST_PAUSE_S, longest_s=longest)
    return max(pause, error.retry_after_s or 0.0)


def _label_ids(folders: Sequence[str], labels: Sequence[Label]) -> frozenset[str]:
    """Return the label ids for folder names, ignoring case.

    Raises:
        BadArgument: A folder does not exist.
    """
    known = {name.lower(): label["id"] for label in labels for name in (label["name"], label["id"])}
    for folder in folders:
        if folder.lower() not in known:
            names = ", ".join(sorted(label["name"] for label in labels)[:12])
            raise BadArgument(
                f"There is no folder {folder[:60]!r} here; there are: {names}.", argument="--folder"
            )
    return frozenset(known[folder.lower()] for folder in folders)
