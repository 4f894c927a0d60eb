"""What a mailbox as a whole says: who writes to whom, and where its server writes what it checked.

The copy of a mailbox has it as rows, so that neither an inbox nor a message is looked at by listing all mail. Entry
points: `survey_now`, `look_around`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass

from gaia_email.mailbox.contact_graph import ContactGraph
from gaia_email.mailbox.reader import ANYWHERE, MailReader, RefreshableMailbox, RowReader
from gaia_email.mailbox.receiving_server import receivers_of
from gaia_email.triage.which_message import SEVERAL, chosen, the_one
from gaia_email_registry.contract.wire import StatusResult, Summary
from gaia_email_registry.errors import NotFound
from gaia_mail.exchanged import was_exchanged

RECENT_S = 14 * 86_400.0
"""A first look opens with what is at most this much older than the newest message; the rest is counted."""

LISTING = -1
"""The total that progress is told of while messages are listed, and nobody knows how many there are."""

PAGE = 500
"""Summaries a `list_emails` call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Who writes to whom, as all mail outside Spam and Trash tells, and the messages of the inbox, newest first."""

    acquaintance: ContactGraph
    inbox: Sequence[Summary]


async def survey(
    mail: MailReader, status: StatusResult, owner: Sequence[str], threads: Collection[str] | None = None
) -> Survey:
    """What all mail says, of these `threads` or of all; it is listed where the mailbox has no rows to ask.

    Raises:
        MailError: The mailbox does not answer.
    """
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
    """Whose mailbox it is, and what all mail says once it was brought up to date; `progress` is told of `LISTING`.

    Raises:
        MailError: The mailbox does not answer.
    """
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
    """Who writes to whom, and the messages that these ids, or beginnings of ids, mean, in their order.

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
    meant = [chosen(one, matching[one]) for one in message_ids]
    await noted.close(mail, status)
    return noted.acquaintance, meant


async def contacts_of(
    mail: MailReader,
    rows: RowReader,
    status: StatusResult,
    owner: Sequence[str],
    senders: Collection[str] | None = None,
) -> ContactGraph:
    """Who writes to whom, of these senders or of all, and where the mailbox's server writes what it checked."""
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
    """All that a query lists, page by page."""
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
    """What is being gathered; drafts, Spam and Trash have no part in it, listed or not."""

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
