"""Word lists written as running text, and tables in `data/`. Entries: `wordset`, `phrase_list`, `lines_of`.

A list of a hundred words is read more easily as text than as a hundred quoted strings.
"""

from __future__ import annotations

from importlib.resources import files


def wordset(text: str) -> frozenset[str]:
    """The words of `text`, separated by white space."""
    return frozenset(text.split())


def word_list(text: str) -> tuple[str, ...]:
    """The words of `text` in order."""
    return tuple(text.split())


NUMBER_WORDS = word_list("one two three four five six seven eight nine ten eleven twelve")
"""Numbers as English writes them out, from one on."""


def phrase_list(text: str) -> tuple[str, ...]:
    """The phrases of `text` in order, separated by `;`."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(";") if phrase.strip())


def lines_of(name: str) -> list[str]:
    """The lines of a table in `data/`, without comments (`# `) and empty ones."""
    text = files("gaia_email.cascade").joinpath("data", name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]
