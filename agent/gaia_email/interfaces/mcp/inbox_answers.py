"""The sorted inbox, as the tools that list it answer it. Entries: `sorted_inbox`, `day`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.mail import short_threads
from gaia_email.app.documents.short import plain
from gaia_email.app.services.inbox_rows import listed_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.cascade.verdict import Bucket

A_DAY = 5
"""Threads of a bucket in a summary of the day."""

PRESSING: tuple[Bucket, ...] = ("urgent", "actionable")


def sorted_inbox(app: App, source: SourceSpec, limit: int) -> Json:
    """The inbox, most pressing first."""
    inbox = listed_inbox(app, source)
    rows = inbox.documents(now=app.clock(), limit=limit, with_plan=True)
    return {
        "account": plain(inbox.account),
        "counts": inbox.counts,
        "shown": sum(map(len, rows.values())),
        "buckets": {bucket: short_threads(bucket, found) for bucket, found in rows.items()},
    }


def day(app: App, source: SourceSpec, waiting: int) -> Json:
    """What needs the user today, who waits for an answer, and what waits for their yes."""
    inbox = listed_inbox(app, source)
    rows = inbox.documents(now=app.clock(), with_plan=True)
    return {
        "account": plain(inbox.account),
        "counts": inbox.counts,
        **{bucket: short_threads(bucket, rows[bucket][:A_DAY]) for bucket in PRESSING},
        "needs_reply": sum(row["needs_reply"] for found in rows.values() for row in found),
        "waiting_for_you": waiting,
    }
