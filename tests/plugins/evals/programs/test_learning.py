"""Measuring what corrections are worth: nothing scored was corrected, and what can be learned shows as a gain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.learning import DATA, mailboxes, mails, measure, measured, table
from gaia_email_evals.labelled import read_labelled


def mailbox(folder: Path, *, bucket: str, count: int = 48) -> Path:
    """Like mails of one owner, all of them labelled the same way."""
    rows = [
        {
            "file": f"{number}.eml",
            "message": f"From: Kim <k{number}@plant{number}.example>\nTo: me@home.example\n"
            f"Subject: Turbine inspection {number}\n\n"
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.\n",
            "bucket": [bucket],
            "user": "me@home.example",
        }
        for number in range(count)
    ]
    folder.mkdir()
    listing = folder / "expected.jsonl"
    listing.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return listing


def test_a_habit_that_the_shipped_product_does_not_share_is_learned_from_twenty_answers(
    tmp_path: Path,
) -> None:
    found = measure(
        "plant", mails(read_labelled(mailbox(tmp_path / "plant", bucket="actionable"))), 20, rounds=2
    )
    assert found.before < 0.5 < found.after
    assert found.gain[1] <= found.gain[0] <= found.gain[2]
    assert found.constant == found.neighbour == 1


def test_what_is_scored_was_neither_corrected_nor_could_be_asked_about(tmp_path: Path) -> None:
    taught = mails(read_labelled(mailbox(tmp_path / "plant", bucket="actionable")))
    assert measure("plant", taught, 20, rounds=1).left == len(taught) // 3
    assert measure("plant", taught, 28, rounds=1).left == len(taught) - 28


def test_a_set_too_small_to_score_is_left_out_and_fewer_left_than_corrected_has_a_star(
    tmp_path: Path,
) -> None:
    mailbox(tmp_path / "few", bucket="urgent", count=29)
    mailbox(tmp_path / "many", bucket="informational", count=60)
    rows = list(measured(mailboxes(tmp_path), rounds=1))
    assert [(row.source, row.corrections) for row in rows] == [("many", 20), ("many", 40)]
    assert "| many | 40* | 20 |" in table(rows)


@pytest.mark.skipif(not DATA.is_dir(), reason="the sets by other hands are not here")
def test_no_source_by_other_hands_is_worse_for_being_corrected() -> None:
    for row in measured(mailboxes(DATA), rounds=4):
        assert row.gain[0] >= 0, row.source
