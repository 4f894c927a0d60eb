"""Summarise a thread in a few sentences, each with its source message. Entry: `sum_up`.

Uses the model that the user chose, or else the lines that tier 0 extracts from each message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from gaia_email.document import Count, Document, NamedAddress, named_address
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import look_up
from gaia_email.triage.tiers import has_models
from gaia_email.triage.uncertain import unsure_of
from gaia_email.triage.whole_thread import look_up_thread
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import MailError
from gaia_understanding.cascade.agree import is_clean
from gaia_understanding.cascade.understand import Understood
from gaia_understanding.cascade.verdict import Tier, WarningName

MOST = 40


class SummaryLine(Document, frozen=True, kw_only=True):
    """A sentence of a summary, and its source message."""

    text: str
    message: str
    from_: NamedAddress
    date: str | None


class SuspectMessage(Document, frozen=True, kw_only=True):
    """A message with warnings; the summary uses none of its text."""

    id: str
    from_: NamedAddress
    subject: str
    date: str | None
    warnings: tuple[WarningName, ...]


class ThreadSummary(Document, frozen=True, kw_only=True):
    """A summary of a thread.

    Attributes:
        thread_id: The thread.
        subject: The subject of its newest message that is not suspect.
        messages: How many messages were read; of a long thread only the newest are.
        newest: The id of the newest message that is not suspect.
        made_by: `model`, or `T0` for lines extracted from the messages.
        lines: The sentences.
        warned: Its messages with warnings.
        dropped: Sentences of the model that the messages do not support.
        withheld: Messages left out: suspect, or protected if a model would have been shown them.
        said: Why no model was used; empty if one was, or if none is chosen.
    """

    thread_id: str
    subject: str
    messages: Count
    newest: str
    made_by: Literal["model", "T0"]
    lines: tuple[SummaryLine, ...]
    warned: tuple[SuspectMessage, ...]
    dropped: Count = 0
    withheld: Count = 0
    said: str = ""


async def sum_up(
    mail: MailReader,
    tier: Tier,
    message_id: str,
    environ: Mapping[str, str],
    *,
    now: float,
    owner: Sequence[str] = (),
    rules: UserRules | None = None,
    tell: Callable[[str], None] = lambda said: None,
) -> ThreadSummary:
    """Summarise the thread of a message.

    Raises:
        NotFound: No message, or more than one, has that id.
    """
    rules = await (rules or UserRules()).at(mail.labels)
    found = await look_up(mail, tier, message_id, now=now, owner=owner, rules=rules, entities=False)
    conversation = await look_up_thread(mail, tier, found, now=now, owner=owner, rules=rules)
    messages = conversation.messages[-MOST:]
    thread = tuple(one.summary for one in messages)
    by_id = {one["id"]: one for one in thread}
    read = [(one.summary, one.understood) for one in messages]
    plain = tuple(_extracted(read))
    summed_up = _summed_up(read)
    extracted = partial(summed_up, made_by="T0", lines=plain)
    if not has_models(environ):
        return extracted(withheld=len(read) - len(plain))
    from gaia_email.models.summarise import summarise

    open_to_it = [
        unsure_of(one["id"], understood)
        for one, understood in read
        if is_clean(understood.verdict) and not rules.policy.protected.over(rules.facts(one, understood))
    ]
    withheld = len(read) - len(open_to_it)
    if not open_to_it:
        said = "Its messages are suspect or protected, so no model was shown them."
        return extracted(withheld=withheld, said=said)
    try:
        claims = await summarise(open_to_it, environ, account=thread[0]["account"], tell=tell)
    except MailError as error:
        return extracted(said=error.message)
    if not claims.held:
        said = "Nothing that the model said stood up to the messages."
        return extracted(dropped=claims.dropped, said=said)
    lines = tuple(_line(claim.text, by_id[claim.message_id]) for claim in claims.held)
    return summed_up(made_by="model", lines=lines, dropped=claims.dropped, withheld=withheld)


def _summed_up(read: Sequence[tuple[Summary, Understood]]) -> partial[ThreadSummary]:
    """Prepare a summary of these messages, oldest first."""
    warned = tuple(
        SuspectMessage(
            id=one["id"],
            from_=named_address(one["from"]),
            subject=one["subject"],
            date=one["date"] or None,
            warnings=understood.verdict.flags.warnings,
        )
        for one, understood in read
        if understood.verdict.flags.warnings
    )
    suspect = {one.id for one in warned}
    newest = next((one for one, _ in reversed(read) if one["id"] not in suspect), read[-1][0])
    return partial(
        ThreadSummary,
        thread_id=newest["thread_id"],
        subject=newest["subject"],
        messages=len(read),
        newest=newest["id"],
        warned=warned,
    )


def _line(text: str, one: Summary) -> SummaryLine:
    return SummaryLine(
        text=text, message=one["id"], from_=named_address(one["from"]), date=one["date"] or None
    )


def _extracted(read: Sequence[tuple[Summary, Understood]]) -> list[SummaryLine]:
    """Return one line per message, without messages that have a warning."""
    return [
        _line(understood.verdict.summary or one["subject"] or "(no words)", one)
        for one, understood in read
        if not understood.verdict.flags.warnings
    ]
