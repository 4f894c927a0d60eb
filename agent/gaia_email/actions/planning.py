"""From a sorted inbox to actions on messages. Entry points: `plan_actions`, `ActionProposal`.

Pure. Each message of a thread is judged by its own sender and its own certainty, under the thread's bucket: what may be
done with a newsletter is not done with a person's answer that ended in the same thread.
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
"""Likelihood of spam from which mail that is put away goes to the provider's folder for it, not to the archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposal:
    """What is to be done with one message.

    Attributes:
        names: The labels it gets.
        archive: Whether it leaves the inbox.
        junk: Whether it then goes where the provider keeps spam.
    """

    summary: Summary
    names: tuple[str, ...]
    archive: bool
    junk: bool = False
    level: int
    cohort: str
    why: str


def proposals(inbox: Inbox, *, now: float) -> list[ActionProposal]:
    """What a triage does by itself, in the order of the buckets; what has to be asked is not among it."""
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
    """The actions of proposals, with labels by their ids; one that would change nothing is left out."""
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
    """A change of labels on one message, with what it finds there and what undoes it; None when it is done already."""
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
