"""The inbox, and one message of it, as the user's rules have them. Entries: `read_inbox`, `read_message`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING

from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy.switches import holds_run
from gaia_email.policy_store import stored_rules
from gaia_email.services.opening import owner_of, with_copy
from gaia_email.triage.inbox import Found, Inbox, look_up, triage
from gaia_email.triage.tiers import default_tier

if TYPE_CHECKING:
    from gaia_email.mailbox.reader import MailReader
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.services.source import Source


def current_rules() -> tuple[UserRules, str]:
    """The user's rules, and a sentence where the agent is stopped or paused; empty otherwise.

    Raises:
        MailError: The ledger cannot be read.
    """
    rules = stored_rules()
    hold = holds_run(rules.switches, None, now=time(), scheduled=True)
    return rules, "" if hold is None else hold.reason


def read_inbox(
    source: Source,
    *,
    rules: UserRules | None = None,
    since: float | None = None,
    summaries: bool = True,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Inbox:
    """Sort the inbox; nothing is changed.

    Args:
        source: Which mail.
        rules: The user's rules; None for those in the ledger.
        since: Only mail from then on (epoch seconds).
        summaries: Whether each message gets its line of summary, which takes time.
        progress: Told how many of how many messages are done.

    Raises:
        MailError: The mailbox or the ledger cannot be read.
    """
    now, held = time(), stored_rules() if rules is None else rules

    async def look(mail: MailReader) -> Inbox:
        return await triage(
            mail,
            default_tier(summaries=summaries),
            now=now,
            owner=owner_of(source),
            since=since,
            rules=held,
            progress=progress,
        )

    return with_copy(source, look, now=now)


def read_message(
    source: Source, message_id: str, *, rules: UserRules | None = None, corrected: bool = True
) -> Found:
    """One message and what is thought of it.

    Args:
        source: Which mail.
        message_id: An id as a listing shows it, or an unambiguous beginning of one.
        rules: The user's rules; None for those in the ledger.
        corrected: Whether what the user said about it counts; False for what the rules alone say.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    now, held = time(), stored_rules() if rules is None else rules
    asked = held if corrected else replace(held, says=OwnerSays())

    async def look(mail: MailReader) -> Found:
        return await look_up(mail, default_tier(), message_id, now=now, owner=owner_of(source), rules=asked)

    return with_copy(source, look, now=now)
