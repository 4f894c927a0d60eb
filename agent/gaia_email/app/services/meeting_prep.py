"""Background for meetings, from mail with the participants. Entries: `meetings`, `tell_of_meetings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from time import time

from gaia_email.actions.pending.telling import tell
from gaia_email.app import App
from gaia_email.app.documents.meeting_prep import MeetingList, MeetingPrep
from gaia_email.app.services.brief import agenda_of
from gaia_email.app.services.followups import MailboxThreads, followups_of, owner_zone, read_mailboxes
from gaia_email.app.services.opening import owner_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.steps import RunHooks, explain_hold
from gaia_email.triage.followups.agenda import AgendaEvent
from gaia_email.triage.followups.found import FollowupList
from gaia_email_registry.contract.wire import Address, Summary
from gaia_email_registry.origin import OURS
from gaia_mail.printable import visible

BEFORE_S = 20 * 60.0
"""A run covers meetings that start within so many seconds: fifteen minutes ahead, if run every five minutes."""

THREADS, OPEN = 5, 5
"""Maximum number of threads, and of open points each way, listed for a meeting."""


def meetings(app: App, sources: Sequence[SourceSpec], *, within_s: float) -> MeetingList:
    """Return the meetings that start within a time, each with the recent mail of its participants.

    All-day events and those that the owner declined are left out.

    Raises:
        MailError: No mailbox can be read.
    """
    now = app.clock()
    zone = owner_zone(app, stored_rules(environ=app.environ))
    mailboxes, problems = read_mailboxes(app, sources, now=now)
    events, _ = agenda_of(app, mailboxes, (now, now + within_s), zone, problems)
    owed = followups_of(app, mailboxes, (), now=now)
    own = {address.lower() for source in sources for address in owner_of(app, source)}
    told = [
        _prep(one, mailboxes, owed, own)
        for one in events
        if not one.all_day and one.response != "declined" and one.start >= now
    ]
    return MeetingList(meetings=told, problems=problems)


def _prep(
    event: AgendaEvent, mailboxes: Sequence[MailboxThreads], found: FollowupList, own: set[str]
) -> MeetingPrep:
    people = event.attendees - own
    named: dict[str, Address] = {}
    newest: dict[str, Summary] = {}
    for mailbox in mailboxes:
        invited = mailbox.summaries.get(event.id)
        for summary in mailbox.summaries.values():
            there = [summary["from"], *summary["to"], *summary["cc"]]
            with_them = [person for person in there if person["address"].lower() in people]
            for person in with_them:
                if person["name"] or person["address"].lower() not in named:
                    named[person["address"].lower()] = person
            if with_them and (invited is None or summary["thread_id"] != invited["thread_id"]):
                known = newest.get(summary["thread_id"])
                if known is None or _date(summary) > _date(known):
                    newest[summary["thread_id"]] = summary
    threads = sorted(newest.values(), key=_date, reverse=True)[:THREADS]
    return MeetingPrep(
        event=event,
        people=[named[address] for address in sorted(named)],
        threads=threads,
        owe=[one for one in found.on("owe") if one.standing.who & people][:OPEN],
        owed=[one for one in found.on("owed") if one.standing.who & people][:OPEN],
    )


def tell_of_meetings(
    job: Job,
    *,
    environ: Mapping[str, str],
    hooks: RunHooks | None = None,
    clock: Callable[[], float] = time,
) -> RunResult:
    """Add one note for each meeting that starts soon, even if run repeatedly; return the number of new ones.

    A meeting that was moved gets another note, with its new time.

    Raises:
        MailError: The mailbox or the ledger cannot be used.
    """
    if why := explain_hold(job, environ=environ):
        return {"held": why}
    app = App(environ=environ, clock=clock)
    source = SourceSpec.of(job.place, job.owner)
    soon = meetings(app, [source], within_s=BEFORE_S).meetings
    zone = owner_zone(app, stored_rules(environ=environ))
    new = 0
    with app.ledger() as ledger, ledger.write() as tx:
        for one in soon:
            start = datetime.fromtimestamp(one.event.start, UTC).astimezone(zone)
            place_ = f" ({visible(one.event.location)})" if one.event.location else ""
            title = visible(" ".join(one.event.title.split())) or "a meeting"
            asked = f"{start:%H:%M}: {title}{place_}. {_counts(one)} gaia email prep has it all."
            about = f"meeting:{one.event.account}:{one.event.id}"
            why = f"It begins at {start:%H:%M}."
            end = max(one.event.end, one.event.start + BEFORE_S)
            new += tell(ledger, tx, about, asked=asked, why=why, origin=OURS, expires_at=end)
    return {"told": new}


def _counts(one: MeetingPrep) -> str:
    parts = [f"{len(one.people)} others", f"{len(one.threads)} threads"]
    parts += [f"you owe {len(one.owe)}"] if one.owe else []
    parts += [f"they owe {len(one.owed)}"] if one.owed else []
    return f"{', '.join(parts)}."


def _date(summary: Summary) -> float:
    return parse_date(summary["date"]) or 0.0
