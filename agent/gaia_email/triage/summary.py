"""A thread in a few sentences, each with the message it is from. Entry: `sum_up`.

By the model the user chose, and without one by the lines that tier 0 takes out of each message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gaia_email.cascade.agree import is_clean
from gaia_email.cascade.understand import Understood, read_raw, understand
from gaia_email.cascade.verdict import Context, Tier
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE, MailReader
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.tiers import has_models
from gaia_email.triage.uncertain import unsure_of
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import MailError, NotFound

PAGE, MOST = 500, 40
_WARNED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLine:
    """A sentence and the message it is from."""

    text: str
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadSummary:
    """A thread summed up.

    Attributes:
        thread: Its messages, oldest first; of a long thread the newest.
        made_by: `model`, or `T0` for lines taken out of the messages themselves.
        lines: What it says.
        dropped: Sentences of the model that did not stand up to the messages.
        withheld: Messages left out: suspect, or protected where a model would have been shown them.
        said: Why no model spoke; empty where one did or none is chosen.
    """

    thread: tuple[Summary, ...]
    made_by: Literal["model", "T0"]
    lines: tuple[SummaryLine, ...]
    dropped: int = 0
    withheld: int = 0
    said: str = ""


async def sum_up(
    mail: MailReader,
    tier: Tier,
    message_id: str,
    environ: Mapping[str, str],
    *,
    rules: UserRules | None = None,
    tell: Callable[[str], None] = lambda said: None,
) -> ThreadSummary:
    """Sum up the thread of a message.

    Raises:
        NotFound: No message, or more than one, has that id.
    """
    rules = await (rules or UserRules()).at(mail.labels)
    thread = await _thread(mail, message_id)
    emails = (await mail.read_emails([one["id"] for one in thread]))["emails"]
    context = Context(owner=frozenset({thread[0]["account"]}))
    by_id = {one["id"]: one for one in thread}
    read = [(by_id[email["id"]], understand(read_raw(email), context, tier)) for email in emails]
    plain = tuple(_extracted(read))
    if not has_models(environ):
        return ThreadSummary(thread=thread, made_by="T0", lines=plain, withheld=len(read) - len(plain))
    from gaia_email.models.summarise import summarise

    open_to_it = [
        unsure_of(one["id"], understood)
        for one, understood in read
        if is_clean(understood.verdict) and not rules.policy.protected.over(rules.facts(one, understood))
    ]
    withheld = len(read) - len(open_to_it)
    if not open_to_it:
        said = "Its messages are suspect or protected, so no model was shown them."
        return ThreadSummary(thread=thread, made_by="T0", lines=plain, withheld=withheld, said=said)
    try:
        claims = await summarise(open_to_it, environ, account=thread[0]["account"], tell=tell)
    except MailError as error:
        return ThreadSummary(thread=thread, made_by="T0", lines=plain, said=error.message)
    if not claims.held:
        said = "Nothing that the model said stood up to the messages."
        return ThreadSummary(thread=thread, made_by="T0", lines=plain, dropped=claims.dropped, said=said)
    lines = tuple(SummaryLine(text=claim.text, summary=by_id[claim.message_id]) for claim in claims.held)
    return ThreadSummary(
        thread=thread, made_by="model", lines=lines, dropped=claims.dropped, withheld=withheld
    )


def _extracted(read: Sequence[tuple[Summary, Understood]]) -> list[SummaryLine]:
    """A line of each message but those that a person should be warned of."""
    return [
        SummaryLine(text=understood.verdict.summary or one["subject"] or "(no words)", summary=one)
        for one, understood in read
        if not _is_warned_of(understood)
    ]


def _is_warned_of(understood: Understood) -> bool:
    flags = understood.verdict.flags
    return max(flags.phishing.score, flags.injection.score, flags.spam) >= _WARNED


async def _thread(mail: MailReader, message_id: str) -> tuple[Summary, ...]:
    every: list[Summary] = []
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=ANYWHERE, limit=PAGE, cursor=cursor)
        every += page["emails"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    named = {one["id"]: one for one in every if message_id and one["id"].startswith(message_id)}
    one = named.get(message_id) or (next(iter(named.values())) if len(named) == 1 else None)
    if one is None:
        many = f"{len(named)} messages have an id that begins with" if named else "No message here has the id"
        raise NotFound(f"{many} {message_id[:80]!r}.", argument="id", hint="gaia email inbox lists the ids")
    thread = [other for other in every if other["thread_id"] == one["thread_id"]]
    return tuple(sorted(thread, key=lambda each: (parse_date(each["date"]) or 0.0, each["id"]))[-MOST:])
