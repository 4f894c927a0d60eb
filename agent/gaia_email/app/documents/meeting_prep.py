"""Background for upcoming meetings. Entries: `MeetingPrep`, `prep_document`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from gaia_email.app.documents.brief import BriefEvent, event_row
from gaia_email.app.documents.followups import FollowupRow, followup_row, person_row
from gaia_email.document import NamedAddress, Version, clean
from gaia_email.triage.followups.agenda import AgendaEvent
from gaia_email.triage.followups.found import Followup
from gaia_email_registry.contract.wire import Address, Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingPrep:
    """A meeting: its other participants, the newest message of each recent thread with them, and open follow-ups."""

    event: AgendaEvent
    people: Sequence[Address] = ()
    threads: Sequence[Summary] = ()
    owe: Sequence[Followup] = ()
    owed: Sequence[Followup] = ()


@dataclass(slots=True, kw_only=True)
class MeetingList:
    """The meetings in a period, and what could not be read."""

    meetings: list[MeetingPrep] = field(default_factory=list[MeetingPrep])
    problems: list[str] = field(default_factory=list[str])


class PrepThread(TypedDict):
    """The newest message of a thread with a participant."""

    id: str
    thread_id: str
    sender: str
    subject: str
    date: str | None
    has_files: bool


class PrepRow(BriefEvent):
    """A meeting; `owe` and `owed` are the open follow-ups with its participants, including promises."""

    who: list[NamedAddress]
    threads: list[PrepThread]
    owe: list[FollowupRow]
    owed: list[FollowupRow]


class PrepDocument(TypedDict):
    """The document of `prep`, next meeting first."""

    schema_version: Version
    problems: list[str]
    meetings: list[PrepRow]


PREP_DOCUMENTS: dict[str, object] = {"prep": PrepDocument}


def prep_document(found: MeetingList) -> PrepDocument:
    """Return the document of the meetings in a period."""
    return {
        "schema_version": 1,
        "problems": [clean(problem) for problem in found.problems],
        "meetings": [_row(one) for one in found.meetings],
    }


def _row(one: MeetingPrep) -> PrepRow:
    return {
        **event_row(one.event),
        "who": [person_row(person) for person in one.people],
        "threads": [
            {
                "id": summary["id"],
                "thread_id": summary["thread_id"],
                "sender": clean(summary["from"]["name"] or summary["from"]["address"]),
                "subject": clean(summary["subject"]),
                "date": summary["date"] or None,
                "has_files": summary["has_attachments"],
            }
            for summary in one.threads
        ],
        "owe": [followup_row(row) for row in one.owe],
        "owed": [followup_row(row) for row in one.owed],
    }
