"""INVARIANTS.md names a test for each promise, ARCHITECTURE.md the files of the map; all of them exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_invariant_names_tests_that_exist() -> None:
    text = (ROOT / "INVARIANTS.md").read_text(encoding="utf-8")
    invariants = re.findall(r"^\d+\. ", text, flags=re.MULTILINE)
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(invariants) >= 6
    assert len(named) >= len(invariants)
    for file, test in named:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"def {test}\b", source), f"{file}::{test}"


def test_every_path_the_map_names_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:agent|registry|servers|tests|docs|tools|benchmarks)/[\w/.]*)`", text)
    assert len(paths) > 10
    for path in paths:
        assert (ROOT / path).exists(), path
