"""Carries out planned actions in batches and records each outcome. Entry points: `record`, `carry_out`.

```
record     rows `planned`, one transaction, before anything happens
carry_out  stop switch → gate → one tool call for up to a hundred messages → rows settled, one transaction; repeat
```
If the server fails, rows stay planned, because its effect is unknown. `reconcile.py` checks the mailbox before they
are tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.call_facts import ask_gate
from gaia_email.actions.change import LabelIdChange, reversals
from gaia_email.actions.kinds import BY_TRIAGE, UNDO
from gaia_email.actions.writing import AT_ONCE, relabel
from gaia_email.ledger import ActionOutcome, LoggedAction, NewAction, NewLedgerEvent, Selection
from gaia_email.ledger.policy_store import PolicyStore
from gaia_email.policy.gate import CallRefused, CallWaiting, Consent
from gaia_email_registry.contract.wire import WriteResult
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound

STARTED, FINISHED = "run.started", "run.finished"
"""The events at the start and end of a run."""

Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(slots=True, kw_only=True)
class AppliedActions:
    """Outcomes of actions.

    Attributes:
        done: Applied actions, in the order in which they were applied.
        failed: Actions that were not done and changed nothing, with the reason in `error`.
        left: Actions still planned because the server could not be asked; `problem` is the reason.
        halted: Why the rest was not done; empty if nothing stopped it.
    """

    done: list[LoggedAction] = field(default_factory=list[LoggedAction])
    failed: list[LoggedAction] = field(default_factory=list[LoggedAction])
    left: list[LoggedAction] = field(default_factory=list[LoggedAction])
    problem: MailError | None = None
    halted: str = ""

    def add(self, other: AppliedActions) -> None:
        """Add other outcomes."""
        self.done += other.done
        self.failed += other.failed
        self.left += other.left
        self.problem = self.problem or other.problem
        self.halted = self.halted or other.halted


def record(session: AccountSession, actions: Sequence[NewAction]) -> list[LoggedAction]:
    """Record actions as planned.

    Raises:
        ProviderError: The ledger cannot be written; nothing may be done.
    """
    with session.ledger.write() as tx:
        return session.ledger.actions.plan(tx, actions, actor=session.actor)


async def carry_out(
    session: AccountSession,
    actions: Sequence[LoggedAction],
    *,
    known: bool = True,
    progress: Progress = silent,
) -> AppliedActions:
    """Carry out planned actions; every action is about one message.

    Actions that the user requests while the agent is already stopped are done nevertheless.

    Args:
        session: The account.
        actions: Planned label changes.
        known: True if the server's report covers every change; False after a crash, when an earlier attempt may have
            made some. The planned undo then stays.
        progress: Called with the number of finished actions and the total.

    Raises:
        ProviderError: The ledger cannot be written; completed changes are detected at the next start.
    """
    total = AppliedActions()
    waiting = list(_batches(actions))
    heedless = all(action.user_confirmed for action in actions) and bool(session.brakes.explain_halt())
    while waiting:
        reason = "" if heedless else session.brakes.explain_halt()
        if reason:
            rest = [action for batch in waiting for action in batch]
            total.halted = reason
            total.failed += give_up(session, rest, reason)
            break
        batch = waiting.pop(0)
        total.add(await _batch(session, batch, known))
        if total.problem is not None:
            total.left += [action for later in waiting for action in later]
            break
        progress(len(total.done) + len(total.failed), len(actions))
    return total


async def _batch(session: AccountSession, batch: Sequence[LoggedAction], known: bool) -> AppliedActions:
    first = batch[0]
    change = LabelIdChange.read(first.action_payload)
    call = relabel(session.account, [action.message_id for action in batch], change)
    try:
        given = await ask_gate(session, call, consent_of(first))
    except MailError as error:
        return AppliedActions(left=list(batch), problem=error)
    if isinstance(given, CallRefused):
        return AppliedActions(failed=give_up(session, batch, given.reason))
    if isinstance(given, CallWaiting):
        return AppliedActions(left=list(batch), problem=NeedsApproval("This waits for your agreement."))
    try:
        answer = await session.writer.write(given)
    except (BadArgument, NotFound) as error:
        return AppliedActions(failed=give_up(session, batch, error.message))
    except MailError as error:
        return AppliedActions(left=list(batch), problem=error)
    return settle(session, batch, answer, known=known)


def consent_of(action: LoggedAction) -> Consent:
    """Return the authority for an action, as recorded when it was planned."""
    if action.user_confirmed:
        return Consent(by="user", why=action.why)
    level = (action.autonomy_level or "").removeprefix("L")
    return Consent(by="level", level=int(level) if level.isdigit() else 0, why=action.why)


def settle(
    session: AccountSession, batch: Sequence[LoggedAction], answer: WriteResult, *, known: bool = True
) -> AppliedActions:
    """Record what the server reports; an undo marks the original action as reversed."""
    failures = {item["id"]: item["error"] for item in answer["failed"]}
    told = reversals(answer) if known else None
    outcomes: list[ActionOutcome] = []
    for action in batch:
        if action.message_id in failures:
            error = failures[action.message_id]
            outcomes.append(ActionOutcome(action_id=action.action_id, state="failed", error=error))
        elif action.message_id in answer["ids"]:
            outcomes.append(ActionOutcome(action_id=action.action_id, reversal=_reversal(action, told)))
        else:
            unsaid = "The server does not say what became of it."
            outcomes.append(ActionOutcome(action_id=action.action_id, state="failed", error=unsaid))
    return write_down(session, outcomes)


def _reversal(action: LoggedAction, told: Mapping[str, LabelIdChange] | None) -> Mapping[str, object] | None:
    """Return the undo of an action: the planned undo, limited to what the server reports as changed."""
    if told is None:
        return None
    planned = LabelIdChange.read(action.reversal_payload)
    needed = told.get(action.message_id, LabelIdChange())
    return LabelIdChange.of(
        set(planned.add).intersection(needed.add), set(planned.remove).intersection(needed.remove)
    ).kept


def write_down(session: AccountSession, outcomes: Sequence[ActionOutcome]) -> AppliedActions:
    """Settle actions in one transaction; messages of failed ones are triaged again."""
    with session.ledger.write() as tx:
        actions = session.ledger.actions.settle(tx, outcomes, actor=session.actor)
        taken_back = [
            str(action.action_payload["of"])
            for action in actions
            if action.action_type == UNDO and action.state == "applied"
        ]
        reversed_now = session.ledger.actions.reverse(tx, taken_back, actor=session.actor)
        for cohort in {action.cohort for action in reversed_now if action.cohort}:
            PolicyStore(session.ledger).take_back_step(tx, cohort, actor=session.actor)
        failed = [action for action in actions if action.state == "failed"]
        again = [action.message_id for action in failed if action.action_type in BY_TRIAGE]
        session.ledger.verdicts.forget(tx, session.account, again)
    return AppliedActions(done=[action for action in actions if action.state == "applied"], failed=failed)


def give_up(session: AccountSession, actions: Iterable[LoggedAction], reason: str) -> list[LoggedAction]:
    """Settle planned actions as failed, with this reason."""
    outcomes = [ActionOutcome(action_id=action.action_id, state="failed", error=reason) for action in actions]
    return write_down(session, outcomes).failed if outcomes else []


def finish_runs(session: AccountSession, run_ids: Iterable[str]) -> None:
    """Log the end of runs once: those that were started and have no planned actions left."""
    log = session.ledger.actions
    with session.ledger.write() as tx:
        for run_id in dict.fromkeys(run_ids):
            counts = log.count(tx, Selection(run_id=run_id))
            begun = session.ledger.events.since(tx, kind=STARTED, run_id=run_id, limit=1)
            if not begun or "planned" in counts:
                continue
            if not session.ledger.events.since(tx, kind=FINISHED, run_id=run_id, limit=1):
                payload = {"kind": begun[0].payload.get("kind"), "actions": dict(counts)}
                event = NewLedgerEvent(
                    kind=FINISHED,
                    actor=session.actor,
                    account_id=session.account,
                    run_id=run_id,
                    payload=payload,
                )
                session.ledger.events.append(tx, event)


def planned_of(session: AccountSession, run_id: str | None = None) -> list[LoggedAction]:
    """Return actions on the account (of one run) that are still planned, in order."""
    with session.ledger.read() as tx:
        chosen = Selection(account_id=session.account, run_id=run_id, states=("planned",))
        return session.ledger.actions.select(tx, chosen)


def _batches(actions: Sequence[LoggedAction]) -> Iterator[list[LoggedAction]]:
    """Yield batches of up to `AT_ONCE` actions with the same change and authority; each message's order is kept."""
    for wave in _waves(actions):
        groups: dict[object, list[LoggedAction]] = {}
        for action in wave:
            key = (LabelIdChange.read(action.action_payload), action.user_confirmed, action.autonomy_level)
            groups.setdefault(key, []).append(action)
        for group in groups.values():
            for start in range(0, len(group), AT_ONCE):
                yield group[start : start + AT_ONCE]


def _waves(actions: Sequence[LoggedAction]) -> Iterator[list[LoggedAction]]:
    wave: list[LoggedAction] = []
    seen: set[str] = set()
    for action in actions:
        if action.message_id in seen:
            yield wave
            wave, seen = [], set()
        wave.append(action)
        seen.add(action.message_id)
    if wave:
        yield wave
