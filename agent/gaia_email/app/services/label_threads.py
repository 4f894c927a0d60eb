"""The inbox threads that have the user's labels. Entries: `threads_of_label`, `counted_labels`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gaia_email.app import App
from gaia_email.app.documents.listing import InboxListing
from gaia_email.app.documents.mail_types import ThreadRow
from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox
from gaia_email.app.services.labels import LabelDetails, UserLabel, label_details, labels, matches
from gaia_email.app.services.source import SourceSpec
from gaia_email.document import Count, Document
from gaia_email.ledger.policy_store import stored_rules

Because = Mapping[tuple[str, str], Sequence[str]]
"""The reasons for a label, by account and thread."""


class LabelledThread(Document, frozen=True, kw_only=True):
    """A thread with a label, and the reason: matched words, or the user's own decision."""

    thread: ThreadRow
    because: tuple[str, ...]


class LabelledThreads(Document, frozen=True, kw_only=True):
    """The inbox threads that have a label, most pressing first."""

    label: LabelDetails
    inbox: Count
    total: Count
    shown: Count
    threads: list[LabelledThread]


def counted_labels(app: App, sources: Sequence[SourceSpec]) -> list[LabelDetails]:
    """Return all labels, each with its number of inbox threads and of unread ones.

    Raises:
        MailError: No mailbox can be read, or the ledger cannot be read.
    """
    known = labels(app)
    if not known:
        return []
    listing = _listing(app, sources)
    rows: list[LabelDetails] = []
    for position, (label, because) in enumerate(zip(known, _because(app, sources, known), strict=True)):
        found = [row for row in listing.rows if (row.account_id, row.thread_id) in because]
        rows.append(label_details(label, position, len(found), sum(row.unread for row in found)))
    return rows


def threads_of_label(
    app: App, sources: Sequence[SourceSpec], label: UserLabel, *, offset: int, limit: int
) -> LabelledThreads:
    """Return the threads with this label, each with the reason.

    Raises:
        MailError: No mailbox can be read, or the ledger cannot be read.
    """
    listing = _listing(app, sources)
    (because,) = _because(app, sources, [label])
    rows = [row for row in listing.rows if (row.account_id, row.thread_id) in because]
    every = replace(listing, rows=rows).documents(now=app.clock())
    threads = [
        LabelledThread(thread=one, because=tuple(because[one["account"], one["thread_id"]]))
        for bucket in every.values()
        for one in bucket
    ]
    shown = threads[offset : offset + limit]
    positions = {one.id: at for at, one in enumerate(labels(app))}
    return LabelledThreads(
        label=label_details(label, positions.get(label.id, 0), len(threads), sum(row.unread for row in rows)),
        inbox=listing.threads,
        total=len(threads),
        shown=len(shown),
        threads=shown,
    )


def _listing(app: App, sources: Sequence[SourceSpec]) -> InboxListing:
    found, _ = list_inbox(
        app, sources, InboxRequest(rules=stored_rules(environ=app.environ), now=app.clock())
    )
    return found


def _because(app: App, sources: Sequence[SourceSpec], wanted: Sequence[UserLabel]) -> list[Because]:
    found: list[dict[tuple[str, str], Sequence[str]]] = [{} for _ in wanted]
    for source in sources:
        for into, one in zip(found, matches(app, source, wanted), strict=True):
            into.update({(one.account, thread): words for thread, words in one.threads.items()})
    return list(found)
