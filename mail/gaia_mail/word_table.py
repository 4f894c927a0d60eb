"""Words and regular expressions read from text files in a package's `data/` folder: `WordTable`, `expressions`.

A section is a list with one entry per language (`any` for mixed languages):

    [greeting]
    en: hi hello dear
    de: hallo moin

In a section of expressions each line is one alternative, or several separated by `|`; a line with deeper indentation
continues the one above. `{greeting}` expands to all alternatives of that section.
"""

from __future__ import annotations

import re
from functools import cached_property

from gaia_email_registry.tables import read_table
from gaia_mail.lazy import pattern_of

_PART = re.compile(r"\{([a-z_]+)\}")


def expressions(text: str) -> list[str]:
    """Split an entry of expressions into its lines; a line with deeper indentation continues the one above."""
    return text.replace("\n  ", "").split("\n")


class WordTable:
    """The lists of one file, read on first use."""

    def __init__(self, package: str, name: str) -> None:
        """Use the file at path `name` in the `data/` folder of `package`."""
        self._file = (package, name)

    def titles(self) -> tuple[str, ...]:
        """Return the section titles in file order."""
        return tuple(self._table)

    def text(self, title: str) -> str:
        """Return the text of a section with all white space collapsed."""
        return " ".join(word for text in self._table[title].values() for word in text.split())

    def words(self, title: str) -> frozenset[str]:
        """Return the words of a section, separated by white space, as a set."""
        return frozenset(self.word_list(title))

    def word_list(self, title: str) -> tuple[str, ...]:
        """Return the words of a section in file order."""
        return tuple(self.text(title).split())

    def words_by_language(self, title: str) -> dict[str, frozenset[str]]:
        """Return the words of a section, separated by white space, for each language."""
        return {language: frozenset(text.split()) for language, text in self._table[title].items()}

    def phrases(self, title: str) -> tuple[str, ...]:
        """Return the phrases of a section in order; `;` separates them within a language, and `_` means a space."""
        listed = (phrase for text in self._table[title].values() for phrase in text.split(";"))
        return tuple(" ".join(phrase.split()).replace("_", " ") for phrase in listed if phrase.strip())

    def choices(self, title: str) -> tuple[str, ...]:
        """Return the lines of an expression section in order, with references expanded."""
        texts = self._table[title].values()
        return tuple(_PART.sub(self._part, line) for text in texts for line in expressions(text))

    def choice(self, title: str) -> str:
        """Return the alternatives of `choices` joined by `|`, for use inside a group."""
        return "|".join(self.choices(title))

    def pattern(self, title: str, before: str = "", after: str = "", *, flags: int = 0) -> re.Pattern[str]:
        """Return the section's expression between `before` and `after`, compiled on first use."""
        return pattern_of(lambda: f"{before}{self.choice(title)}{after}", flags)

    def _part(self, match: re.Match[str]) -> str:
        return self.choice(match[1])

    @cached_property
    def _table(self) -> dict[str, dict[str, str]]:
        return read_table(*self._file)
