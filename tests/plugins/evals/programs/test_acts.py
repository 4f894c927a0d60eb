"""Acts that a reader saw and acts that the product finds are counted against each other."""

from __future__ import annotations

import json

from evals.acts import ACTS, LABELS, count


def test_each_act_is_counted_alone() -> None:
    seen, found = frozenset({"commit", "meet"}), frozenset({"meet", "propose"})
    scores = count([(seen, found), (found, found), (frozenset[str](), frozenset[str]())])
    assert {act: (one.right, one.wrong, one.missed) for act, one in scores.items()} == {
        "commit": (0, 0, 1),
        "meet": (2, 0, 0),
        "propose": (1, 1, 0),
    }
    assert scores["meet"].f1 == 1 and scores["commit"].f1 == 0
    assert round(scores["propose"].f1, 2) == 0.67


def test_the_labels_name_each_sentence_once_and_only_acts_that_are_measured() -> None:
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    assert len({row["file"] for row in rows}) == len(rows) == 240
    assert {act for row in rows for act in row["acts"]} == set(ACTS)
