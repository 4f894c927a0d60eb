"""Whether one scorecard is better than another: better, worse, or no difference that chance cannot make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from gaia_email_evals.cases import Labels
from gaia_email_evals.compare import compare
from gaia_email_evals.judging import ScoredMessage
from gaia_email_evals.model import Comparison, Scorecard
from gaia_email_evals.scoring import label_digest, score
from gaia_email_evals.wording import compared_in_words
from gaia_understanding.cascade.verdict import Bucket
from tools.scorecard import find_problems

MakeJudged = Callable[..., ScoredMessage]
COUNT = 100


@pytest.fixture
def run(judged: MakeJudged) -> Callable[[int], list[ScoredMessage]]:
    """A run over a hundred messages, half of them urgent, of which the first so many are right."""

    def make(right: int) -> list[ScoredMessage]:
        found: list[ScoredMessage] = []
        for number in range(COUNT):
            label: Bucket = "urgent" if number % 2 else "low_priority"
            other: Bucket = "low_priority" if number % 2 else "urgent"
            found.append(judged(number, label, label if number < right else other))
        return found

    return make


Run = Callable[[int], list[ScoredMessage]]


def compared(old: Sequence[ScoredMessage], new: Sequence[ScoredMessage]) -> Comparison:
    return compare(score(old, "dev"), score(new, "dev"), new)


@pytest.mark.parametrize(
    ("before", "now", "outcome"),
    [(60, 90, "better"), (90, 60, "worse"), (70, 72, "no difference"), (70, 70, "no difference")],
)
def test_a_run_is_better_or_worse_only_beyond_chance(run: Run, before: int, now: int, outcome: str) -> None:
    found = compared(run(before), run(now))
    assert found.outcome == outcome
    assert found.paired is not None
    assert found.paired.accuracy.outcome == found.paired.macro_f1.outcome == outcome
    assert found.paired.accuracy.change.value == pytest.approx((now - before) / COUNT)


def test_repaired_and_broken_messages_are_named(run: Run) -> None:
    found = compared(run(70), run(72)).paired
    assert found is not None
    assert (found.repaired, found.broken) == (("set/70", "set/71"), ())


def test_only_messages_of_both_runs_are_paired(run: Run) -> None:
    found = compared(run(70)[:80], run(70)[20:]).paired
    assert found is not None
    assert found.messages == 60


def test_old_answers_are_held_against_the_labels_of_today(run: Run, judged: MakeJudged) -> None:
    new = [judged(0, "urgent", "urgent"), *run(COUNT)[1:]]
    found = compared(run(COUNT), new).paired
    assert found is not None
    assert (found.relabelled, found.repaired) == (1, ("set/0",))


def test_a_run_without_outcomes_is_compared_by_its_figures(run: Run) -> None:
    new = run(50)
    found = compare(score(run(90), "dev", rows=False), score(new, "dev"), new)
    assert found.paired is None
    assert found.outcome == "worse"
    assert "buckets right" in {one.name for one in found.moved}


def test_more_false_alarms_are_worse(judged: MakeJudged) -> None:
    def alarms(count: int) -> list[ScoredMessage]:
        labels = Labels(phishing=False)
        return [
            judged(number, "urgent", "urgent", labels, phishing=number < count) for number in range(COUNT)
        ]

    found = compared(alarms(0), alarms(20))
    assert found.outcome == "worse"
    assert [one.name for one in found.moved] == ["phishing false alarms"]
    assert compared(alarms(20), alarms(0)).outcome == "better"


def test_the_outcome_is_the_first_sentence(run: Run) -> None:
    assert compared_in_words(compared(run(60), run(90)))[0] == "Better than before."
    assert compared_in_words(compared(run(90), run(60)))[0] == "Worse than before."


def published(judged: Sequence[ScoredMessage]) -> Scorecard:
    return Scorecard(parts=(score(judged, "dev", timed=False), score([], "test", rows=False, timed=False)))


def problems(card: Scorecard | None, now: Sequence[ScoredMessage]) -> list[str]:
    digest = label_digest((one.name, one.group, one.labels) for one in now)
    return list(find_problems(card, now, {"dev": digest, "test": label_digest([])}))


def test_the_published_scorecard_stands_while_nothing_changes(run: Run) -> None:
    assert problems(published(run(80)), run(80)) == []


def test_a_regression_beyond_the_interval_is_a_problem(run: Run) -> None:
    assert any("Worse than before" in problem for problem in problems(published(run(90)), run(60)))


def test_a_published_figure_that_is_no_longer_true_is_a_problem_even_when_it_is_better(run: Run) -> None:
    found = problems(published(run(80)), run(82))
    assert any(problem.startswith("buckets right is published as 0.800 and is 0.820") for problem in found)
    assert not any("Worse" in problem for problem in found)


def test_a_step_of_a_point_need_not_be_written_at_once(run: Run) -> None:
    assert not any("buckets right" in problem for problem in problems(published(run(80)), run(81)))


def test_changed_labels_and_a_missing_scorecard_are_problems(run: Run, judged: MakeJudged) -> None:
    relabelled = [judged(0, ("low_priority", "informational"), "low_priority"), *run(80)[1:]]
    assert problems(published(run(80)), relabelled) == [
        "the messages or labels of part dev have changed since it was written"
    ]
    assert problems(None, run(80)) == ["it is missing or of another version"]
