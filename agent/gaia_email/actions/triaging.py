"""Triage with actions: sort the inbox, record the plan, carry it out. Entry points: `triage_and_apply`, `plan_run`.

`plan_run` and `apply_run` are its two steps for durable runs: after the first, the ledger contains the whole plan,
and the second can be repeated from the start at any time.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answering import plan_answers, send_planned
from gaia_email.actions.applying import STARTED, AppliedActions, Progress, carry_out, finish_runs, silent
from gaia_email.actions.kinds import BY_TRIAGE, SEND
from gaia_email.actions.labels import ensure_labels
from gaia_email.actions.planning import ActionProposal, plan_actions, proposals
from gaia_email.actions.reconcile import reconcile
from gaia_email.ledger import LoggedAction, MessageState, NewAction, NewLedgerEvent
from gaia_email.ledger.statements import to_lines
from gaia_email.policy.gate import Consent
from gaia_email.policy.model import Mode, PolicyVerdict
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.inbox_item import JudgedMessage
from gaia_email_registry.errors import NeedsApproval
from gaia_understanding.cascade.verdict import Tier

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.triage.uncertain import UncertainMessages

TRIAGE = "triage"
TRIAGED = "message.triaged"
"""The event of each judged message; it describes the verdict and never contains the mail's body."""

MOST_TOLD = 1000
"""Maximum number of messages per triage with events of their own; a first triage may cover years of mail."""


Also = Callable[["Connection", Inbox, str], object]
"""Callback for the transaction, the sorted inbox and the run ID."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """The plan of a run; `actions` are stored as planned. Nothing is stored if `inbox` is empty."""

    run_id: str
    inbox: Inbox
    actions: list[LoggedAction]
    modes: Counter[Mode]


@dataclass(slots=True, kw_only=True)
class RunReport:
    """Results of a run.

    Attributes:
        earlier: Actions of earlier runs that were settled now.
        applied: Actions of this run.
        modes: Number of messages by mode (apply, review, suggest or leave).
        asked: Number of questions and reviews it raised.
        taken_back: Number of messages left alone because the user undid an earlier triage of them.
        seconds: Total duration.
    """

    run_id: str
    inbox: Inbox
    earlier: AppliedActions
    applied: AppliedActions
    modes: Counter[Mode] = field(default_factory=Counter[Mode])
    asked: int = 0
    taken_back: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageRequest:
    """Parameters of a triage; see `gaia_email.triage.inbox.triage`.

    `run_id` is set by callers that track the run; `also` writes in the transaction of the plan.
    """

    tier: Tier
    rules: UserRules = field(default_factory=UserRules)
    owner: Sequence[str] = ()
    since: float | None = None
    run_id: str | None = None
    session_id: str | None = None
    also: Also | None = None
    uncertain: UncertainMessages | None = None


async def triage_and_apply(
    session: AccountSession,
    wanted: TriageRequest,
    *,
    reading: Progress = silent,
    acting: Progress = silent,
    timer: Callable[[], float] = time.perf_counter,
) -> RunReport:
    """Settle earlier runs, then triage new mail and do what the user's levels allow.

    Raises:
        NeedsApproval: The agent is stopped or paused.
        MailError: The mailbox cannot be read, or the ledger cannot be written.
    """
    started = timer()
    earlier = await reconcile(session, progress=acting)
    if reason := session.brakes.explain_hold():
        raise NeedsApproval(reason)
    if earlier.problem is not None:
        raise earlier.problem
    plan = await plan_run(session, wanted, reading=reading)
    applied = await carry_out(
        session, [action for action in plan.actions if action.action_type != SEND], progress=acting
    )
    if applied.problem is None:
        applied.add(await send_planned(session, [one for one in plan.actions if one.action_type == SEND]))
    finish_runs(session, [plan.run_id])
    return RunReport(
        run_id=plan.run_id,
        inbox=plan.inbox,
        earlier=earlier,
        applied=applied,
        modes=plan.modes,
        seconds=timer() - started,
    )


async def plan_run(session: AccountSession, wanted: TriageRequest, *, reading: Progress = silent) -> RunPlan:
    """Sort the new mail in the inbox and record verdicts and planned actions in one transaction.

    Raises:
        MailError: The mailbox cannot be read, a label cannot be created, or the ledger cannot be written.
    """
    run_id = wanted.run_id or str(uuid.uuid4())
    now = session.ledger.clock()
    again = wanted.rules.taken_back if wanted.rules.again else frozenset[tuple[str, str]]()
    made_by = pipeline(wanted.tier, wanted.rules, now, wanted.uncertain)

    def find_handled(account: str, ids: Sequence[str]) -> set[str]:
        found = handled_by(session, ids, made_by)
        return {id_ for id_ in found if (account, id_) not in again}

    inbox = await triage(
        session.copy,
        wanted.tier,
        now=now,
        owner=wanted.owner,
        since=wanted.since,
        rules=wanted.rules,
        handled=find_handled,
        uncertain=wanted.uncertain,
        progress=reading,
    )
    found = proposals(inbox, now=now)
    new = await _actions(session, found, run_id, wanted.session_id)
    new += await plan_answers(session, inbox, owner=wanted.owner, run_id=run_id, session_id=wanted.session_id)
    modes = Counter[Mode](
        member.decision.mode for items in inbox.buckets.values() for item in items for member in item.members
    )
    states = [_state(session, one, run_id, made_by, now) for one in inbox.judged]
    if not states:
        return RunPlan(run_id=run_id, inbox=inbox, actions=[], modes=modes)
    with session.ledger.write() as tx:
        payload = {"kind": TRIAGE, "messages": len(states), "actions": len(new)}
        session.ledger.events.append(tx, _event(session, STARTED, run_id, payload))
        session.ledger.verdicts.put(tx, states)
        session.ledger.events.append(
            tx, *(_triaged(session, one, run_id) for one in inbox.judged[:MOST_TOLD])
        )
        actions = session.ledger.actions.plan(tx, new, actor=session.actor)
        if wanted.also is not None:
            wanted.also(tx, inbox, run_id)
    return RunPlan(run_id=run_id, inbox=inbox, actions=actions, modes=modes)


async def apply_run(session: AccountSession, run_id: str, *, acting: Progress = silent) -> AppliedActions:
    """Complete a planned run, also one of a program that died; safe to repeat.

    Raises:
        MailError: The mailbox cannot be read, or the ledger cannot be written.
    """
    applied = await reconcile(session, run_id=run_id, progress=acting)
    finish_runs(session, [run_id])
    return applied


def handled_by(session: AccountSession, ids: Sequence[str], made_by: str) -> set[str]:
    """Return the messages to skip: fully judged by the same program and rules, or acted upon before."""
    with session.ledger.read() as tx:
        states = session.ledger.verdicts.get(tx, session.account, ids)
        acted = session.ledger.actions.acted_upon(tx, session.account, ids, BY_TRIAGE)
    judged = {
        id_
        for id_, state in states.items()
        if state.pipeline_version == made_by and state.phishing is not None
    }
    return judged | acted


def pipeline(tier: Tier, rules: UserRules, now: float, uncertain: UncertainMessages | None = None) -> str:
    """Return the identity of what judges: program, tier, language model and the user's rules.

    A message is judged again if this changes.
    """
    said = sorted(map(str, (*rules.says.messages.items(), *rules.says.senders.items())))
    decided = json.dumps(
        [
            rules.policy.to_json(),
            rules.switches.travels(now),
            said,
            rules.owners.version if rules.owners else "",
        ],
        sort_keys=True,
    )
    digest = hashlib.blake2b(decided.encode(), digest_size=8).hexdigest()
    made_by = "/".join((version("gaia-email"), tier.name, digest))
    return made_by if uncertain is None else f"{made_by}/{uncertain.name}"


async def _actions(
    session: AccountSession, found: Sequence[ActionProposal], run_id: str, session_id: str | None
) -> list[NewAction]:
    if not found:
        return []
    names = sorted({name for proposal in found for name in proposal.names})
    lowest = min(proposal.level for proposal in found)
    consent = Consent(by="level", level=lowest, why="Triage marks what it handled.")
    ids = await ensure_labels(session, names, consent, run_id=run_id)
    return plan_actions(found, ids, run_id=run_id, session_id=session_id)


def _state(
    session: AccountSession, one: JudgedMessage, run_id: str, made_by: str, now: float
) -> MessageState:
    verdict = one.verdict
    judged = PolicyVerdict.of(verdict)
    return MessageState(
        account_id=session.account,
        message_id=one.summary["id"],
        thread_id=one.summary["thread_id"],
        processed_at=now,
        content_hash=one.content_hash,
        speech_act=verdict.speech_act,
        content_category=verdict.content_category,
        bucket=verdict.bucket,
        priority_score=verdict.priority.score,
        priority_reason=verdict.priority.reason,
        cohort=verdict.cohort,
        confidence=verdict.confidence,
        run_id=run_id,
        pipeline_version=made_by,
        model_used=verdict.tier,
        phishing=verdict.flags.phishing.score,
        injection=verdict.flags.injection.score,
        spam=verdict.flags.spam,
        needs_reply=judged.needs_reply,
        unsubscribe="one_click" if judged.one_click else "link" if judged.listed else "no",
        forged=judged.forged,
        withheld=to_lines(judged.withheld),
        model=None if verdict.second is None else verdict.second.model,
        prompt_version=None if verdict.second is None else verdict.second.prompt,
    )


def _triaged(session: AccountSession, one: JudgedMessage, run_id: str) -> NewLedgerEvent:
    verdict = one.verdict
    return NewLedgerEvent(
        kind=TRIAGED,
        actor=session.actor,
        account_id=session.account,
        message_id=one.summary["id"],
        run_id=run_id,
        sender=one.summary["from"]["address"],
        subject=one.summary["subject"],
        payload={
            "thread_id": one.summary["thread_id"],
            "bucket": verdict.bucket,
            "category": verdict.content_category,
            "speech_act": verdict.speech_act,
            "cohort": verdict.cohort,
            "score": round(verdict.priority.score, 4),
            "needs_reply": verdict.needs_reply,
        },
    )


def _event(session: AccountSession, kind: str, run_id: str, payload: Mapping[str, object]) -> NewLedgerEvent:
    return NewLedgerEvent(
        kind=kind, actor=session.actor, account_id=session.account, run_id=run_id, payload=payload
    )
