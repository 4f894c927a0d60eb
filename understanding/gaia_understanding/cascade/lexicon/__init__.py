"""The word lists of the cascade: feature → language → phrases. Entries: `table`, `tables`.

The lists are `data/lexicon/*.txt`: a section per feature, an entry per language with its phrases, separated
by `;`. Phrases are folded (see `phrases.fold`). A feature is named after what its phrases suggest and, if
possible, used by only one rule file.
"""

from __future__ import annotations

from functools import cache

from gaia_email_registry.tables import read_lines, read_table
from gaia_understanding.cascade.phrases import Table

_PACKAGE = "gaia_understanding.cascade"

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
"""The lists, in the order in which their phrases are indexed."""


@cache
def table(name: str) -> Table:
    """Return one list, read when it is first asked for."""
    return read_table(_PACKAGE, f"lexicon/{name}.txt")


def tables() -> tuple[Table, ...]:
    """Return every list."""
    return tuple(map(table, NAMES))


@cache
def planned_work() -> frozenset[str]:
    """Return the phrases of `no_hurry` that announce work on a system."""
    return frozenset(read_lines(_PACKAGE, "planned_work.txt"))
