"""Operations that read mail and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.documents.layouts import mail as cards
from gaia_email.app.documents.layouts.policy import EXPLANATION
from gaia_email.app.documents.thread import ThreadDocument
from gaia_email.app.operations.inputs import (
    BucketLimit,
    MessageId,
    RowLimit,
    Since,
    on_command_line,
    since_of,
)
from gaia_email.app.operations.offers import AgentTool, Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.app.documents.mail_types import SectionName
    from gaia_email.app.services.formatted import FormattedMail
    from gaia_email.app.services.kept_inbox import InboxCounts
    from gaia_email.app.services.searching import MailHits
    from gaia_email.policy.explain import Explanation
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.triage.inbox import FoundMessage
    from gaia_email.triage.learn.habits import Habits
    from gaia_email.triage.summary import ThreadSummary


class InboxInput(OperationInput, frozen=True, kw_only=True):
    """Choice of a part of the inbox."""

    since: Since = ""
    limit: BucketLimit = 0
    bucket: Annotated[
        Literal["", "urgent", "actionable", "informational", "suspicious", "low_priority"],
        Meta(description="Only threads of this bucket, or what looks like fraud; empty for all."),
    ] = ""
    offset: Annotated[int, Meta(ge=0, description="Threads of each bucket to pass over.")] = 0
    offline: Annotated[bool, Meta(description="Show what was listed last; ask no mailbox.")] = False
    by_model: Annotated[
        bool,
        Meta(
            description="Ask the language model that the user chose where the rules are unsure; otherwise what it said "
            "before counts."
        ),
    ] = True


class MessageInput(OperationInput, frozen=True, kw_only=True):
    """One message."""

    message_id: MessageId


class SearchInput(OperationInput, frozen=True, kw_only=True):
    """A query in Gmail's search grammar."""

    query: Annotated[
        str,
        Meta(
            max_length=8_000,
            description='Words, "phrases", from:, to:, subject:, has:attachment, newer_than:7d.',
        ),
        on_command_line(argument=True, metavar="QUERY"),
    ]
    limit: Annotated[RowLimit, on_command_line(words="At most N messages.")] = 20
    sort: Annotated[Literal["best", "newest"], Meta(description="Order of the list.")] = "best"
    offline: Annotated[
        bool, Meta(description="Search the copy as it is; do not ask the mailbox for news.")
    ] = False


_HEAD = ("id", "from", "subject", "date")
_JUDGED = (
    *_HEAD,
    *(
        "bucket",
        "content_category",
        "speech_act",
        "cohort",
        "needs_reply",
        "confidence",
        "unsure",
        "warnings",
    ),
)


@operation(output="inbox", path="GET /v1/email/inbox", example={"limit": 3}, mailbox="all")
def inbox(app: App, call: OperationCall[InboxInput]) -> dict[str, Any]:
    """The inbox in four buckets, with a reason for every thread.

    Raises:
        NotFound: What was listed last is asked for, and nothing was.
        MailError: No mailbox can be read.
    """
    from gaia_email.ledger.policy_store import stored_rules

    asked = call.asked
    if asked.offline:
        return _kept(app, call)
    return build_listing(
        app,
        call,
        stored_rules(environ=app.environ),
        only=asked.bucket or None,
        offset=asked.offset,
        by_model=asked.by_model,
    )


def _kept(app: App, call: OperationCall[InboxInput]) -> dict[str, Any]:
    """Return the document of the inbox as last listed."""
    from gaia_email.app.documents.listing import inbox_document
    from gaia_email.app.services.kept_inbox import kept_inbox

    asked, found = call.asked, kept_inbox(app, call.sources)
    if found is None:
        raise NotFound("The inbox was not listed yet.", hint="gaia email inbox")
    limit, only = asked.limit or None, asked.bucket or None
    return {
        **inbox_document(found, found.documents(now=app.clock(), limit=limit, only=only, offset=asked.offset))
    }


@operation(output="app.services.kept_inbox.InboxCounts", path="GET /v1/email/inbox/counts", mailbox="all")
def inbox_counts(app: App, call: OperationCall[NoInput]) -> InboxCounts:
    """Count all and unread threads of each bucket, as of the last look at the inbox; nothing before the first.

    Raises:
        MailError: No mailbox is connected, or the ledger cannot be read.
    """
    from gaia_email.app.services.kept_inbox import count_inbox

    return count_inbox(app, call.sources)


def build_listing(
    app: App,
    call: OperationCall[Any],
    rules: UserRules,
    *,
    with_plan: bool = False,
    only: SectionName | None = None,
    offset: int = 0,
    by_model: bool = True,
) -> dict[str, Any]:
    """Return the inbox document of the mailboxes under these rules, with the triage plans if `with_plan`.

    With `only`, it contains only threads of that bucket; the first `offset` threads of each are skipped.

    Raises:
        MailError: No mailbox can be read.
    """
    from gaia_email.app.documents.listing import inbox_document
    from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox

    request = InboxRequest(
        rules=rules,
        now=app.clock(),
        since=since_of(call.asked.since),
        progress=call.progress,
        tell=call.tell,
        ask=by_model,
    )
    found, _ = list_inbox(app, call.sources, request)
    for problem in found.problems:
        call.tell(problem)
    rows = found.documents(
        now=request.now, limit=call.asked.limit or None, with_plan=with_plan, only=only, offset=offset
    )
    return {**inbox_document(found, rows)}


def _found(app: App, call: OperationCall[MessageInput], *, entities: bool = False) -> FoundMessage:
    from gaia_email.app.services.reading import read_message

    rules = _rules(app, call)
    return read_message(app, call.source, call.asked.message_id, rules=rules, entities=entities)


def _found_in_thread(
    app: App, call: OperationCall[MessageInput], *, entities: bool = False
) -> tuple[FoundMessage, tuple[FoundMessage, ...]]:
    """Return the message, and the others of its conversation."""
    from gaia_email.app.services.reading import read_in_thread

    rules = _rules(app, call)
    return read_in_thread(app, call.source, call.asked.message_id, rules=rules, entities=entities)


def _rules(app: App, call: OperationCall[MessageInput]) -> UserRules:
    """Return the user's rules; report if the agent is stopped or paused."""
    from gaia_email.app.services.rules import current_rules

    rules, held = current_rules(app)
    if held:
        call.tell(held)
    return rules


@operation(
    output="why",
    path="POST /v1/email/why",
    example={"message_id": "MESSAGE"},
    mailbox="one",
    tools=(
        AgentTool(
            name="classify_email",
            takes={"id": "message_id"},
            fields=(*_JUDGED, "priority.score", "priority.reason"),
            description="Classify one message: bucket, category, what it asks, priority, warnings.",
        ),
        AgentTool(
            takes={"id": "message_id"},
            fields=(*_JUDGED, "priority", "flags.phishing", "flags.injection", "plan", "walk"),
        ),
    ),
    columns=(
        "id",
        "bucket",
        "priority.score",
        "priority.reason",
        "confidence",
        "cohort",
        "from.address",
        "subject",
    ),
    cli=Command(
        name="why",
        heading="Read",
        after="inbox",
        line="Explain why a message is where it is: the signals and the words behind them.",
        help="Explain why message ID (as listed) is in its bucket: reason, signals and the words behind them.",
        card="detail_card.print_why",
    ),
)
def why(app: App, call: OperationCall[MessageInput]) -> dict[str, Any]:
    """Explain why a message is in its bucket: signals with the words behind them, and how the user's levels apply.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.documents.mail import why_document

    return {**why_document(*_found_in_thread(app, call))}


@operation(
    output="show",
    path="POST /v1/email/show",
    example={"message_id": "MESSAGE"},
    mailbox="one",
    columns=("id", "bucket", "date", "from.address", "subject", "text.normalized"),
    cli=Command(
        name="show",
        heading="Read",
        after="why",
        line="Show one message without quotes and tricks, and what was hidden in it.",
        help="Message ID (as a listing shows it): what its sender wrote, "
        "and what quotes, signature and tricks were removed.",
        card="detail_card.print_show",
    ),
)
def show(app: App, call: OperationCall[MessageInput]) -> dict[str, Any]:
    """Show one message without quotes and tricks, and what was hidden in it.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.documents.mail import show_document

    return {**show_document(*_found_in_thread(app, call, entities=True))}


@operation(
    name="formatted",
    output="app.services.formatted.FormattedMail",
    path="POST /v1/email/formatted",
    example={"message_id": "MESSAGE"},
    mailbox="one",
)
def show_formatted(app: App, call: OperationCall[MessageInput]) -> FormattedMail:
    """One message as its sender formatted it: markup for a frame without scripts and without a network.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.services.formatted import formatted_mail

    return formatted_mail(_found(app, call))


@operation(
    output="classify", path="POST /v1/email/classify", example={"message_id": "MESSAGE"}, mailbox="one"
)
def classify(app: App, call: OperationCall[MessageInput]) -> dict[str, Any]:
    """Classify one message: bucket, category, what it asks, priority, warnings, and facts in it.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.documents.classify import line

    found = _found(app, call, entities=True)
    thread = found.summary["thread_id"]
    return {**line(found.understood, path="", index=0, thread_id=thread, elapsed_ms=0.0)}


@operation(
    output="extract",
    path="POST /v1/email/extract",
    example={"message_id": "MESSAGE"},
    mailbox="one",
    tools=(AgentTool(takes={"id": "message_id"}, fields=(*_HEAD, "entities"), without_empty=True),),
)
def extract(app: App, call: OperationCall[MessageInput]) -> dict[str, Any]:
    """Dates, sums, people, requests, receipts, meetings and journeys that stand in one message.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.documents.mail import extract_document

    return {**extract_document(_found(app, call, entities=True))}


@operation(
    output="policy-explain",
    path="POST /v1/email/explain",
    example={"message_id": "MESSAGE"},
    mailbox="one",
    columns=("id", "cohort", "level", "effective_level", "plan.action", "plan.mode", "sentences"),
    card=EXPLANATION,
    cli=Command(
        name="explain",
        heading="policy",
        after="set",
        help="Explain the cohort and level of message ID: what the agent may do with it, must ask for, and may not do.",
    ),
)
def explain(app: App, call: OperationCall[MessageInput]) -> Explanation:
    """Explain a message's cohort and level: what the agent may do with it, must ask for, and may not do.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.policy.explain import Explanation

    found = _found(app, call)
    return Explanation.of(found.summary, found.decision)


@operation(
    output=ThreadDocument,
    path="POST /v1/email/thread",
    example={"message_id": "MESSAGE"},
    mailbox="one",
    tools=(
        AgentTool(
            name="summarize_thread",
            takes={"id": "message_id"},
            fields=("subject", "messages", "asked", "last_word", "total", "read"),
        ),
    ),
)
def thread(app: App, call: OperationCall[MessageInput]) -> dict[str, Any]:
    """The conversation of a message in short: a line a message with its id, what is asked, the last word.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.services.threads import read_thread, thread_document

    return {**thread_document(read_thread(app, call.source, call.asked.message_id))}


@operation(
    output="triage.summary.ThreadSummary",
    path="POST /v1/email/summarise",
    example={"message_id": "MESSAGE"},
    mailbox="one",
    columns=("message", "from.address", "text"),
    rows="lines",
    card=cards.SUMMARY,
    cli=Command(
        name="summarise",
        heading="Read",
        after="show",
        line="Summarise a thread in a few sentences, each with its message.",
        help="""The thread of message ID (as a listing shows it) in a few sentences, each with the message it is from.

    By the language model you chose, if any: numbers, dates, names and amounts that do not stand in the message are not
    shown. Without one, by lines taken out of the messages.
    """,
        said="said",
    ),
)
def summarise(app: App, call: OperationCall[MessageInput]) -> ThreadSummary:
    """Summarise a thread in a few sentences, each with its message.

    Raises:
        MailError: There is no such message, or the mailbox cannot be read.
    """
    from gaia_email.app.services.reading import sum_up_thread

    rules, message = _rules(app, call), call.asked.message_id
    return sum_up_thread(app, call.source, message, rules=rules, tell=call.tell)


@operation(
    output="app.services.searching.MailHits",
    path="POST /v1/email/search",
    example={"query": "subject:invoice", "limit": 5},
    mailbox="one",
    tools=(
        AgentTool(
            name="search_mail",
            takes={"query": "query", "limit": "limit"},
            most={"limit": 100},
            fields=(
                *("query", "total", "total_is_exact", "searched", "headers_only", "problem"),
                *("hits.id", "hits.from", "hits.subject", "hits.date", "hits.snippet"),
            ),
        ),
    ),
    cli=Command(
        name="search",
        heading="Read",
        after="followups",
        line="Find messages by words, sender or date, offline too.",
        help="""
    Search mail: words, "phrases", from:ann, subject:…, has:attachment, newer_than:7d; docs/search.md has them all.

    Searches a copy of the mail kept on this machine, brought up to date first. Without the mailbox it answers from
    the copy, and says so. The ids it shows are what `show` and `why` take.
    """,
        view="views.HITS",
    ),
)
def search(app: App, call: OperationCall[SearchInput]) -> MailHits:
    """Find messages. `total` counts all that match, of `searched` messages; say so when fewer are shown.

    Raises:
        MailError: The query cannot be read, or there is neither a mailbox nor a copy of it.
    """
    from gaia_email.app.services.searching import SearchRequest, find_hits

    asked, newest = call.asked, call.asked.sort == "newest"
    request = SearchRequest(query=asked.query, limit=asked.limit, newest=newest, offline=asked.offline)
    return find_hits(app, call.source, request, progress=lambda done: call.progress(done, -1))


@operation(
    output="triage.learn.habits.Habits",
    path="GET /v1/email/habits",
    mailbox="one",
    columns=("address", "name", "received", "answered", "answer_h", "theirs_h", "depth"),
    rows="people",
    card=cards.HABITS,
    cli=Command(
        name="habits",
        heading="Accounts",
        after="accounts",
        line="Show your habits: whom you answer, your newsletters and languages.",
        help="""Whom you answer and how soon, your newsletters, signature and languages, as the last 90 days show them.

    Counted anew each time and kept nowhere. Whom you answer often counts as a VIP; gaia email vip changes that.
    """,
    ),
)
def habits(app: App, call: OperationCall[NoInput]) -> Habits:
    """Describe habits of the last 90 days: whom the user answers and how soon, newsletters, signature, languages.

    Raises:
        MailError: The mailbox cannot be read.
    """
    from gaia_email.app.services.habits import read_habits

    return read_habits(app, call.source)
