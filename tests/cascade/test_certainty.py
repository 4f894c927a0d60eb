"""How a confidence is stated: never as certainty, and as a guess where it is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gaia_understanding.cascade.wording.certainty import cap_confidence, in_words

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, "99 % sure"),
        (0.997, "99 % sure"),
        (0.97, "97 % sure"),
        (0.8, "80 % sure"),
        (0.794, "probably (79 %)"),
        (0.6, "probably (60 %)"),
        (0.2, "probably (20 %)"),
    ],
)
def test_a_confidence_in_words(value: float, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(("value", "stated"), [(1.0, 0.99), (0.995, 0.99), (0.984, 0.98), (0.0, 0.0)])
def test_a_confidence_for_programs_stays_below_one(value: float, stated: float) -> None:
    assert cap_confidence(value) == stated


def test_no_interface_puts_a_confidence_into_words_of_its_own() -> None:
    """One function says it, so that no screen speaks of 100 %."""
    sources = [path.read_text("utf-8") for path in (ROOT / "agent" / "gaia_email").rglob("*.py")]
    own = re.compile(r"confidence:[^}\s]*%\}|confidence \* 100|100 \* [\w.]*confidence")
    assert not [match[0] for source in sources for match in own.finditer(source)]
    assert sum("in_words(" in source for source in sources) >= 6
