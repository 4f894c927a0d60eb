"""The one sync loop: brings the cache in line with a mailbox, over MCP, any server. Entry point: `sync_mail`.

Each page of changes is stored in one transaction together with the cursor after it, so a run that is cut short goes on
where it was. When the server says "reset", the listing begins again as a new generation; what is here already is not
read again, and what the new listing does not have is forgotten at its end. Two programs may do this at once: a page is
kept only by the one whose cursor is still the one it began with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sqlalchemy import Connection

from gaia_email.cascade.understand import content_hash, raw_bytes
from gaia_email.ledger import Ledger
from gaia_email.ledger.cache import TEXT_LIMIT, Cached, SyncState
from gaia_email.ledger.keeping import LABELS_DOCUMENT
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email_registry.contract.wire import (
    Address,
    Email,
    Label,
    ReadEmailsResult,
    StatusResult,
    Summary,
    SyncResult,
)
from gaia_email_registry.errors import MailError, ProviderError
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.read import parse_message
from gaia_mail.snippet import strip_html

PAGE = 500
"""Summaries an answer of `sync_emails`, and messages a transaction."""

READ_BATCH, READ_BYTES = 100, 8_000_000
"""Messages, and bytes of them, that are read together at most (a larger one comes alone)."""

RETRIED = 20
"""Messages without text that are asked for again at each sync."""

FAILURES = 3
"""Messages in a row that the server cannot give, after which it counts as broken."""


class MailSource(Protocol):
    """The part of the mail client that this needs (`gaia_email.mailbox.client.MailClient`)."""

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        """What happened since a cursor."""
        ...

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        """Messages with their raw bytes, and the ids that are gone."""
        ...

    async def labels(self) -> list[Label]:
        """Every label."""
        ...

    async def status(self) -> StatusResult:
        """Whose mailbox it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a sync did to the cache of an account. `unread`: messages of which only the headers could be had."""

    account_id: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unread: int = 0
    reset: bool = False


def labels_document(account_id: str) -> str:
    """The name of the document that holds an account's label names."""
    return LABELS_DOCUMENT + account_id


async def sync_mail(
    mail: MailSource,
    ledger: Ledger,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> Synced:
    """Follow the mailbox until nothing is new.

    Args:
        mail: The mailbox.
        ledger: Where its copy is kept.
        progress: Told how many messages were looked at so far.

    Raises:
        MailError: The server does not answer; what was stored before stays, and the error is noted in the state.
    """
    account = (await mail.status())["account"]
    done = Synced(account_id=account)
    try:
        more = True
        while more:
            done, more = await _step(mail, ledger, done)
            progress(done.added + done.changed + done.removed)
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


async def _step(mail: MailSource, ledger: Ledger, done: Synced) -> tuple[Synced, bool]:
    """One page; whether there is more."""
    account = done.account_id
    with ledger.read() as tx:
        state = ledger.cache.state(tx, account)
    page = await mail.sync_emails(state.cursor, limit=PAGE)
    generation = state.generation + (page["reset"] or state.cursor is None)
    with ledger.read() as tx:
        known = ledger.cache.known(tx, account, (summary["id"] for summary in page["added"]))
    messages = await _read(mail, account, [one for one in page["added"] if one["id"] not in known])
    following = _after(state, page, generation, ledger.clock())
    removed = 0
    with ledger.write() as tx:
        if ledger.cache.state(tx, account).cursor != state.cursor:
            return done, True  # another program was faster; go on from where it is
        _store(ledger, tx, page, known, messages, following)
        removed = ledger.cache.remove(tx, account, page["removed"])
        if not page["more"]:
            ledger.cache.remove_unconfirmed(tx, account)
        if _listed(state, following):
            removed += ledger.cache.remove_older(tx, account, generation)
        ledger.cache.save_state(tx, following)
    return (
        replace(
            done,
            added=done.added + len(messages),
            changed=done.changed + len(page["changed"]),
            removed=done.removed + removed,
            unread=done.unread + sum(one.text is None for one in messages),
            reset=done.reset or page["reset"],
        ),
        page["more"],
    )


async def _read_again(mail: MailSource, ledger: Ledger, account: str) -> None:
    """Messages whose text the server could not give before; those it still cannot give stay as they are."""
    with ledger.read() as tx:
        ids = ledger.cache.without_text(tx, account, RETRIED)
        generation = ledger.cache.state(tx, account).generation
    found: list[Cached] = []
    failures = 0
    for message_id in ids:
        try:
            emails = (await mail.read_emails([message_id]))["emails"]
        except ProviderError:
            failures += 1
            if failures == FAILURES:
                break
            continue
        failures = 0
        found += (_decoded(account, email) for email in emails)
    if found:
        with ledger.write() as tx:
            known = ledger.cache.get(tx, account, [one.message_id for one in found])
            ledger.cache.put(tx, [one for one in found if one.message_id in known], generation=generation)


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
    """Whether a listing has just reached its end; a short one begins and ends in one page."""
    return after.complete and (not before.complete or after.generation != before.generation)


def _store(
    ledger: Ledger,
    tx: Connection,
    page: SyncResult,
    known: set[str],
    messages: Sequence[Cached],
    state: SyncState,
) -> None:
    account, generation = state.account_id, state.generation
    ledger.cache.put(tx, messages, generation=generation)
    ledger.cache.confirm(
        tx, account, [one for one in page["added"] if one["id"] in known], generation=generation
    )
    ledger.cache.relabel(tx, account, page["changed"], generation=generation)


async def _read(mail: MailSource, account: str, summaries: Sequence[Summary]) -> list[Cached]:
    """The messages with their texts; one that the server cannot give comes without, one that is gone not at all."""
    messages: list[Cached] = []
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
                messages.append(cached_message(account, batch[0]))
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
                messages.append(cached_message(account, summary))
    return messages


async def _read_batch(mail: MailSource, account: str, batch: Sequence[Summary]) -> list[Cached]:
    answer = await mail.read_emails([summary["id"] for summary in batch])
    return [_decoded(account, email) for email in answer["emails"]]


def _decoded(account: str, email: Email) -> Cached:
    raw = raw_bytes(email)
    return cached_message(account, email, parse_message(raw), content_hash(raw))


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
) -> Cached:
    """The message as the cache keeps it, however broken it is; without its content where that could not be had.

    `digest` is the `content_hash` of its bytes.
    """
    known = Cached(
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


async def _keep_label_names(mail: MailSource, ledger: Ledger, account: str) -> None:
    """Names of labels whose id is not their name, for searches; written only when they have changed."""
    names = {label["id"]: label["name"] for label in await mail.labels() if label["id"] != label["name"]}
    with ledger.read() as tx:
        found = ledger.documents.read(tx, labels_document(account))
    if (found.value if found else {}) == names:
        return
    with ledger.write() as tx:
        found = ledger.documents.read(tx, labels_document(account))
        ledger.documents.write(tx, labels_document(account), names, found.version if found else 0)
