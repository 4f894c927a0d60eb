"""Scoring other people's sets by source, and what corrections of a mailbox are worth there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.foreign import Corrected, Source, after, corrections_of, left_out, read_sources, table
from evals.neighbours import Answering, nearest
from gaia_email_evals.cases import LabelledMessage
from gaia_understanding.cascade.model.combine import COSTS
from gaia_understanding.cascade.verdict import Bucket

BOILER = "From: Jo <jo@harbour.example>\nTo: me@firm.example\nSubject: Boiler {number}\n\nThe boiler hums.\n"
BULLETIN = (
    "From: Club <club@rowing.example>\nTo: me@firm.example\nSubject: Bulletin {number}\n\nNews of rowing.\n"
)

EVERY: tuple[Bucket, ...] = ("urgent", "actionable", "informational", "low_priority")


def written(folder: Path, rows: Sequence[tuple[str, Sequence[Bucket]]]) -> Path:
    (folder / "messages").mkdir(parents=True)
    lines: list[str] = []
    for number, (text, buckets) in enumerate(rows):
        name = f"{number:03}.eml"
        (folder / "messages" / name).write_text(text.format(number=number), encoding="utf-8")
        lines.append(
            json.dumps({"file": name, "bucket": list(buckets), "user": "me@firm.example", "group": ""})
        )
    (folder / "expected.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """Twenty of each: an owner to whom a humming boiler is urgent and news of rowing nothing."""
    rows: list[tuple[str, Sequence[Bucket]]] = [(BOILER, ["urgent"]), (BULLETIN, ["low_priority"])]
    (found,) = read_sources(written(tmp_path / "sets" / "boilers", rows * 20).parent)
    return found


def test_every_bucket_that_a_label_allows_is_right(tmp_path: Path) -> None:
    folder = written(tmp_path / "one", [(BOILER, EVERY)])
    (found,) = read_sources(folder)
    assert (found.name, found.right, len(found.cases)) == ("one", 1, 1)


def test_the_best_constant_is_counted_over_allowed_buckets(tmp_path: Path) -> None:
    rows: list[tuple[str, Sequence[Bucket]]] = [
        (BOILER, ["urgent", "actionable"]),
        (BULLETIN, ["actionable", "informational"]),
        (BULLETIN, ["low_priority"]),
    ]
    (found,) = read_sources(written(tmp_path / "three", rows))
    assert found.constant == ("actionable", 2)


def test_only_what_is_urgent_and_nothing_else_counts_as_urgent_to_be_found(tmp_path: Path) -> None:
    rows: list[tuple[str, Sequence[Bucket]]] = [(BOILER, ["urgent"]), (BULLETIN, ["urgent", "low_priority"])]
    (found,) = read_sources(written(tmp_path / "two", rows))
    assert found.urgent[1] == 1


def test_an_owner_corrects_to_the_nearest_bucket_that_is_right(source: Source) -> None:
    for case, bucket in corrections_of(source):
        assert bucket in case.labels.buckets


def test_a_nearest_neighbour_learns_two_templates_from_twenty_corrections(source: Source) -> None:
    assert after(source, 20, nearest) == 1.0


def test_a_learner_is_never_asked_about_what_it_was_told(source: Source) -> None:
    def learner(corrected: Sequence[Corrected]) -> Answering:
        told = {case.name for case, _ in corrected}

        def answer(case: LabelledMessage) -> Bucket:
            assert case.name not in told
            return "urgent"

        return answer

    assert after(source, 20, learner) == pytest.approx(0.5, abs=0.1)


def test_a_source_with_fewer_messages_left_than_corrections_is_not_scored(source: Source) -> None:
    assert after(source, 21, nearest) is None


def test_the_mean_weighs_sources_and_not_messages(tmp_path: Path) -> None:
    written(tmp_path / "sets" / "big", [(BULLETIN, EVERY)] * 9)
    written(tmp_path / "sets" / "small", [(BULLETIN, EVERY[:1])])
    last = table(list(read_sources(tmp_path / "sets"))).splitlines()[-1]
    assert last.startswith("| mean over sources | 10 | 50.0% | 50.0% |")


def test_costs_for_a_source_are_chosen_without_it_and_put_back(tmp_path: Path, source: Source) -> None:
    written(tmp_path / "sets" / "other", [(BULLETIN, EVERY[3:])])
    before = dict(COSTS)
    shares = left_out([source, *read_sources(tmp_path / "sets" / "other")])
    assert set(shares) == {"boilers", "other"}
    assert all(0 <= share <= 1 for share in shares.values())
    assert before == COSTS
