"""What a decision never does, whatever the policy, the message and the switches; and what the levels allow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.levels import ACTIONS, PASSIVE, WITHOUT_ASKING, AgentAction
from gaia_email.policy.model import Decision, MessageFacts, PolicyVerdict
from gaia_email.policy.switches import QuietHours, Switches
from gaia_email.policy.user_rules import UserRules
from gaia_mail.mime.read import parse_message
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Cohort, Context
from gaia_understanding.prepare.pipeline import prepare
from tests.policy.made import NOW, instants, message, messages, policies, switches, verdicts

RANK = {"refused": 0, "ask": 1, "permitted": 2}
EFFECTS: list[AgentAction] = [action for action in ACTIONS if action not in PASSIVE]


def at_level(level: int, judged: PolicyVerdict, *, cohort: Cohort = "default", **more: object) -> Decision:
    policy = replace(Policy().with_level(cohort, level), **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return decide(message(), replace(judged, cohort=cohort), policy, now=NOW)


def names(decision: Decision) -> set[AgentAction]:
    return {ruling.action for ruling in decision.permitted}


@given(messages, verdicts, policies(), switches, st.booleans(), instants)
@settings(max_examples=150)
def test_nothing_is_permitted_that_the_level_does_not_allow(
    facts: MessageFacts,
    judged: PolicyVerdict,
    policy: Policy,
    switched: Switches,
    scheduled: bool,
    began: float,
) -> None:
    decision = decide(facts, judged, policy, switched, now=NOW, scheduled=scheduled, run_started_at=began)
    assert decision.effective_level <= decision.level <= 5
    assert [ruling.action for ruling in decision.rulings] == list(ACTIONS)
    for ruling in decision.permitted:
        needed = WITHOUT_ASKING[ruling.action]
        assert needed is not None
        assert needed <= decision.effective_level
    assert all(ruling.reason.endswith(".") for ruling in decision.rulings)
    assert (decision.mode == "apply") <= (decision.effective_level >= 4)


@given(messages, verdicts, policies(), switches, st.booleans())
@settings(max_examples=100)
def test_a_higher_level_never_takes_anything_away(
    facts: MessageFacts, judged: PolicyVerdict, policy: Policy, switched: Switches, scheduled: bool
) -> None:
    cohort = decide(facts, judged, policy, switched, now=NOW).cohort
    before = [0] * len(ACTIONS)
    for level in range(6):
        decision = decide(
            facts, judged, policy.with_level(cohort, level), switched, now=NOW, scheduled=scheduled
        )
        ranks = [RANK[ruling.outcome] for ruling in decision.rulings]
        assert all(now >= then for now, then in zip(ranks, before, strict=True))
        before = ranks


@given(messages, verdicts, policies(), switches)
@settings(max_examples=100)
def test_protection_beats_everything(
    facts: MessageFacts, judged: PolicyVerdict, policy: Policy, switched: Switches
) -> None:
    protected = policy.protected.add("thread", facts.thread_id)
    decision = decide(facts, judged, replace(policy, protected=protected), switched, now=NOW)
    held: tuple[AgentAction, ...] = (*EFFECTS, "suggest", "prepare")
    for action in held:
        ruling = decision.ruling(action)
        assert (ruling.outcome, ruling.cause) == ("refused", "protected")
        assert ruling.reason.startswith("You protected")
    assert decision.mode == "leave"
    assert decision.action in ("keep", "warn")


@given(messages, verdicts, policies(), switches, st.sampled_from(("phishing", "injection")))
def test_no_tool_is_used_on_a_flagged_message(
    facts: MessageFacts, judged: PolicyVerdict, policy: Policy, switched: Switches, flag: str
) -> None:
    flagged = replace(judged, phishing=flag == "phishing", injection=flag == "injection")
    decision = decide(facts, flagged, policy, switched, now=NOW)
    assert not decision.permitted
    assert not decision.asks
    assert (decision.mode, decision.action) == ("leave", "warn")


@given(messages, verdicts, policies(), switches)
@settings(max_examples=100)
def test_switches_only_ever_take_away(
    facts: MessageFacts, judged: PolicyVerdict, policy: Policy, switched: Switches
) -> None:
    free = decide(facts, judged, policy, now=NOW)
    held = decide(facts, judged, policy, switched, now=NOW)
    for one, other in zip(held.rulings, free.rulings, strict=True):
        assert RANK[one.outcome] <= RANK[other.outcome]


@given(messages, verdicts, policies(), st.booleans())
def test_stopped_means_that_nothing_but_an_answer_is_left(
    facts: MessageFacts, judged: PolicyVerdict, policy: Policy, scheduled: bool
) -> None:
    stopped = Switches(stopped_at=NOW - 60)
    for began in (None, NOW - 3600, NOW):
        decision = decide(facts, judged, policy, stopped, now=NOW, scheduled=scheduled, run_started_at=began)
        assert names(decision) <= {"answer"}
        assert not decision.asks


def test_each_level_adds_what_its_name_says() -> None:
    news = PolicyVerdict(bucket="low_priority", category="newsletters", listed=True, one_click=True)
    permitted = [names(at_level(level, news)) for level in range(6)]
    assert permitted[0] == set()
    assert permitted[1] == {"answer", "alert"}
    assert permitted[2] - permitted[1] == {"suggest"}
    assert permitted[3] - permitted[2] == {"prepare"}
    assert permitted[4] - permitted[3] == {
        "label_add",
        "label_remove",
        "star",
        "snooze",
        "archive",
        "draft_create",
        "draft_update",
    }
    assert permitted[5] - permitted[4] == {"mark_read", "trash", "send_template"}
    assert [at_level(level, news).mode for level in range(6)] == [
        "leave",
        "leave",
        "suggest",
        "review",
        "apply",
        "apply",
    ]


@pytest.mark.parametrize("action", ["send", "delete", "block"])
def test_some_things_are_never_done_without_asking(action: AgentAction) -> None:
    for level in range(6):
        ruling = at_level(level, PolicyVerdict(bucket="urgent")).ruling(action)
        assert ruling.outcome == ("ask" if level >= 2 else "refused")


def test_at_level_four_only_mail_of_low_priority_is_archived() -> None:
    ruling = at_level(4, PolicyVerdict(bucket="urgent")).ruling("archive")
    assert (ruling.outcome, ruling.cause) == ("ask", "bucket")
    assert at_level(5, PolicyVerdict(bucket="urgent")).ruling("archive").outcome == "permitted"


def test_a_scheduled_run_acts_at_level_five_and_prepares_at_four() -> None:
    judged = PolicyVerdict(bucket="low_priority")
    for level, mode in ((4, "review"), (5, "apply")):
        policy = Policy().with_level("default", level)
        assert decide(message(), judged, policy, now=NOW, scheduled=True).mode == mode


@pytest.mark.parametrize(
    ("level", "opted_in", "category", "one_click", "forged", "outcome"),
    [
        (5, True, "newsletters", True, "", "permitted"),
        (5, False, "newsletters", True, "", "ask"),
        (5, True, "promotions", True, "", "ask"),
        (5, True, "newsletters", False, "", "ask"),
        (5, True, "newsletters", True, "it fails DMARC", "ask"),
        (4, True, "newsletters", True, "", "ask"),
        (1, True, "newsletters", True, "", "refused"),
    ],
)
def test_leaving_a_newsletter_takes_level_five_and_the_users_opt_in(
    level: int, opted_in: bool, category: str, one_click: bool, forged: str, outcome: str
) -> None:
    judged = PolicyVerdict(bucket="low_priority", category=category, one_click=one_click, forged=forged)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert at_level(level, judged, unsubscribe=opted_in).ruling("unsubscribe").outcome == outcome


def test_low_confidence_lowers_the_level_by_one() -> None:
    for level in range(6):
        decision = at_level(level, PolicyVerdict(bucket="low_priority", confidence=0.59))
        assert decision.unsure
        assert decision.effective_level == max(0, level - 1)
        assert bool(decision.limits) == (level > 0)
    assert at_level(4, PolicyVerdict(bucket="low_priority", confidence=0.6)).effective_level == 4
    assert (
        at_level(4, PolicyVerdict(bucket="low_priority", confidence=0.4), unsure_below=0.3).effective_level
        == 4
    )


def test_travel_mode_caps_at_level_two_silences_alerts_and_ends() -> None:
    judged, policy = PolicyVerdict(bucket="low_priority"), Policy().with_level("default", 5)
    away = Switches(travel_until=NOW + 10)
    decision = decide(message(), judged, policy, away, now=NOW)
    assert (decision.level, decision.effective_level, decision.mode) == (5, 2, "suggest")
    assert decision.ruling("alert").cause == "travel"
    assert decide(message(), judged, policy, away, now=NOW + 10).effective_level == 5


@pytest.mark.parametrize("level", range(6))
def test_travel_mode_lowers_what_is_above_two_and_nothing_else(level: int) -> None:
    away = Switches(travel_until=NOW + 10)
    policy = Policy().with_level("default", level)
    decision = decide(message(), PolicyVerdict(bucket="low_priority"), policy, away, now=NOW)
    assert decision.effective_level == min(level, 2)
    assert bool(decision.limits) == (level > 2)


def test_a_pause_lets_a_run_that_began_before_it_finish() -> None:
    judged, policy = PolicyVerdict(bucket="low_priority"), Policy().with_level("default", 5)
    paused = Switches(paused_at=NOW - 60)
    assert decide(message(), judged, policy, paused, now=NOW, run_started_at=NOW - 61).mode == "apply"
    for began in (None, NOW - 60, NOW):
        decision = decide(message(), judged, policy, paused, now=NOW, run_started_at=began)
        assert decision.mode == "leave"
        assert decision.ruling("archive").cause == "paused"
        assert decision.ruling("answer").outcome == "permitted"


def test_rules_of_a_run_know_when_it_began_and_who_started_it() -> None:
    verdict = BuiltinTier().judge(
        prepare(parse_message(b"From: <lee@other.example>\r\n\r\nHi.\r\n")), Context()
    )
    policy = Policy()
    for cohort in policy.cohorts:
        policy = policy.with_level(cohort.name, 4)
    paused = UserRules(policy=policy, switches=Switches(paused_at=NOW))
    verdict = replace(verdict, confidence=1.0)

    def mode(rules: UserRules) -> str:
        return rules.decide(message(), verdict, "low_priority", NOW).mode

    assert mode(paused) == "leave"
    assert mode(replace(paused, run_started_at=NOW - 1)) == "apply"
    assert mode(replace(paused, run_started_at=NOW - 1, scheduled=True)) == "review"


def test_in_quiet_hours_there_are_no_alerts_and_no_scheduled_acts() -> None:
    always = QuietHours.parse("00:00", "23:59", "UTC")
    policy = replace(Policy().with_level("default", 5), quiet_hours=always)
    judged = PolicyVerdict(bucket="low_priority")
    asked = decide(message(), judged, policy, now=NOW)
    assert asked.mode == "apply"
    assert asked.ruling("alert").cause == "quiet_hours"
    scheduled = decide(message(), judged, policy, now=NOW, scheduled=True)
    assert scheduled.mode == "leave"
    assert scheduled.ruling("archive").cause == "quiet_hours"


def test_the_default_levels_are_those_of_the_specification() -> None:
    levels = {cohort.name: cohort.level for cohort in Policy().cohorts}
    assert list(levels.items()) == [
        ("vip", 2),
        ("newsletters", 5),
        ("social", 5),
        ("transactional", 4),
        ("first_contact", 1),
        ("intra_org", 2),
        ("cross_org", 1),
        ("default", 2),
    ]
