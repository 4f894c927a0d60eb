"""The inbox at a glance and what needs the user, in the peer's shapes. Entries: `prescanned`, `attention`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.documents.classify import clean
from gaia_email.app.documents.listing import suspicious
from gaia_email.app.documents.times import at
from gaia_email.app.services.reading import read_inbox, together
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.gaia.answers import (
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
from gaia_email.interfaces.http.gaia.inputs import CONTRACT
from gaia_email.interfaces.http.gaia.mailboxes import provider_name
from gaia_email.triage.inbox import Inbox
from gaia_email.triage.inbox_item import InboxItem
from gaia_email_registry.errors import MailError

SHOWN = 5
"""Rows of each list of a pre-scan; the totals count all."""

MOST_PROBLEMS = 50

KINDS: Mapping[AttentionKind, int] = {
    "urgent": 0,
    "meeting_request": 1,
    "needs_response": 2,
    "action_item": 3,
    "needs_review": 4,
    "waiting_on_you": 5,
}
"""What needs the user, and in which order it is listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxesSeen:
    """Every mailbox that could be read, as one inbox, and those that could not."""

    inbox: Inbox
    whose: Mapping[str, SourceSpec]
    errors: Sequence[MailboxErrorAnswer]

    def mailbox(self, item: InboxItem) -> str | None:
        """Which mailbox a thread is in; None where there is only one."""
        account = item.summary["account"]
        return provider_name(self.whose[account]) if len(set(self.whose.values())) > 1 else None

    @property
    def unread(self) -> int:
        """Unread messages of the inbox."""
        return sum("UNREAD" in one.summary["labels"] for one in self.inbox.judged)

    @property
    def scanned(self) -> int:
        """Messages that were read."""
        return self.inbox.total - self.inbox.unreadable


def seen(app: App, sources: Sequence[SourceSpec]) -> InboxesSeen:
    """Look at the whole inbox of each mailbox.

    Raises:
        MailError: None of them can be read.
    """
    found: list[tuple[SourceSpec, Inbox]] = []
    failed: list[tuple[SourceSpec, MailError]] = []
    for source in sources:
        try:
            found.append((source, read_inbox(app, source)))
        except MailError as error:
            failed.append((source, error))
    # What is wrong with a whole mailbox has a field of its own here.
    inbox, whose = together(found, failed if not found else ())
    errors: list[MailboxErrorAnswer] = [
        {"mailbox": provider_name(source), "error": clean(error.message)} for source, error in failed
    ]
    return InboxesSeen(inbox=inbox, whose=whose, errors=errors)


def prescanned(app: App, sources: Sequence[SourceSpec], most: int) -> PreScanAnswer:
    """The inbox at a glance.

    Raises:
        MailError: No mailbox can be read.
    """
    looked = seen(app, sources)
    return {"schema_version": CONTRACT, "result": _result(looked, min(most, SHOWN))}


def _result(looked: InboxesSeen, most: int) -> PreScanResultAnswer:
    urgent, actionable, fyi, archives = (
        [item for item in items if not item.unsure and not suspicious(item)]
        for items in looked.inbox.buckets.values()
    )
    everything = [item for items in looked.inbox.buckets.values() for item in items]
    fraud = [item for item in everything if suspicious(item)]
    unsure = [item for item in everything if item.unsure and not suspicious(item)]
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
        "total_inbox": looked.inbox.total,
        "total_unread": looked.unread,
        "degraded": bool(looked.errors or looked.inbox.unreadable),
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


def attention(app: App, sources: Sequence[SourceSpec], most: int) -> AttentionAnswer:
    """What needs the user, and how much was looked at.

    Raises:
        MailError: No mailbox can be read.
    """
    looked = seen(app, sources)
    problems: list[MessageErrorAnswer] = [
        {"message_id": "", "error": clean(problem)} for problem in looked.inbox.problems[:MOST_PROBLEMS]
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
                # The list may be cut; what was looked at is always the whole inbox.
                "scan_truncated": False,
                "total_unread": looked.unread,
                "degraded": bool(looked.errors or looked.inbox.unreadable),
                "mailbox_errors": list(looked.errors) or None,
                "message_errors": problems or None,
            },
        },
    }


def _needing(looked: InboxesSeen) -> list[tuple[InboxItem, AttentionKind]]:
    """What needs the user: by kind, then the oldest first."""
    return sorted(_with_kinds(looked), key=_place)


def _with_kinds(looked: InboxesSeen) -> Iterator[tuple[InboxItem, AttentionKind]]:
    for items in looked.inbox.buckets.values():
        for item in items:
            kind = _kind(item)
            if kind is not None:
                yield item, kind


def _place(one: tuple[InboxItem, AttentionKind]) -> tuple[int, float]:
    item, kind = one
    return KINDS[kind], -(item.age_s or 0.0)


def _kind(item: InboxItem) -> AttentionKind | None:
    """Why a thread needs the user; None where it does not."""
    if suspicious(item):
        return None
    if item.unsure:
        return "needs_review"
    if item.bucket == "urgent":
        return "urgent"
    if item.bucket != "actionable":
        return None
    if item.verdict.speech_act == "meet":
        return "meeting_request"
    return "needs_response" if item.verdict.needs_reply else "action_item"


def _row(item: InboxItem, *, archive: bool = False) -> PreScanRow:
    flagged = item.warnings
    reason = clean(item.verdict.priority.reason)
    return {
        "message_id": item.summary["id"],
        "thread_id": item.summary["thread_id"],
        "sender": sender_text(item.summary["from"]["name"], item.summary["from"]["address"]),
        "subject": clean(item.summary["subject"]),
        "why": None if archive else reason,
        "reason": reason if archive else None,
        "is_meeting_request": item.verdict.speech_act == "meet",
        "is_phishing": "phishing" in flagged,
        "is_spam": "spam" in flagged,
    }


def _attention_row(looked: InboxesSeen, item: InboxItem, kind: AttentionKind) -> AttentionRow:
    return {
        "kind": kind,
        "why": clean(item.verdict.priority.reason),
        "message_id": item.summary["id"],
        "thread_id": item.summary["thread_id"],
        "sender": sender_text(item.summary["from"]["name"], item.summary["from"]["address"]),
        "subject": clean(item.summary["subject"]),
        "mailbox": looked.mailbox(item),
        "due_hint": None,
    }


def _numbered(looked: InboxesSeen, item: InboxItem, kind: AttentionKind, ref: int) -> NeedsYouRow:
    age = None if item.age_s is None else max(0, int(item.age_s))
    return {**_attention_row(looked, item, kind), "ref": ref, "age_seconds": age, "detail": []}


def sender_text(name: str, address: str) -> str:
    """A mailbox as a header shows it."""
    return clean(f"{name} <{address}>" if name else address)
