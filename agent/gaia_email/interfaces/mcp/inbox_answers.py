"""The sorted inbox, as returned by the tools that list it. Entries: `sorted_inbox`, `day`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.mail import inbox_figures, short_threads
from gaia_email.app.documents.short import plain
from gaia_understanding.cascade.verdict import Bucket

A_DAY = 5
"""Maximum threads per bucket in a summary of the day."""

PRESSING: tuple[Bucket, ...] = ("urgent", "actionable")


def sorted_inbox(document: Mapping[str, Any]) -> Json:
    """Return the answer for a `triage` document, most pressing first."""
    return {
        "account": plain(document["account"]),
        "counts": inbox_figures(document),
        "shown": document["shown"],
        "buckets": {bucket: short_threads(bucket, rows) for bucket, rows in document["buckets"].items()},
    }


def day(document: Mapping[str, Any], waiting: int) -> Json:
    """Return the day's summary: what needs the user, how many threads need a reply, and what waits for a yes."""
    buckets = document["buckets"]
    return {
        "account": plain(document["account"]),
        "counts": inbox_figures(document),
        **{bucket: short_threads(bucket, buckets[bucket][:A_DAY]) for bucket in PRESSING},
        "needs_reply": sum(row["needs_reply"] for rows in buckets.values() for row in rows),
        "waiting_for_you": waiting,
    }
