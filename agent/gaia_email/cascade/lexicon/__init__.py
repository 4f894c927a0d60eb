"""The word lists of the cascade: feature → language → phrases. Entries: `table`, `tables`.

They are `data/lexicon/*.txt`: `[feature]`, then a line a language with its phrases, separated by `;`, which goes on in
lines that are indented. Phrases are folded (see `phrases.fold`). A feature's name says what seeing one of its phrases
suggests, and is used by one rule file only where possible.
"""

from __future__ import annotations

from functools import cache

from gaia_email.cascade.phrases import Table
from gaia_email.cascade.tables import lines_of

NAMES = (
    "acts",
    "alerts",
    "assistant",
    "categories",
    "deception",
    "orders",
    "solicitation",
    "spam",
    "tone",
)
"""The lists, in the order in which their phrases are filed."""


@cache
def table(name: str) -> Table:
    """One list, read when it is first asked for.

    Raises:
        ValueError: A line of it is neither a feature, nor a language, nor goes on with one.
    """
    found: dict[str, dict[str, str]] = {}
    phrases: dict[str, str] = {}
    language = ""
    for line in lines_of(f"lexicon/{name}.txt"):
        if line.startswith("[") and line.endswith("]"):
            phrases = found.setdefault(line[1:-1], {})
            language = ""
        elif line.startswith("  ") and language:
            phrases[language] += f" {line.strip()}"
        else:
            language, colon, first = line.partition(": ")
            if not colon or not found or language in phrases:
                raise ValueError(f"{name}.txt: {line[:60]!r} is no line of a word list")
            phrases[language] = first
    return found


def tables() -> tuple[Table, ...]:
    """Every list."""
    return tuple(map(table, NAMES))


@cache
def planned_work() -> frozenset[str]:
    """Phrases of `no_hurry` that announce work on a system."""
    return frozenset(lines_of("planned_work.txt"))
