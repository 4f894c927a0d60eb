"""Letters that look like other letters, for the skeleton of a name (the idea of UTS #39). Entry: `skeleton`.

The table is `data/confusables.txt`, loaded when the first name is compared.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from gaia_email_registry.tables import read_lines

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN")
_BEYOND_LATIN = "\u0370"
"""The first letter beyond the Latin alphabet."""
_SEQUENCES = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("ii", "u"))


@lru_cache(maxsize=1)
def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for line in read_lines("gaia_understanding.cascade", "confusables.txt"):
        letter, _, others = line.partition(" ")
        for other in others:
            table.setdefault(ord(other), letter)
    return table


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return `name` with every letter replaced by the plain Latin one it resembles; equal skeletons look alike.

    `i` and `l` become the same, as do `rn` and `m`, `vv` and `w`, `cl` and `d`.
    """
    plain = unicodedata.normalize("NFKC", name[:253]).lower().translate(_table())
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFD", plain)
        plain = "".join(char for char in decomposed if not unicodedata.combining(char)).translate(_table())
    for pair, single in _SEQUENCES:
        plain = plain.replace(pair, single)
    return plain.replace("i", "l")


def mixes_scripts(name: str) -> bool:
    """Return True if a word mixes Latin letters with those of another alphabet that has look-alikes."""
    if name.isascii() or max(name) < _BEYOND_LATIN:
        return False
    for word in name.split():
        scripts = {
            script
            for char in word[:64]
            if char.isalpha()
            for script in _SCRIPTS
            if unicodedata.name(char, "").startswith(script)
        }
        if "LATIN" in scripts and len(scripts) > 1:
            return True
    return False
