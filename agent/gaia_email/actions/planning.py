"""Turns a sorted inbox into actions on messages. Entry points: `plan_actions`, `ActionProposal`.

Pure functions. Each message of a thread is judged by its own sender and confidence, in the thread's bucket: an action
allowed for a newsletter is not applied to a person's reply in the same thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import ARCHIVE, JUNK, LABEL
from gaia_email.actions.labels import triage_labels
from gaia_email.ledger import NewAction
from gaia_email.triage.inbox import Inbox
from gaia_email.triage.inbox_item import ThreadMember
from gaia_email_registry.contract.wire import Summary

SPAM_FROM = 0.8
"""Spam score from which archived mail goes to the provider's spam folder instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposal:
    """An action proposed for one message.

    Attributes:
        names: Labels to add.
        archive: True to remove it from the inbox.
        junk: True to move it to the provider's spam folder as well.
    """

    summary: Summary
    names: tuple[str, ...]
    archive: bool
    junk: bool = False
    level: int
    cohort: str
    why: str


def proposals(inbox: Inbox, *, now: float) -> list[ActionProposal]:
    """Return what a triage does without asking, in the order of the buckets."""
    return [
        _proposal(member, now)
        for items in inbox.buckets.values()
        for item in items
        for member in item.members
        if member.decision.mode == "apply"
    ]


def _proposal(member: ThreadMember, now: float) -> ActionProposal:
    decision = member.decision
    return ActionProposal(
        summary=member.summary,
        names=triage_labels(decision.label, now),
        archive=decision.action == "archive",
        junk=decision.action == "archive" and member.verdict.flags.spam >= SPAM_FROM,
        level=decision.effective_level,
        cohort=decision.cohort,
        why=member.verdict.priority.reason,
    )


def plan_actions(
    wanted: Sequence[ActionProposal], ids: Mapping[str, str], *, run_id: str, session_id: str | None = None
) -> list[NewAction]:
    """Return the actions of proposals, with label IDs; those without effect are omitted."""
    actions: list[NewAction] = []
    for proposal in wanted:
        change = LabelIdChange.of(
            [*(ids[name] for name in proposal.names), *(("SPAM",) if proposal.junk else ())],
            ("INBOX",) if proposal.archive else (),
        )
        kind = JUNK if proposal.junk else ARCHIVE if proposal.archive else LABEL
        action = label_action(
            proposal.summary,
            change,
            kind=kind,
            names=proposal.names,
            run_id=run_id,
            session_id=session_id,
            level=f"L{proposal.level}",
            cohort=proposal.cohort,
            why=proposal.why,
        )
        if action is not None:
            actions.append(action)
    return actions


def label_action(
    summary: Summary,
    change: LabelIdChange,
    *,
    kind: str,
    names: Sequence[str] = (),
    run_id: str | None = None,
    session_id: str | None = None,
    level: str | None = None,
    cohort: str | None = None,
    why: str = "",
    user_confirmed: bool = False,
) -> NewAction | None:
    """Return a label change on one message, with its current labels and its undo; None if it has no effect."""
    labels = summary["labels"]
    effect = change.effect_on(labels)
    if effect.is_empty:
        return None
    payload = {
        **change.kept,
        "before": sorted(labels),
        "names": list(names),
        "sender": summary["from"]["address"],
        "subject": summary["subject"],
    }
    return NewAction(
        account_id=summary["account"],
        message_id=summary["id"],
        action_type=kind,
        payload=payload,
        reversal=effect.inverse.kept,
        run_id=run_id,
        session_id=session_id,
        level=level,
        cohort=cohort,
        why=why,
        user_confirmed=user_confirmed,
    )
