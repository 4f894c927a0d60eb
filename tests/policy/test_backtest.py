"""A change tried on the past: counts by code, five borderline messages, and when a change loosens anything."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.policy.backtest import BORDERLINE, backtest, loosens
from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy, own_cohort
from gaia_email.policy.levels import PASSIVE
from gaia_email.policy.model import MessageFacts, PolicyVerdict
from gaia_email.policy.switches import QuietHours
from tests.policy.made import NOW, message, messages, policies, verdicts


def past(count: int) -> list[tuple[MessageFacts, PolicyVerdict]]:
    return [
        (
            replace(message("shop@store.example"), message_id=f"m{number:03}"),
            PolicyVerdict(bucket="low_priority", cohort="transactional", confidence=0.6 + number / 1000),
        )
        for number in range(count)
    ]


def test_it_counts_what_would_have_been_done_and_shows_the_least_sure() -> None:
    mail = [*past(41), (message(), PolicyVerdict(bucket="urgent"))]
    before = Policy().with_level("transactional", 2)
    tried = backtest(iter(mail), before, Policy())
    assert tried.total == 42
    assert (tried.before["suggest", "archive"], tried.before["apply", "archive"]) == (41, 0)
    assert (tried.after["suggest", "archive"], tried.after["apply", "archive"]) == (0, 41)
    assert (tried.changed, tried.newly_applied, tried.moved) == (41, 41, 0)
    assert [one.facts.message_id for one in tried.borderline] == [f"m{n:03}" for n in range(BORDERLINE)]
    assert tried.borderline[0].before.mode == "suggest"


def test_a_change_that_changes_nothing_says_so() -> None:
    tried = backtest(past(3), Policy(), Policy().with_level("social", 1))
    assert (tried.changed, tried.newly_applied, tried.borderline) == (0, 0, ())


def test_messages_of_which_only_the_verdict_is_known_are_counted_apart() -> None:
    bare = (MessageFacts(message_id="m"), PolicyVerdict(bucket="low_priority"))
    assert backtest([*past(2), bare], Policy(), Policy()).unknown == 1


def test_with_no_past_there_is_nothing_to_count() -> None:
    tried = backtest([], Policy(), Policy().with_level("social", 1))
    assert tried.total == 0


def test_mail_that_would_come_into_a_new_cohort_is_counted_as_moved() -> None:
    after = Policy().with_cohort(own_cohort("shops", 5, ("domain:store.example",)))
    assert backtest(past(7), Policy(), after).moved == 7


def test_a_verdict_from_when_the_sender_was_a_vip_does_not_make_it_one() -> None:
    before = Policy().with_vip("lee@other.example").with_level("vip", 0)
    mail = [(message(), PolicyVerdict(bucket="low_priority", cohort="vip"))]
    assert backtest(mail, before, before.without_vip("lee@other.example")).moved == 1


EDITS = (
    *(("level", name, level) for name in ("vip", "newsletters", "default") for level in range(6)),
    ("vip", "ann@example.org", 0),
    ("no vip", "ann@example.org", 0),
    ("protect", "example.org", 0),
    ("cohort", "subject:sale", 0),
    ("cohort", "from:ann@example.org", 4),
    ("opt in", "", 0),
    ("unsure", "", 1),
)


def edited(policy: Policy, edits: list[tuple[str, str, int]]) -> Policy:
    for number, (kind, name, level) in enumerate(edits):
        match kind:
            case "level":
                policy = policy.with_level(name, level)
            case "vip":
                policy = policy.with_vip(name)
            case "no vip":
                policy = policy.without_vip(name) if policy.is_vip(name) else policy
            case "protect":
                policy = replace(policy, protected=policy.protected.add("sender", name))
            case "cohort":
                policy = policy.with_cohort(own_cohort(f"new-{number}", level, (name,)))
            case "opt in":
                policy = replace(policy, unsubscribe=True)
            case _:
                policy = replace(policy, unsure_below=0.9)
    return policy


@given(messages, verdicts, policies(), st.lists(st.sampled_from(EDITS), min_size=1, max_size=3))
@settings(max_examples=100)
def test_a_change_that_does_not_loosen_never_lets_more_be_done_by_itself(
    facts: MessageFacts, judged: PolicyVerdict, before: Policy, edits: list[tuple[str, str, int]]
) -> None:
    after = edited(before, edits)
    if loosens(before, after):
        return
    free = {ruling.action for ruling in decide(facts, judged, before, now=NOW).permitted}
    now = {ruling.action for ruling in decide(facts, judged, after, now=NOW).permitted}
    assert now - free <= PASSIVE


QUIET = QuietHours.parse("22:00", "07:00", "UTC")
MINE = own_cohort("mine", 1, ("list:dev.example",))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (Policy(), Policy(), False),
        (Policy(), Policy().with_level("social", 4), False),
        (Policy(), Policy().with_level("default", 3), True),
        (Policy(), Policy().with_cohort(MINE), True),
        (Policy().with_cohort(MINE), Policy(), True),
        (Policy(), Policy().with_vip("a@b.example"), False),
        (Policy().with_level("vip", 4), Policy().with_level("vip", 4).with_vip("a@b.example"), True),
        (Policy().with_vip("a@b.example"), Policy(), True),
        (Policy(), replace(Policy(), unsubscribe=True), True),
        (replace(Policy(), unsubscribe=True), Policy(), False),
        (Policy(), replace(Policy(), unsure_below=0.5), True),
        (Policy(), replace(Policy(), quiet_hours=QUIET), False),
        (replace(Policy(), quiet_hours=QUIET), Policy(), True),
        (replace(Policy(), protected=Policy().protected.add("thread", "t")), Policy(), True),
        (Policy(), replace(Policy(), protected=Policy().protected.add("thread", "t")), False),
    ],
)
def test_what_loosens(before: Policy, after: Policy, expected: bool) -> None:
    assert loosens(before, after) is expected
