"""Synchronise the cache with a mailbox on any server, over MCP. Entry point: `sync_mail`.

Each page of changes is stored in one transaction together with its next cursor, so that an interrupted run continues
there. When the server reports "reset", the listing starts again as a new generation: known messages are not read again,
and those missing from the new listing are removed at its end. Two programs may synchronise at once: a page is stored
only if the cursor is still the one that it began with.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email.ledger.cache import TEXT_LIMIT, CachedMessage, SyncState
from gaia_email.ledger.keeping import LABELS_DOCUMENT
from gaia_email.ledger.message_sources import MessageSource, source_of
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import FollowedMailbox, MailReader
from gaia_email.mailbox.ref import is_of_files
from gaia_email_registry.contract.wire import (
    Address,
    Changed,
    Email,
    Summary,
    SyncResult,
)
from gaia_email_registry.errors import MailError, ProviderError
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.snippet import strip_html
from gaia_understanding.cascade.understand import content_hash, decode, raw_bytes

if TYPE_CHECKING:
    from sqlalchemy import Connection

PAGE = 500
"""Summaries per answer of `sync_emails`, and messages per transaction."""

READ_BATCH, READ_BYTES = 100, 8_000_000
"""Maximum number of messages, and of their bytes, read together; a larger message is read alone."""

RETRIED = 20
"""Messages without text that are requested again at each sync."""

JUST_NOW_S = 60.0
"""Seconds during which another sync without news is not recorded."""

ARRIVED, MOVED = "mail.arrived", "mail.moved"
"""Events of a sync: new messages, and labels added to known messages.

The payload's `messages` has the new labels of each message by id. A first listing records no events.
"""

FAILURES = 3
"""Number of consecutive unreadable messages after which the server counts as broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncOutcome:
    """The changes that a sync made to an account's cache.

    Attributes:
        unread: Messages of which only the headers could be read.
    """

    account_id: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unread: int = 0
    reset: bool = False


def labels_document(account_id: str) -> str:
    """Return the name of the document with an account's label names."""
    return LABELS_DOCUMENT + account_id


async def sync_mail(
    mail: FollowedMailbox,
    ledger: Ledger,
    *,
    account: str | None = None,
    headers_only: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> SyncOutcome:
    """Synchronise until there is nothing new.

    Args:
        mail: The mailbox.
        ledger: The ledger with its copy.
        account: The account's address if known; None to ask for it.
        headers_only: List new messages without reading them, for callers that read the bodies they need (`MailCopy`).
            The next sync without it reads what a search needs.
        progress: Receives the number of messages processed so far.

    Raises:
        MailError: The server does not answer; stored pages stay, and the error is recorded in the state.
    """
    if account is None:
        account = (await mail.status())["account"]
    done = SyncOutcome(account_id=account)
    try:
        more = True
        while more:
            done, more = await _step(mail, ledger, done, headers_only)
            if listed := done.added + done.changed + done.removed:
                progress(listed)
        if not headers_only:
            done = await _read_unread(mail, ledger, done, progress)
            await _read_again(mail, ledger, account)
            await _keep_label_names(mail, ledger, account)
    except MailError as error:
        with ledger.write() as tx:
            state = ledger.cache.state(tx, account)
            failed = replace(state, last_error=error.message[:300], last_error_at=ledger.clock())
            ledger.cache.save_state(tx, failed)
        raise
    ledger.tidy()
    return done


async def _step(
    mail: FollowedMailbox, ledger: Ledger, done: SyncOutcome, headers_only: bool
) -> tuple[SyncOutcome, bool]:
    """Process one page; the second result is True if there are more."""
    account = done.account_id
    with ledger.read() as tx:
        state = ledger.cache.state(tx, account)
    page = await mail.sync_emails(state.cursor, limit=PAGE)
    if _is_as_it_was(state, page, ledger.clock()):
        return done, False
    new = _unknown(ledger, account, page)
    messages = (
        [_listed_only(account, one) for one in new] if headers_only else await _read(mail, account, new)
    )
    removed = _keep(ledger, state, page, messages)
    if removed is None:
        return done, True  # another program was faster; continue from its cursor
    return (
        replace(
            done,
            added=done.added + len(messages),
            changed=done.changed + len(page["changed"]),
            removed=done.removed + removed,
            unread=done.unread + sum(one.source is not None and one.source.refused for one in messages),
            reset=done.reset or page["reset"],
        ),
        page["more"],
    )


def _is_as_it_was(state: SyncState, page: SyncResult, now: float) -> bool:
    """Return True if a page repeats what was known a moment ago, so that no write is needed."""
    silent = not (page["added"] or page["changed"] or page["removed"] or page["reset"] or page["more"])
    recent = state.last_sync is not None and 0 <= now - state.last_sync < JUST_NOW_S
    return (
        silent and recent and state.complete and state.last_error is None and state.cursor == page["cursor"]
    )


async def take_in(mail: MailReader, ledger: Ledger, account: str, found: Sequence[Summary]) -> int:
    """Store messages that a search found but the listing lacks, until the next full listing; return their number."""
    with ledger.read() as tx:
        known = ledger.cache.here(tx, account, (summary["id"] for summary in found))
    read = await _read(mail, account, [summary for summary in found if summary["id"] not in known])
    with ledger.write() as tx:
        ledger.cache.put(tx, read, generation=ledger.cache.state(tx, account).generation)
    return len(read)


def _unknown(ledger: Ledger, account: str, page: SyncResult) -> list[Summary]:
    with ledger.read() as tx:
        known = ledger.cache.here(tx, account, (summary["id"] for summary in page["added"]))
    return [summary for summary in page["added"] if summary["id"] not in known]


def _keep(
    ledger: Ledger, state: SyncState, page: SyncResult, messages: Sequence[CachedMessage]
) -> int | None:
    """Store a page and its next cursor; return the number of messages removed; None if the copy changed meanwhile."""
    cache, account = ledger.cache, state.account_id
    generation = state.generation + (page["reset"] or state.cursor is None)
    following = _after(state, page, generation, ledger.clock())
    with ledger.write() as tx:
        if cache.state(tx, account).cursor != state.cursor:
            return None
        new = {one.message_id for one in messages}
        listed = [summary for summary in page["added"] if summary["id"] not in new]
        known = [*listed, *page["changed"]]
        moved = _gained(cache.labels(tx, account, (one["id"] for one in known)), known)
        cache.put(tx, messages, generation=generation)
        cache.confirm(tx, account, listed, generation=generation)
        cache.relabel(tx, account, page["changed"], generation=generation)
        removed = cache.remove(tx, account, page["removed"])
        if _listed(state, following):
            removed += cache.remove_older(tx, account, generation)
        cache.save_state(tx, following)
        if state.last_full_sync is not None:
            _tell(ledger, tx, account, ARRIVED, {one.message_id: [*one.labels] for one in messages})
            _tell(ledger, tx, account, MOVED, moved)
    return removed


def _gained(before: Mapping[str, Collection[str]], now: Sequence[Summary | Changed]) -> dict[str, list[str]]:
    """Return the labels that messages gained, except `UNREAD`."""
    gained = {
        one["id"]: [label for label in one["labels"] if label not in before[one["id"]] and label != "UNREAD"]
        for one in now
        if one["id"] in before
    }
    return {id_: labels for id_, labels in gained.items() if labels}


def _tell(
    ledger: Ledger, tx: Connection, account: str, kind: str, messages: Mapping[str, Sequence[str]]
) -> None:
    if messages:
        payload = {"messages": messages}
        ledger.events.append(tx, NewLedgerEvent(kind=kind, account_id=account, payload=payload))


async def _read_unread(
    mail: MailReader, ledger: Ledger, done: SyncOutcome, progress: Callable[[int], None]
) -> SyncOutcome:
    """Read the messages that a sync of headers only listed."""
    account = done.account_id
    with ledger.read() as tx:
        unread = ledger.cache.sources.unread(tx, account)
    for start in range(0, len(unread), PAGE):
        with ledger.read() as tx:
            wanted = ledger.cache.sources.summaries(tx, account, unread[start : start + PAGE])
        found = await _read(mail, account, list(wanted.values()))
        _replace(ledger, account, found)
        failed = sum(one.text is None for one in found)
        done = replace(done, unread=done.unread + failed)
        progress(done.added + done.changed + done.removed + start + len(found))
    return done


async def _read_again(mail: MailReader, ledger: Ledger, account: str) -> None:
    """Request again messages whose text the server could not give before; failures leave them unchanged."""
    with ledger.read() as tx:
        sources = ledger.cache.sources
        ids = sources.unread(tx, account, refused=True, limit=RETRIED)
        wanted = sources.summaries(tx, account, ids)
    found: list[CachedMessage] = []
    failures = 0
    for summary in wanted.values():
        try:
            found += await _read_batch(mail, account, [summary])
        except ProviderError:
            failures += 1
            if failures == FAILURES:
                break
            continue
        failures = 0
    if found:
        _replace(ledger, account, found)


def _replace(ledger: Ledger, account: str, read: Sequence[CachedMessage]) -> None:
    """Replace messages that were only listed; those removed meanwhile stay removed."""
    with ledger.write() as tx:
        known = ledger.cache.here(tx, account, [one.message_id for one in read])
        generation = ledger.cache.state(tx, account).generation
        ledger.cache.put(tx, [one for one in read if one.message_id in known], generation=generation)


def _after(state: SyncState, page: SyncResult, generation: int, now: float) -> SyncState:
    complete = not page["more"] or (state.complete and generation == state.generation)
    following = replace(
        state,
        cursor=page["cursor"],
        generation=generation,
        complete=complete,
        last_sync=state.last_sync if page["more"] else now,
        last_error=None,
        last_error_at=None,
    )
    return replace(following, last_full_sync=now) if _listed(state, following) else following


def _listed(before: SyncState, after: SyncState) -> bool:
    """Return True if a listing has just been completed; a short one begins and ends in one page."""
    return after.complete and (not before.complete or after.generation != before.generation)


async def _read(mail: MailReader, account: str, summaries: Sequence[Summary]) -> list[CachedMessage]:
    """Return the messages that still exist, with their texts; without text if the server cannot give it."""
    messages: list[CachedMessage] = []
    failures = 0
    for batch in _batches(summaries):
        try:
            messages += await _read_batch(mail, account, batch)
            failures = 0
            continue
        except ProviderError as error:
            if len(batch) == 1:
                failures += 1
                if failures == FAILURES:
                    raise
                messages.append(_listed_only(account, batch[0], refused=True))
                continue
            alone = error
        for summary in batch:
            try:
                messages += await _read_batch(mail, account, [summary])
                failures = 0
            except ProviderError:
                failures += 1
                if failures == FAILURES:
                    raise alone from None
                messages.append(_listed_only(account, summary, refused=True))
    return messages


async def _read_batch(mail: MailReader, account: str, batch: Sequence[Summary]) -> list[CachedMessage]:
    listed = {summary["id"]: summary for summary in batch}
    answer = await mail.read_emails(list(listed))
    return [read_message(account, email, listed[email["id"]]) for email in answer["emails"]]


def _listed_only(account: str, summary: Summary, *, refused: bool = False) -> CachedMessage:
    return replace(cached_message(account, summary), source=MessageSource(summary=summary, refused=refused))


def read_message(account: str, email: Email, listed: Summary | None = None) -> CachedMessage:
    """Return a message that was read, in the form of the cache.

    `listed` is its summary in a listing, if known. The bytes are stored for messages in the inbox, which will be read
    again, but not for mail files, which are on this machine already.
    """
    raw = raw_bytes(email)
    if listed is not None and not email["thread_id"]:  # see `gaia_email.mailbox.ref.MailboxRef.copied`
        email["thread_id"] = listed["thread_id"]
    found = cached_message(account, email, decode(raw), content_hash(raw))
    source = source_of(email, raw, listed)
    if "INBOX" not in email["labels"] or is_of_files(account):
        source = replace(source, body=None, cut=None)
    return replace(found, source=source)


def _batches(summaries: Sequence[Summary]) -> Iterator[list[Summary]]:
    batch: list[Summary] = []
    held = 0
    for summary in summaries:
        if batch and (len(batch) == READ_BATCH or held + summary["size"] > READ_BYTES):
            yield batch
            batch, held = [], 0
        batch.append(summary)
        held += summary["size"]
    if batch:
        yield batch


def cached_message(
    account: str, summary: Summary | Email, message: ParsedMessage | None = None, digest: str = ""
) -> CachedMessage:
    """Return a message in the form of the cache, even if malformed; without content if that could not be read.

    `digest` is the `content_hash` of its bytes.
    """
    known = CachedMessage(
        account_id=account,
        message_id=summary["id"],
        thread_id=summary["thread_id"],
        header_message_id=summary["message_id"],
        date=parse_date(summary["date"]),
        size=summary["size"],
        has_attachments=summary["has_attachments"],
        labels=tuple(summary["labels"]),
        flags=tuple(summary["flags"]),
        sender=summary["from"]["address"].lower(),
        sender_name=summary["from"]["name"],
        subject=summary["subject"],
        to=_people(summary["to"]),
        cc=_people(summary["cc"]),
        snippet=summary["snippet"],
    )
    if message is None:
        return known
    headers = message.headers
    return replace(
        known,
        bcc=", ".join(_person(one.name, one.address) for one in message.bcc),
        delivered_to=", ".join(headers.get_all("delivered-to")),
        list_id=headers.get("list-id", "").rpartition("<")[2].rstrip("> "),
        filenames=tuple(one.filename for one in message.attachments if one.filename),
        text=(message.text or strip_html(message.html))[:TEXT_LIMIT],
        content_hash=digest,
    )


def _people(people: Sequence[Address]) -> str:
    return ", ".join(_person(one["name"], one["address"]) for one in people)


def _person(name: str, address: str) -> str:
    return f"{name} <{address}>" if name else address


async def _keep_label_names(mail: MailReader, ledger: Ledger, account: str) -> None:
    """Store names of labels whose id is not their name, for searches; written only if changed."""
    names = {label["id"]: label["name"] for label in await mail.labels() if label["id"] != label["name"]}
    with ledger.read() as tx:
        found = ledger.documents.read(tx, labels_document(account))
    if (found.value if found else {}) == names:
        return
    with ledger.write() as tx:
        found = ledger.documents.read(tx, labels_document(account))
        ledger.documents.write(tx, labels_document(account), names, found.version if found else 0)
