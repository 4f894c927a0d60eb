"""A thread in a few sentences, each with the message it is from. Entry: `sum_up`.

By the model the user chose, and without one by the lines that tier 0 takes out of each message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from gaia_email.cascade.agree import is_clean
from gaia_email.cascade.understand import Understood
from gaia_email.cascade.verdict import Tier, WarningName
from gaia_email.document import Count, Document, NamedAddress, named_address
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import look_up
from gaia_email.triage.tiers import has_models
from gaia_email.triage.uncertain import unsure_of
from gaia_email.triage.whole_thread import look_up_thread
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import MailError

MOST = 40


class SummaryLine(Document, frozen=True, kw_only=True):
    """A sentence, and the message it is from."""

    text: str
    message: str
    from_: NamedAddress
    date: str | None


class SuspectMessage(Document, frozen=True, kw_only=True):
    """A message that the person should be warned of; no word of it is in the summary."""

    id: str
    from_: NamedAddress
    subject: str
    date: str | None
    warnings: tuple[WarningName, ...]


class ThreadSummary(Document, frozen=True, kw_only=True):
    """A thread summed up.

    Attributes:
        thread_id: The thread.
        subject: The subject of its newest message that is not suspect.
        messages: How many messages were read; of a long thread only the newest are.
        newest: The id of the newest message that is not suspect.
        made_by: `model`, or `T0` for lines taken out of the messages themselves.
        lines: What it says.
        warned: Its messages that the person should be warned of.
        dropped: Sentences of the model that did not stand up to the messages.
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
    """Sum up the thread of a message.

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
    """Begin a summary of these messages, the oldest first."""
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
    """A line of each message but those that a person should be warned of."""
    return [
        _line(understood.verdict.summary or one["subject"] or "(no words)", one)
        for one, understood in read
        if not understood.verdict.flags.warnings
    ]
