"""INVARIANTS.md names a test for each promise, ARCHITECTURE.md the files of the map; all of them exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plugins.bundled import is_left_out

ROOT = Path(__file__).resolve().parents[2]


def test_every_invariant_names_tests_that_exist() -> None:
    text = (ROOT / "INVARIANTS.md").read_text(encoding="utf-8")
    invariants = re.findall(r"^\d+\. ", text, flags=re.MULTILINE)
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(invariants) >= 6
    assert len(named) >= len(invariants)
    for file, test in named:
        if is_left_out(file):
            continue
        source = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"def {test}\b", source), f"{file}::{test}"


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_the_map_and_the_recipes_name_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = re.findall(
        r"`((?:agent|benchmarks|docs|evals|mail|registry|servers|tests|tools)/[\w/.]*)[`:]", text
    )
    assert len(paths) > 10
    for path in paths:
        assert "NAME" in path or (ROOT / path).exists(), path


def test_every_step_of_a_recipe_names_where_it_happens() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = re.findall(r"^## Add a (command|tool|rule)$(.*?)(?=^## )", text, flags=re.MULTILINE | re.DOTALL)
    assert [name for name, _ in recipes] == ["command", "tool", "rule"]
    for name, recipe in recipes:
        steps = re.split(r"^\d+\. ", recipe, flags=re.MULTILINE)[1:]
        assert len(steps) >= 5
        assert all("`" in step for step in steps), name
