"""Documents of `followups`: the threads in which an answer is owed, and one thread's state.

Entry: `followups_document`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from gaia_email.document import Count, NamedAddress, Time, Version, at, at_if_known, clean
from gaia_email.triage.followups.found import Followup, FollowupList, Side
from gaia_email_registry.contract.wire import Address


class FollowupRow(TypedDict):
    """A thread in which an answer is owed.

    `id` is the message that shows it best, `evidence` lists all of them. `since` is when it began and `days`
    how many working days ago; `until` is the deadline named, and `due` is true if it has passed. `why` is the
    sentence that shows it; `promised` is true if that is a promise. `said` is the user's decision about the
    thread. `usual_hours` is how soon the user usually answers these people, null if fewer than five answers
    show it or if others owe; `late` is true if more time has passed than that.
    """

    id: str
    thread_id: str
    account: str
    owes: Literal["you", "they", "done", "nothing"]
    since: Time | None
    until: Time | None
    due: bool
    days: Count
    promised: bool
    why: str
    subject: str
    people: list[NamedAddress]
    evidence: list[str]
    said: str
    usual_hours: float | None
    late: bool


class FollowupsDocument(TypedDict):
    """The document of `followups`.

    `threads` counts the threads followed: in `owe` the user owes an answer, in `owed` others do, `settled`
    were answered, and `waiting` were postponed by the user. `unread` messages were too many to read.
    """

    schema_version: Version
    side: Side
    shown: Count
    total: Count
    threads: Count
    owe: Count
    owed: Count
    settled: Count
    waiting: Count
    unread: Count
    problems: list[str]
    followups: list[FollowupRow]


class FollowupDocument(FollowupRow):
    """The state of one message's thread after the user's decision about it."""

    schema_version: Version


FOLLOWUPS_DOCUMENTS: dict[str, object] = {"followups": FollowupsDocument, "followup": FollowupDocument}


def followup_row(one: Followup) -> FollowupRow:
    """Return one thread as a row."""
    standing = one.standing
    return {
        "id": one.summary["id"],
        "thread_id": one.summary["thread_id"],
        "account": clean(one.account),
        "owes": standing.owes,
        "since": at(standing.since) if standing.since else None,
        "until": at_if_known(standing.until),
        "due": one.due,
        "days": one.days,
        "promised": standing.promised,
        "why": clean(standing.why),
        "subject": clean(one.summary["subject"]),
        "people": [person_row(person) for person in one.people],
        "evidence": list(standing.evidence),
        "said": one.said,
        "usual_hours": None if one.usual_s is None else round(one.usual_s / 3_600, 1),
        "late": one.late,
    }


def person_row(person: Address) -> NamedAddress:
    """Return a person's name and address."""
    return {"name": clean(person["name"]), "address": clean(person["address"])}


def followups_document(found: FollowupList, side: Side, limit: int) -> FollowupsDocument:
    """Return the threads of one side, at most `limit`."""
    rows = found.on(side)
    return {
        "schema_version": 1,
        "side": side,
        "shown": min(len(rows), limit),
        "total": len(rows),
        "threads": found.threads,
        "owe": len(found.on("owe")),
        "owed": len(found.on("owed")),
        "settled": found.settled,
        "waiting": found.waiting,
        "unread": found.unread,
        "problems": [clean(problem) for problem in found.problems],
        "followups": [followup_row(one) for one in rows[:limit]],
    }


def followup_document(one: Followup) -> FollowupDocument:
    """Return the state of one thread."""
    return {"schema_version": 1, **followup_row(one)}
