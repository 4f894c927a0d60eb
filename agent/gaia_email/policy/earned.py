"""Earned autonomy: many confirmations lead to a higher level, one correction takes it back. Entry: `propose`.

Nothing here changes a policy by itself: `propose` returns offers, and `accept` applies one the user agreed to. Only
`take_back` may run without asking, because it lowers a level, and only one that was earned.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gaia_email.document import Count, Document, Level
from gaia_email.policy.document import Policy
from gaia_email.policy.levels import LEVEL_NAMES, TOP
from gaia_email_registry.errors import BadArgument

CONFIRMATIONS = 20
"""Confirmations in a row within a cohort after which a higher level is proposed."""

OutcomeKind = Literal["confirmed", "corrected", "changed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalOutcome:
    """The user's reaction to an action or proposal of the agent: `confirmed` or `corrected`.

    `changed` marks a change of the cohort's level; earlier outcomes no longer count.
    """

    cohort: str
    kind: OutcomeKind


class LevelProposal(Document, frozen=True, kw_only=True):
    """A higher level that could be offered, with the sentence that offers it."""

    cohort: str
    from_level: Level
    to_level: Level
    confirmations: Count
    reason: str


def propose(
    policy: Policy, outcomes: Iterable[ProposalOutcome], *, confirmations: int = CONFIRMATIONS
) -> tuple[LevelProposal, ...]:
    """Return the higher levels that past outcomes justify, in the policy's order of cohorts.

    Args:
        policy: The current policy.
        outcomes: Oldest first.
        confirmations: Number of confirmations in a row that are required.
    """
    in_a_row: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.kind == "confirmed":
            in_a_row[outcome.cohort] = in_a_row.get(outcome.cohort, 0) + 1
        else:
            in_a_row[outcome.cohort] = 0
    return tuple(
        LevelProposal(
            cohort=cohort.name,
            from_level=cohort.level,
            to_level=cohort.level + 1,
            confirmations=count,
            reason=f"You agreed {count:,} times in a row with what was proposed for {cohort.name}; it could "
            f"go from L{cohort.level} to L{cohort.level + 1}, {LEVEL_NAMES[cohort.level + 1]}.",
        )
        for cohort in policy.cohorts
        if (count := in_a_row.get(cohort.name, 0)) >= confirmations and 2 <= cohort.level < TOP
    )


def accept(policy: Policy, proposal: LevelProposal) -> Policy:
    """Return the policy after the user accepted a proposal.

    Raises:
        BadArgument: The level has changed since the proposal.
    """
    cohort = policy.cohort(proposal.cohort)
    if cohort.level != proposal.from_level:
        raise BadArgument(
            f"The level of {cohort.name} was changed since; nothing was done.", argument="level"
        )
    return policy.with_level(cohort.name, proposal.to_level, earned=cohort.earned + 1)


def take_back(policy: Policy, cohort: str) -> Policy:
    """Return the policy after a correction, with the cohort's last earned step taken back."""
    found = next((one for one in policy.cohorts if one.name == cohort), None)
    if found is None or not found.earned:
        return policy
    return policy.with_level(cohort, found.level - 1, earned=found.earned - 1)
