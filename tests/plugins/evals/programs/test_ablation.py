"""The ablation: what a run may see, and the figures made of its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from evals.ablation import fact_group, outcomes, runs
from evals.ablation_page import RULES, Outcome, Run, accuracy, f1, kappa, page, threshold
from evals.datasets import Row
from evals.train import FOLDS
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import BUCKETS
from tests.plugins.evals.programs.conftest import Open

pytestmark = pytest.mark.timeout(180)  # the first test waits until every labelled message is judged

MESSAGES = 96


def made(count: int = MESSAGES) -> list[Row]:
    """Messages of which a word of the body says the bucket, and the rules always say informational."""
    rows: list[Row] = []
    for number in range(count):
        bucket = BUCKETS[number // FOLDS % len(BUCKETS)]
        answers = {"bucket": bucket, "act": "fyi", "category": "primary", "reply": "no"}
        features = {
            "facts": (b"bucket:informational", b"act:fyi", b"category:primary", b"reply:no", b"length:2"),
            "sender": (b"anna",),
            "subject": (),
            "body": (f"word{bucket}".encode(),),
        }
        mailbox = Row(
            name=f"m{number}",
            source="made",
            group=f"g{number:03}",
            part="train",
            features=features,
            answers=answers,
        )
        wordless = replace(mailbox, features={**features, "body": ()}, form="file")
        rows += [mailbox, wordless, replace(mailbox, form="bare"), replace(wordless, form="nameless")]
    return rows


def right(found: Sequence[Outcome]) -> float:
    return sum(one.said == one.right for one in found) / len(found)


def test_every_kind_of_fact_belongs_to_a_group(opened: Sequence[Open]) -> None:
    tier = BuiltinTier(model=False)
    chosen = opened[:: len(opened) // 100]
    facts = {fact for one in chosen for fact in tier.features(one.prepared, one.case.context).facts}
    assert len(facts) > 80
    assert [fact for fact in sorted(facts) if fact_group(fact) == "other facts"] == []


@pytest.mark.parametrize(
    ("fact", "group"),
    [
        ("reply", "sender and headers"),
        ("reply:yes", "what the rules found"),
        ("says:a, b", "lexicon"),
        ("asks 1, urgency 2", "crosses"),
        ("asks:1", "what the rules found"),
        ("a fact of tomorrow", "other facts"),
    ],
)
def test_a_fact_is_sorted_by_its_kind(fact: str, group: str) -> None:
    assert fact_group(fact) == group


def test_each_message_is_scored_once_and_as_its_mailbox_sees_it() -> None:
    found = outcomes(Run(question="bucket", groups=("body",)), made(), {})
    assert len(found) == MESSAGES
    assert right(found) == 1.0


def test_each_form_of_a_message_is_scored_by_itself() -> None:
    shares = [right(outcomes(Run(question="bucket", form=form), made(), {})) for form in ("bare", "nameless")]
    assert shares[0] == 1.0
    assert shares[1] < 0.5


def test_rules_alone_answer_with_their_own_bucket() -> None:
    found = outcomes(Run(question="bucket", groups=RULES), made(), {})
    assert {one.said for one in found} == {"informational"}


def test_a_group_that_is_left_out_teaches_nothing() -> None:
    assert right(outcomes(Run(question="bucket", groups=("facts", "sender")), made(), {})) < 0.5


def test_a_share_of_the_templates_teaches_less_than_all() -> None:
    few = outcomes(Run(question="bucket", share=10), made(), {})
    assert right(few) < right(outcomes(Run(question="bucket"), made(), {}))


def test_the_page_shows_every_run_and_says_what_was_not_measured() -> None:
    found = {run: outcomes(run, made(16), {}) for run in runs(corpora=False)}
    text = page(found, folds=FOLDS)
    assert text.count("Not measured") == 2
    assert "| bucket | rules alone | 25 % (" in text


def test_agreement_figures_are_those_of_the_textbooks() -> None:
    counts = Counter({("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15})
    assert [round(of(counts), 6) for of in (accuracy, kappa, f1)] == [0.7, 0.4, round(40 / 55, 6)]


def test_one_answer_for_all_agrees_no_more_than_chance() -> None:
    assert kappa(Counter({("yes", "yes"): 9})) == 0.0


def test_the_threshold_accuses_no_more_ham_than_allowed() -> None:
    ham = [float(number) for number in range(100)]
    assert sum(score > threshold(ham, 0.02) for score in ham) == 2
