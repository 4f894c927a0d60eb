"""Common first names, as data: by them `people` recognises a name in running text."""

from __future__ import annotations

from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_understanding.prepare.extract", "first_names.txt")

FIRST_NAMES = _TABLE.words("first_names")

ALSO_WORDS = _TABLE.words("also_words")
"""First names that are words or places too: in running text they count only with a surname after them."""
