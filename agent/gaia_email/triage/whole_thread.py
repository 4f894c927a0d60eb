"""The other messages of a conversation, each judged as if it was looked up alone. Entry: `look_up_thread`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaia_email.cascade.verdict import Tier
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE, MailReader, ThreadReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import FoundMessage, look_up_all
from gaia_email.triage.surveying import summaries_of
from gaia_email_registry.contract.wire import Summary
from gaia_mail.exchanged import was_exchanged

MOST_OF_A_THREAD = 100
"""Messages of a thread that are read, the newest ones; what is left out is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadThread:
    """Messages of a thread, oldest first; `total` counts those that were not read too."""

    messages: tuple[FoundMessage, ...]
    total: int

    def besides(self, message_id: str) -> tuple[FoundMessage, ...]:
        """The messages but for this one."""
        return tuple(one for one in self.messages if one.summary["id"] != message_id)


async def look_up_thread(
    mail: MailReader,
    tier: Tier,
    found: FoundMessage,
    *,
    now: float,
    owner: Sequence[str] = (),
    rules: UserRules | None = None,
    entities: bool = False,
) -> ReadThread:
    """Understand every message of a thread, but for drafts and what lies in Spam or Trash.

    Raises:
        MailError: The mailbox cannot be read.
    """
    members = await thread_summaries(mail, found.summary)
    ids = [one["id"] for one in members[-MOST_OF_A_THREAD:] if one["id"] != found.summary["id"]]
    others = (
        await look_up_all(mail, tier, ids, now=now, owner=owner, rules=rules, entities=entities)
        if ids
        else []
    )
    messages = sorted([found, *others], key=lambda one: (_date(one.summary), one.summary["id"]))
    return ReadThread(messages=tuple(messages), total=len(members))


async def thread_summaries(mail: MailReader, of: Summary) -> list[Summary]:
    """Return how the messages of a conversation are listed, oldest first, the one that is asked about among them."""
    if isinstance(mail, ThreadReader):
        every = mail.thread(of["thread_id"])
    else:
        listed = summaries_of(mail, ANYWHERE)
        every = [one async for one in listed if one["thread_id"] == of["thread_id"]]
    members = [one for one in every if was_exchanged(one) or one["id"] == of["id"]]
    if all(one["id"] != of["id"] for one in members):
        members.append(of)
    return sorted(members, key=lambda one: (_date(one), one["id"]))


def _date(summary: Summary) -> float:
    return parse_date(summary["date"]) or 0.0
