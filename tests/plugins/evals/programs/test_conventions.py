"""Defaults are chosen without the source they are scored on, and what is usual wins a tie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.conventions import gains, left_out, mails
from evals.learning import DATA


def bills(folder: Path, bucket: str) -> Path:
    row = {
        "file": "1.eml",
        "message": "From: Kim <kim@inn.example>\nTo: me@home.example\nSubject: Invoice 2026-114\n\n"
        "Hello, please find the invoice for your stay attached. The amount due is 310.00 EUR.\n",
        "bucket": [bucket],
        "user": "me@home.example",
    }
    folder.mkdir()
    listing = folder / "expected.jsonl"
    listing.write_text(json.dumps(row), encoding="utf-8")
    return listing


def test_a_source_has_no_say_in_the_default_it_is_scored_with(tmp_path: Path) -> None:
    wants = {"one": "urgent", "two": "urgent", "three": "low_priority"}
    sources = {name: mails(bills(tmp_path / name, bucket)) for name, bucket in wants.items()}
    chosen = left_out(gains(sources, "bills"))
    assert chosen["three"] == ("urgent", 0.0)
    assert chosen["one"][0] in ("as-judged", "urgent")
    assert gains(sources, "bills")["low_priority"]["three"] > 0


def test_what_is_usual_wins_a_tie() -> None:
    assert left_out({"as-judged": {"a": 0.0, "b": 0.0}, "urgent": {"a": 0.0, "b": 0.0}}) == {
        "a": ("as-judged", 0.0),
        "b": ("as-judged", 0.0),
    }


@pytest.mark.skipif(not DATA.is_dir(), reason="the sets by other hands are not here")
def test_no_bucket_set_for_a_kind_beats_the_verdict_on_the_mean_of_sources_by_other_hands() -> None:
    sources = {listing.parent.name: mails(listing) for listing in sorted(DATA.glob("*/expected.jsonl"))}
    for name in ("bills", "undated-business", "alarming-fyi"):
        means = {setting: sum(found.values()) for setting, found in gains(sources, name).items()}
        assert max(means, key=means.__getitem__) in ("as-judged", "actionable"), name
        assert max(means.values()) <= 1.0
