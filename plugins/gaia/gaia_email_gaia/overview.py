"""The inbox summary and everything that needs the user, in the peer's shapes. Entries: `prescan`, `attention`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from gaia_email.app import App
from gaia_email.app.documents.mail_types import SectionName, ThreadRow
from gaia_email.app.operations.operation import NoInput, OperationCall
from gaia_email.app.operations.overview import OverviewDocument, overview
from gaia_email.app.services.opening import account_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.document import at, clean
from gaia_email_gaia.answers import (
    AttentionAnswer,
    AttentionKind,
    AttentionRow,
    MailboxErrorAnswer,
    MessageErrorAnswer,
    NeedsYouRow,
    PreScanAnswer,
    PreScanResultAnswer,
    PreScanRow,
    TotalsAnswer,
)
from gaia_email_gaia.inputs import CONTRACT
from gaia_email_gaia.mailboxes import provider_name
from gaia_email_registry.origin import RequestOrigin
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

SHOWN = 5
"""Maximum rows of each list in a pre-scan; the totals count all."""

MOST_PROBLEMS = 50

KINDS: Mapping[AttentionKind, int] = {
    "urgent": 0,
    "meeting_request": 1,
    "needs_response": 2,
    "action_item": 3,
    "needs_review": 4,
    "waiting_on_you": 5,
}
"""Kinds of things that need the user, with their order in lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxesSeen:
    """All readable mailboxes as one inbox, and the unreadable ones; `names` by account, if there are several."""

    inbox: OverviewDocument
    names: Mapping[str, str]
    errors: Sequence[MailboxErrorAnswer]

    @property
    def is_degraded(self) -> bool:
        """True if something could not be read."""
        return bool(self.errors or self.inbox["unreadable"])

    @property
    def scanned(self) -> int:
        """Number of messages read."""
        return self.inbox["total"] - self.inbox["unreadable"]

    def rows(self, name: SectionName, *, unsure: bool) -> list[ThreadRow]:
        """Return the threads of a bucket whose classification is sure or, with `unsure`, unsure."""
        return [row for row in self.inbox["buckets"][name] if row["unsure"] == unsure]


def read_inboxes(app: App, sources: Sequence[SourceSpec], origin: RequestOrigin) -> InboxesSeen:
    """Read the whole inbox of each mailbox.

    Raises:
        MailError: None can be read.
    """
    call = OperationCall(asked=NoInput(), origin=origin, sources=sources)
    inbox = cast("OverviewDocument", overview.run(app, call))
    failed = {one["mailbox"] for one in inbox["failed"]}
    read = [source for place, source in enumerate(sources) if place not in failed]
    names = {account_of(app, source): provider_name(source) for source in read} if len(read) > 1 else {}
    errors: list[MailboxErrorAnswer] = [
        {"mailbox": provider_name(sources[one["mailbox"]]), "error": one["error"]} for one in inbox["failed"]
    ]
    return InboxesSeen(inbox=inbox, names=names, errors=errors)


def prescan(app: App, sources: Sequence[SourceSpec], most: int, origin: RequestOrigin) -> PreScanAnswer:
    """Return the inbox summary.

    Raises:
        MailError: No mailbox can be read.
    """
    looked = read_inboxes(app, sources, origin)
    return {"schema_version": CONTRACT, "result": _result(looked, min(most, SHOWN))}


def _result(looked: InboxesSeen, most: int) -> PreScanResultAnswer:
    urgent, actionable, fyi, archives = (looked.rows(name, unsure=False) for name in BUCKETS)
    fraud = looked.inbox["buckets"]["suspicious"]
    unsure = [row for name in BUCKETS for row in looked.rows(name, unsure=True)]
    needing = _needing(looked)
    totals: TotalsAnswer = {
        "urgent": len(urgent),
        "actionable": len(actionable),
        "informational": len(fyi),
        "needs_review": len(unsure),
        "suggested_archives": len(archives),
    }
    return {
        "kind": "email_pre_scan",
        "scanned": looked.scanned,
        "total_inbox": looked.inbox["total"],
        "total_unread": looked.inbox["unread"],
        "degraded": looked.is_degraded,
        "mailbox_errors": list(looked.errors) or None,
        "urgent": [_row(item) for item in urgent[:most]],
        "actionable": [_row(item) for item in actionable[:most]],
        "needs_review": [_row(item) for item in unsure[:most]],
        "informational": [_row(item) for item in fyi[:most]],
        "informational_count": len(fyi),
        "suggested_archives": [_row(item, archive=True) for item in archives[:most]],
        "suggested_drafts": [],
        "suspicious": [_row(item) for item in fraud[:most]],
        "suspicious_total": len(fraud),
        "needs_you": [
            _numbered(looked, item, kind, ref) for ref, (item, kind) in enumerate(needing[:most], start=1)
        ],
        "needs_you_total": len(needing),
        "bulk": {"count": len(fyi) + len(archives), "filter_tests": ["informational", "low_priority"]},
        "totals": totals,
        "preferences_applied": {
            "priority_senders": [],
            "low_priority_senders": [],
            "category_defaults": {},
        },
    }


def attention(app: App, sources: Sequence[SourceSpec], most: int, origin: RequestOrigin) -> AttentionAnswer:
    """Return everything that needs the user, and the extent of the scan.

    Raises:
        MailError: No mailbox can be read.
    """
    looked = read_inboxes(app, sources, origin)
    problems: list[MessageErrorAnswer] = [
        {"message_id": "", "error": problem} for problem in looked.inbox["problems"][:MOST_PROBLEMS]
    ]
    items = _needing(looked)
    return {
        "schema_version": CONTRACT,
        "result": {
            "kind": "email_attention",
            "generated_at": at(app.clock()),
            "cache_age_seconds": 0.0,
            "stale": False,
            "items": [_attention_row(looked, item, kind) for item, kind in items[:most]],
            "coverage": {
                "scanned": looked.scanned,
                # The list may be cut; the scan always covers the whole inbox.
                "scan_truncated": False,
                "total_unread": looked.inbox["unread"],
                "degraded": looked.is_degraded,
                "mailbox_errors": list(looked.errors) or None,
                "message_errors": problems or None,
            },
        },
    }


def _needing(looked: InboxesSeen) -> list[tuple[ThreadRow, AttentionKind]]:
    """Return threads that need the user, by kind, then oldest first."""
    return sorted(_with_kinds(looked), key=_place)


def _with_kinds(looked: InboxesSeen) -> Iterator[tuple[ThreadRow, AttentionKind]]:
    for name in BUCKETS:
        for row in looked.inbox["buckets"][name]:
            kind = _kind(name, row)
            if kind is not None:
                yield row, kind


def _place(one: tuple[ThreadRow, AttentionKind]) -> tuple[int, float]:
    row, kind = one
    return KINDS[kind], -(row["age_s"] or 0)


def _kind(bucket: Bucket, row: ThreadRow) -> AttentionKind | None:
    """Return the reason that a thread needs the user; None if it does not."""
    if row["unsure"]:
        return "needs_review"
    if bucket == "urgent":
        return "urgent"
    if bucket != "actionable":
        return None
    if row["speech_act"] == "meet":
        return "meeting_request"
    return "needs_response" if row["needs_reply"] else "action_item"


def _row(row: ThreadRow, *, archive: bool = False) -> PreScanRow:
    return {
        "message_id": row["id"],
        "thread_id": row["thread_id"],
        "sender": sender_text(row["from"]["name"], row["from"]["address"]),
        "subject": row["subject"],
        "why": None if archive else row["reason"],
        "reason": row["reason"] if archive else None,
        "is_meeting_request": row["speech_act"] == "meet",
        "is_phishing": "phishing" in row["warnings"],
        "is_spam": "spam" in row["warnings"],
    }


def _attention_row(looked: InboxesSeen, row: ThreadRow, kind: AttentionKind) -> AttentionRow:
    return {
        "kind": kind,
        "why": row["reason"],
        "message_id": row["id"],
        "thread_id": row["thread_id"],
        "sender": sender_text(row["from"]["name"], row["from"]["address"]),
        "subject": row["subject"],
        "mailbox": looked.names.get(row["account"]),
        "due_hint": None,
    }


def _numbered(looked: InboxesSeen, row: ThreadRow, kind: AttentionKind, ref: int) -> NeedsYouRow:
    age = None if row["age_s"] is None else max(0, row["age_s"])
    return {**_attention_row(looked, row, kind), "ref": ref, "age_seconds": age, "detail": []}


def sender_text(name: str, address: str) -> str:
    """Return a mailbox as a header shows it."""
    return clean(f"{name} <{address}>" if name else address)
