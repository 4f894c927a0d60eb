"""The inbox and single messages, judged by the user's rules. Entries: `read_inbox`, `read_message`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.services.opening import owner_of, tell_remarks, with_copy
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.triage.inbox import FoundMessage, Inbox, look_up, look_up_all, triage
from gaia_email.triage.whole_thread import look_up_thread

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.triage.summary import ThreadSummary


def read_inbox(
    app: App,
    source: SourceSpec,
    *,
    rules: UserRules | None = None,
    since: float | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    tell: Callable[[str], None] = lambda said: None,
    ask: bool = True,
    now: float | None = None,
) -> Inbox:
    """Sort the inbox; nothing is changed.

    Args:
        app: The running program.
        source: The mail to read.
        rules: The user's rules; None for those in the ledger.
        since: Only mail from this time on (epoch seconds).
        progress: Receives `(done, total)` in messages.
        tell: Receives sentences for a waiting user.
        ask: Whether to ask the language model that the user chose; otherwise only its earlier answers count.
        now: Epoch seconds; None for the clock's.

    Raises:
        MailError: The mailbox or the ledger cannot be read.
    """
    instant = app.clock() if now is None else now
    held = stored_rules(environ=app.environ) if rules is None else rules

    async def look(mail: MailReader) -> Inbox:
        inbox = await triage_mailbox(
            app, mail, source, rules=held, now=instant, since=since, progress=progress, tell=tell, ask=ask
        )
        tell_remarks(mail, tell)
        return inbox

    return with_copy(app, source, look, now=instant)


async def triage_mailbox(
    app: App,
    mail: MailReader,
    source: SourceSpec,
    *,
    rules: UserRules,
    now: float,
    since: float | None,
    progress: Callable[[int, int], None],
    tell: Callable[[str], None],
    ask: bool = True,
    older_stand: bool = False,
    threads: Collection[str] | None = None,
) -> Inbox:
    """As `read_inbox`, for an open mailbox; for `older_stand` and `threads` see `gaia_email.triage.inbox.triage`."""
    return await triage(
        mail,
        app.tier(),
        now=now,
        owner=owner_of(app, source),
        since=since,
        rules=rules,
        uncertain=app.models(tell=tell, keep=source.kind != "demo", ask=ask),
        progress=progress,
        older_stand=older_stand,
        threads=threads,
    )


def read_message(
    app: App,
    source: SourceSpec,
    message_id: str,
    *,
    rules: UserRules | None = None,
    entities: bool = True,
) -> FoundMessage:
    """Return one message with its verdict.

    Args:
        app: The running program.
        source: The mail to read.
        message_id: An id from a listing, or an unambiguous beginning of one.
        rules: The user's rules; None for those in the ledger.
        entities: See `gaia_email.triage.inbox.look_up`.

    Raises:
        MailError: The message does not exist, or the mailbox cannot be read.
    """
    now, held = app.clock(), stored_rules(environ=app.environ) if rules is None else rules

    async def look(mail: MailReader) -> FoundMessage:
        return await look_up(
            mail,
            app.tier(),
            message_id,
            now=now,
            owner=owner_of(app, source),
            rules=held,
            uncertain=app.models(ask=False, keep=source.kind != "demo"),
            entities=entities,
        )

    return with_copy(app, source, look, now=now)


def read_in_thread(
    app: App,
    source: SourceSpec,
    message_id: str,
    *,
    rules: UserRules | None = None,
    entities: bool = True,
) -> tuple[FoundMessage, tuple[FoundMessage, ...]]:
    """As `read_message`, with the other messages of its conversation, oldest first; these have no entities.

    Raises:
        MailError: The message does not exist, or the mailbox cannot be read.
    """
    now, held, owner = (
        app.clock(),
        stored_rules(environ=app.environ) if rules is None else rules,
        owner_of(app, source),
    )
    models = app.models(ask=False, keep=source.kind != "demo")

    async def look(mail: MailReader) -> tuple[FoundMessage, tuple[FoundMessage, ...]]:
        found = await look_up(
            mail,
            app.tier(),
            message_id,
            now=now,
            owner=owner,
            rules=held,
            uncertain=models,
            entities=entities,
        )
        thread = await look_up_thread(mail, app.tier(), found, now=now, owner=owner, rules=held)
        return found, thread.besides(found.summary["id"])

    return with_copy(app, source, look, now=now)


def read_messages(app: App, source: SourceSpec, message_ids: Sequence[str]) -> list[FoundMessage]:
    """Return several messages in the order of the ids, opening the mailbox only once; verdicts have no entities.

    Raises:
        MailError: A message does not exist, or the mailbox cannot be read.
    """
    now, rules = app.clock(), stored_rules(environ=app.environ)

    async def look(mail: MailReader) -> list[FoundMessage]:
        return await look_up_all(
            mail,
            app.tier(),
            message_ids,
            now=now,
            owner=owner_of(app, source),
            rules=rules,
            entities=False,
        )

    return with_copy(app, source, look, now=now)


def sum_up_thread(
    app: App,
    source: SourceSpec,
    message_id: str,
    *,
    rules: UserRules,
    tell: Callable[[str], None] = lambda said: None,
) -> ThreadSummary:
    """Summarize the thread of a message with the language model that the user chose, or by its own lines.

    Raises:
        MailError: The message does not exist, or the mailbox cannot be read.
    """
    from gaia_email.triage.summary import sum_up

    now = app.clock()

    async def look(mail: MailReader) -> ThreadSummary:
        return await sum_up(
            mail,
            app.tier(),
            message_id,
            app.environ,
            now=now,
            owner=owner_of(app, source),
            rules=rules,
            tell=tell,
        )

    return with_copy(app, source, look, now=now)
