"""Items that stand for the threads of a cohort a large triage had no room to ask about one by one. Entry: `is_group`.

Every message of such an item is judged by itself when the answer comes: one that was changed meanwhile is left out and
named, the others are done. Nothing is lost by being in one: `opened` takes it apart again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.ledger import MessageState, NewItem, PendingItem
from gaia_email.policy.levels import level_text
from gaia_email_registry.errors import BadArgument

ABOUT, OVER = "about", "over"
"""The field of a kept proposal that says what a group is about beside its messages, and its one value."""

NAMED = 3
"""Senders of a group that are named; the rest is counted."""


def is_group(item: PendingItem) -> bool:
    """Whether it is about several threads."""
    targets = item.proposal.get("targets")
    return item.thread_id is None and item.type != "notify" and isinstance(targets, list) and len(targets) > 1


def group_asked(messages: int, cohort: str, level: int) -> str:
    """Why it is asked about together, in a sentence."""
    return (
        f"The rest of a large mailbox: {messages:,} messages of {cohort} for which the same is proposed, at "
        f"{level_text(level)}."
    )


def is_offer(item: PendingItem) -> bool:
    """Tell whether it offers to archive threads that are over (`gaia_email.actions.pending.over`)."""
    return item.proposal.get(ABOUT) == OVER


def offer_asked(messages: int) -> str:
    """What the offer to archive is about, in a sentence."""
    return (
        f"Their dates have passed, or they have waited too long for an answer: {messages:,} messages that needed you. "
        "Archive them together?"
    )


def people_of(proposal: PendingProposal) -> str:
    """Who wrote the messages, some by name: `Ann, Bo, Cy and 40 others`."""
    names = list(dict.fromkeys(target.name or target.address for target in proposal.targets))
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED])
    return f"{listed} and {more:,} others" if more > 0 else listed


def targets_of(item: PendingItem) -> frozenset[str]:
    """The ids of its messages; none of an item that is not as it was made."""
    try:
        return frozenset(target.message_id for target in PendingProposal.of(item).targets)
    except BadArgument:
        return frozenset()


def without(item: PendingItem, messages: Collection[str]) -> NewItem | None:
    """The same without some messages, which are proposed anew; None where nothing is left."""
    proposal = PendingProposal.of(item)
    targets = tuple(target for target in proposal.targets if target.message_id not in messages)
    return None if not targets else _made(item, proposal, targets)


def opened(item: PendingItem, states: Mapping[str, MessageState], at_most: int) -> list[NewItem]:
    """Its first messages one by one, and the rest as the group it was.

    Args:
        item: A group.
        states: What is known of its messages: thread, reason, confidence.
        at_most: How many stand by themselves then.
    """
    proposal = PendingProposal.of(item)
    single: list[NewItem] = []
    for target in proposal.targets[:at_most]:
        state = states.get(target.message_id)
        made = _made(item, replace(proposal, asked=_alone(item, proposal)), (target,))
        single.append(
            made
            if state is None
            else replace(
                made,
                thread_id=state.thread_id,
                why=state.priority_reason or made.why,
                confidence=state.confidence,
            )
        )
    rest = proposal.targets[at_most:]
    return single + ([_made(item, proposal, rest)] if rest else [])


def _alone(item: PendingItem, proposal: PendingProposal) -> str:
    return f"{level_text(proposal.level)} leaves the word on {item.cohort or 'this'} to you."


def _made(item: PendingItem, proposal: PendingProposal, targets: Sequence[ProposalTarget]) -> NewItem:
    cohort = item.cohort or ""
    asked, kept = proposal.asked, dict[str, object]()
    if len(targets) > 1 and is_offer(item):
        asked, kept = offer_asked(len(targets)), {ABOUT: OVER}
    elif len(targets) > 1:
        asked = group_asked(len(targets), cohort, proposal.level)
    changed = replace(proposal, targets=tuple(targets), asked=asked)
    return NewItem(
        type=item.type,
        account_id=item.account_id,
        proposal=changed.to_json(item.account_id) | kept,
        origin=item.origin,
        why=item.why,
        message_id=targets[0].message_id,
        thread_id=None,
        run_id=item.run_id,
        cohort=item.cohort,
        confidence=item.confidence,
        expires_at=item.expires_at,
    )
