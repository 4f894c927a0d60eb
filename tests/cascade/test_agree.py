"""What a language model's answers may change of a verdict, and what no answer changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_understanding.cascade.agree import CAUTIOUS, Weights, agree, is_open
from gaia_understanding.cascade.answers import ModelAnswer, ModelPass
from gaia_understanding.cascade.bands import bucket_at
from gaia_understanding.cascade.verdict import (
    BUCKETS,
    CATEGORIES,
    SPEECH_ACTS,
    Bucket,
    Flags,
    Priority,
    Suspicion,
    Verdict,
)
from gaia_understanding.prepare.extract.model import Entities


def verdict(bucket: Bucket = "informational", confidence: float = 0.5, flags: Flags | None = None) -> Verdict:
    return Verdict(
        bucket=bucket,
        content_category="primary",
        labels=(),
        speech_act="fyi",
        speech_acts=dict.fromkeys(SPEECH_ACTS, 0.1),
        cohort="default",
        needs_reply=False,
        confidence=confidence,
        tier="T0",
        priority=Priority(score=0.3, reason="It is news.", signals=()),
        summary="",
        entities=Entities(),
        flags=flags or Flags(),
    )


def sorts(bucket: Bucket, evidence: str = "by Friday at noon", *, reply: bool = False) -> ModelAnswer:
    return ModelAnswer(
        made_in="T2a", model="m", prompt="1", bucket=bucket, evidence=evidence, sure=90, needs_reply=reply
    )


def scores(score: int) -> ModelAnswer:
    return ModelAnswer(made_in="T2b", model="m", prompt="1", score=score, evidence="by Friday at noon")


DROP = ModelAnswer(made_in="T1", model="s", prompt="1", keep=False)
KEEP = ModelAnswer(made_in="T1", model="s", prompt="1", keep=True)


@pytest.mark.parametrize(
    ("own", "answers", "becomes"),
    [
        ("informational", (sorts("actionable"),), "actionable"),
        ("informational", (sorts("urgent"),), "actionable"),
        ("informational", (sorts("urgent"), scores(60)), "actionable"),
        ("informational", (sorts("urgent"), scores(90)), "urgent"),
        ("low_priority", (sorts("urgent"), scores(90)), "actionable"),
        ("informational", (sorts("urgent"), scores(5)), "informational"),
        ("informational", (sorts("informational"), scores(60)), "actionable"),
        ("informational", (sorts("low_priority"),), "informational"),
        ("informational", (sorts("low_priority"), scores(5)), "low_priority"),
        ("actionable", (sorts("low_priority"),), "informational"),
        ("urgent", (sorts("low_priority"), scores(5)), "informational"),
        ("actionable", (sorts("low_priority"), scores(5)), "low_priority"),
        ("urgent", (DROP,), "urgent"),
        ("informational", (DROP,), "informational"),
        ("actionable", (KEEP, sorts("urgent")), "urgent"),
        ("actionable", (KEEP,), "actionable"),
    ],
)
def test_a_model_moves_a_bucket_by_one_step_alone_and_by_two_only_twice(
    own: Bucket, answers: tuple[ModelAnswer, ...], becomes: Bucket
) -> None:
    after = agree(verdict(own), answers)
    assert after.bucket == becomes
    assert bucket_at(after.priority.score) == becomes or after.priority == verdict(own).priority


def test_whose_word_stood_and_what_both_said_can_be_shown() -> None:
    moved = agree(verdict(), (sorts("actionable", reply=True),))
    assert moved.second is not None
    assert (moved.second.by_rules, moved.second.by_model, moved.second.stands) == (
        "informational",
        "actionable",
        "model",
    )
    assert (moved.tier, moved.second.model, moved.second.prompt) == ("T2", "m", "1")
    assert "by Friday at noon" in moved.priority.reason
    assert moved.needs_reply
    kept = agree(verdict(), (sorts("low_priority"),))
    assert kept.second is not None
    assert (kept.second.stands, kept.tier) == ("rules", "T0")
    assert kept.priority == verdict().priority


def test_disagreement_lowers_confidence_and_agreement_does_not_raise_it() -> None:
    sure = verdict(confidence=0.58)
    assert agree(sure, (sorts("informational"),)).confidence == 0.58
    assert agree(sure, (sorts("low_priority"),)).confidence < 0.58
    assert agree(sure, (sorts("actionable"),)).confidence <= CAUTIOUS.at_most < 0.6


def test_a_model_that_points_at_nothing_moves_nothing() -> None:
    after = agree(verdict(), (sorts("actionable", evidence=""),))
    assert (after.bucket, after.tier) == ("informational", "T0")
    assert after.second is not None and after.second.stands == "rules"


def test_no_answer_leaves_the_verdict_as_it_is() -> None:
    before = verdict()
    assert agree(before, ()) is before
    assert agree(before, (KEEP,)) is before


def test_a_model_that_was_measured_to_harm_can_be_left_without_a_say() -> None:
    after = agree(verdict(), (sorts("urgent"), scores(95)), Weights(alone=0, twice=0))
    assert after.bucket == "informational"


FLAGGED = (
    Flags(phishing=Suspicion(score=0.5)),
    Flags(phishing=Suspicion(score=0.3)),
    Flags(injection=Suspicion(score=0.2)),
    Flags(spam=0.5),
    Flags(imitates="bank.example"),
    Flags(withheld=("vip",)),
)


@pytest.mark.parametrize("flags", FLAGGED)
def test_what_is_flagged_or_suspect_is_neither_asked_about_nor_changed(flags: Flags) -> None:
    before = verdict(confidence=0.2, flags=flags)
    assert not is_open(before)
    assert agree(before, (sorts("urgent"), scores(99))) is before


def test_what_the_rules_are_sure_of_is_not_asked_about() -> None:
    before = verdict(confidence=0.7)
    assert not is_open(before)
    assert agree(before, (sorts("urgent"), scores(99))) is before


def passes(made_in: ModelPass) -> st.SearchStrategy[ModelAnswer]:
    return st.builds(
        ModelAnswer,
        made_in=st.just(made_in),
        model=st.just("m"),
        prompt=st.just("1"),
        keep=st.none() | st.booleans(),
        bucket=st.none() | st.sampled_from(BUCKETS),
        act=st.none() | st.sampled_from(SPEECH_ACTS),
        category=st.none() | st.sampled_from(CATEGORIES),
        needs_reply=st.none() | st.booleans(),
        score=st.none() | st.integers(0, 100),
        sure=st.none() | st.integers(0, 100),
        evidence=st.text(max_size=20),
        sentence=st.text(max_size=20),
    )


@given(
    own=st.sampled_from(BUCKETS),
    confidence=st.floats(0, 0.99),
    flags=st.sampled_from((Flags(), Flags(bulk=True), Flags(phishing=Suspicion(score=0.1)), *FLAGGED)),
    answers=st.lists(passes("T1") | passes("T2a") | passes("T2b"), max_size=4),
)
def test_whatever_a_model_says_suspicion_cohort_and_autonomy_stay(
    own: Bucket, confidence: float, flags: Flags, answers: list[ModelAnswer]
) -> None:
    before = replace(verdict(own, confidence, flags), cohort="newsletters", content_category="newsletters")
    after = agree(before, answers)
    assert after.flags == before.flags
    assert (after.cohort, after.content_category, after.labels) == (
        before.cohort,
        before.content_category,
        before.labels,
    )
    assert (after.speech_act, after.entities, after.summary) == (
        before.speech_act,
        before.entities,
        before.summary,
    )
    assert after.confidence <= before.confidence
    assert after.needs_reply or not before.needs_reply
    steps = abs(BUCKETS.index(after.bucket) - BUCKETS.index(before.bucket))
    assert steps <= 2
    if steps:
        assert after.confidence < 0.6
        assert after.tier != "T0"
    if not is_open(before):
        assert after is before
