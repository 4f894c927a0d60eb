"""A whole conversation, and the listing it is found in. Entries: `read_thread`, `every_summary`."""

from __future__ import annotations

from dataclasses import dataclass
from time import time

from gaia_email.cascade.understand import Understood, read_raw, understand
from gaia_email.cascade.verdict import Context
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE, MailReader
from gaia_email.policy_store import stored_rules
from gaia_email.services.opening import owner_of, with_copy
from gaia_email.services.source import Source
from gaia_email.triage.inbox import PAGE, Found, look_up
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.contract.wire import Summary

MOST_OF_A_THREAD = 100
"""Messages of a thread that are read, the newest ones; what is left out is counted."""


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


def read_thread(source: Source, message_id: str) -> Thread:
    """The whole conversation that a message belongs to.

    Raises:
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read.
    """
    rules, tier, owner, now = stored_rules(), default_tier(), owner_of(source), time()

    async def use(mail: MailReader) -> Thread:
        found = await look_up(mail, tier, message_id, now=now, owner=owner, rules=rules)
        wanted = found.summary["thread_id"]
        members = [one for one in await every_summary(mail) if one["thread_id"] == wanted]
        members.sort(key=lambda one: parse_date(one["date"]) or 0.0)
        shown = members[-MOST_OF_A_THREAD:]
        read = {one["id"]: one for one in (await mail.read_emails([one["id"] for one in shown]))["emails"]}
        own = {address.lower() for address in owner}
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

    return with_copy(source, use, now=now)


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
