"""The tables of words in `data/`: every section is read, and what folded text is compared with is folded."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from gaia_email_registry.tables import read_table
from tests.architecture.trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "gaia_understanding.prepare": "understanding/gaia_understanding/prepare",
    "gaia_understanding.prepare.extract": "understanding/gaia_understanding/prepare/extract",
    "gaia_understanding.cascade": "understanding/gaia_understanding/cascade",
    "gaia_mail": "mail/gaia_mail",
}
OWN_READERS = re.compile(
    r"dates\.txt|requests/.*|lexicon/.*|(?:brands|confusables|planned_work|free_mail|shared_hosts)\.txt"
)
"""Tables whose readers know no `WordTable`; they have tests of their own."""
TITLES_ARE_DATA = {"boilerplate.txt"}
"""Tables whose titles are themselves looked for in mail."""
NAMED_BY_KIND = ("quotes.txt: header_", "labels.txt: folder_", "labels.txt: takeout_")
"""Sections whose titles are put together where they are read."""
FOLDED = ("quotes.txt", "signatures.txt", "boilerplate.txt", "first_names.txt", "labels.txt")
"""Tables of what is compared with text that has been case-folded."""


def tables() -> list[tuple[str, str]]:
    """The package and name of every table that is read as a `WordTable`."""
    return [
        (package, name)
        for package, folder in PACKAGES.items()
        for path in sorted((ROOT / folder / "data").rglob("*.txt"))
        if not OWN_READERS.fullmatch(name := path.relative_to(ROOT / folder / "data").as_posix())
    ]


@cache
def strings_in(package: str) -> frozenset[str]:
    return frozenset(
        node.value
        for path in (ROOT / PACKAGES[package]).rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def test_every_table_and_every_section_of_it_is_read() -> None:
    assert len(tables()) > 20
    unread: list[str] = []
    for package, name in tables():
        strings = strings_in(package)
        if name not in strings:
            unread.append(name)
        if name in TITLES_ARE_DATA:
            continue
        table = read_table(package, name)
        parts = re.findall(
            r"{([a-z_]+)}", "\n".join(text for texts in table.values() for text in texts.values())
        )
        unread += [f"{name}: {title}" for title in table.keys() - strings - set(parts)]
    assert not [one for one in unread if not one.startswith(NAMED_BY_KIND)]


def test_what_is_compared_with_folded_text_is_folded() -> None:
    for package, name in tables():
        if name in FOLDED:
            table = read_table(package, name)
            text = "\n".join(text for texts in table.values() for text in texts.values())
            plain = re.sub(r"\\.", "", text)
            assert plain == plain.casefold(), name
