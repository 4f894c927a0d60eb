"""The brief: one document of the day's mail, calendar and follow-ups. Entries: `Brief`, `brief_document`.

`brief_text.py` renders it as text; all counting happens here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Literal, TypedDict
from zoneinfo import ZoneInfo

from gaia_email.app.documents.card import CardRow, card_of
from gaia_email.app.documents.followups import FollowupRow, followup_row
from gaia_email.app.documents.listing import InboxListing
from gaia_email.app.documents.mail_types import SECTIONS, SectionName
from gaia_email.document import Count, Stated, Time, Version, Warning_, at, clean
from gaia_email.triage.followups.agenda import AgendaEvent
from gaia_email.triage.followups.found import Followup, FollowupList

if TYPE_CHECKING:
    from gaia_email.ledger import LoggedAction
    from gaia_email_registry.contract.wire import Summary

ROWS: dict[SectionName, int] = {
    "urgent": 7,
    "actionable": 7,
    "informational": 4,
    "suspicious": 3,
    "low_priority": 0,
}
"""Maximum number of threads listed per bucket; the others are only counted."""

FOLLOWUPS = 6
"""Maximum number of follow-ups listed per side."""

_TELLS_CODE = re.compile(r"\b(?:code|pin|otp|passcode|password|kode|código|codice|passwort)\b", re.IGNORECASE)
_CODE = re.compile(r"\b(?=[\w -]*\d)(?:\d[ -]?){3,9}\d\b|\b(?=\w*\d)[A-Z0-9]{5,10}\b")
"""A possible sign-in code, in a line that mentions one."""

BriefKind = Literal["morning", "evening"]
AgendaSource = Literal["calendar", "mail", "both", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """Everything that a brief reports.

    Attributes:
        kind: A morning brief covers its own day, an evening brief the next.
        day: The day of the events.
        zone: The owner's time zone.
        made_at: Epoch seconds.
        inbox: The mail of all mailboxes, merged.
        followups: Threads in which an answer is owed.
        events: The day's events in order; a morning brief leaves out those that are over.
        agenda: The source of the events.
        archived: Messages that the agent archived since the last brief, newest first.
        is_first: True if no brief was made before; it then lists everything that was archived.
        summaries: The messages of the last weeks, by id.
        problems: What could not be read.
    """

    kind: BriefKind
    day: date
    zone: tzinfo
    made_at: float
    inbox: InboxListing
    followups: FollowupList
    events: Sequence[AgendaEvent]
    agenda: AgendaSource
    archived: Sequence[LoggedAction] = ()
    is_first: bool = False
    summaries: Mapping[str, Summary] = field(default_factory=dict[str, "Summary"])
    problems: Sequence[str] = field(default_factory=tuple[str, ...])

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to report: nothing needs the user, no events, nothing due."""
        needed = self.threads("urgent") or self.threads("actionable")
        due = any(one.due for one in self.followups.rows)
        return not (needed or self.events or due or (self.is_first and self.archived) or self.problems)

    def threads(self, section: SectionName) -> int:
        """Return the number of inbox threads in a section."""
        return sum(row.threads for row in self.inbox.rows if row.section == section)

    def thread(self, message_id: str) -> str:
        """Return the thread of a message, or the message id itself if the message is unknown."""
        summary = self.summaries.get(message_id)
        return summary["thread_id"] if summary else message_id


class BriefRow(TypedDict):
    """A thread: sender, subject, one line of content, and the follow-up owed in it, which is listed nowhere else."""

    id: str
    account: str
    sender: str
    subject: str
    line: str
    score: Stated
    age_hours: float | None
    warnings: list[Warning_]
    followup: FollowupRow | None


class BriefSection(TypedDict):
    """A bucket: its number of threads, and the most pressing ones except those already listed as events."""

    threads: Count
    shown: Count
    rows: list[BriefRow]


class BriefEvent(TypedDict):
    """An event of the day; `people` counts the other participants, as far as they are known."""

    id: str
    account: str
    title: str
    start: Time
    end: Time
    all_day: bool
    location: str
    people: Count
    response: str
    from_mail: bool


class ArchivedRow(TypedDict):
    """A message that was archived, the reason, and the id of the action to undo."""

    action_id: str
    account: str
    id: str
    subject: str
    why: str


class BriefDocument(TypedDict):
    """The document of `brief`.

    `email` has the four buckets, with suspected fraud listed separately. `agenda` is the source of the
    events. `archived_total` counts what was archived since the last brief; only the first brief lists it in
    `archived`. `empty` is true if there is nothing to report; a scheduled brief is then not kept. Nothing is
    listed twice: `owe` and `owed` omit what `email` or `events` shows, while `owe_total` and `owed_total`
    count everything.
    """

    schema_version: Version
    kind: BriefKind
    date: str
    zone: str
    made_at: Time
    account: str
    messages: Count
    threads: Count
    unsure: Count
    unreadable: Count
    email: dict[str, BriefSection]
    agenda: AgendaSource
    events: list[BriefEvent]
    owe_total: Count
    owed_total: Count
    owe: list[FollowupRow]
    owed: list[FollowupRow]
    archived_total: Count
    archived: list[ArchivedRow]
    problems: list[str]
    empty: bool


class BriefAnswer(BriefDocument):
    """The brief, with its `text` in the requested form; empty if none was requested."""

    form: Literal["", "markdown", "html", "print", "speech"]
    text: str


BRIEF_DOCUMENTS: dict[str, object] = {"brief": BriefAnswer}


def brief_document(brief: Brief) -> BriefDocument:
    """Return the document of a brief."""
    inbox, events = brief.inbox, [event_row(one) for one in brief.events]
    invited = {one["id"] for one in events}
    most = max(ROWS.values()) + len(invited)
    card = card_of(inbox, now=brief.made_at, most=most)
    rows = {
        name: [row for row in card.sections[name].rows if row.message_id not in invited][:most]
        for name, most in ROWS.items()
    }
    threads = {brief.thread(row.message_id) for some in rows.values() for row in some}
    owed = {brief.thread(one.summary["id"]): one for one in brief.followups.rows}
    elsewhere = [
        one
        for thread, one in owed.items()
        if thread not in threads and invited.isdisjoint(one.standing.evidence)
    ]
    sides: dict[str, list[FollowupRow]] = {
        owes: [followup_row(one) for one in elsewhere if one.standing.owes == owes][:FOLLOWUPS]
        for owes in ("you", "they")
    }
    return {
        "schema_version": 1,
        "kind": brief.kind,
        "date": brief.day.isoformat(),
        "zone": brief.zone.key if isinstance(brief.zone, ZoneInfo) else str(brief.zone),
        "made_at": at(brief.made_at),
        "account": clean(inbox.account),
        "messages": inbox.total,
        "threads": inbox.threads,
        "unsure": inbox.unsure,
        "unreadable": inbox.unreadable,
        "email": {
            name: {
                "threads": card.sections[name].threads,
                "shown": len(rows[name]),
                "rows": [_row(row, owed.get(brief.thread(row.message_id))) for row in rows[name]],
            }
            for name in SECTIONS
        },
        "agenda": brief.agenda,
        "events": events,
        "owe_total": len(brief.followups.on("owe")),
        "owed_total": len(brief.followups.on("owed")),
        "owe": sides["you"],
        "owed": sides["they"],
        "archived_total": len(brief.archived),
        "archived": [_archived(one, brief) for one in brief.archived] if brief.is_first else [],
        "problems": [clean(problem) for problem in brief.problems],
        "empty": brief.is_empty,
    }


def _row(row: CardRow, owed: Followup | None) -> BriefRow:
    return {
        "id": row.message_id,
        "account": clean(row.account),
        "sender": clean(row.sender),
        "subject": _without_codes(clean(row.subject)),
        "line": _without_codes(clean(row.summary or row.reason)),
        "score": round(row.score, 2),
        "age_hours": None if row.age_s is None else round(max(0.0, row.age_s) / 3_600, 1),
        "warnings": list(row.warnings),
        "followup": None if owed is None else followup_row(owed),
    }


def _without_codes(line: str) -> str:
    """Mask sign-in codes, since a brief is forwarded and read aloud."""
    return _CODE.sub("••••", line) if _TELLS_CODE.search(line) else line


def event_row(one: AgendaEvent) -> BriefEvent:
    """Return an event as a row."""
    return {
        "id": one.id,
        "account": clean(one.account),
        "title": clean(one.title),
        "start": at(one.start),
        "end": at(one.end),
        "all_day": one.all_day,
        "location": clean(one.location),
        "people": one.people,
        "response": clean(one.response),
        "from_mail": one.from_mail,
    }


def _archived(one: LoggedAction, brief: Brief) -> ArchivedRow:
    summary = brief.summaries.get(one.message_id)
    return {
        "action_id": one.action_id,
        "account": clean(one.account_id),
        "id": one.message_id,
        "subject": clean(summary["subject"]) if summary else "",
        "why": clean(one.why),
    }
