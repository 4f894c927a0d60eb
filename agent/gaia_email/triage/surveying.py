"""Survey a mailbox as a whole: who writes to whom, and which servers check its mail.

The ledger's copy of a mailbox has this as rows, so that neither an inbox nor a lookup needs to list all mail. Entry
points: `survey_now`, `look_around`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass

from gaia_email.mailbox.contact_graph import ContactGraph
from gaia_email.mailbox.reader import ANYWHERE, MailReader, RefreshableMailbox, RowReader
from gaia_email.mailbox.receiving_server import receivers_of
from gaia_email.triage.which_message import SEVERAL, find_message, the_one
from gaia_email_registry.contract.wire import StatusResult, Summary
from gaia_email_registry.errors import NotFound
from gaia_mail.exchanged import was_exchanged

RECENT_S = 14 * 86_400.0
"""The first listing shows threads at most this much older than the newest message, and counts the others."""

LISTING = -1
"""The `total` passed to progress callbacks while messages are listed and their number is unknown."""

PAGE = 500
"""Summaries per `list_emails` call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The contacts in all mail outside Spam and Trash, and the inbox's messages, newest first."""

    acquaintance: ContactGraph
    inbox: Sequence[Summary]


async def survey(
    mail: MailReader, status: StatusResult, owner: Sequence[str], threads: Collection[str] | None = None
) -> Survey:
    """Survey all mail, or only `threads`; mail is listed only if the mailbox has no rows."""
    if isinstance(mail, RowReader):
        inbox = mail.inbox(threads)
        senders = None if threads is None else {one["from"]["address"].lower() for one in inbox}
        acquaintance = await contacts_of(mail, mail, status, owner, senders)
        return Survey(acquaintance=acquaintance, inbox=inbox)
    noted = _Noted(acquaintance=ContactGraph(status["account"], owner), inbox=[])
    async for summary in summaries_of(mail, None):
        noted.note(summary)
    await noted.close(mail, status)
    return Survey(acquaintance=noted.acquaintance, inbox=noted.inbox)


async def survey_now(
    mail: MailReader,
    owner: Sequence[str],
    threads: Collection[str] | None,
    progress: Callable[[int, int], None],
) -> tuple[StatusResult, Survey]:
    """Bring a mailbox up to date, and return its status and survey; `progress` gets `LISTING` as its total."""
    try:
        if isinstance(mail, RefreshableMailbox):
            await mail.refresh(lambda done: progress(done, LISTING))
        else:
            progress(0, LISTING)
        status = await mail.status()
        return status, await survey(mail, status, owner, threads)
    finally:
        progress(0, 0)


async def look_around(
    mail: MailReader, status: StatusResult, owner: Sequence[str], message_ids: Sequence[str]
) -> tuple[ContactGraph, list[Summary]]:
    """Return the contacts, and the messages with these ids or id prefixes, in the same order.

    Raises:
        NotFound: No message, or more than one, has one of the ids.
        MailError: The mailbox does not answer.
    """
    if isinstance(mail, RowReader):
        meant = await _meant(mail, message_ids)
        senders = {summary["from"]["address"].lower() for summary in meant}
        return await contacts_of(mail, mail, status, owner, senders), meant
    noted = _Noted(acquaintance=ContactGraph(status["account"], owner), inbox=[])
    matching: dict[str, list[Summary]] = {one: [] for one in message_ids}
    async for summary in summaries_of(mail, ANYWHERE):
        noted.note(summary)
        for one, found in matching.items():
            if one and summary["id"].startswith(one):
                found.append(summary)
    meant = [find_message(one, matching[one]) for one in message_ids]
    await noted.close(mail, status)
    return noted.acquaintance, meant


async def contacts_of(
    mail: MailReader,
    rows: RowReader,
    status: StatusResult,
    owner: Sequence[str],
    senders: Collection[str] | None = None,
) -> ContactGraph:
    """Return the contacts, of these senders or of all, with the servers that check the mailbox's mail."""
    acquaintance = rows.contacts(owner, senders)
    acquaintance.history.receivers = await receivers_of(mail, None, status["provider"])
    return acquaintance


async def _meant(rows: RowReader, message_ids: Sequence[str]) -> list[Summary]:
    exact = rows.summaries(message_ids)
    begun = {
        one: the_one(one, await rows.ids_beginning(one, limit=SEVERAL) if one else [])
        for one in message_ids
        if one not in exact
    }
    found = exact | rows.summaries(list(begun.values()))
    meant = [found.get(begun.get(one, one)) for one in message_ids]
    gone = next((one for one, summary in zip(message_ids, meant, strict=True) if summary is None), None)
    if gone is not None:
        raise NotFound(f"The message {gone[:80]} is no longer there.", argument="id")
    return [summary for summary in meant if summary is not None]


async def summaries_of(mail: MailReader, query: str | None) -> AsyncIterator[Summary]:
    """Yield all results of a query, page by page."""
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=query, limit=PAGE, cursor=cursor)
        for summary in page["emails"]:
            yield summary
        cursor = page["next_cursor"]
        if cursor is None:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """A survey in progress; drafts, Spam and Trash are excluded."""

    acquaintance: ContactGraph
    inbox: list[Summary]

    def note(self, summary: Summary) -> None:
        if was_exchanged(summary):
            self.acquaintance.note(summary)
            if "INBOX" in summary["labels"]:
                self.inbox.append(summary)

    async def close(self, mail: MailReader, status: StatusResult) -> None:
        history = self.acquaintance.close()
        history.receivers = await receivers_of(mail, self.inbox, status["provider"])
