"""Makes the brief: the day's mail, calendar and follow-ups in one document. Entry: `make_brief`.

The provider is asked only for new mail, and for its calendar if it has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

from gaia_email.app import App
from gaia_email.app.documents.brief import AgendaSource, Brief, BriefDocument, BriefKind
from gaia_email.app.documents.listing import InboxListing
from gaia_email.app.services.followups import MailboxThreads, followups_of, owner_zone, read_mailboxes
from gaia_email.app.services.opening import account_of, with_copy
from gaia_email.ledger import LoggedAction, Selection, StoredDocument
from gaia_email.ledger.keeping import BRIEF_DOCUMENT
from gaia_email.ledger.policy_store import has_ledger, stored_rules
from gaia_email.mailbox.reader import CalendarReader
from gaia_email.triage.followups.agenda import AgendaEvent, day_bounds, events_of_mail, is_day
from gaia_email.triage.followups.standing import instant
from gaia_email_registry.errors import BadArgument, MailError, NotFound

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_email_registry.contract.wire import CalendarEvent

EVENING_HOUR = 17
MOST_EVENTS, MOST_ARCHIVED = 50, 500


def make_brief(
    app: App,
    sources: Sequence[SourceSpec],
    *,
    kind: BriefKind | None = None,
    day: str = "",
) -> Brief:
    """Make the brief of these mailboxes.

    Args:
        app: The running program.
        sources: The mailboxes.
        kind: Morning or evening; None decides by the hour: evening from 17:00 on.
        day: The day of the events, `2026-11-30`; empty for today in the morning and tomorrow in the evening.

    Raises:
        BadArgument: The day is invalid.
        MailError: No mailbox can be read.
    """
    now = app.clock()
    zone = owner_zone(app, stored_rules(environ=app.environ))
    here = datetime.fromtimestamp(now, UTC).astimezone(zone)
    chosen: BriefKind = kind or ("evening" if here.hour >= EVENING_HOUR else "morning")
    about = _day(day) if day else here.date() + timedelta(days=chosen == "evening")
    mailboxes, problems = read_mailboxes(app, sources, now=now)
    events, agenda = agenda_of(app, mailboxes, day_bounds(about, zone), zone, problems)
    archived, is_first = _archived(app, [one.account for one in mailboxes])
    return Brief(
        kind=chosen,
        day=about,
        zone=zone,
        made_at=now,
        inbox=InboxListing.of([one.inbox for one in mailboxes]),
        followups=followups_of(app, mailboxes, problems, now=now),
        events=[one for one in events if day or one.end > now or one.all_day or one.start >= now],
        agenda=agenda,
        archived=archived,
        is_first=is_first,
        summaries={id_: one for mailbox in mailboxes for id_, one in mailbox.summaries.items()},
        problems=tuple(problems),
    )


def last_brief(app: App, sources: Sequence[SourceSpec]) -> BriefDocument:
    """Return the document of the newest scheduled brief of these mailboxes.

    Raises:
        NotFound: There is none.
        MailError: The ledger cannot be read.
    """
    found: list[StoredDocument] = []
    if has_ledger(app.environ):
        with app.ledger(read_only=True) as ledger, ledger.read() as tx:
            names = [BRIEF_DOCUMENT + account_of(app, source) for source in sources]
            found = [one for name in names if (one := ledger.documents.read(tx, name)) is not None]
    newest = max(found, key=lambda one: one.updated_at, default=None)
    if newest is None or newest.value.get("schema_version") != 1:
        raise NotFound(
            "No brief was made by the clock yet.",
            argument="last",
            hint="gaia email schedule add brief --cron '0 7 * * *'",
        )
    return cast("BriefDocument", newest.value)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadArgument(f"{text[:40]!r} is no day such as 2026-11-30.", argument="date") from None


def agenda_of(
    app: App,
    mailboxes: Sequence[MailboxThreads],
    span: tuple[float, float],
    zone: tzinfo,
    problems: list[str],
) -> tuple[list[AgendaEvent], AgendaSource]:
    """Return the events of a period from the mailboxes' calendars, or from invitations if there is no calendar."""
    start, end = span
    found: list[AgendaEvent] = []
    kinds: set[AgendaSource] = set()
    for mailbox in mailboxes:
        try:
            listed = _calendar(app, mailbox.source, start, end, zone)
        except MailError as error:
            problems.append(f"The calendar of {mailbox.account} could not be read: {error.message}")
            listed = None
        if listed is None:
            messages = [one for thread in mailbox.threads.values() for one in thread]
            events = events_of_mail(mailbox.account, messages, zone, start=start, end=end)
            kinds |= {"mail"} if events else set()
        else:
            told = [_event(mailbox.account, one, zone) for one in listed if one["status"] != "cancelled"]
            events = [one for one in told if one is not None]
            kinds.add("calendar")
        found += [one for one in events if not any(_is_same(one, other) for other in found)]
    agenda: AgendaSource = "none" if not kinds else "both" if len(kinds) > 1 else next(iter(kinds))
    events = sorted(found, key=lambda one: (not one.all_day, one.start, one.title))
    if len(events) > MOST_EVENTS:
        problems.append(f"{len(events) - MOST_EVENTS:,} more events are not listed.")
    return events[:MOST_EVENTS], agenda


def _is_same(one: AgendaEvent, other: AgendaEvent) -> bool:
    """True if two accounts have the same event; events of one account always differ, even with equal titles."""
    if one.account == other.account or (one.title.casefold(), one.start) != (
        other.title.casefold(),
        other.start,
    ):
        return False
    return one.attendees == other.attendees or bool(one.attendees & other.attendees)


def _calendar(
    app: App, source: SourceSpec, start: float, end: float, zone: tzinfo
) -> list[CalendarEvent] | None:
    name = zone.key if isinstance(zone, ZoneInfo) else ""

    async def look(mail: MailReader) -> list[CalendarEvent] | None:
        if not isinstance(mail, CalendarReader):
            return None
        first, last = (datetime.fromtimestamp(one, UTC).isoformat() for one in (start, end))
        found = await mail.calendar_events(first, last, name, limit=MOST_EVENTS)
        return None if found is None else found["events"]

    return with_copy(app, source, look, now=app.clock())


def _event(account: str, one: CalendarEvent, zone: tzinfo) -> AgendaEvent | None:
    start = instant(one["start"], zone, end_of_day=False)
    if start is None:
        return None
    end = instant(one["end"], zone, end_of_day=False)
    return AgendaEvent(
        account=account,
        id=one["id"],
        title=one["title"],
        start=start,
        end=max(start, end or start),
        all_day=one["all_day"] or is_day(one["start"]),
        location=one["location"],
        people=len(one["attendees"]),
        attendees=frozenset(
            person["address"].lower() for person in (one["organizer"], *one["attendees"]) if person["address"]
        ),
        response=one["response"],
    )


def _archived(app: App, accounts: Sequence[str]) -> tuple[list[LoggedAction], bool]:
    """Return what was archived since the last brief, and True if there was no brief yet."""
    if not has_ledger(app.environ):
        return [], False
    found: list[LoggedAction] = []
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        known = {one: ledger.documents.read(tx, BRIEF_DOCUMENT + one) for one in accounts}
        for account, document in known.items():
            chosen = Selection(account_id=account, since=document.updated_at if document else None)
            done = ledger.actions.select(tx, chosen, limit=MOST_ARCHIVED, newest_first=True)
            found += [one for one in done if one.action_type == "archive" and one.state == "applied"]
    return found, not any(known.values())
