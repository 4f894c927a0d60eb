"""The other messages of a conversation, each judged as if looked up alone. Entry: `look_up_thread`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE, MailReader, ThreadReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import FoundMessage, look_up_all
from gaia_email.triage.surveying import summaries_of
from gaia_email_registry.contract.wire import Summary
from gaia_mail.exchanged import was_exchanged
from gaia_understanding.cascade.verdict import Tier

MOST_OF_A_THREAD = 100
"""Maximum number of messages read per thread, the newest ones; the rest is only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadThread:
    """Messages of a thread, oldest first; `total` also counts those that were not read."""

    messages: tuple[FoundMessage, ...]
    total: int

    def besides(self, message_id: str) -> tuple[FoundMessage, ...]:
        """Return the messages except this one."""
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
    """Judge every message of a thread, except drafts and messages in Spam or Trash."""
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
    """Return the summaries of a conversation's messages, oldest first, including the given one."""
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
