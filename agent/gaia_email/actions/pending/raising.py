"""Turns the results of a triage into questions and notes for the user. Entry points: `raise_items`, `tell_of_run`.

Actions that need approval become one item per thread, in the transaction that stores the verdicts. If a thread is
proposed again (a newer message, another policy), its earlier item is voided, so it is never asked about twice. The
first triage of a large mailbox asks about the most pressing threads one by one, and about the others in groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.actions.kinds import ARCHIVE, JUNK, SEND
from gaia_email.actions.labels import triage_labels
from gaia_email.actions.pending.groups import group_asked, is_group, is_offer, targets_of, without
from gaia_email.actions.pending.proposal import Doing, PendingProposal, ProposalTarget
from gaia_email.ledger import Ledger, LoggedAction, NewItem, NewLedgerEvent, PendingType, Selection
from gaia_email.policy.levels import level_text
from gaia_email.policy.model import Cause
from gaia_email.triage.inbox import Inbox
from gaia_email.triage.inbox_item import InboxItem, ThreadMember
from gaia_email_registry.origin import RequestOrigin
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.wording.certainty import in_words

if TYPE_CHECKING:
    from sqlalchemy import Connection

DAY = 86_400.0
ASKED_FOR_S = 14 * DAY
TOLD_FOR_S = 7 * DAY
"""Lifetime of items in seconds; mail that has waited two weeks for an answer is judged again."""

ONE_BY_ONE = 50
"""Maximum number of single questions per run, so that the user can answer them in one sitting."""

NEW_SENDER = "first_contact"
HOLDS: frozenset[Cause] = frozenset(("protected", "flagged", "stopped", "paused"))
"""Causes for which the user is not asked about a message."""

NOTED_FROM = 4
"""Lowest level at which actions done without asking are reported."""


def raise_items(ledger: Ledger, tx: Connection, inbox: Inbox, run_id: str, *, origin: RequestOrigin) -> int:
    """Raise the questions of a sorted inbox. Returns the number of new items.

    Call it in the transaction that stores the verdicts.
    """
    now = ledger.clock()
    new = _questions(inbox, run_id, now, origin)
    fingerprints = {str(item.proposal["fingerprint"]) for item in new}
    threads = {item.summary["thread_id"] for items in inbox.buckets.values() for item in items}
    earlier = ledger.pending.on_threads(tx, inbox.account, sorted(threads))
    waiting = ledger.pending.select(tx, account_id=inbox.account)
    groups = [one for one in waiting if is_group(one) and not is_offer(one)]
    still_open = {
        str(item.proposal.get("fingerprint"))
        for item in (*earlier, *groups)
        if item.expires_at is None or item.expires_at > now
    } & fingerprints
    outdated = [
        item.item_id
        for item in earlier
        if item.type != "notify" and item.proposal.get("fingerprint") not in still_open
    ]
    judged = {one.summary["id"] for one in inbox.judged}
    shrunk = [
        group
        for group in groups
        if group.proposal.get("fingerprint") not in still_open and judged.intersection(targets_of(group))
    ]
    outdated += [group.item_id for group in shrunk]
    new += [rest for group in shrunk if (rest := without(group, judged)) is not None]
    ledger.pending.void(tx, item_ids=outdated)
    added = ledger.pending.add(tx, [item for item in new if item.proposal["fingerprint"] not in still_open])
    if added:
        payload = {
            "items": len(added),
            "item_ids": [item.item_id for item in added],
            "voided": len(outdated),
            "voided_ids": outdated,
        }
        event = NewLedgerEvent(
            kind="pending.raised", account_id=inbox.account, run_id=run_id, payload=payload
        )
        ledger.events.append(tx, event)
    return len(added)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question about messages of a thread; the first one is shown."""

    members: tuple[ThreadMember, ...]
    bucket: Bucket
    doing: Doing
    type: PendingType

    @property
    def first(self) -> ThreadMember:
        return self.members[0]

    @property
    def alike(self) -> object:
        """A key shared by questions that one answer can settle."""
        decision = self.first.decision
        return (self.type, decision.cohort, self.doing, self.bucket, decision.effective_level, decision.label)


def _questions(inbox: Inbox, run_id: str, now: float, origin: RequestOrigin) -> list[NewItem]:
    """Return the most pressing questions as single items, and the rest grouped by similarity."""
    asked = list(_asked_of(inbox))
    items = [_item(inbox.account, [one], run_id, now, origin) for one in asked[:ONE_BY_ONE]]
    groups: dict[object, list[_Asked]] = {}
    for one in asked[ONE_BY_ONE:]:
        groups.setdefault(one.alike, []).append(one)
    return items + [_item(inbox.account, group, run_id, now, origin) for group in groups.values()]


def _asked_of(inbox: Inbox) -> Iterator[_Asked]:
    for items in inbox.buckets.values():
        for item in items:
            for members in _alike(item.members):
                first = _shown(item, members)
                doing = _doing(first)
                if doing is not None:
                    others = tuple(one for one in members if one is not first)
                    yield _Asked(members=(first, *others), bucket=item.bucket, doing=doing, type=_type(first))


def _item(
    account: str, together: Sequence[_Asked], run_id: str, now: float, origin: RequestOrigin
) -> NewItem:
    first = together[0].first
    decision, verdict = first.decision, first.verdict
    members = [member for one in together for member in one.members]
    alone = len(together) == 1
    asked = _asked(first) if alone else group_asked(len(members), decision.cohort, decision.effective_level)
    proposal = PendingProposal(
        doing=together[0].doing,
        bucket=together[0].bucket,
        names=triage_labels(decision.label, now) if together[0].doing != "confirm" else (),
        level=decision.effective_level,
        asked=asked,
        targets=tuple(ProposalTarget.of(one.summary) for one in members),
    )
    return NewItem(
        type=together[0].type,
        account_id=account,
        proposal=proposal.to_json(account),
        origin=origin,
        why=verdict.priority.reason,
        message_id=first.summary["id"],
        thread_id=first.summary["thread_id"] if alone else None,
        run_id=run_id,
        cohort=decision.cohort,
        confidence=round(min(one.verdict.confidence for one in members), 4),
        expires_at=now + ASKED_FOR_S,
    )


def _alike(members: Iterable[ThreadMember]) -> Iterator[list[ThreadMember]]:
    """Group a thread's messages by cohort, level and proposal."""
    groups: dict[object, list[ThreadMember]] = {}
    for one in members:
        decision = one.decision
        key = (decision.cohort, decision.effective_level, decision.mode, decision.action, decision.label)
        groups.setdefault(key, []).append(one)
    yield from groups.values()


def _shown(item: InboxItem, members: Sequence[ThreadMember]) -> ThreadMember:
    return next((one for one in members if one.summary["id"] == item.summary["id"]), members[0])


def _is_asked_about(one: ThreadMember) -> bool:
    return one.decision.unsure or one.decision.cohort == NEW_SENDER


def _doing(one: ThreadMember) -> Doing | None:
    """Return the proposal for a message; None if the user is not asked."""
    decision = one.decision
    if decision.mode in ("suggest", "review"):
        return "archive" if decision.action == "archive" else "label"
    held = any(ruling.cause in HOLDS for ruling in decision.refused)
    # The cohort's own level counts, because uncertainty lowers the effective level and is the reason for asking.
    if decision.mode == "leave" and decision.unsure and decision.level >= 1 and not held:
        return "confirm"
    return None


def _type(one: ThreadMember) -> PendingType:
    return "question" if _is_asked_about(one) or one.decision.effective_level <= 2 else "review"


def _asked(one: ThreadMember) -> str:
    decision = one.decision
    if decision.unsure:
        return f"The agent is not sure of this: {in_words(one.verdict.confidence)}."
    if decision.cohort == NEW_SENDER:
        return "This is the first mail from this address."
    return f"{level_text(decision.effective_level)} proposes this and leaves the word to you."


def tell_of_run(ledger: Ledger, tx: Connection, account: str, run_id: str, *, origin: RequestOrigin) -> int:
    """Report what a run did by itself, one item per cohort; safe to repeat. Returns the number of new items."""
    told = ledger.events.since(tx, kind="pending.told", run_id=run_id, limit=1)
    if told:
        return 0
    chosen = Selection(account_id=account, run_id=run_id, states=("applied",), types=(ARCHIVE, JUNK, SEND))
    groups: dict[tuple[str, str], list[LoggedAction]] = {}
    for action in ledger.actions.select(tx, chosen):
        level = (action.autonomy_level or "").removeprefix("L")
        if not action.user_confirmed and level.isdigit() and int(level) >= NOTED_FROM:
            groups.setdefault((action.action_type, action.cohort or ""), []).append(action)
    now = ledger.clock()
    items = [_note(account, run_id, cohort, actions, now, origin) for (_, cohort), actions in groups.items()]
    if not items:
        return 0
    told_now = ledger.pending.add(tx, items)
    payload = {"items": len(items), "item_ids": [item.item_id for item in told_now]}
    ledger.events.append(
        tx, NewLedgerEvent(kind="pending.told", account_id=account, run_id=run_id, payload=payload)
    )
    return len(items)


def _note(
    account: str, run_id: str, cohort: str, actions: Sequence[LoggedAction], now: float, origin: RequestOrigin
) -> NewItem:
    first = actions[0]
    sender, subject = (
        str(first.action_payload.get("sender", "")),
        str(first.action_payload.get("subject", "")),
    )
    target = ProposalTarget(
        message_id=first.message_id, labels=(), seal="", name="", address=sender, subject=subject, date=""
    )
    count = len(actions)
    level = int((first.autonomy_level or "L4").removeprefix("L"))
    messages = f"{count:,} {'message' if count == 1 else 'messages'} of {cohort}"
    asked = f"{messages} left the inbox at {level_text(level)}."
    if first.action_type == SEND:
        names = sorted({str(action.action_payload.get("template")) for action in actions})
        asked = (
            f"{messages} answered from {', '.join(names)} at {level_text(level)}; sent mail cannot be undone."
        )
    proposal = PendingProposal(
        doing="tell", bucket="low_priority", level=level, asked=asked, targets=(target,)
    )
    return NewItem(
        type="notify",
        account_id=account,
        proposal=proposal.to_json(account),
        origin=origin,
        why=first.why,
        message_id=first.message_id,
        run_id=run_id,
        cohort=cohort,
        expires_at=now + TOLD_FOR_S,
    )
