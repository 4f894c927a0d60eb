"""Intervals and tests of significance, against values worked out elsewhere."""

from __future__ import annotations

import pytest

from gaia_email_evals.statistics import Resamples, mcnemar, middle_95, wilson


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 2, 0.0945, 0.9055)],
)
def test_wilsons_interval_is_the_published_one(count: int, of: int, low: float, high: float) -> None:
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)


def test_nothing_is_known_of_no_messages() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "p"), [(1, 9, 0.0215), (9, 1, 0.0215), (5, 5, 1.0), (0, 0, 1.0), (0, 5, 0.0625)]
)
def test_mcnemar_counts_the_tail_exactly(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p, abs=5e-5)


def test_mcnemar_bears_many_messages() -> None:
    assert mcnemar(3000, 2000) < 1e-20


def test_samples_are_the_same_every_time_and_as_large_as_the_whole() -> None:
    groups = [str(number) for number in range(50)]
    first, second = list(Resamples.of(groups)), list(Resamples.of(groups))
    assert first == second
    assert {len(sample) for sample in first} == {50}
    assert len({tuple(sample) for sample in first}) > 900


def test_a_sample_takes_a_group_whole() -> None:
    groups = [str(number // 2) for number in range(100)]
    for sample in Resamples.of(groups):
        assert all(sample.count(number) == sample.count(number ^ 1) for number in set(sample))


def test_messages_of_few_groups_are_drawn_one_by_one() -> None:
    groups = ["one"] * 20
    assert any(len(set(sample)) < 20 for sample in Resamples.of(groups))


def test_every_message_is_drawn_about_equally_often() -> None:
    drawn = [number for sample in Resamples.of([str(number) for number in range(40)]) for number in sample]
    counts = [drawn.count(number) for number in range(40)]
    assert min(counts) > 850
    assert max(counts) < 1150


def test_the_middle_leaves_a_fortieth_on_each_side() -> None:
    assert middle_95([float(number) for number in range(1001)]) == (25.0, 975.0)
