"""A thread in a few sentences, each with the message it is from. Entry: `sum_up`.

By the model the user chose, and without one by the lines that tier 0 takes out of each message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gaia_email.cascade.agree import is_clean
from gaia_email.cascade.understand import Understood
from gaia_email.cascade.verdict import Tier, Verdict
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import look_up
from gaia_email.triage.tiers import has_models
from gaia_email.triage.uncertain import unsure_of
from gaia_email.triage.whole_thread import look_up_thread
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import MailError

MOST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLine:
    """A sentence and the message it is from."""

    text: str
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectMessage:
    """A message of the thread that the person should be warned of; no word of it is in the summary."""

    summary: Summary
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadSummary:
    """A thread summed up.

    Attributes:
        thread: Its messages, oldest first; of a long thread the newest.
        made_by: `model`, or `T0` for lines taken out of the messages themselves.
        lines: What it says.
        warned: Its messages that the person should be warned of.
        dropped: Sentences of the model that did not stand up to the messages.
        withheld: Messages left out: suspect, or protected where a model would have been shown them.
        said: Why no model spoke; empty where one did or none is chosen.
    """

    thread: tuple[Summary, ...]
    made_by: Literal["model", "T0"]
    lines: tuple[SummaryLine, ...]
    warned: tuple[SuspectMessage, ...] = ()
    dropped: int = 0
    withheld: int = 0
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
    warned = tuple(
        SuspectMessage(summary=one, verdict=understood.verdict)
        for one, understood in read
        if understood.verdict.flags.warnings
    )
    plain = tuple(_extracted(read))
    if not has_models(environ):
        return ThreadSummary(
            thread=thread, warned=warned, made_by="T0", lines=plain, withheld=len(read) - len(plain)
        )
    from gaia_email.models.summarise import summarise

    open_to_it = [
        unsure_of(one["id"], understood)
        for one, understood in read
        if is_clean(understood.verdict) and not rules.policy.protected.over(rules.facts(one, understood))
    ]
    withheld = len(read) - len(open_to_it)
    if not open_to_it:
        said = "Its messages are suspect or protected, so no model was shown them."
        return ThreadSummary(
            thread=thread, warned=warned, made_by="T0", lines=plain, withheld=withheld, said=said
        )
    try:
        claims = await summarise(open_to_it, environ, account=thread[0]["account"], tell=tell)
    except MailError as error:
        return ThreadSummary(thread=thread, warned=warned, made_by="T0", lines=plain, said=error.message)
    if not claims.held:
        said = "Nothing that the model said stood up to the messages."
        return ThreadSummary(
            thread=thread, warned=warned, made_by="T0", lines=plain, dropped=claims.dropped, said=said
        )
    lines = tuple(SummaryLine(text=claim.text, summary=by_id[claim.message_id]) for claim in claims.held)
    return ThreadSummary(
        thread=thread, warned=warned, made_by="model", lines=lines, dropped=claims.dropped, withheld=withheld
    )


def _extracted(read: Sequence[tuple[Summary, Understood]]) -> list[SummaryLine]:
    """A line of each message but those that a person should be warned of."""
    return [
        SummaryLine(text=understood.verdict.summary or one["subject"] or "(no words)", summary=one)
        for one, understood in read
        if not understood.verdict.flags.warnings
    ]
