"""A step up is proposed after many confirmations, taken only by the user, and taken back after one correction."""

from __future__ import annotations

import pytest

from gaia_email.policy.document import Policy
from gaia_email.policy.earned import OutcomeKind, ProposalOutcome, accept, propose, take_back
from gaia_email_registry.errors import BadArgument


def outcomes(*kinds: OutcomeKind, cohort: str = "intra_org") -> list[ProposalOutcome]:
    return [ProposalOutcome(cohort=cohort, kind=kind) for kind in kinds]


def agreements(count: int) -> list[ProposalOutcome]:
    return outcomes("confirmed") * count


def test_a_step_is_proposed_after_enough_confirmations_in_a_row() -> None:
    assert propose(Policy(), agreements(2), confirmations=3) == ()
    (proposal,) = propose(Policy(), agreements(3), confirmations=3)
    assert (proposal.cohort, proposal.from_level, proposal.to_level) == ("intra_org", 2, 3)
    assert "3 times in a row" in proposal.reason


@pytest.mark.parametrize("kind", ["corrected", "changed"])
def test_a_correction_or_a_changed_level_starts_the_count_again(kind: OutcomeKind) -> None:
    assert propose(Policy(), [*agreements(2), *outcomes(kind), *agreements(1)], confirmations=3) == ()


def test_each_cohort_counts_for_itself() -> None:
    mixed = [*agreements(2), *outcomes("corrected", cohort="vip"), *agreements(1)]
    assert [proposal.cohort for proposal in propose(Policy(), mixed, confirmations=3)] == ["intra_org"]


@pytest.mark.parametrize("level", [0, 1, 5])
def test_nothing_is_proposed_beyond_the_scale_or_where_the_agent_proposes_nothing(level: int) -> None:
    policy = Policy().with_level("intra_org", level)
    assert propose(policy, agreements(30)) == ()


def test_an_earned_step_goes_with_one_correction_and_no_further() -> None:
    (proposal,) = propose(Policy(), agreements(1), confirmations=1)
    earned = accept(Policy(), proposal)
    assert earned.cohort("intra_org").level == 3
    assert take_back(earned, "intra_org") == Policy()
    assert take_back(Policy(), "intra_org") == Policy()
    assert take_back(Policy(), "nobody") == Policy()


def test_a_level_the_user_set_is_not_taken_back() -> None:
    policy = Policy().with_level("intra_org", 4)
    assert take_back(policy, "intra_org") == policy


def test_a_proposal_that_time_has_overtaken_is_refused() -> None:
    (proposal,) = propose(Policy(), agreements(1), confirmations=1)
    with pytest.raises(BadArgument, match="changed since"):
        accept(Policy().with_level("intra_org", 1), proposal)
