"""Lessons carried to another machine teach the same there; a file that is not one changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gaia_email.ledger import Correction, VerdictFields
from gaia_email.ledger.policy_store import load_policy
from gaia_email.triage.learn.agreement import agreement_of
from tests.cli.printed import Run, document, runner

ME = "me@home.example"
DAY = 86_400.0


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


@pytest.fixture
def plant(tmp_path: Path) -> tuple[str, ...]:
    folder = tmp_path / "Plant"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number in range(8):
        (folder / "cur" / f"{number}.m:2,").write_text(
            f"From: Kim {number} <k{number}@plant{number}.example>\nTo: {ME}\nSubject: Turbine inspection\n"
            f"Date: Mon, 30 Mar 2026 09:{number:02}:00 +0000\nMessage-ID: <t{number}@x.example>\n\n"
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.\n"
        )
    return ("--maildir", str(folder), "--user", ME)


def taught(run: Run, plant: tuple[str, ...], folder: Path, count: int = 5) -> dict[str, Any]:
    asked = document(run, "teach", "teach", "--list", "--count", str(count), *plant)["questions"]
    file = folder / "answers"
    file.write_text("".join(f"{row['id']} actionable\n" for row in asked), encoding="utf-8")
    told: dict[str, Any] = document(run, "teach", "teach", "--answers", str(file), *plant)
    return told


def test_lessons_taken_in_elsewhere_teach_the_same_there(
    run: Run, plant: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught(run, plant, tmp_path)
    carried = tmp_path / "lessons.json"
    carried.write_text(run("lessons", "export").out, encoding="utf-8")
    here = document(run, "inbox", "inbox", *plant)["buckets"]
    assert "inspection" not in carried.read_text(), "no word of a message is carried"

    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "elsewhere"))
    assert document(run, "inbox", "inbox", *plant)["buckets"] != here
    assert "5 lessons taken in." in run("lessons", "import", str(carried)).err
    there = document(run, "inbox", "inbox", *plant)["buckets"]
    assert {name: {row["id"] for row in rows} for name, rows in there.items()} == {
        name: {row["id"] for row in rows} for name, rows in here.items()
    }
    assert "0 lessons taken in; 5 left out" in run("lessons", "import", str(carried)).err
    assert json.loads(run("lessons", "export").out) == json.loads(carried.read_text())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": 2}, "newer gaia email"),
        ({"lessons": "none"}, "lessons of the file of lessons has to be a list"),
        ({"lessons": [None]}, "The lesson 1 has to be a JSON object"),
        ({"bucket": "later"}, "bucket of the lesson 5 has to be a bucket"),
        ({"source": "rumour"}, "source of the lesson 5"),
        ({"features": {"seen": "much"}}, "seen of the features of lesson 5"),
        ({"features": {"text": "hello"}}, "The features of lesson 5 knows no 'text'"),
    ],
)
def test_a_file_that_is_wrong_anywhere_is_told_and_nothing_of_it_is_kept(
    run: Run, plant: tuple[str, ...], tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    taught(run, plant, tmp_path)
    document_: dict[str, Any] = json.loads(run("lessons", "export").out)
    run("lessons", "clear", "--yes")
    if change.keys() <= document_.keys():
        document_ |= change
    else:
        document_["lessons"][4] |= change
    file = tmp_path / "lessons.json"
    file.write_text(json.dumps(document_), encoding="utf-8")
    refused = run("lessons", "import", str(file))
    assert refused.code == 2
    assert sentence in refused.err
    assert load_policy(environ=os.environ).owners is None


def test_what_is_no_json_is_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_text("hello", encoding="utf-8")
    refused = run("lessons", "import", str(file))
    assert refused.code == 2
    assert "is no JSON" in refused.err


def test_status_tells_how_often_what_was_shown_was_what_was_said(
    run: Run, plant: tuple[str, ...], tmp_path: Path
) -> None:
    before = document(run, "status", "status")
    assert (before["agreement"], before["held_back"]) == ([], {"answers": 0, "before": 0, "after": 0})
    told = taught(run, plant, tmp_path)["agreement"]
    after = document(run, "status", "status")
    assert after["agreement"] == [
        {
            "period": "last 7 days",
            "said": 5,
            "agreed": 0,
            "buckets": [{"bucket": "actionable", "said": 5, "agreed": 0}],
        }
    ]
    assert after["held_back"] == {"answers": 1, "before": told["before"], "after": told["after"]}


def said(number: int, was: Any, bucket: Any, days: float, source: Any = "cli") -> Correction:
    return Correction(
        id=number,
        timestamp=-days * DAY,
        account_id=ME,
        message_id=str(number),
        original=VerdictFields(bucket=was),
        corrected=VerdictFields(bucket=bucket),
        source=source,
        sender="",
        features={},
        retracted_at=None,
    )


def test_agreement_is_counted_by_bucket_and_time_and_deeds_do_not_count() -> None:
    periods = agreement_of(
        [
            said(1, "urgent", "urgent", 60),
            said(2, "low_priority", "urgent", 20),
            said(3, "urgent", "urgent", 2),
            said(4, "actionable", "urgent", 1),
            said(5, "actionable", "actionable", 1),
            said(6, "urgent", "low_priority", 1, "implied"),
        ],
        now=0.0,
    )
    assert [(one.name, one.agreed, one.said) for one in periods] == [
        ("last 7 days", 2, 3),
        ("8 to 30 days ago", 0, 1),
        ("31 to 90 days ago", 1, 1),
    ]
    assert [(one.bucket, one.agreed, one.said) for one in periods[0].buckets] == [
        ("urgent", 1, 2),
        ("actionable", 1, 1),
    ]
