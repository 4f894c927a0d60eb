"""Operations about the day: the brief, meetings, postponed mail and follow-ups."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.documents.layouts import mail as cards
from gaia_email.app.operations.inputs import MessageId, RowLimit, on_command_line
from gaia_email.app.operations.offers import AgentTool, Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.app.services.later import PutOffMail


class BriefInput(OperationInput, frozen=True, kw_only=True):
    """Choice of a brief and its form."""

    evening: Annotated[
        bool, Meta(description="The evening's, about tomorrow. Usually the one of the hour.")
    ] = False
    date: Annotated[
        str,
        Meta(max_length=10, description="Day of the events, such as 2026-11-30; empty for the brief's own."),
        on_command_line(metavar="DATE"),
    ] = ""
    last: Annotated[bool, Meta(description="The last one that was made by the clock, as it was then.")] = (
        False
    )
    to: Annotated[
        Literal["", "markdown", "html", "print", "speech"],
        Meta(description="The form of `text`; empty for none."),
        on_command_line(words="As text in this form."),
    ] = ""


class PrepInput(OperationInput, frozen=True, kw_only=True):
    """Choice of meetings."""

    hours: Annotated[
        int,
        Meta(ge=1, le=168, description="Those that begin within so many hours."),
        on_command_line(metavar="N"),
    ] = 24


class FollowupsInput(OperationInput, frozen=True, kw_only=True):
    """Choice of follow-ups."""

    side: Annotated[
        Literal["all", "owe", "owed"],
        Meta(description="Answers that the user owes (owe), that others owe (owed), or both."),
    ] = "all"
    limit: RowLimit = 100


class DecideFollowupInput(OperationInput, frozen=True, kw_only=True):
    """A thread, and what the user says of it."""

    message_id: MessageId
    decided: Annotated[
        Literal["dismiss", "wait", "owe", "owed", "nothing"],
        Meta(
            description="It is settled (dismiss), it is not to be told of until a time (wait), the user owes (owe), "
            "others do (owed), or nobody does (nothing)."
        ),
    ]
    until: Annotated[
        str,
        Meta(max_length=60, description="For wait: in how long (3d, 1w), a day (friday), or a time."),
        on_command_line(metavar="WHEN", moment="until"),
    ] = ""


@operation(
    output="brief",
    path="POST /v1/email/brief",
    example={"to": "markdown"},
    mailbox="all",
    tools=(
        AgentTool(
            name="daily_brief",
            takes={"evening": "evening"},
            fields=(
                *("kind", "date", "zone", "account", "messages", "threads", "unsure", "unreadable", "email"),
                *("agenda", "events", "owe_total", "owed_total", "owe", "owed", "archived_total", "empty"),
            ),
            description="Mail in its buckets, the day's events, and who owes whom an answer since when. "
            "Counts are exact.",
        ),
    ),
    columns=("kind", "date", "messages", "threads", "owe_total", "owed_total", "archived_total"),
    cli=Command(
        name="brief",
        heading="Read",
        after="summarise",
        line="Show the day: mail in its buckets, the calendar, and who owes whom.",
        help="""The day: your mail in its buckets, the calendar, and who owes whom.

    In the morning it is about today, from 17:00 on about tomorrow. Events come from the calendar of the account, else
    from invitations in mail. gaia email schedule add brief makes one every day; docs/brief.md says more.
    """,
        card="brief_card.print_brief",
        text="text",
    ),
)
def brief(app: App, call: OperationCall[BriefInput]) -> dict[str, Any]:
    """The day in one document: mail in its buckets, the calendar, and who owes whom.

    Raises:
        BadArgument: The date is none, or one is given for the last one.
        NotFound: The last one is asked for, and none was made.
        MailError: No mailbox can be read.
    """
    from gaia_email.app.documents.brief import brief_document
    from gaia_email.app.documents.brief_text import brief_text
    from gaia_email.app.services.brief import last_brief, make_brief

    asked = call.asked
    if asked.last and (asked.evening or asked.date):
        raise BadArgument("The last one was made before, with an hour and a day of its own.", argument="last")
    if asked.last:
        document = last_brief(app, call.sources)
    else:
        made = make_brief(app, call.sources, kind="evening" if asked.evening else None, day=asked.date)
        for problem in made.problems:
            call.tell(problem)
        document = brief_document(made)
    text = brief_text(document, asked.to) if asked.to else ""
    return {**document, "form": asked.to, "text": text}


@operation(
    output="prep",
    path="GET /v1/email/prep",
    example={"hours": 48},
    mailbox="all",
    columns=("id", "start", "title", "people"),
    rows="meetings",
    card=cards.MEETINGS,
    cli=Command(
        name="prep",
        heading="Read",
        after="brief",
        line="Prepare a meeting: who takes part, the last threads with them, what is open.",
        help="""
    What to know before your meetings of the next day: who takes part, the last threads with them, what is open.

    From the calendar of the account, or from invitations in mail; gaia email schedule add prep puts up a note before
    each. docs/brief.md says more.
    """,
    ),
)
def prep(app: App, call: OperationCall[PrepInput]) -> dict[str, Any]:
    """Prepare a meeting: who takes part, the last threads with them, and what is open on each side.

    Raises:
        MailError: No mailbox can be read.
    """
    from gaia_email.app.documents.meeting_prep import prep_document
    from gaia_email.app.services.meeting_prep import meetings

    found = meetings(app, call.sources, within_s=call.asked.hours * 3_600.0)
    for problem in found.problems:
        call.tell(problem)
    return {**prep_document(found)}


@operation(
    output="app.services.later.PutOffMail",
    path="GET /v1/email/later",
    mailbox="all",
    columns=("id", "until", "from.address", "subject"),
    rows=("reply_later", "snoozed"),
    card=cards.LATER,
    cli=Command(
        name="later",
        heading="Read",
        after="prep",
        line="List what you put off: messages to answer later, and snoozed ones.",
        help="List what you put off: messages to answer later (gaia email reply-later), "
        "and what is snoozed until when.",
    ),
)
def later(app: App, call: OperationCall[NoInput]) -> PutOffMail:
    """List what the user put off: the queue to answer later, and snoozed messages with their times.

    Raises:
        MailError: A mailbox cannot be read.
    """
    from gaia_email.app.services.later import put_off

    return put_off(app, call.sources)


@operation(
    output="followups", path="GET /v1/email/followups", example={"side": "owed", "limit": 5}, mailbox="all"
)
def followups(app: App, call: OperationCall[FollowupsInput]) -> dict[str, Any]:
    """List who owes whom an answer: threads that wait for the user, and threads the user waits for.

    Raises:
        MailError: No mailbox can be read.
    """
    from gaia_email.app.documents.followups import followups_document
    from gaia_email.app.services.followups import read_followups

    found = read_followups(app, call.sources)
    for problem in found.problems:
        call.tell(problem)
    return {**followups_document(found, call.asked.side, call.asked.limit)}


@operation(
    output="followup",
    path="POST /v1/email/followups",
    example={"message_id": "MESSAGE", "decided": "dismiss"},
    risk="person",
    mailbox="one",
)
def decide_followup(app: App, call: OperationCall[DecideFollowupInput]) -> dict[str, Any]:
    """Say that what a thread shows as owed is settled, put off, or owed by somebody else; mail stays as it is.

    Raises:
        BadArgument: A time is missing, past, or given where none is wanted.
        MailError: There is no such message, or the mailbox or the ledger cannot be used.
    """
    from gaia_email.app.documents.followups import followup_document
    from gaia_email.app.services.followup_decisions import Decided
    from gaia_email.app.services.followups import say
    from gaia_email.app.services.time_words import until_epoch

    asked, until = call.asked, 0.0
    if (asked.decided == "wait") != bool(asked.until):
        raise BadArgument(
            "wait takes a time, and only wait does.", argument="until", hint="--until 3d, for one."
        )
    if asked.until:
        until = until_epoch(asked.until, datetime.fromtimestamp(app.clock(), UTC).astimezone())
        if until <= app.clock():
            raise BadArgument(f"{asked.until!r} is past.", argument="until")
    words: dict[str, Decided] = {
        "dismiss": "dismissed",
        "wait": "waiting",
        "owe": "you",
        "owed": "they",
        "nothing": "nothing",
    }
    told = say(app, call.source, asked.message_id, words[asked.decided], until=until, actor=call.actor)
    return {**followup_document(told)}
