"""Read a mailbox through its copy in the ledger; the account is asked only for changes and missing bodies.

A `MailCopy` is read like the account itself, so that callers need not know which one they have. The first use lists the
account once; later ones ask for changes. Entry point: `MailCopy`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import cast

from sqlalchemy import Connection

from gaia_email.ledger import Ledger
from gaia_email.ledger.contacts import Contacts
from gaia_email.ledger.keeping import RECEIVERS_DOCUMENT
from gaia_email.ledger.message_sources import MessageSource, source_of
from gaia_email.mailbox.contact_graph import OUT_OF_SIGHT, ContactGraph
from gaia_email.mailbox.correspondents import Correspondents
from gaia_email.mailbox.reader import ANYWHERE, CalendarReader, FollowedMailbox, Remarking
from gaia_email.mailbox.ref import is_of_files
from gaia_email.mailbox.sync import SyncOutcome, read_message, sync_mail
from gaia_email.policy.inbox_row import InboxVerdict
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract.wire import (
    Email,
    EventsResult,
    Label,
    ListEmailsResult,
    ReadEmailsResult,
    StatusResult,
    Summary,
)
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_mail.mime.receiving import FieldPosition
from gaia_understanding.cascade.understand import raw_bytes


class MailCopy:
    """An account read through the ledger's copy; a `MailReader`.

    The copy is updated at the first request, so that everything read belongs to one moment, and again by `follow`.
    Labels and waiting are passed on to the account.
    """

    def __init__(
        self, mail: FollowedMailbox, ledger: Ledger, *, account: str, provider: str | None = None
    ) -> None:
        """Send no request yet.

        Args:
            mail: The account.
            ledger: The ledger with the copy.
            account: The account's expected name; if there is no copy by that name, the account is asked.
            provider: The account's provider; None to ask the account.
        """
        self._mail = mail
        self._ledger = ledger
        self._account = account
        self._provider = provider
        self._is_current = False

    @property
    def account(self) -> str:
        """The account's name in the copy; final after `follow`."""
        return self._account

    @property
    def ledger(self) -> Ledger:
        """The ledger with the copy."""
        return self._ledger

    @property
    def remarks(self) -> Sequence[str]:
        """The account's remarks."""
        return self._mail.remarks if isinstance(self._mail, Remarking) else ()

    @property
    def poll_s(self) -> float:
        """The account's poll interval, in seconds."""
        return self._mail.poll_s if isinstance(self._mail, Remarking) else 0.0

    async def follow(
        self, *, headers_only: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> SyncOutcome:
        """Update the copy from the account; see `gaia_email.mailbox.sync.sync_mail`."""
        with self._ledger.read() as tx:
            followed = self._ledger.cache.state(tx, self._account).cursor is not None
        if not followed:
            progress(0)  # the first listing may take long before it reports progress
        synced = await sync_mail(
            self._mail,
            self._ledger,
            account=self._account if followed else None,
            headers_only=headers_only,
            progress=progress,
        )
        self._account = synced.account_id
        self._is_current = True
        return synced

    async def refresh(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """List what is new, unless already done; see `gaia_email.mailbox.reader.RefreshableMailbox`."""
        if not self._is_current:
            await self.follow(headers_only=True, progress=progress)

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        """Return a page of summaries, newest first, without Spam and Trash unless the query is `ANYWHERE`.

        Raises:
            BadArgument: It is another query; use `gaia_email.mailbox.search` for these.
        """
        if query not in (None, ANYWHERE):
            raise BadArgument(f"The copy of mail is listed whole or {ANYWHERE}, not by {query!r}.")
        await self.refresh()
        after = int(cursor) if cursor else None
        with self._ledger.read() as tx:
            page = self._ledger.cache.sources.page(tx, self._account, limit=limit, after=after)
        shown = [one for one in page.summaries if query == ANYWHERE or OUT_OF_SIGHT.isdisjoint(one["labels"])]
        return {"emails": shown, "next_cursor": None if page.after is None else str(page.after)}

    async def ids_beginning(self, beginning: str, *, limit: int) -> list[str]:
        """Return up to `limit` ids that begin with this text, an exact match first."""
        await self.refresh()
        with self._ledger.read() as tx:
            return self._ledger.cache.starting_with(tx, self._account, beginning, limit=limit)

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        """Return messages with their raw bytes, and the ids that are gone; bodies read from the account are stored."""
        await self.refresh()
        sources = self._ledger.cache.sources
        with self._ledger.read() as tx:
            found = {
                summary["id"]: _email(summary, source)
                for summary, source in sources.bodies(tx, self._account, ids)
            }
        lacking = [id_ for id_ in ids if id_ not in found]
        missing: list[str] = []
        if lacking:
            answer = await self._mail.read_emails(lacking)
            missing = answer["missing"]
            with suppress(ProviderError):  # a full disk must not prevent reading mail
                self._keep(answer["emails"])
            listed = self.summaries([email["id"] for email in answer["emails"] if not email["thread_id"]])
            for email in answer["emails"]:
                if email["id"] in listed:  # see `gaia_email.mailbox.ref.MailboxRef.copied`
                    email["thread_id"] = listed[email["id"]]["thread_id"]
                found[email["id"]] = email
        return {"emails": [found[id_] for id_ in ids if id_ in found], "missing": missing}

    async def wait_for_news(self, *, timeout_s: float) -> None:
        """Wait until the account has news, or the time is over."""
        with self._ledger.read() as tx:
            reached = self._ledger.cache.state(tx, self._account)
        await self._mail.wait_for_changes(reached.cursor or "", timeout_s=timeout_s)

    async def labels(self) -> list[Label]:
        """Return the account's labels."""
        return await self._mail.labels()

    async def calendar_events(self, start: str, end: str, zone: str, *, limit: int) -> EventsResult | None:
        """Return the account's calendar events; the calendar is not copied."""
        if not isinstance(self._mail, CalendarReader):
            return None
        return await self._mail.calendar_events(start, end, zone, limit=limit)

    async def status(self) -> StatusResult:
        """Return the mailbox's status; that the account answers was verified by updating the copy."""
        await self.refresh()
        if self._provider is None:
            return await self._mail.status()
        return {
            "account": self._account,
            "provider": self._provider,
            "connected": True,
            "scopes": ["read"],
            "read_only": True,
            "last_sync": None,
            "errors": [],
        }

    def verdicts(self, ids: Sequence[str]) -> dict[str, InboxVerdict]:
        """Return the last stored verdicts of these messages, by id."""
        with self._ledger.read() as tx:
            return self._ledger.cache.rows.verdicts(tx, self._account, ids)

    def store_verdicts(self, verdicts: Sequence[InboxVerdict]) -> None:
        """Store verdicts for the next listing."""
        if verdicts:
            with suppress(ProviderError), self._ledger.write() as tx:
                self._ledger.cache.rows.store_verdicts(tx, self._account, verdicts)

    def state(self, since: float | None) -> str:
        """Return a text for the state of the copy; with `since`, it includes the number of messages since that time.

        Within one state of the copy, the same number since some time means the same messages.
        """
        with self._ledger.read() as tx:
            cache = self._ledger.cache
            reached = cache.state(tx, self._account)
            recent = "" if since is None else str(cache.count_since(tx, self._account, since))
        return "\0".join((str(reached.cursor), str(reached.generation), str(reached.complete), recent))

    def answers_state(self) -> str:
        """Return a text for the state of the stored language model answers of the account."""
        with self._ledger.read() as tx:
            return self._ledger.answers.state(tx, self._account)

    def summaries(self, ids: Sequence[str]) -> dict[str, Summary]:
        """Return the summaries of those messages that are in the copy, by id."""
        with self._ledger.read() as tx:
            return self._ledger.cache.sources.summaries(tx, self._account, ids)

    def inbox(self, threads: Collection[str] | None = None) -> list[Summary]:
        """Return the messages of the inbox, newest first; only of these threads, or all for None."""
        with self._ledger.read() as tx:
            return self._ledger.cache.sources.inbox(tx, self._account, threads)

    def thread(self, thread_id: str) -> list[Summary]:
        """Return all messages of a thread in any folder, unordered."""
        with self._ledger.read() as tx:
            return self._ledger.cache.sources.thread(tx, self._account, thread_id)

    def samples(self, most_bytes: int) -> list[str]:
        """Return ids of received messages, newest first, without those larger than `most_bytes`."""
        with self._ledger.read() as tx:
            return self._ledger.cache.contacts.samples(tx, self._account, most_bytes)

    def contacts(self, owner: Sequence[str], senders: Collection[str] | None = None) -> ContactGraph:
        """Return who writes to whom; see `gaia_email.mailbox.reader.RowReader`."""
        with self._ledger.read() as tx:
            return _contact_graph_of(tx, self._ledger.cache.contacts, self._account, owner, senders)

    def known_receivers(self, sample: Sequence[str]) -> frozenset[FieldPosition] | None:
        """Return the stored positions of Authentication-Results for this sample; None if another sample was used."""
        with self._ledger.read() as tx:
            found = self._ledger.documents.read(tx, RECEIVERS_DOCUMENT + self._account)
        if found is None or found.value.get("sample") != list(sample):
            return None
        from pydantic import TypeAdapter

        try:
            return TypeAdapter(frozenset[FieldPosition]).validate_python(found.value.get("places"))
        except ValueError:  # written by a program with another format
            return None

    def store_receivers(self, sample: Sequence[str], places: frozenset[FieldPosition]) -> None:
        """Store the positions that this sample shows."""
        value = {"sample": list(sample), "places": [asdict(one) for one in places]}
        self._keep_document(RECEIVERS_DOCUMENT + self._account, value)

    def _keep_document(self, name: str, value: Mapping[str, object]) -> None:
        with suppress(ProviderError), self._ledger.write() as tx:
            found = self._ledger.documents.read(tx, name)
            self._ledger.documents.write(tx, name, value, found.version if found else 0)

    def _keep(self, emails: Sequence[Email]) -> None:
        """Store what was read: bodies, except of mail files, and the text of messages that were only listed before."""
        cache, account = self._ledger.cache, self._account
        ids = [email["id"] for email in emails]
        with self._ledger.read() as tx:
            listed = cache.sources.summaries(tx, account, ids)
            worded = cache.find_with_text(tx, account, ids)
        sources = {
            one["id"]: _source(one, listed[one["id"]], account) for one in emails if one["id"] in listed
        }
        new = [
            replace(read_message(account, one, listed[one["id"]]), source=sources[one["id"]])
            for one in emails
            if one["id"] in sources and one["id"] not in worded
        ]
        bodies = [
            (id_, source) for id_, source in sources.items() if id_ in worded and source.body is not None
        ]
        if not new and not bodies:
            return
        with self._ledger.write() as tx:
            here = cache.here(tx, account, ids)  # another program may have removed some
            generation = cache.state(tx, account).generation
            cache.put(tx, [one for one in new if one.message_id in here], generation=generation)
            cache.sources.give_body(tx, account, bodies)


def _contact_graph_of(
    tx: Connection,
    contacts: Contacts,
    account: str,
    owner: Sequence[str],
    senders: Collection[str] | None = None,
) -> ContactGraph:
    """Return what `ContactGraph` learns from the summaries of all mail, from one state of the ledger.

    Args:
        tx: The connection of `Ledger.read()`.
        contacts: Access to the rows.
        account: The account of the mailbox.
        owner: The user's addresses; empty for the account's own, else for the most frequent recipient.
        senders: Count only mail from these addresses, in lower case; None for all. The user's own mail always counts.
    """
    told = frozenset(address.lower() for address in owner or addresses_in(account))
    found = "" if told else contacts.owner(tx, account)
    own = told or frozenset(filter(None, (found,)))
    written = contacts.own(tx, account, own)
    keeps_sent = contacts.keeps_sent(tx, account)
    if told and keeps_sent:
        written = [one for one in written if not one.may_be_forged]
    recipients: dict[int, list[str]] = {one.row: [] for one in written}
    for row, address in contacts.recipients(tx, recipients):
        recipients[row].append(address)
    if told:
        written = [one for one in written if not (one.may_be_forged and told.issuperset(recipients[one.row]))]
    history = Correspondents.of(
        own,
        contacts.list_received(tx, account, own, senders),
        ((one.thread_id, one.date, recipients[one.row]) for one in written),
        is_more_than_one=contacts.is_more_than_one(tx, account),
    )
    newest = contacts.newest(tx, account)
    return ContactGraph.from_history(account, owner, history, newest=newest, keeps_sent=keeps_sent)


def _source(email: Email, listed: Summary, account: str) -> MessageSource:
    source = source_of(email, raw_bytes(email), listed)
    return replace(source, body=None, cut=None) if is_of_files(account) else source


def _email(summary: Summary, source: MessageSource) -> Email:
    raw = base64.urlsafe_b64encode(source.body or b"").decode()
    email = cast(Email, {**summary, "raw": raw})
    if source.cut is not None:
        email["size"], defects = source.cut
        email["defects"] = list(defects)
    return email
