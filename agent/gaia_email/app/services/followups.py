"""Follow-ups in the user's mailboxes: who owes an answer, per thread. Entry: `read_followups`.

An answer counts from any of the user's addresses, threads and accounts. The user's decision about a thread
(`followup_decisions`) holds until a newer message arrives. Threads that the user wrote in are followed, and
those in the inbox; mail that was filed without an answer counts as decided.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from gaia_email.app import App
from gaia_email.app.services.followup_decisions import FollowupDecision, decide, decisions
from gaia_email.app.services.followup_notes import AUTOMATIC, NoteReader, NoteWish
from gaia_email.app.services.inbox_rows import InboxRequest, part_of, sorted_inbox
from gaia_email.app.services.opening import is_connected, owner_of, with_copy
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.triage.followups.found import Followup, FollowupList
from gaia_email.triage.followups.message_note import MessageNote
from gaia_email.triage.followups.reply_windows import WrittenMail, reply_windows
from gaia_email.triage.followups.standing import NOTHING_OWED, ThreadMail, ThreadStanding, standing_of
from gaia_email.triage.followups.working_days import is_due, working_days
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.errors import MailError
from gaia_mail.exchanged import was_exchanged
from gaia_mail.subjects import base_subject

if TYPE_CHECKING:
    from gaia_email.app.documents.listing import InboxPart
    from gaia_email.app.services.followup_decisions import Decided
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.triage.inbox import Inbox
    from gaia_email_registry.contract.wire import Address, Summary
    from gaia_understanding.cascade.verdict import Verdict

WINDOW_DAYS = 60
"""Maximum age in days of a followed thread's newest message, relative to the mailbox's newest."""

PAGE = 500
OF_A_THREAD, MOST_READ = 6, 3_000
"""Maximum number of messages read per thread, newest first, and per mailbox; skipped messages are counted."""

_TELLING = 8
"""Minimum length of a subject, in characters, to recognize that another thread continues it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxThreads:
    """One mailbox that was read: its threads by id, their summaries, and its inbox.

    `windows` is how soon its owner usually answers each person (`reply_windows`), `unread` counts skipped
    messages.
    """

    source: SourceSpec

    account: str
    inbox: InboxPart
    threads: Mapping[str, Sequence[ThreadMail]]
    summaries: Mapping[str, Summary]
    windows: Mapping[str, float]
    unread: int


def read_followups(app: App, sources: Sequence[SourceSpec], *, now: float | None = None) -> FollowupList:
    """Return who owes an answer in these mailboxes; nothing is changed.

    Raises:
        MailError: None of them can be read.
    """
    instant = app.clock() if now is None else now
    mailboxes, problems = read_mailboxes(app, sources, now=instant)
    return followups_of(app, mailboxes, problems, now=instant)


def read_mailboxes(
    app: App, sources: Sequence[SourceSpec], *, now: float
) -> tuple[list[MailboxThreads], list[str]]:
    """Return the mailboxes with their threads, and the errors of those that could not be read.

    Raises:
        MailError: None of them can be read.
    """
    rules = stored_rules(environ=app.environ)
    read, errors, problems = list[MailboxThreads](), list[MailError](), list[str]()
    for source in sources:
        try:
            read.append(_read_mailbox(app, source, rules, now, only_recent=len(sources) == 1))
        except MailError as error:
            errors.append(error)
            problems.append(f"{source.path} could not be read: {error.message}")
    if not read and errors:
        raise errors[0]
    return read, problems


def followups_of(
    app: App, mailboxes: Sequence[MailboxThreads], problems: Sequence[str], *, now: float
) -> FollowupList:
    """Return who owes an answer in mailboxes that were already read."""
    instant, rules = now, stored_rules(environ=app.environ)
    found = FollowupList(problems=list(problems))
    zone = owner_zone(app, rules)
    away = _away(rules, instant, zone)
    elsewhere = _Elsewhere(mailboxes)
    for mailbox in mailboxes:
        said = decisions(app, mailbox.account)
        found.unread += mailbox.unread
        for thread_id, messages in mailbox.threads.items():
            found.threads += 1
            standing = standing_of(elsewhere.with_answers(thread_id, messages), now=instant, zone=zone)
            decision = said.get(thread_id)
            standing, word = _decided(standing, decision, messages, instant)
            found.settled += standing.owes == "done"
            found.waiting += word == "waiting"
            if standing.owes in ("you", "they") and word != "waiting":
                found.rows.append(_followup(mailbox, messages, standing, word, instant, zone, away))
    found.rows.sort(key=lambda one: (not one.due, one.standing.since, one.summary["id"]))
    return found


def say(
    app: App, source: SourceSpec, message_id: str, decided: Decided, *, until: float = 0.0, actor: str
) -> Followup:
    """Store the user's decision about a message's thread; return its new state.

    Raises:
        MailError: The message does not exist, or the mailbox or the ledger cannot be used.
    """
    from gaia_email.app.services.reading import read_message

    summary = read_message(app, source, message_id, entities=False).summary
    now, rules = app.clock(), stored_rules(environ=app.environ)
    mailbox = _read_mailbox(app, source, rules, now)
    messages = mailbox.threads.get(summary["thread_id"], ())
    newest = max((one.date for one in messages), default=parse_date(summary["date"]) or now)
    decision = FollowupDecision(thread_id=summary["thread_id"], decided=decided, at=newest, until=until)
    decide(app, mailbox.account, decision, actor=actor)
    zone = owner_zone(app, rules)
    standing, word = _decided(standing_of(messages, now=now, zone=zone), decision, messages, now)
    whole = replace(mailbox, summaries={**mailbox.summaries, summary["id"]: summary})
    if not standing.evidence:
        standing = replace(standing, evidence=(summary["id"],))
    return _followup(whole, messages, standing, word, now, zone, ())


def owner_zone(app: App, rules: UserRules) -> tzinfo:
    """Return the time zone of the user's quiet hours, else of the program's `TZ`, else of this machine."""
    quiet = rules.policy.quiet_hours
    for name in (quiet.zone if quiet else "", app.environ.get("TZ", "").lstrip(":")):
        try:
            if name:
                return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            continue
    return datetime.fromtimestamp(app.clock(), UTC).astimezone().tzinfo or UTC


def _away(rules: UserRules, now: float, zone: tzinfo) -> frozenset[date]:
    """Return the days until travel mode ends."""
    until = rules.switches.travel_until
    if until is None or until <= now:
        return frozenset()
    first = datetime.fromtimestamp(now, UTC).astimezone(zone).date()
    last = datetime.fromtimestamp(until, UTC).astimezone(zone).date()
    return frozenset(first + timedelta(days=number) for number in range(min((last - first).days, 366)))


def _read_mailbox(
    app: App, source: SourceSpec, rules: UserRules, now: float, *, only_recent: bool = True
) -> MailboxThreads:
    async def look(mail: MailReader) -> MailboxThreads:
        sorted_now: list[Inbox] = []
        request = InboxRequest(rules=rules, now=now, older_stand=True, only_recent=only_recent, ask=False)
        part = await part_of(app, mail, source, request, sorted_now.append)
        return await _threads(app, mail, source, part, request, sorted_now)

    return with_copy(app, source, look, now=now)


async def _threads(
    app: App,
    mail: MailReader,
    source: SourceSpec,
    part: InboxPart,
    request: InboxRequest,
    sorted_now: Sequence[Inbox],
) -> MailboxThreads:
    own = frozenset(one.lower() for one in owner_of(app, source) or addresses_in(part.account))
    summaries = await _recent(mail, request.now)
    by_thread: dict[str, list[Summary]] = {}
    for one in summaries:
        by_thread.setdefault(one["thread_id"], []).append(one)
    followed = {
        thread_id: members[:OF_A_THREAD]
        for thread_id, members in by_thread.items()
        if any("INBOX" in one["labels"] or (_is_own(one, own) and _others(one, own)) for one in members)
    }
    buckets = {row.thread_id: row.section for row in part.rows}
    wishes = [
        NoteWish(id=one["id"], thread_id=thread_id, own=_is_own(one, own), bucket=buckets.get(thread_id, ""))
        for thread_id, members in followed.items()
        for one in members
        if not _is_own(one, own) or _others(one, own)
    ]

    async def judge(threads: Collection[str]) -> Mapping[str, Verdict]:
        inboxes = sorted_now or [await sorted_inbox(app, mail, source, request, threads)]
        return {one.summary["id"]: one.verdict for inbox in inboxes for one in inbox.judged}

    reader = NoteReader(app, mail, part.account, own, judge, keep=is_connected(app, source))
    notes = await reader.notes(wishes, most=MOST_READ)
    ids = {one["message_id"]: _is_own(one, own) for one in summaries if one["message_id"]}
    threads: dict[str, list[ThreadMail]] = {}
    for thread_id, members in followed.items():
        for one in members:
            read = notes.get(one["id"])
            note, parent = (read.note, read.parent) if read else (AUTOMATIC, "")
            threads.setdefault(thread_id, []).append(_mail(one, own, note, parent, ids))
    return MailboxThreads(
        source=source,
        account=part.account,
        inbox=part,
        threads=threads,
        summaries={one["id"]: one for one in summaries},
        windows=reply_windows([_written(one, own) for one in members] for members in by_thread.values()),
        unread=reader.unread,
    )


async def _recent(mail: MailReader, now: float) -> list[Summary]:
    """Return mail at most `WINDOW_DAYS` older than the newest, newest first, without drafts."""
    found: list[Summary] = []
    since: float | None = None
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=None, limit=PAGE, cursor=cursor)
        dates = [parse_date(one["date"]) or 0.0 for one in page["emails"]]
        if since is None:
            since = min(now, max(dates, default=now)) - WINDOW_DAYS * 86_400.0
        new = [one for one, date in zip(page["emails"], dates, strict=True) if date >= since]
        found += filter(was_exchanged, new)
        cursor = page["next_cursor"]
        if cursor is None or (dates and not new):
            found.sort(key=lambda one: -(parse_date(one["date"]) or 0.0))
            return found


def _is_own(one: Summary, own: Collection[str]) -> bool:
    """True if the owner wrote it; a message in the inbox may only claim so and be forged."""
    return "SENT" in one["labels"] or (one["from"]["address"].lower() in own and "INBOX" not in one["labels"])


def _written(one: Summary, own: Collection[str]) -> WrittenMail:
    mine = _is_own(one, own)
    people = _others(one, own) if mine else frozenset({one["from"]["address"].lower()})
    return WrittenMail(date=parse_date(one["date"]) or 0.0, own=mine, people=people)


def _others(one: Summary, own: Collection[str]) -> frozenset[str]:
    people = (person["address"].lower() for person in (*one["to"], *one["cc"]))
    return frozenset(address for address in people if address and address not in own)


def _mail(
    one: Summary, own: Collection[str], note: MessageNote, parent: str, ids: Mapping[str, bool]
) -> ThreadMail:
    mine = _is_own(one, own)
    subject, replies = base_subject(one["subject"])
    recipients = [person["address"].lower() for person in (*one["to"], *one["cc"])]
    return ThreadMail(
        id=one["id"],
        date=parse_date(one["date"]) or 0.0,
        own=mine,
        sender=one["from"]["address"].lower(),
        recipients=_others(one, own),
        to_owner=any(address in own for address in recipients) or not recipients,
        is_forward=not replies and not parent and subject != one["subject"].casefold().strip(),
        answers_others=bool(parent) and not ids.get(parent, False),
        note=note,
    )


class _Elsewhere:
    """Answers given in another thread or account: same people and subject but later, or the same event."""

    def __init__(self, mailboxes: Sequence[MailboxThreads]) -> None:
        self._by_key: dict[tuple[str, str, bool], list[tuple[str, ThreadMail]]] = {}
        self._by_event: dict[str, list[tuple[str, ThreadMail]]] = {}
        self._subjects: dict[str, str] = {}
        for mailbox in mailboxes:
            for thread_id, messages in mailbox.threads.items():
                for one in messages:
                    subject, _ = base_subject(mailbox.summaries[one.id]["subject"])
                    self._subjects[one.id] = subject
                    if one.note.uid:
                        self._by_event.setdefault(one.note.uid, []).append((thread_id, one))
                    if len(subject) < _TELLING or one.note.automatic:
                        continue
                    for person in one.recipients if one.own else (one.sender,):
                        self._by_key.setdefault((subject, person, one.own), []).append((thread_id, one))

    def with_answers(self, thread_id: str, messages: Sequence[ThreadMail]) -> list[ThreadMail]:
        """Return the messages of a thread and those that continue it elsewhere; the latter raise no new follow-up."""
        more: dict[str, ThreadMail] = {}
        for one in messages:
            subject = self._subjects.get(one.id, "")
            people = one.recipients if one.own else (one.sender,)
            for person in people:
                for other, answer in self._by_key.get((subject, person, not one.own), ()):
                    if other != thread_id and answer.date > one.date:
                        more[answer.id] = replace(answer, note=MessageNote())
            for other, word in self._by_event.get(one.note.uid, ()):
                if other != thread_id and word.date > one.date and (word.own or word.sender == one.sender):
                    more[word.id] = replace(word, note=MessageNote(invitation="CANCEL", automatic=True))
        return [*messages, *more.values()]


def _decided(
    standing: ThreadStanding,
    decision: FollowupDecision | None,
    messages: Sequence[ThreadMail],
    now: float,
) -> tuple[ThreadStanding, str]:
    """Return the state after the user's decision unless a newer message overrides it, and the decision's name."""
    if decision is None or any(one.date > decision.at for one in messages):
        return standing, ""
    if decision.decided == "waiting":
        return standing, "waiting" if now < decision.until else ""
    if decision.decided == "dismissed" or decision.decided == "nothing":
        settled = decision.decided == "dismissed"
        return replace(NOTHING_OWED, owes="done" if settled else "nothing"), decision.decided
    if standing.owes == decision.decided or not messages:
        return standing, decision.decided
    newest = max(messages, key=lambda one: (one.date, one.id))
    who = newest.recipients if newest.own else frozenset({newest.sender})
    evidence = (newest.id,)
    told = ThreadStanding(owes=decision.decided, since=newest.date, who=who, evidence=evidence)
    return told, decision.decided


def _followup(
    mailbox: MailboxThreads,
    messages: Sequence[ThreadMail],
    standing: ThreadStanding,
    word: str,
    now: float,
    zone: tzinfo,
    away: Collection[date],
) -> Followup:
    shown = next((one for one in reversed(standing.evidence) if one in mailbox.summaries), "")
    summary = mailbox.summaries[shown or messages[0].id]
    people: dict[str, Address] = {}
    for one in messages:
        listed = mailbox.summaries[one.id]
        for person in (listed["from"], *listed["to"], *listed["cc"]):
            address = person["address"].lower()
            if address in standing.who and (person["name"] or address not in people):
                people[address] = person
    windows = [mailbox.windows[who] for who in standing.who if who in mailbox.windows]
    usual = min(windows, default=None) if standing.owes == "you" else None
    return Followup(
        account=mailbox.account,
        standing=standing,
        summary=summary,
        people=tuple(people[address] for address in sorted(people)),
        days=working_days(standing.since, now, zone, away) if standing.since else 0,
        due=is_due(standing, now, zone, away),
        said=word,
        usual_s=usual,
        late=usual is not None and now - standing.since > usual,
    )
