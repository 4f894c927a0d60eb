"""The inbox from stored rows: only changed threads are judged again. Entry point: `list_inbox`.

A row is the result of judging its thread. Changes to its inputs are either marked by whatever changes the
copy of mail (`gaia_email.ledger.inbox_rows`), or detected here: the program, the rules, the time, the owner's
lessons, and what all mail reveals about the owner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from gaia_email.app import App
from gaia_email.app.documents.listing import (
    InboxListing,
    InboxPart,
    document_text,
    every_item,
    thread_row,
)
from gaia_email.app.services.opening import owner_of, tell_remarks, with_copy
from gaia_email.mailbox.reader import MailReader, RefreshableMailbox
from gaia_email.policy.inbox_row import InboxState, NewInboxThread
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy.switches import holds_alert, holds_run
from gaia_email.triage.surveying import LISTING, RECENT_S, contacts_of
from gaia_email.triage.tiers import has_models
from gaia_email.triage.versions import JUDGING, NotPlainError, fingerprint, plain
from gaia_email_registry.errors import MailError, ProviderError

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.mail_copy import MailCopy
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.triage.inbox import Inbox
    from gaia_email.triage.inbox_item import JudgedMessage
    from gaia_email_registry.contract.wire import StatusResult

SHOWING = (*JUDGING, "models", "app")
"""Packages of the program that affect what is shown of a thread."""

EVER = float("inf")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRequest:
    """The options for listing each mailbox.

    Attributes:
        rules: The user's rules.
        now: Epoch seconds.
        since: Only mail from this time on (epoch seconds).
        older_stand: See `gaia_email.triage.inbox.triage`.
        only_recent: Only count threads that a card never shows, if possible.
        progress: Receives `(done, total)` in messages.
        tell: Receives sentences for a waiting user.
        sorted_anew: If given, every inbox is sorted from scratch and passed to it.
        ask: Whether to ask the language model that the user chose; otherwise only its earlier answers count.
    """

    rules: UserRules
    now: float
    since: float | None = None
    older_stand: bool = False
    only_recent: bool = False
    progress: Progress = lambda done, total: None
    tell: Callable[[str], None] = lambda said: None
    sorted_anew: Callable[[Inbox], None] | None = None
    ask: bool = True


def list_inbox(
    app: App, sources: Sequence[SourceSpec], request: InboxRequest
) -> tuple[InboxListing, Mapping[str, SourceSpec]]:
    """Return the inbox of several mailboxes together, and the source of each account.

    An error of one mailbox becomes a problem of the listing and affects only that mailbox.

    Raises:
        MailError: None of them can be read.
    """
    parts: list[InboxPart] = []
    whose: dict[str, SourceSpec] = {}
    problems: list[str] = []
    failure: MailError | None = None
    if len(sources) > 1:  # duplicates across mailboxes must be found among all rows
        request = replace(request, only_recent=False)
    for source in sources:
        try:
            part = _part(app, source, request)
        except MailError as error:
            failure = failure or error
            problems.append(f"{source.path} could not be read: {error.message}")
        else:
            parts.append(part)
            whose |= dict.fromkeys((part.account, *(row.account_id for row in part.rows)), source)
    if failure is not None and not parts:
        raise failure
    return InboxListing.of(parts, tuple(problems)), whose


def _part(app: App, source: SourceSpec, request: InboxRequest) -> InboxPart:
    return with_copy(app, source, lambda mail: part_of(app, mail, source, request), now=request.now)


async def part_of(
    app: App,
    mail: MailReader,
    source: SourceSpec,
    request: InboxRequest,
    sorted_now: Callable[[Inbox], None] = lambda inbox: None,
) -> InboxPart:
    """Return the inbox of an open mailbox from its stored rows; if it has none, pass the sorted inbox to `sorted_now`.

    Raises:
        MailError: It cannot be read.
    """
    # Rows made without asking a model must not replace those made with its answers.
    anew = request.rules.again or request.sorted_anew or (not request.ask and has_models(app.environ))
    copy = None if anew else _copy(mail)
    if copy is None:
        inbox = await sorted_inbox(app, mail, source, request)
        tell_remarks(mail, request.tell)
        sorted_now(inbox)
        if request.sorted_anew:
            request.sorted_anew(inbox)
        return InboxPart.of(inbox)
    try:
        await copy.refresh(lambda done: request.progress(done, LISTING))
    finally:
        request.progress(0, 0)
    tell_remarks(mail, request.tell)
    return await RowsOfInbox(app=app, mail=copy, source=source, request=request).part()


def _copy(mail: MailReader) -> MailCopy | None:
    """Return the ledger's copy of a mailbox, or None if it is read directly."""
    if not isinstance(mail, RefreshableMailbox):  # skips the ledger's library, which mail files do not need
        return None
    from gaia_email.mailbox.mail_copy import MailCopy

    return mail if isinstance(mail, MailCopy) else None


async def sorted_inbox(
    app: App,
    mail: MailReader,
    source: SourceSpec,
    request: InboxRequest,
    threads: Collection[str] | None = None,
    since: float | None = None,
) -> Inbox:
    """Sort the inbox now, or only these threads."""
    from gaia_email.app.services.reading import triage_mailbox  # imported late: reading rows judges nothing

    return await triage_mailbox(
        app,
        mail,
        source,
        rules=request.rules,
        now=request.now,
        since=request.since if threads is None else since,
        progress=request.progress,
        tell=request.tell,
        ask=request.ask,
        older_stand=request.older_stand,
        threads=threads,
    )


@dataclass(slots=True, kw_only=True)
class RowsOfInbox:
    """The rows of one updated mailbox; `older` counts the messages that another version judged."""

    app: App
    mail: MailCopy
    source: SourceSpec
    request: InboxRequest
    older: int = 0

    async def part(self) -> InboxPart:
        """Return the inbox from its rows, after updating them."""
        status = await self.mail.status()
        fresh = await self._bring_up(status)
        if fresh is not None:  # the ledger is read-only, or another program was updating it
            return InboxPart.of(fresh)
        account, since = status["account"], self.request.since
        kept_rows = self.mail.ledger.cache.rows
        with self.mail.ledger.read() as tx:
            if self.request.only_recent and since is None:
                rows = kept_rows.recent(tx, account, self.request.now, RECENT_S)
            else:
                rows = kept_rows.rows(tx, account)
        kept = InboxPart(
            account=account,
            rows=[row for row in rows if since is None or row.oldest >= since],
            problems=tuple(status["errors"]) if status["provider"] == "local" else (),
            older=self.older,
            documents=self._documents,
        )
        cut = [row.thread_id for row in rows if since is not None and row.oldest < since <= row.newest]
        if not cut:
            return kept
        inbox = await sorted_inbox(self.app, self.mail, self.source, self.request, cut, since)
        return kept.beside(InboxPart.of(inbox))

    def _documents(self, numbers: Iterable[int]) -> Mapping[int, str]:
        with self.app.ledger() as ledger, ledger.read() as tx:
            return ledger.cache.rows.documents(tx, numbers)

    async def _bring_up(self, status: StatusResult) -> Inbox | None:
        """Judge what has changed; return the whole inbox if its rows cannot be stored."""
        account, request = status["account"], self.request
        ledger, kept = self.mail.ledger, self.mail.ledger.cache.rows
        rules = await request.rules.at(self.mail.labels)
        position = self.mail.state(None)
        with ledger.read() as tx:
            state = kept.state(tx, account)
            last_mark, marked = kept.read_marks(tx, account)
            newest = min(ledger.cache.contacts.newest(tx, account), request.now)
            expired = kept.find_expired(tx, account, newest)
        was: Mapping[str, Any] = {} if state is None else state.value
        now: dict[str, object] = {
            "position": position,
            "basis": self._basis(status, rules),
            "taught": _taught(rules, account),
            "contacts": was.get("contacts"),
        }
        owner = state.owner if state else ()
        if state is None or marked or was.get("position") != position:
            around = await contacts_of(self.mail, self.mail, status, owner_of(self.app, self.source), ())
            now["contacts"] = around.digest()
            owner = sorted(around.history.owner)
        stale: set[str] | None = None
        if (
            state is not None
            and now["basis"]
            and all(now[one] == was.get(one) for one in ("basis", "contacts"))
        ):
            stale = marked | expired | self._moved(account, was.get("taught"), now["taught"], rules)
            if not stale and now == was:
                return None
        after = InboxState(version=state.version if state else 0, owner=owner, value=now)
        return await self._look_again(account, stale, after, newest, last_mark)

    async def _look_again(
        self,
        account: str,
        stale: set[str] | None,
        state: InboxState,
        newest: float,
        last_mark: int,
    ) -> Inbox | None:
        inbox: Inbox | None = None
        threads, again = list[NewInboxThread](), frozenset[str]()
        if stale is None or stale:
            inbox = await sorted_inbox(self.app, self.mail, self.source, self.request, stale)
            if not _is_settled(inbox):
                state = replace(state, value={**state.value, "basis": ""})
            self.older = inbox.older
            threads, again = new_threads(inbox), inbox.unsettled
        ledger = self.mail.ledger
        try:
            with ledger.write() as tx:
                found = ledger.cache.rows.state(tx, account)
                is_alone = (found.version if found else 0) == state.version
                if is_alone and self.mail.state(None) == state.value["position"]:
                    ledger.cache.rows.keep(
                        tx,
                        account,
                        stale,
                        threads,
                        state=state,
                        newest=newest,
                        last_mark=last_mark,
                        again=again,
                    )
                    return None
        except ProviderError:
            pass  # the disk is full, or the ledger is read-only
        if inbox is None or stale is not None:
            inbox = await sorted_inbox(self.app, self.mail, self.source, self.request)
        return inbox

    def _moved(self, account: str, was: object, now: object, rules: UserRules) -> set[str]:
        """Return the threads that may be affected by lessons that were taught or retracted."""
        if was == now:
            return set()
        before: Any = was
        after: Any = now
        kept, ledger = self.mail.ledger.cache.rows, self.mail.ledger
        messages = {(id_, bucket) for id_, bucket in before["messages"]} ^ {
            (id_, bucket) for id_, bucket in after["messages"]
        }
        senders = {tuple(one) for one in before["senders"]} ^ {tuple(one) for one in after["senders"]}
        ids = {id_ for id_, _ in messages} | (set(before["taken_back"]) ^ set(after["taken_back"]))
        with ledger.read() as tx:
            found = kept.threads_of(tx, account, ids=ids, senders={sender for sender, *_ in senders})
            if before["lessons"] != after["lessons"]:
                found |= kept.find_taught(tx, account)
                model = rules.owners.of(account) if rules.owners else None
                if model is not None:
                    found.update(model.movable(kept.looks(tx, account)))
        return found

    def _basis(self, status: StatusResult, rules: UserRules) -> str:
        """Return a digest of everything else that affects what is shown; empty if it has no text form."""
        tier, now = self.app.tier(), self.request.now
        models = self._models()
        if models is None:
            return ""
        quiet = rules.policy.quiet_hours
        instant = (
            rules.switches.travels(now),
            holds_run(
                rules.switches, quiet, now=now, scheduled=rules.scheduled, started_at=rules.run_started_at
            ),
            holds_alert(rules.switches, quiet, now=now),
        )
        untaught = replace(rules, says=OwnerSays(), taken_back=frozenset(), owners=None)
        owner = owner_of(self.app, self.source)
        parts = (owner, status["account"], status["provider"], instant, untaught)
        try:
            text = "\0".join(
                (
                    fingerprint(packages=SHOWING),
                    models,
                    type(tier).__name__,
                    plain(tier),
                    *map(plain, parts),
                )
            )
        except NotPlainError:
            return ""
        return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def _models(self) -> str | None:
        """Return a text that identifies the active models and their answers; None if that is impossible."""
        environ = self.app.environ
        if not has_models(environ=environ):
            return ""
        said: list[str] = []
        uncertain = self.app.models(tell=said.append, ask=False)
        if uncertain is None:  # none is chosen any more, or it cannot be asked, which is reported each time
            return None if said else ""
        return "\0".join((uncertain.name, plain(uncertain.weights), self.mail.answers_state()))


def new_threads(inbox: Inbox) -> list[NewInboxThread]:
    """Return the rows for the threads of an inbox that was just sorted."""
    by_thread: dict[str, list[JudgedMessage]] = {}
    for one in inbox.judged:
        by_thread.setdefault(one.summary["thread_id"], []).append(one)
    items = {item.summary["thread_id"]: item for item in every_item(inbox)}
    found: list[NewInboxThread] = []
    for thread_id in inbox.listed:
        item, judged = items.get(thread_id), by_thread.get(thread_id, [])
        dated = [(one.date, *one.verdict.steady) for one in judged if one.date is not None]
        found.append(
            NewInboxThread(
                row=thread_row(inbox, thread_id, item, len(judged), 0),
                is_taught=any(one.is_taught for one in judged),
                # For the newest message, it holds until a newer one arrives.
                holds_after=max(
                    (date + after if after else -EVER for date, after, _ in dated), default=-EVER
                ),
                holds_until=min((date + until for date, _, until in dated), default=EVER),
                document=document_text(item) if item else "",
            )
        )
    return found


def _taught(rules: UserRules, account: str) -> dict[str, object]:
    """Return the user's corrections and undone actions for an account as JSON, with a digest of the lessons."""
    says = rules.says
    return {
        "messages": sorted([id_, bucket] for (of, id_), bucket in says.messages.items() if of == account),
        "senders": sorted(
            [sender, was, bucket, times]
            for (of, sender, was), (bucket, times) in says.senders.items()
            if of == account
        ),
        "taken_back": sorted(id_ for of, id_ in rules.taken_back if of == account),
        "lessons": "" if rules.owners is None else rules.owners.digest,
    }


def _is_settled(inbox: Inbox) -> bool:
    """True if no language model was or will be asked: all its answers are already stored."""
    cost = inbox.cost
    return cost is None or not (cost.calls or cost.failed or cost.said)
