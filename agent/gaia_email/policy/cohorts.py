"""The cohort of a message under a policy, and the reason for it. Entry point: `assign`.

Cohorts are tried in the policy's order. A cohort that depends on the sender does not apply to mail that fails DMARC
or whose domain imitates another; the assignment lists the cohorts withheld for that reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gaia_email.policy.document import Policy, PolicyCohort
from gaia_email.policy.model import MessageFacts, PolicyVerdict

WHY_BUILT_IN: Mapping[str, str] = {
    "vip": "you usually answer mail from {sender}",
    "newsletters": "it was sent to a list that you can unsubscribe from, or by a known sender of newsletters",
    "social": "it comes from a social network",
    "transactional": "it reads like a receipt, a delivery notice or an account alert",
    "first_contact": "you and {sender} have not written to each other before",
    "intra_org": "{sender} is of your own organisation",
    "cross_org": "{sender} is of another organisation",
    "default": "no other cohort holds for it",
}
"""Reasons why a built-in cohort applies, worded to follow "since"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A message's cohort, a sentence with the reason, and a sentence for each cohort that was withheld."""

    cohort: PolicyCohort
    why: str
    withheld: tuple[str, ...]


def assign(policy: Policy, facts: MessageFacts, judged: PolicyVerdict) -> Assignment:
    """Return the first cohort of the policy that applies; `default` always does."""
    withheld: list[str] = []
    for cohort in policy.cohorts:
        reason, held_back = _holds(policy, cohort, facts, judged)
        if reason and not held_back:
            return Assignment(
                cohort=cohort, why=f"It is in {cohort.name}, since {reason}.", withheld=tuple(withheld)
            )
        if reason:
            withheld.append(
                f"It would be in {cohort.name}, but that stands on who wrote it, and {judged.forged}."
            )
    raise AssertionError("a policy ends with the cohort default")


def _holds(
    policy: Policy, cohort: PolicyCohort, facts: MessageFacts, judged: PolicyVerdict
) -> tuple[str, bool]:
    """Return why the cohort applies (empty if it does not), and True if it must be withheld."""
    forged = bool(judged.forged)
    if cohort.rules:
        holding = [rule for rule in cohort.rules if rule.holds(facts, judged.category)]
        sure = [rule for rule in holding if not (forged and rule.needs_sender)]
        return (f"your rule {(sure or holding)[0]} holds", not sure) if holding else ("", False)
    sender = facts.sender or "its sender"
    if cohort.name == "vip" and policy.is_vip(facts.sender):
        return f"you named {sender} a VIP", forged
    if cohort.name == "default":
        return WHY_BUILT_IN["default"], False
    reason = WHY_BUILT_IN[cohort.name].format(sender=sender)
    if judged.cohort == cohort.name:
        stands_on_sender = cohort.name in ("vip", "social", "intra_org") or (
            cohort.name == "newsletters" and not judged.listed
        )
        return reason, forged and stands_on_sender
    return (reason, True) if forged and cohort.name in judged.withheld else ("", False)
