"""Items for several threads of a cohort, used when a large triage would ask too many questions. Entry: `is_group`.

On approval, every message of a group is checked separately: changed ones are omitted and reported, the others are
processed. `split_group` splits a group into single items again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.ledger import MessageState, NewItem, PendingItem
from gaia_email.policy.levels import level_text
from gaia_email_registry.errors import BadArgument

ABOUT, OVER = "about", "over"
"""The field of a stored proposal that marks a special group, and its only value."""

NAMED = 3
"""Number of senders of a group that are named; the rest is counted."""


def is_group(item: PendingItem) -> bool:
    """Return True if the item is about several threads."""
    targets = item.proposal.get("targets")
    return item.thread_id is None and item.type != "notify" and isinstance(targets, list) and len(targets) > 1


def group_asked(messages: int, cohort: str, level: int) -> str:
    """Return the sentence that explains why these messages are asked about together."""
    return (
        f"The rest of a large mailbox: {messages:,} messages of {cohort} for which the same is proposed, at "
        f"{level_text(level)}."
    )


def is_offer(item: PendingItem) -> bool:
    """Return True if the item offers to archive finished threads (`gaia_email.actions.pending.over`)."""
    return item.proposal.get(ABOUT) == OVER


def offer_asked(messages: int) -> str:
    """Return the sentence for the offer to archive."""
    return (
        f"Their dates have passed, or they have waited too long for an answer: {messages:,} messages that needed you. "
        "Archive them together?"
    )


def people_of(proposal: PendingProposal) -> str:
    """Return the senders of the messages, some by name: `Ann, Bo, Cy and 40 others`."""
    names = list(dict.fromkeys(target.name or target.address for target in proposal.targets))
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED])
    return f"{listed} and {more:,} others" if more > 0 else listed


def targets_of(item: PendingItem) -> frozenset[str]:
    """Return the IDs of the item's messages; none if the item is damaged."""
    try:
        return frozenset(target.message_id for target in PendingProposal.of(item).targets)
    except BadArgument:
        return frozenset()


def without(item: PendingItem, messages: Collection[str]) -> NewItem | None:
    """Return the group without some messages, which are proposed separately; None if none is left."""
    proposal = PendingProposal.of(item)
    targets = tuple(target for target in proposal.targets if target.message_id not in messages)
    return None if not targets else _made(item, proposal, targets)


def split_group(item: PendingItem, states: Mapping[str, MessageState], at_most: int) -> list[NewItem]:
    """Split a group: its first messages become single items, the rest stays a group.

    Args:
        item: A group.
        states: Stored verdicts of its messages: thread, reason, confidence.
        at_most: Maximum number of single items.
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
