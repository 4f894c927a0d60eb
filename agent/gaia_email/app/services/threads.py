"""A whole conversation, and the listing it is found in. Entries: `read_thread`, `thread_document`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import time

from gaia_email.app import App
from gaia_email.app.documents.short import plain
from gaia_email.app.documents.thread import ThreadDocument, head_row
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.app.services.source import SourceSpec
from gaia_email.cascade.understand import Understood, read_raw, understand
from gaia_email.cascade.verdict import Context
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE, MailReader
from gaia_email.triage.inbox import FoundMessage, look_up
from gaia_email.triage.surveying import summaries_of
from gaia_email_registry.contract.wire import Summary

MOST_OF_A_THREAD = 100
"""Messages of a thread that are read, the newest ones; what is left out is counted."""
LINE = 200
"""Characters of what a message says in a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """A message of a thread as its sender wrote it, and whether that was the user."""

    summary: Summary
    understood: Understood
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation, oldest first; `total` counts the messages that were not read too."""

    found: FoundMessage
    messages: tuple[ThreadMessage, ...]
    total: int


def read_thread(app: App, source: SourceSpec, message_id: str) -> Thread:
    """The whole conversation that a message belongs to.

    Raises:
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read.
    """
    rules, owner, now = stored_rules(environ=app.environ), owner_of(app, source), time()

    async def use(mail: MailReader) -> Thread:
        found = await look_up(mail, app.tier(), message_id, now=now, owner=owner, rules=rules)
        return await thread_around(app, mail, found, await every_summary(mail), owner)

    return with_copy(app, source, use, now=now)


async def thread_around(
    app: App, mail: MailReader, found: FoundMessage, every: Sequence[Summary], owner: Sequence[str]
) -> Thread:
    """The conversation of a message that was found, of a mailbox that is open and was listed.

    Raises:
        MailError: The mailbox cannot be read.
    """
    members = [one for one in every if one["thread_id"] == found.summary["thread_id"]]
    members.sort(key=lambda one: parse_date(one["date"]) or 0.0)
    shown = members[-MOST_OF_A_THREAD:]
    read = {one["id"]: one for one in (await mail.read_emails([one["id"] for one in shown]))["emails"]}
    own, tier = {address.lower() for address in owner}, app.tier()
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


async def every_summary(mail: MailReader) -> list[Summary]:
    """How every message is listed, those in Spam and Trash too, newest first."""
    return [one async for one in summaries_of(mail, ANYWHERE)]


def thread_document(thread: Thread) -> ThreadDocument:
    """Who wrote when and what in a line, what is asked and by when, and who has the last word."""
    read = thread.messages
    last = read[-1] if read else None
    return {
        "schema_version": 1,
        **head_row(thread.found.summary),
        "messages": [
            {
                **head_row(one.summary),
                "own": one.own,
                "line": plain(one.understood.verdict.summary or one.understood.prepared.normalized, LINE),
            }
            for one in read
        ],
        "asked": [
            {
                "id": one.summary["id"],
                "text": plain(item.text),
                "owner": plain(item.owner),
                "due": item.due or None,
            }
            for one in read
            for item in one.understood.verdict.entities.action_items
        ],
        "last_word": None
        if last is None
        else ("you" if last.own else plain(last.summary["from"]["address"])),
        "total": thread.total,
        "read": len(read),
    }
