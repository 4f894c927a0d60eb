"""Reading for faces that open a mailbox anew for each request: `inbox_of`, `message_of`, `thread_of`, `search_in`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import time
from typing import TypeVar

from gaia_email.cascade.understand import Understood, read_raw, understand
from gaia_email.cascade.verdict import Context
from gaia_email.ledger import open_ledger
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import ANYWHERE, MailReader
from gaia_email.mailbox.search import Answer, Wanted, find
from gaia_email.mailbox.sync import Synced
from gaia_email.policy_store import stored_rules
from gaia_email.services.mail_source import MailSource
from gaia_email.triage.inbox import PAGE, Found, Inbox, look_up, triage
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.contract.wire import Summary

Result = TypeVar("Result")

MOST_OF_A_THREAD = 100
"""Messages of a thread that are read, the newest ones; what is left out is counted."""


def read_with(source: MailSource, use: Callable[[MailReader], Awaitable[Result]]) -> Result:
    """Open the mailbox for reading, run `use`, close it. Blocks; not for a thread that runs an event loop.

    Raises:
        MailError: It cannot be read.
    """

    async def main() -> Result:
        async with source.reading() as mail:
            return await use(mail)

    return asyncio.run(main())


def inbox_of(source: MailSource, *, since: float | None = None) -> Inbox:
    """The inbox, sorted under the user's rules.

    Raises:
        MailError: The mailbox or the ledger cannot be read.
    """
    rules = stored_rules()

    async def use(mail: MailReader) -> Inbox:
        return await triage(mail, default_tier(), now=time(), owner=source.owner, since=since, rules=rules)

    return read_with(source, use)


def message_of(source: MailSource, message_id: str) -> Found:
    """One message, understood in the light of its mailbox; the beginning of an id will do.

    Raises:
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox or the ledger cannot be read.
    """
    rules = stored_rules()

    async def use(mail: MailReader) -> Found:
        return await look_up(mail, default_tier(), message_id, now=time(), owner=source.owner, rules=rules)

    return read_with(source, use)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """A message of a thread as its sender wrote it, and whether that was the user."""

    summary: Summary
    understood: Understood
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation, oldest first; `total` counts the messages that were not read too."""

    found: Found
    messages: tuple[ThreadMessage, ...]
    total: int


def thread_of(source: MailSource, message_id: str) -> Thread:
    """The whole conversation that a message belongs to.

    Raises:
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read.
    """
    rules, tier = stored_rules(), default_tier()

    async def use(mail: MailReader) -> Thread:
        found = await look_up(mail, tier, message_id, now=time(), owner=source.owner, rules=rules)
        wanted = found.summary["thread_id"]
        members = [one for one in await every_summary(mail) if one["thread_id"] == wanted]
        members.sort(key=lambda one: parse_date(one["date"]) or 0.0)
        shown = members[-MOST_OF_A_THREAD:]
        read = {one["id"]: one for one in (await mail.read_emails([one["id"] for one in shown]))["emails"]}
        own = {address.lower() for address in source.owner}
        messages = tuple(
            ThreadMessage(
                summary=one,
                understood=understand(read_raw(read[one["id"]]), Context(), tier),
                own="SENT" in one["labels"] or one["from"]["address"].lower() in own,
            )
            for one in shown
            if one["id"] in read
        )
        return Thread(found=found, messages=messages, total=len(members))

    return read_with(source, use)


async def every_summary(mail: MailReader) -> list[Summary]:
    """How every message is listed, those in Spam and Trash too, newest first."""
    found: list[Summary] = []
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=ANYWHERE, limit=PAGE, cursor=cursor)
        found += page["emails"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def search_in(source: MailSource, query: str, *, limit: int = 20, newest: bool = False) -> Answer:
    """Messages that a query finds, in the copy of the mail, which is brought up to date first.

    Raises:
        BadArgument: The query cannot be read.
        MailError: There is neither a mailbox nor a copy of it.
    """
    account = source.account
    wanted = Wanted(
        query=query,
        account_id=account,
        me=source.owner,
        order="newest" if newest else "best",
        limit=limit,
    )
    with open_ledger() as ledger:

        async def follow() -> Synced:
            async with open_mail(source.place.reading) as mail:
                return await MailCopy(mail, ledger, account=account).follow()

        return find(ledger, wanted, lambda: asyncio.run(follow()))
