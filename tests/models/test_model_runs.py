"""`eval --models`: with scripted models the figures are those of arithmetic."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.models.choice import ModelChoice
from gaia_email.models.measured import BETTER, WORSE, MeasuredModels, keep, measured_file, weights_for
from gaia_email.models.prompts import PROMPT_VERSION
from gaia_email_registry.errors import BadArgument
from gaia_understanding.cascade.agree import CAUTIOUS, Weights
from gaia_understanding.cascade.verdict import BUCKETS, Bucket
from tests.cli.printed import Run
from tests.models import model_server
from tests.models.in_thread import listening
from tests.models.model_server import ModelServer
from tests.models.stand_ins import constant, sorting

LABELS: tuple[Bucket, ...] = ("informational", "actionable", "urgent", "informational", "low_priority")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with listening(ModelServer(pages=model_server.llama_cpp())) as one:
        yield one


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Twenty plain messages, each of which says in its subject where it belongs."""
    lines: list[dict[str, Any]] = []
    for number in range(20):
        bucket = LABELS[number % 5]
        raw = (
            f"From: Kim <kim{number}@friends.example>\nTo: me@example.org\nSubject: Note {number} {bucket}\n"
            f"Message-ID: <{number}@friends.example>\nDate: Mon, 02 Nov 2026 09:{number:02}:00 +0000\n\n"
            f"They are with the neighbour on floor {number}.\n"
        )
        lines.append({"message": raw, "bucket": bucket})
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def said_in_subject(subject: str, text: str) -> Bucket:
    return next(bucket for bucket in BUCKETS if subject.endswith(bucket))


def wrong(subject: str, text: str) -> Bucket:
    """Two steps from what is right, or as far as there is room."""
    place = BUCKETS.index(said_in_subject(subject, text))
    return BUCKETS[place + 2 if place < 2 else place - 2]


def measured(run: Run, server: ModelServer, labelled: Path, *args: str) -> dict[str, Any]:
    assert run("models", "use", "--at", str(server.address)).code == 0
    ran = run("eval", str(labelled), "--models", "--json", *args)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def of(found: dict[str, Any], who: str) -> tuple[int, int, int]:
    (row,) = (row for row in found["sorted_in"] if (row["who"], row["source"]) == (who, "all"))
    return row["exact"], row["within_one"], row["of"]


def test_a_perfect_model_is_right_of_all(run: Run, server: ModelServer, labelled: Path) -> None:
    server.chat = sorting(said_in_subject)
    found = measured(run, server, labelled)
    assert found["messages"] == 20
    assert of(found, "T2a") == (20, 20, 20)
    rules = of(found, "rules")
    pair = next(pair for pair in found["paired"] if pair["second"] == "T2a")
    assert (pair["only_first"], pair["only_second"]) == (0, 20 - rules[0])
    assert (found["speed"][0]["made_in"], found["speed"][0]["calls"]) == ("T2a", 3)
    assert found["invalid"] == found["failed"] == 0
    assert (found["model"], found["prompt"]) == ("qwen3-4b", "1")


def test_a_constant_model_is_right_as_often_as_its_bucket_is(
    run: Run, server: ModelServer, labelled: Path
) -> None:
    server.chat = constant("informational")
    assert of(measured(run, server, labelled), "T2a") == (8, 16, 20)


def test_an_enemy_is_right_of_none_and_moves_no_message_by_more_than_it_may(
    run: Run, server: ModelServer, labelled: Path
) -> None:
    server.chat = sorting(wrong)
    found = measured(run, server, labelled)
    assert of(found, "T2a") == (0, 0, 20)
    assert next(pair for pair in found["paired"] if pair["second"] == "T2a")["only_second"] == 0
    assert of(found, "agreed")[2] == 20


def test_answers_that_do_not_hold_are_counted_and_a_limit_keeps(
    run: Run, server: ModelServer, labelled: Path, tmp_path: Path
) -> None:
    server.chat = lambda _: model_server.streamed("nonsense")
    found = measured(run, server, labelled, "--limit", "5", "--out", str(tmp_path / "run.json"))
    assert (found["messages"], found["invalid"]) == (5, 5)
    assert not [row for row in found["sorted_in"] if row["who"] == "T2a"]
    assert of(found, "agreed") == of(found, "rules")
    assert json.loads((tmp_path / "run.json").read_text()) == found


def test_without_a_chosen_model_the_next_step_is_named(run: Run, labelled: Path) -> None:
    ran = run("eval", str(labelled), "--models")
    assert ran.code == 1
    assert "gaia email models use" in ran.err


def test_a_person_reads_what_the_model_is_first(run: Run, server: ModelServer, labelled: Path) -> None:
    server.chat = constant("informational")
    assert run("models", "use", "--at", str(server.address)).code == 0
    lines = run("eval", str(labelled), "--models").out.splitlines()
    assert lines[0].startswith("qwen3-4b, prompt 1, at http://127.0.0.1:")
    assert "on this machine" in lines[1]


def paired(found: dict[str, Any], first: str, second: str) -> tuple[int, int]:
    (pair,) = (one for one in found["paired"] if (one["first"], one["second"]) == (first, second))
    return pair["only_first"], pair["only_second"]


def test_one_prompt_is_held_against_two_on_the_same_messages(
    run: Run, server: ModelServer, labelled: Path
) -> None:
    server.chat = sorting(said_in_subject)
    found = measured(run, server, labelled)
    one, both = of(found, "agreed1"), of(found, "agreed")
    only_one, only_both = paired(found, "agreed1", "agreed")
    assert both[0] - one[0] == only_both - only_one
    assert both[0] >= one[0] >= of(found, "rules")[0]


def test_two_runs_are_held_against_each_other_message_by_message(
    run: Run, server: ModelServer, labelled: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old.json"
    server.chat = sorting(wrong)
    before = measured(run, server, labelled, "--out", str(old))
    server.chat = sorting(said_in_subject)
    now = measured(run, server, labelled, "--compare", str(old))
    only_then, only_now = paired(now, str(old), "this run")
    assert only_now - only_then == of(now, "agreed")[0] - of(before, "agreed")[0]
    assert only_now > 0
    old.write_text('{"words": []}', encoding="utf-8")
    ran = run("eval", str(labelled), "--models", "--compare", str(old))
    assert ran.code != 0 and "no message of this run" in ran.err


def test_a_measurement_of_few_messages_is_not_kept(run: Run, server: ModelServer, labelled: Path) -> None:
    server.chat = sorting(said_in_subject)
    assert run("models", "use", "--at", str(server.address)).code == 0
    ran = run("eval", str(labelled), "--models", "--keep")
    assert ran.code != 0 and "100 are needed" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("only_rules", "only_agreed", "p", "weights"),
    [(3, 30, 0.001, BETTER), (30, 3, 0.001, WORSE), (10, 12, 0.8, CAUTIOUS), (0, 0, 1.0, CAUTIOUS)],
)
def test_a_models_word_counts_by_what_was_measured_of_it_and_of_no_other(
    only_rules: int, only_agreed: int, p: float, weights: Weights, home_of_its_own: Path
) -> None:
    found = MeasuredModels(
        model="qwen3-4b",
        prompt=PROMPT_VERSION,
        messages=200,
        only_rules=only_rules,
        only_agreed=only_agreed,
        p=p,
    )
    keep(found, os.environ)
    assert weights_for(ModelChoice(tiers={"T2": "qwen3-4b"}), os.environ) == weights
    assert weights_for(ModelChoice(tiers={"T2": "another"}), os.environ) == CAUTIOUS
    assert weights.at_most <= CAUTIOUS.at_most and weights.twice <= CAUTIOUS.twice
    keep(found.model_copy(update={"prompt": "0"}), os.environ)
    assert weights_for(ModelChoice(tiers={"T2": "qwen3-4b"}), os.environ) == CAUTIOUS
    measured_file(os.environ).write_text("{}", encoding="utf-8")
    with pytest.raises(BadArgument, match="cannot be read"):
        weights_for(ModelChoice(tiers={"T2": "qwen3-4b"}), os.environ)
