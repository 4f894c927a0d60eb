"""A whole conversation, and the listings of its messages. Entries: `read_thread`, `thread_document`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.documents.short import plain
from gaia_email.app.documents.thread import ThreadDocument, head_row
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.mailbox.reader import ANYWHERE, MailReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import FoundMessage, look_up
from gaia_email.triage.surveying import summaries_of
from gaia_email.triage.whole_thread import look_up_thread
from gaia_email_registry.contract.wire import Summary
from gaia_mail.exchanged import was_sent
from gaia_understanding.cascade.understand import Understood

LINE = 200
"""Maximum length of a message's one-line summary in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """A message of a thread as its sender wrote it; `own` is True if that was the user."""

    summary: Summary
    understood: Understood
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation, oldest first; `total` also counts the messages that were not read."""

    found: FoundMessage
    messages: tuple[ThreadMessage, ...]
    total: int


def read_thread(app: App, source: SourceSpec, message_id: str) -> Thread:
    """Return the whole conversation that a message belongs to.

    Raises:
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read.
    """
    rules, owner, now = stored_rules(environ=app.environ), owner_of(app, source), app.clock()

    async def use(mail: MailReader) -> Thread:
        found = await look_up(mail, app.tier(), message_id, now=now, owner=owner, rules=rules)
        return await thread_around(app, mail, found, owner, rules)

    return with_copy(app, source, use, now=now)


async def thread_around(
    app: App, mail: MailReader, found: FoundMessage, owner: Sequence[str], rules: UserRules
) -> Thread:
    """Return the conversation of a message in an open mailbox."""
    tier, now = app.tier(), app.clock()
    thread = await look_up_thread(mail, tier, found, now=now, owner=owner, rules=rules, entities=True)
    own = {address.lower() for address in owner}
    messages = tuple(
        ThreadMessage(summary=one.summary, understood=one.understood, own=_is_own(one, own))
        for one in thread.messages
    )
    return Thread(found=found, messages=messages, total=thread.total)


def _is_own(one: FoundMessage, own: Collection[str]) -> bool:
    """True if the user wrote it; mail in the inbox, or with warnings, could only claim to be theirs."""
    summary = one.summary
    if was_sent(summary):
        return True
    is_theirs = summary["from"]["address"].lower() in own and "INBOX" not in summary["labels"]
    return is_theirs and not one.understood.verdict.flags.warnings


async def every_summary(mail: MailReader) -> list[Summary]:
    """List every message, including those in Spam and Trash, newest first."""
    return [one async for one in summaries_of(mail, ANYWHERE)]


def thread_document(thread: Thread) -> ThreadDocument:
    """Return the document of a conversation: its messages in a line each, the tasks assigned, and the last author."""
    read = thread.messages
    last = read[-1] if read else None
    return {
        "schema_version": 1,
        **head_row(thread.found.summary),
        "messages": [
            {
                **head_row(one.summary),
                "own": one.own,
                "warnings": list(one.understood.verdict.flags.warnings),
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
