"""The word lists of the cascade: feature → language → phrases. Entries: `table`, `tables`.

They are `data/lexicon/*.txt`: a section a feature, an entry a language with its phrases, separated by `;`. Phrases are
folded (see `phrases.fold`). A feature's name says what seeing one of its phrases suggests, and is used by one rule file
only where possible.
"""

from __future__ import annotations

from functools import cache

from gaia_email.cascade.phrases import Table
from gaia_email_registry.tables import read_lines, read_table

_PACKAGE = "gaia_email.cascade"

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
    """One list, read when it is first asked for."""
    return read_table(_PACKAGE, f"lexicon/{name}.txt")


def tables() -> tuple[Table, ...]:
    """Every list."""
    return tuple(map(table, NAMES))


@cache
def planned_work() -> frozenset[str]:
    """Phrases of `no_hurry` that announce work on a system."""
    return frozenset(read_lines(_PACKAGE, "planned_work.txt"))
