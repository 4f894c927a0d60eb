"""The sorted inbox, as the tools that list it answer it. Entries: `sorted_inbox`, `day`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.mail import short_thread
from gaia_email.app.documents.short import plain
from gaia_email.app.services.reading import read_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.cascade.verdict import BUCKETS
from gaia_email.triage.inbox import Inbox

A_DAY = 5
"""Threads of a bucket in a summary of the day."""


def _counts(inbox: Inbox) -> Json:
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
    shown = {bucket: [short_thread(item) for item in inbox.buckets[bucket][:limit]] for bucket in BUCKETS}
    return {
        "account": plain(inbox.account),
        "counts": _counts(inbox),
        "shown": sum(map(len, shown.values())),
        "buckets": shown,
    }


def day(app: App, source: SourceSpec, waiting: int) -> Json:
    """What needs the user today, who waits for an answer, and what waits for their yes."""
    inbox = read_inbox(app, source)
    top = {
        bucket: [short_thread(item) for item in inbox.buckets[bucket][:A_DAY]]
        for bucket in ("urgent", "actionable")
    }
    owed = [item for bucket in BUCKETS for item in inbox.buckets[bucket] if item.verdict.needs_reply]
    return {
        "account": plain(inbox.account),
        "counts": _counts(inbox),
        **top,
        "needs_reply": len(owed),
        "waiting_for_you": waiting,
    }
