"""Words and regular expressions that a text file in a package's `data/` folder lists: `WordTable`, `expressions`.

A section is a list, its entries are the languages (`any` where they are mixed):

    [greeting]
    en: hi hello dear
    de: hallo moin

In a section that is an expression each line is an alternative, or several with `|` between them; a line that is
indented further goes on with the one above. `{greeting}` stands for all alternatives of that section.
"""

from __future__ import annotations

import re
from functools import cached_property

from gaia_email_registry.tables import read_table
from gaia_mail.lazy import pattern_of

_PART = re.compile(r"\{([a-z_]+)\}")


def expressions(text: str) -> list[str]:
    """The lines of an entry that is an expression; one that is indented further goes on with the one above."""
    return text.replace("\n  ", "").split("\n")


class WordTable:
    """The lists of one file, which is read when one of them is first needed."""

    def __init__(self, package: str, name: str) -> None:
        """`name` is the file's path in the `data/` folder of `package`."""
        self._file = (package, name)

    def titles(self) -> tuple[str, ...]:
        """The sections in order."""
        return tuple(self._table)

    def text(self, title: str) -> str:
        """All of a section, as it is written but for its lines."""
        return " ".join(word for text in self._table[title].values() for word in text.split())

    def words(self, title: str) -> frozenset[str]:
        """The words of a section, separated by white space, to look them up in."""
        return frozenset(self.word_list(title))

    def word_list(self, title: str) -> tuple[str, ...]:
        """The same in order."""
        return tuple(self.text(title).split())

    def words_by_language(self, title: str) -> dict[str, frozenset[str]]:
        """The words of a section, separated by white space, of each language."""
        return {language: frozenset(text.split()) for language, text in self._table[title].items()}

    def phrases(self, title: str) -> tuple[str, ...]:
        """The phrases of a section in order, separated by `;` or the language they are in; `_` stands for a space."""
        listed = (phrase for text in self._table[title].values() for phrase in text.split(";"))
        return tuple(" ".join(phrase.split()).replace("_", " ") for phrase in listed if phrase.strip())

    def choices(self, title: str) -> tuple[str, ...]:
        """The lines of a section that is an expression, in order."""
        texts = self._table[title].values()
        return tuple(_PART.sub(self._part, line) for text in texts for line in expressions(text))

    def choice(self, title: str) -> str:
        """The same with `|` between them, to be put into an expression's brackets."""
        return "|".join(self.choices(title))

    def pattern(self, title: str, before: str = "", after: str = "", *, flags: int = 0) -> re.Pattern[str]:
        """The expression of a section, compiled when it is first used; `before` and `after` is what encloses it."""
        return pattern_of(lambda: f"{before}{self.choice(title)}{after}", flags)

    def _part(self, match: re.Match[str]) -> str:
        return self.choice(match[1])

    @cached_property
    def _table(self) -> dict[str, dict[str, str]]:
        return read_table(*self._file)
