"""A question that offers to archive the threads that are over. Entries: `offer_over`, `held_back`.

A thread is over if the day named in its mail has passed, or if it has waited longer than its sender usually waits
(`gaia_understanding.cascade.fading`). Each account has at most one such question; it is replaced when other threads
are over, and refused threads are not offered again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.pending.groups import ABOUT, OVER, is_offer, offer_asked, targets_of
from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.actions.pending.raising import ASKED_FOR_S, HOLDS
from gaia_email.actions.triaging import TriageRequest
from gaia_email.ledger import Ledger, NewItem, NewLedgerEvent, PendingItem
from gaia_email.policy.user_rules import TAKEN_BACK
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.inbox_item import InboxItem, ThreadMember
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.origin import RequestOrigin

STARRED = "STARRED"
VIP = "vip"
NEEDED = ("urgent", "actionable")
LEAST_THREADS = 2
"""Minimum number of threads for a joint question."""

WHY = "Nothing has happened in these threads since."


async def offer_over(session: AccountSession, wanted: TriageRequest, *, origin: RequestOrigin) -> bool:
    """Raise the question about the threads that are over by now. Returns True if it is new.

    Threads that an earlier run judged are checked again, because time alone can end them.

    Raises:
        MailError: The mailbox cannot be read, or the ledger cannot be written.
    """
    with session.ledger.read() as tx:
        threads = session.ledger.verdicts.threads_in(tx, session.account, NEEDED)
    inbox = None
    if threads:
        inbox = await triage(
            session.copy,
            wanted.tier,
            now=session.ledger.clock(),
            owner=wanted.owner,
            rules=wanted.rules,
            uncertain=wanted.uncertain,
            threads=threads,
        )
    return _put_up(session.ledger, session.account, inbox, wanted.run_id, origin)


def over_threads(inbox: Inbox) -> list[InboxItem]:
    """Return the threads that may be offered.

    Excluded are protected, flagged, starred, VIP and suspicious threads, those that the user undid, and those with
    another message whose day is still to come.
    """
    return [item for item in inbox.buckets["actionable"] if not any(map(_stays, item.members))]


def _stays(member: ThreadMember) -> bool:
    verdict, decision = member.verdict, member.decision
    return (
        (verdict.bucket in NEEDED and not verdict.is_over)
        or bool(verdict.flags.warnings)
        or VIP in (verdict.cohort, decision.cohort)
        or STARRED in member.summary["labels"]
        or TAKEN_BACK in decision.limits
        or any(ruling.cause in HOLDS for ruling in decision.refused)
    )


def _put_up(
    ledger: Ledger, account: str, inbox: Inbox | None, run_id: str | None, origin: RequestOrigin
) -> bool:
    now = ledger.clock()
    with ledger.write() as tx:
        refused = [
            one for one in ledger.pending.select(tx, state="rejected", account_id=account) if is_offer(one)
        ]
        no_more = frozenset[str]().union(*map(targets_of, refused))
        found = [
            item
            for item in (over_threads(inbox) if inbox else ())
            if not any(one.summary["id"] in no_more for one in item.members)
        ]
        new = _offer(account, found, run_id, now, origin) if len(found) >= LEAST_THREADS else None
        waiting = [one for one in ledger.pending.select(tx, account_id=account) if is_offer(one)]
        if new and any(one.proposal.get("fingerprint") == new.proposal["fingerprint"] for one in waiting):
            return False
        threads = [item.summary["thread_id"] for item in found] if new else []
        alone = [one for one in ledger.pending.on_threads(tx, account, threads) if one.type != "notify"]
        voided = [one.item_id for one in (*waiting, *alone)]
        if not voided and new is None:
            return False
        ledger.pending.void(tx, item_ids=voided)
        ids = [one.item_id for one in ledger.pending.add(tx, [new] if new else [])]
        payload = {"items": len(ids), "item_ids": ids, "voided": len(voided), "voided_ids": voided}
        ledger.events.append(
            tx, NewLedgerEvent(kind="pending.raised", account_id=account, run_id=run_id, payload=payload)
        )
    return new is not None


def _offer(
    account: str, found: Sequence[InboxItem], run_id: str | None, now: float, origin: RequestOrigin
) -> NewItem:
    members = [member for item in found for member in item.members]
    proposal = PendingProposal(
        doing="archive",
        bucket="actionable",
        level=min(member.decision.effective_level for member in members),
        asked=offer_asked(len(members)),
        targets=tuple(ProposalTarget.of(member.summary) for member in members),
    )
    return NewItem(
        type="question",
        account_id=account,
        proposal=proposal.to_json(account) | {ABOUT: OVER},
        origin=origin,
        why=WHY,
        message_id=members[0].summary["id"],
        thread_id=None,
        run_id=run_id,
        expires_at=now + ASKED_FOR_S,
    )


async def held_back(
    session: AccountSession, item: PendingItem, now: Mapping[str, Summary]
) -> Collection[str]:
    """Return messages of an offer that must stay: starred since, or with a newer message in their thread.

    Raises:
        MailError: The mailbox cannot be refreshed.
    """
    if not is_offer(item):
        return ()
    await session.copy.refresh()
    offered = targets_of(item)
    by_thread: dict[str, list[str]] = {}
    for id_ in offered & now.keys():
        by_thread.setdefault(now[id_]["thread_id"], []).append(id_)
    found = set[str]()
    for thread_id, ids in by_thread.items():
        newest = max(now[id_]["date"] for id_ in ids)
        others = (one for one in session.copy.thread(thread_id) if one["id"] not in offered)
        if any(STARRED in now[id_]["labels"] for id_ in ids) or any(one["date"] > newest for one in others):
            found.update(ids)
    return found
