"""The Agent Inbox for all interfaces: list, approve, reject. Entry point: `AgentInbox`.

An answer is one transaction that closes the item, plans its actions and writes the event. A second answer finds the
item closed and is reported as too late. `actions` carries out the plan through the gate; after a crash, the next
program that opens the account does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from gaia_email.actions.account_session import AccountSession, Brakes
from gaia_email.actions.applying import AppliedActions, carry_out
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import ARCHIVE, LABEL
from gaia_email.actions.labels import ensure_labels
from gaia_email.actions.pending.groups import is_group, split_group, targets_of
from gaia_email.actions.pending.over import held_back
from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.actions.pending.raising import ONE_BY_ONE
from gaia_email.actions.pending.telling import AGENT
from gaia_email.actions.planning import label_action
from gaia_email.ledger import (
    FeedbackSource,
    Ledger,
    LoggedAction,
    NewAction,
    NewCorrection,
    NewLedgerEvent,
    PendingItem,
    PendingType,
    VerdictFields,
)
from gaia_email.ledger.policy_store import PolicyStore, StoredBrakes
from gaia_email.ledger.statements import only
from gaia_email.policy.gate import Consent
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from sqlalchemy import Connection

READ_AT_ONCE = 100

ItemResolution = Literal[
    "approved", "rejected", "seen", "taken", "changed", "refused", "failed", "later", "reopened"
]
"""The result of an answer; with `later`, it is planned and is done when the server can be reached again."""

GOOD: frozenset[ItemResolution] = frozenset(("approved", "rejected", "seen", "later", "reopened"))

CHANGED = (
    "The message was changed since this was proposed, so nothing was done; the next triage looks at it anew."
)
NOT_REJECTED = "This was not rejected, or its time is over, so it stays as it is."
TOLD_ALREADY = "The agent that asked this was told your answer, which stands; it may ask anew."
GONE = "The message is not there any more, so there is nothing to do."


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredItem:
    """An item after an attempt to answer it, with the reason if the answer did not count, and the actions done."""

    item: PendingItem
    result: ItemResolution
    reason: str = ""
    actions: tuple[LoggedAction, ...] = ()

    @property
    def counts(self) -> bool:
        """True if the answer was accepted."""
        return self.result in GOOD


OpenSession = Callable[[str], AbstractAsyncContextManager[AccountSession]]
"""Opens the mailbox of an account to act on it."""


class AgentInbox:
    """The items that wait for the user.

    Args:
        ledger: An open ledger; it stays open.
        open_account_session: Opens the mailbox of an item; only called if an answer changes mail.
        by: The interface in which the answers are given.
        source: The source recorded for a corrected bucket.
        brakes: The user's switches; None for those in the ledger.
    """

    def __init__(
        self,
        ledger: Ledger,
        open_account_session: OpenSession,
        *,
        by: str,
        source: FeedbackSource = "button",
        brakes: Brakes | None = None,
    ) -> None:
        self._ledger = ledger
        self._open_session = open_account_session
        self._by = by
        self._source: FeedbackSource = source
        self._brakes = brakes or StoredBrakes(ledger)

    def list_pending(
        self, *, type: PendingType | None = None, cohort: str | None = None, account: str | None = None
    ) -> list[PendingItem]:
        """Return waiting items, oldest first; closes expired and damaged ones if the ledger is writable."""
        chosen = partial(self._ledger.pending.select, type=type, cohort=cohort, account_id=account)
        if self._ledger.reads_only:
            with self._ledger.read() as tx:
                return [item for item in chosen(tx) if _is_whole(item)]
        with self._ledger.write() as tx:
            self._expire(tx)
            found = chosen(tx)
            damaged = [item for item in found if not _is_whole(item)]
            self._ledger.pending.void(tx, item_ids=[item.item_id for item in damaged])
            for item in damaged:
                self._note(tx, "approval.void", item, {"reason": "it is not as it was made"})
        return [item for item in found if item not in damaged]

    def find(self, item_id: str) -> PendingItem:
        """Return the item with this ID or ID prefix.

        Raises:
            NotFound: No item matches, or more than one.
        """
        with self._ledger.read() as tx:
            found = self._ledger.pending.starting_with(tx, item_id) if item_id else []
        return only(
            found,
            item_id,
            none="Nothing that is waiting has",
            several="More than one item has",
            argument="id",
            hint="gaia email pending lists what waits.",
        )

    async def approve(
        self, item_id: str, edits: Mapping[str, object] | None = None, *, shown: str = ""
    ) -> AnsweredItem:
        """Approve an item, unchanged or with `edits` (see `PendingProposal.edited`).

        Args:
            item_id: Its ID, or an unambiguous prefix.
            edits: Changes to the proposal.
            shown: The fingerprint that was shown, if the interface knows it.

        Raises:
            NotFound: There is no such item.
            BadArgument: The edits are invalid, or the proposal differs from the one shown.
            MailError: The mailbox cannot be opened or the ledger cannot be written; the item still waits.
        """
        item = self.find(item_id)
        proposal = PendingProposal.of(item)
        if shown and shown != proposal.fingerprint(item.account_id):
            raise BadArgument("This is another proposal than the one that was shown.", argument="shown")
        return (await self._approve([(item, proposal.edit(edits or {}))]))[0]

    async def batch_approve(self, item_ids: Sequence[str]) -> list[AnsweredItem]:
        """Approve several items in order; each succeeds or fails separately.

        Raises:
            NotFound: An item does not exist; none was answered.
            MailError: A mailbox cannot be opened; unanswered items still wait.
        """
        items = [self.find(item_id) for item_id in item_ids]
        wanted = list({item.item_id: item for item in items}.values())
        return await self._approve([(item, PendingProposal.of(item)) for item in wanted])

    def reject(self, item_id: str, reason: str = "") -> AnsweredItem:
        """Reject an item; its messages are not changed.

        Raises:
            NotFound: There is no such item.
        """
        item = self.find(item_id)
        with self._ledger.write() as tx:
            self._expire(tx)
            won = self._ledger.pending.answer(
                tx, item.item_id, "rejected", by=self._by, answer={"reason": reason[:500]}
            )
            if won:
                self._note(tx, "approval.refused", item, {})
                if item.type != "notify" and item.cohort:
                    PolicyStore(self._ledger).take_back_step(tx, item.cohort, actor=self._by)
        return self._after(item, "rejected" if won else "taken")

    def reopen(self, item_id: str) -> AnsweredItem:
        """Undo a rejection, so that the item waits again until it expires.

        A level step that the rejection took back must be earned again, and no rejection can be undone after a stop.

        Raises:
            NotFound: There is no such item.
        """
        item = self.find(item_id)
        if reason := self._brakes.explain_halt() or (
            TOLD_ALREADY if item.account_id.startswith(AGENT) else ""
        ):
            return AnsweredItem(item=item, result="refused", reason=reason)
        with self._ledger.write() as tx:
            self._expire(tx)
            threads = [] if item.thread_id is None else [item.thread_id]
            if self._ledger.pending.on_threads(tx, item.account_id, threads):
                reason = "This thread waits for your answer already."
                return AnsweredItem(item=item, result="refused", reason=reason)
            won = self._ledger.pending.reopen(tx, item.item_id)
            if won:
                self._note(tx, "approval.reopened", item, {})
        answered = self._after(item, "reopened" if won else "taken")
        return answered if won else replace(answered, reason=NOT_REJECTED)

    def open_group(self, item_id: str) -> list[PendingItem]:
        """Split an item about many threads: its first messages become single items, the rest stays a group.

        Raises:
            NotFound: There is no such item.
            BadArgument: It is about one thread, or was answered.
        """
        item = self.find(item_id)
        with self._ledger.write() as tx:
            self._expire(tx)
            if not is_group(item) or not self._ledger.pending.void(tx, item_ids=[item.item_id]):
                raise BadArgument("That is about one thread, or was answered already.", argument="id")
            states = self._ledger.verdicts.get(tx, item.account_id, sorted(targets_of(item)))
            return self._ledger.pending.add(tx, split_group(item, states, ONE_BY_ONE))

    async def _approve(self, wanted: Sequence[tuple[PendingItem, PendingProposal]]) -> list[AnsweredItem]:
        if reason := self._brakes.explain_halt():
            return [AnsweredItem(item=item, result="refused", reason=reason) for item, _ in wanted]
        by_account: dict[str, list[tuple[PendingItem, PendingProposal]]] = {}
        found: dict[str, AnsweredItem] = {}
        for item, proposal in wanted:
            if item.state == "open" and proposal.changes_mail and not self._ran_out(item):
                by_account.setdefault(item.account_id, []).append((item, proposal))
            else:
                found[item.item_id] = self._settle(item, proposal)
        for account, pairs in by_account.items():
            async with self._open_session(account) as session:
                for answered in await self._carry_out(session, pairs):
                    found[answered.item.item_id] = answered
        return [found[item.item_id] for item, _ in wanted]

    def _settle(self, item: PendingItem, proposal: PendingProposal) -> AnsweredItem:
        """Answer an item that changes no mailbox, or that is already closed."""
        with self._ledger.write() as tx:
            self._expire(tx)
            won = self._answer(tx, item, proposal)
        good: ItemResolution = "seen" if item.type == "notify" else "approved"
        return self._after(item, good if won else "taken")

    async def _carry_out(
        self, session: AccountSession, pairs: Sequence[tuple[PendingItem, PendingProposal]]
    ) -> list[AnsweredItem]:
        now = await _summaries(session, [one.message_id for _, proposal in pairs for one in proposal.targets])
        for item, _ in pairs:
            for id_ in await held_back(session, item, now):
                del now[id_]
        found: dict[str, AnsweredItem] = {}
        ready: list[tuple[PendingItem, PendingProposal]] = []
        for item, proposal in pairs:
            changed = [target for target in proposal.targets if _problem(target, now)]
            # The messages of a thread belong together; those of a group are independent of one another.
            if changed and (len(changed) == len(proposal.targets) or not is_group(item)):
                found[item.item_id] = self._withdraw(item, _problem(changed[0], now))
            else:
                ready.append((item, proposal))
        names = sorted({name for _, proposal in ready for name in proposal.names})
        consent = Consent(by="user", why="You approved it.")
        labels = await ensure_labels(session, names, consent) if names else {}
        planned: dict[str, list[LoggedAction]] = {}
        left: dict[str, int] = {}
        with self._ledger.write() as tx:
            self._expire(tx)
            for item, proposal in ready:
                if not self._answer(tx, item, proposal):
                    found[item.item_id] = AnsweredItem(item=item, result="taken")
                    continue
                moved = [one.message_id for one in proposal.targets if _problem(one, now)]
                self._ledger.verdicts.forget(tx, item.account_id, moved)
                left[item.item_id] = len(moved)
                new = _actions(item, proposal, now, labels)
                planned[item.item_id] = self._ledger.actions.plan(tx, new, actor=self._by)
        every = [action for actions in planned.values() for action in actions]
        applied = await carry_out(session, every) if every else AppliedActions()
        for item, _ in ready:
            if item.item_id in planned:
                found[item.item_id] = self._outcome(
                    item, planned[item.item_id], applied, left.get(item.item_id, 0)
                )
        return [
            self._after(item, "taken") if found[item.item_id].result == "taken" else found[item.item_id]
            for item, _ in pairs
        ]

    def _outcome(
        self, item: PendingItem, planned: Sequence[LoggedAction], applied: AppliedActions, left: int
    ) -> AnsweredItem:
        mine = {action.action_id for action in planned}
        failed = [action for action in applied.failed if action.action_id in mine]
        if failed:
            return self._after(item, "failed", failed[0].error or "")
        if any(action.action_id in mine for action in applied.left):
            reason = applied.problem.message if applied.problem else ""
            return self._after(item, "later", f"It is done when the account is opened next. {reason}".strip())
        done = tuple(action for action in applied.done if action.action_id in mine)
        reason = f"{left:,} of its messages were changed since and left as they are." if left else ""
        return self._after(item, "approved", reason, actions=done)

    def _answer(self, tx: Connection, item: PendingItem, proposal: PendingProposal) -> bool:
        """Close the item as approved and record the consequences; False if it was already closed."""
        was = PendingProposal.of(item)
        answer: dict[str, object] = {}
        if proposal != was:
            answer = {"bucket": proposal.bucket, "doing": proposal.doing}
        if not self._ledger.pending.answer(tx, item.item_id, "approved", by=self._by, answer=answer):
            return False
        if item.type == "notify":
            return True
        # An edited answer does not confirm the agent's proposal, so it does not count towards a higher level.
        self._note(tx, "approval.granted" if proposal == was else "approval.edited", item, answer)
        if proposal.bucket != was.bucket:
            self._correct(tx, item, was, proposal)
        return True

    def _correct(
        self, tx: Connection, item: PendingItem, was: PendingProposal, proposal: PendingProposal
    ) -> None:
        known = self._ledger.verdicts.get(tx, item.account_id, [one.message_id for one in proposal.targets])
        for target in proposal.targets:
            state = known.get(target.message_id)
            original = (
                VerdictFields(bucket=was.bucket)
                if state is None
                else VerdictFields(
                    bucket=was.bucket,
                    category=state.content_category,
                    speech_act=state.speech_act,
                    score=state.priority_score,
                )
            )
            self._ledger.corrections.record(
                tx,
                NewCorrection(
                    account_id=item.account_id,
                    message_id=target.message_id,
                    original=original,
                    corrected=VerdictFields(bucket=proposal.bucket),
                    source=self._source,
                    sender=target.address.lower(),
                    features={}
                    if state is None
                    else {"cohort": state.cohort, "made_by": state.pipeline_version},
                ),
            )
        self._note(tx, "correction.recorded", item, {"bucket": proposal.bucket, "was": was.bucket})
        if item.cohort:
            PolicyStore(self._ledger).take_back_step(tx, item.cohort, actor=self._by)

    def _withdraw(self, item: PendingItem, reason: str) -> AnsweredItem:
        """Close an item whose messages have changed, and have them judged again."""
        with self._ledger.write() as tx:
            gone = self._ledger.pending.void(tx, item_ids=[item.item_id])
            if gone:
                ids = [target.message_id for target in PendingProposal.of(item).targets]
                self._ledger.verdicts.forget(tx, item.account_id, ids)
                self._note(tx, "approval.void", item, {"reason": reason})
        return self._after(item, "changed", reason)

    def _after(
        self,
        item: PendingItem,
        result: ItemResolution,
        reason: str = "",
        actions: tuple[LoggedAction, ...] = (),
    ) -> AnsweredItem:
        with self._ledger.read() as tx:
            now = self._ledger.pending.get(tx, item.item_id) or item
        if result == "taken":
            reason = _too_late(now)
        return AnsweredItem(item=now, result=result, reason=reason, actions=actions)

    def _expire(self, tx: Connection) -> None:
        gone = self._ledger.pending.expire(tx)
        if gone:
            payload = {"items": len(gone), "item_ids": gone}
            self._ledger.events.append(tx, NewLedgerEvent(kind="approval.expired", payload=payload))

    def _ran_out(self, item: PendingItem) -> bool:
        return item.expires_at is not None and item.expires_at <= self._ledger.clock()

    def _note(self, tx: Connection, kind: str, item: PendingItem, payload: Mapping[str, object]) -> None:
        event = NewLedgerEvent(
            kind=kind,
            actor=self._by,
            account_id=item.account_id,
            message_id=item.message_id,
            run_id=item.run_id,
            session_id=item.session_id,
            payload={"item_id": item.item_id, "type": item.type, "cohort": item.cohort, **payload},
        )
        self._ledger.events.append(tx, event)


def _is_whole(item: PendingItem) -> bool:
    try:
        PendingProposal.of(item)
    except BadArgument:
        return False
    return True


def _too_late(item: PendingItem) -> str:
    """Return why an answer was too late."""
    if item.state in ("approved", "rejected"):
        done = "approved" if item.state == "approved" else "rejected"
        where = f" in {item.answered_by}" if item.answered_by else ""
        return f"This was {done} already{where}; that answer stands."
    if item.state == "expired":
        return "This has expired, so nothing was done."
    return "This was taken back, so nothing was done."


def _problem(target: ProposalTarget, now: Mapping[str, Summary]) -> str:
    summary = now.get(target.message_id)
    if summary is None:
        return GONE
    return CHANGED if target.was_changed(summary) else ""


def _actions(
    item: PendingItem, proposal: PendingProposal, now: Mapping[str, Summary], labels: Mapping[str, str]
) -> list[NewAction]:
    archive = proposal.doing == "archive"
    change = LabelIdChange.of([labels[name] for name in proposal.names], ("INBOX",) if archive else ())
    planned = [
        label_action(
            now[target.message_id],
            change,
            kind=ARCHIVE if archive else LABEL,
            names=proposal.names,
            run_id=item.run_id,
            session_id=item.session_id,
            level=f"L{proposal.level}",
            cohort=item.cohort,
            why=item.why,
            user_confirmed=True,
        )
        for target in proposal.targets
        if not _problem(target, now)
    ]
    return [action for action in planned if action is not None]


async def _summaries(session: AccountSession, ids: Sequence[str]) -> dict[str, Summary]:
    found: dict[str, Summary] = {}
    wanted = list(dict.fromkeys(ids))
    for start in range(0, len(wanted), READ_AT_ONCE):
        read = await session.mail.read_emails(wanted[start : start + READ_AT_ONCE], format="summary")
        found.update((email["id"], email) for email in read["emails"])
    return found


def void_all(ledger: Ledger, tx: Connection, *, actor: str = "user") -> int:
    """Void every earlier proposal and confirmation after a stop. Returns the number of items."""
    gone = ledger.pending.void(tx)
    ledger.pending.end_rejected(tx)
    calls = ledger.approvals(tx).expire(everything=True)
    if gone or calls:
        payload = {"items": len(gone), "item_ids": gone, "confirmation_ids": calls}
        ledger.events.append(tx, NewLedgerEvent(kind="approval.void", actor=actor, payload=payload))
    return len(gone)
