"""Reminders of overdue answers by others: written for the user, never sent. Entry: `chase`.

Off unless the user schedules it (docs/follow-ups.md explains why). A thread in which others owe something
that is due, and whose cohort is at level 2 or more, becomes a review item with the text of a reminder, at
most twice. The item is removed by the first run after they answered or the user marked it as settled. Items
and events are written in one transaction, so a run that is killed and restarted adds no duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from time import time
from typing import TYPE_CHECKING, cast

from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.app import App
from gaia_email.app.documents.listing import InboxListing
from gaia_email.app.services.followups import followups_of, owner_zone, read_mailboxes
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import NewItem, NewLedgerEvent, PendingItem
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.policy.document import Policy
from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.steps import RunHooks, explain_hold
from gaia_email.triage.followups.working_days import WAIT_DAYS, working_days
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.domains import domain_of, is_free_mail, organisational_domain

if TYPE_CHECKING:
    from gaia_email.app.documents.mail_types import PlannedThreadRow
    from gaia_email.app.services.followups import MailboxThreads
    from gaia_email.triage.followups.found import Followup

CHASED, TAKEN_BACK = "followup.chased", "followup.answered"
LEVEL, MOST = 2, 2
"""The level from which a reminder is prepared, and the maximum number per thread."""

MOST_EVENTS = 10_000
"""Maximum number of events of earlier reminders that are read; they are deleted with the event log."""

GOOD_FOR_S = 14 * 86_400.0
_NAME = re.compile(r"[^\W\d_][\w'’-]{0,29}(?:\s|$)")
"""A first name suitable for a greeting, which a web address cannot match."""

_MARK = "followup"
"""The key of the thread in a reminder's item."""


def chase(
    job: Job,
    *,
    environ: Mapping[str, str],
    hooks: RunHooks | None = None,
    clock: Callable[[], float] = time,
) -> RunResult:
    """Raise reminders of what is due, and withdraw those that were answered; return how many of each."""
    if why := explain_hold(job, environ=environ):
        return {"held": why}
    app = App(environ=environ, clock=clock)
    source = SourceSpec.of(job.place, job.owner)
    now = app.clock()
    mailboxes, _ = read_mailboxes(app, [source], now=now)
    found = followups_of(app, mailboxes, (), now=now)
    rules = stored_rules(environ=environ)
    policy = rules.policy
    due = {one.summary["thread_id"]: one for one in found.on("owed") if one.due}
    due = {thread: one for thread, one in due.items() if _level(policy, mailboxes, one, source) >= LEVEL}
    with app.ledger() as ledger, ledger.write() as tx:
        account = mailboxes[0].account
        open_items = [
            item for item in ledger.pending.select(tx, account_id=account) if _MARK in item.proposal
        ]
        answered = [item for item in open_items if str(item.proposal[_MARK]) not in due]
        ledger.pending.void(tx, item_ids=[item.item_id for item in answered])
        waiting = {str(item.proposal[_MARK]) for item in open_items}
        before: dict[str, list[float]] = {}
        for event in ledger.events.since(tx, kind=CHASED, limit=MOST_EVENTS):
            before.setdefault(str(event.payload.get("thread_id")), []).append(event.at)
        zone = owner_zone(app, rules)
        new = [
            one
            for thread, one in due.items()
            if thread not in waiting and _may_remind(before.get(thread, []), now, zone)
        ]
        ledger.pending.add(tx, [_item(account, one, job.run_id, now, job.origin) for one in new])
        events = [(CHASED, one.summary["thread_id"]) for one in new]
        events += [(TAKEN_BACK, str(item.proposal[_MARK])) for item in answered]
        for kind, thread_id in events:
            payload = {"thread_id": thread_id}
            written = NewLedgerEvent(
                kind=kind, actor="schedule", account_id=account, run_id=job.run_id, payload=payload
            )
            ledger.events.append(tx, written)
    return {"account": account, "raised": len(new), "answered": len(answered)}


def _may_remind(earlier: Sequence[float], now: float, zone: tzinfo) -> bool:
    """Return True if a thread may get another reminder: not too many, and not too soon."""
    if len(earlier) >= MOST:
        return False
    return not earlier or working_days(max(earlier), now, zone) >= WAIT_DAYS


def is_reminder(item: PendingItem) -> bool:
    """Return True if an item of the Agent Inbox is a reminder of an overdue answer."""
    return _MARK in item.proposal


def reminder(one: Followup, owner: str) -> str:
    """Return the text of a reminder: the person, and what was asked or promised when; no model is involved."""
    person = next((person["name"] for person in one.people if person["name"].strip()), "")
    greeting = f"Hi {person.split()[0]}," if _NAME.match(person) else "Hello,"
    said = "you wrote" if one.standing.promised else "I asked"
    day = one.summary["date"][:10]
    closing = f"\n\n{owner}" if owner else ""
    quoted = " ".join(one.standing.why.split())
    return f'{greeting}\n\non {day} {said}: "{quoted}" Is there any news?{closing}'


def _item(account: str, one: Followup, run_id: str, now: float, origin: RequestOrigin) -> NewItem:
    mine = one.summary["from"]["name"].split() if not one.standing.promised else []
    words = " ".join(reminder(one, mine[0] if mine else "").split())
    days = f"{one.days} working day{'' if one.days == 1 else 's'}"
    proposal = PendingProposal(
        doing="tell",
        bucket="actionable",
        level=LEVEL,
        asked=f"They have owed you this for {days}. A reminder that you could send: {words}",
        targets=(ProposalTarget.of(one.summary),),
    )
    return NewItem(
        type="review",
        account_id=account,
        proposal={**proposal.to_json(account), _MARK: one.summary["thread_id"]},
        origin=origin,
        why=one.standing.why,
        message_id=one.summary["id"],
        run_id=run_id,
        expires_at=now + GOOD_FOR_S,
    )


def _level(policy: Policy, mailboxes: Sequence[MailboxThreads], one: Followup, source: SourceSpec) -> int:
    """Return the lowest level of the people who owe: that of their judged mail, else that of their organisation."""
    listing = InboxListing.of([mailbox.inbox for mailbox in mailboxes])
    listing = replace(listing, rows=[row for row in listing.rows if row.message_id])
    known: dict[str, int] = {}
    for rows in listing.documents(now=0.0, with_plan=True).values():
        for row in cast("Sequence[PlannedThreadRow]", rows):
            known[row["from"]["address"].lower()] = row["plan"]["level"]
    home = {organisational_domain(domain_of(address)) for address in (mailboxes[0].account, *source.user)}

    def level(address: str) -> int:
        if address in known:
            return known[address]
        if policy.is_vip(address):
            return policy.cohort("vip").level
        domain = domain_of(address)
        if is_free_mail(domain):
            return policy.cohort("default").level
        return policy.cohort("intra_org" if organisational_domain(domain) in home else "cross_org").level

    return min(map(level, one.standing.who), default=0)
