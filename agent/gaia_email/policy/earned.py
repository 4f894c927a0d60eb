"""Earned autonomy: a step up is proposed after many confirmations, taken back after one correction. Entry: `propose`.

Nothing here changes a policy by itself: `propose` says what could be offered, `accept` is for when the user agreed.
Only `take_back` may be done without asking, since it lowers a level, and only one that was earned.
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
"""Confirmations in a row, of one cohort, after which a step up is proposed."""

OutcomeKind = Literal["confirmed", "corrected", "changed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalOutcome:
    """What became of something the agent proposed or did: the user `confirmed` or `corrected` it.

    `changed` marks that the cohort's level was changed; what was before counts no longer.
    """

    cohort: str
    kind: OutcomeKind


class LevelProposal(Document, frozen=True, kw_only=True):
    """A step up that could be offered, and the sentence to offer it with."""

    cohort: str
    from_level: Level
    to_level: Level
    confirmations: Count
    reason: str


def propose(
    policy: Policy, outcomes: Iterable[ProposalOutcome], *, confirmations: int = CONFIRMATIONS
) -> tuple[LevelProposal, ...]:
    """The steps up that the past would bear out, in the policy's order of cohorts.

    Args:
        policy: As it is.
        outcomes: Oldest first.
        confirmations: How many in a row it takes.
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
    """The policy after the user agreed to a step up.

    Raises:
        BadArgument: The level is another one by now.
    """
    cohort = policy.cohort(proposal.cohort)
    if cohort.level != proposal.from_level:
        raise BadArgument(
            f"The level of {cohort.name} was changed since; nothing was done.", argument="level"
        )
    return policy.with_level(cohort.name, proposal.to_level, earned=cohort.earned + 1)


def take_back(policy: Policy, cohort: str) -> Policy:
    """The policy after a correction: the last earned step of that cohort is gone; others stay as they are."""
    found = next((one for one in policy.cohorts if one.name == cohort), None)
    if found is None or not found.earned:
        return policy
    return policy.with_level(cohort, found.level - 1, earned=found.earned - 1)
