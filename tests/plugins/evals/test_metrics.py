"""The figures of a scorecard, against values worked out by hand."""

from __future__ import annotations

import pytest

from gaia_email_evals.calibration import calibration
from gaia_email_evals.metrics import choice, flag, yes_no

CLASSES = ("a", "b", "c")


def names(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def test_precision_recall_and_f1_are_those_of_the_textbook() -> None:
    pairs = [("a", "a")] * 6 + [("a", "b")] * 2 + [("b", "a")] * 4 + [("b", "b")] * 8
    scored = choice(pairs, CLASSES, names(20))
    assert scored is not None
    one = scored.classes["a"]
    assert one.precision is not None and one.recall is not None
    assert (one.precision.value, one.recall.value, one.f1.value) == (0.6, 0.75, 0.6667)
    assert scored.macro_f1.value == pytest.approx((2 / 3 + 8 / 11) / 2, abs=1e-4)
    assert (scored.accuracy.count, scored.accuracy.of) == (14, 20)
    assert scored.confusion["a"] == {"a": 6, "b": 2, "c": 0}


def test_a_class_that_nobody_labelled_has_no_score_but_costs_the_others() -> None:
    scored = choice([("a", "c"), ("a", "a")], CLASSES, names(2))
    assert scored is not None
    assert list(scored.classes) == ["a"]
    assert scored.classes["a"].f1.value == 0.6667


def test_a_class_that_is_never_said_has_no_precision() -> None:
    scored = choice([("a", "b"), ("b", "b")], CLASSES, names(2))
    assert scored is not None
    assert scored.classes["a"].precision is None
    assert scored.classes["a"].f1.value == 0.0


def test_an_interval_holds_its_figure_and_narrows_with_messages() -> None:
    few, many = (
        choice([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")] * count, CLASSES, names(4 * count))
        for count in (10, 200)
    )
    assert few is not None and many is not None
    for scored in (few, many):
        assert scored.macro_f1.low <= scored.macro_f1.value <= scored.macro_f1.high
    assert many.macro_f1.high - many.macro_f1.low < (few.macro_f1.high - few.macro_f1.low) / 3


def test_nothing_labelled_is_no_score() -> None:
    assert choice([], CLASSES, []) is None
    assert yes_no([], []) is None
    assert flag([]) is None
    assert calibration([], []) is None


def test_a_label_that_is_never_yes_has_no_f1() -> None:
    scored = yes_no([(False, False), (False, True)], names(2))
    assert scored is not None
    assert (scored.f1, scored.recall, scored.accuracy.value) == (None, None, 0.5)


def test_a_warning_is_scored_by_what_it_finds_and_whom_it_frightens() -> None:
    scored = flag(
        [(True, True), (True, False), (False, True), (False, False), (False, False), (False, False)]
    )
    assert scored is not None and scored.found is not None and scored.false_alarms is not None
    assert (scored.found.value, scored.false_alarms.value) == (0.5, 0.25)


def test_confidence_that_comes_true_has_no_error() -> None:
    scored = calibration([(0.75, number % 4 != 0) for number in range(400)], names(400))
    assert scored is not None
    assert scored.error.value == 0.0
    assert scored.brier.value == pytest.approx(0.1875)


def test_overconfidence_is_the_distance_to_the_truth() -> None:
    scored = calibration([(0.95, number % 2 == 0) for number in range(100)], names(100))
    assert scored is not None
    assert scored.error.value == pytest.approx(0.45)
    assert scored.error.low < 0.45 < scored.error.high
    assert [(one.low, one.high, one.said, one.right.value) for one in scored.bins] == [(0.9, 1.0, 0.95, 0.5)]


def test_full_confidence_falls_into_the_last_bin() -> None:
    scored = calibration([(1.0, True), (0.0, False)], names(2))
    assert scored is not None
    assert [one.low for one in scored.bins] == [0.0, 0.9]
