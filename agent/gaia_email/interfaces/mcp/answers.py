"""What each tool that changes nothing by itself answers, as an object.

Each tool has a function here.
"""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.cascade.verdict import BUCKETS
from gaia_email.documents.classify import Json
from gaia_email.policy.levels import level_text
from gaia_email.services import short_rows
from gaia_email.services.drafting import DraftedReply, ReplyRequest, draft_for
from gaia_email.services.policy_changes import read_policy
from gaia_email.services.reading import read_inbox, read_message
from gaia_email.services.searching import SearchRequest, search_mail
from gaia_email.services.source import SourceSpec
from gaia_email.services.threads import read_thread
from gaia_email.triage.inbox import Inbox

A_DAY = 5
"""Threads of a bucket in a summary of the day."""


def counts(inbox: Inbox) -> Json:
    """How much there is, how much of it nobody is sure about, and what could not be read."""
    return {
        "messages": inbox.total,
        "threads": inbox.threads,
        "unsure": inbox.unsure,
        "unreadable": inbox.unreadable,
        **{bucket: len(inbox.buckets[bucket]) for bucket in BUCKETS},
    }


def sorted_inbox(inbox: Inbox, limit: int) -> Json:
    """The inbox, most pressing first."""
    shown = {
        bucket: [short_rows.thread_row(item) for item in inbox.buckets[bucket][:limit]] for bucket in BUCKETS
    }
    return {
        "account": short_rows.plain(inbox.account),
        "counts": counts(inbox),
        "shown": sum(map(len, shown.values())),
        "buckets": shown,
    }


def day(app: App, source: SourceSpec, waiting: int) -> Json:
    """What needs the user today, who waits for an answer, and what waits for their yes."""
    inbox = read_inbox(app, source)
    top = {
        bucket: [short_rows.thread_row(item) for item in inbox.buckets[bucket][:A_DAY]]
        for bucket in ("urgent", "actionable")
    }
    owed = [item for bucket in BUCKETS for item in inbox.buckets[bucket] if item.verdict.needs_reply]
    return {
        "account": short_rows.plain(inbox.account),
        "counts": counts(inbox),
        **top,
        "needs_reply": len(owed),
        "waiting_for_you": waiting,
    }


def classification(app: App, source: SourceSpec, message_id: str) -> Json:
    """What a message was understood as."""
    return short_rows.class_row(read_message(app, source, message_id))


def explanation(app: App, source: SourceSpec, message_id: str) -> Json:
    """Why it is where it is."""
    return short_rows.why_row(read_message(app, source, message_id))


def entities(app: App, source: SourceSpec, message_id: str) -> Json:
    """What stands in it."""
    return short_rows.entity_row(read_message(app, source, message_id))


def thread_summary(app: App, source: SourceSpec, message_id: str) -> Json:
    """The conversation in short."""
    return short_rows.summary_row(read_thread(app, source, message_id))


def found(app: App, source: SourceSpec, query: str, limit: int) -> Json:
    """What a search found, and how much of the mail it looked at."""
    answer = search_mail(app, source, SearchRequest(query=query, limit=limit))
    return {
        "query": query,
        "hits": [short_rows.hit_row(hit) for hit in answer.found.hits],
        "total": answer.found.total,
        "total_is_exact": answer.found.exact,
        "searched": answer.messages,
        "headers_only": answer.headers_only,
        "problem": answer.problem or None,
    }


def reply(app: App, source: SourceSpec, message_id: str, request: ReplyRequest) -> DraftedReply:
    """A reply; words of a model may promise nothing."""
    return draft_for(app, source, message_id, request, own_words=False)


def policy(app: App) -> Json:
    """The user's levels and switches."""
    now = read_policy(app)[0]
    return {
        "version": now.policy_version,
        "cohorts": [
            {"name": cohort.name, "level": cohort.level, "means": level_text(cohort.level)}
            for cohort in now.policy.cohorts
        ],
        "vips": len(now.policy.vips),
        "quiet_hours": str(now.policy.quiet_hours) if now.policy.quiet_hours else None,
        "switches": now.switches.to_json(),
    }
