"""Search a text for a few literals in one pass, before a pattern that needs one of them. Entry: `Literals`.

Testing one literal after the other costs as much as the pattern that they are to spare.
"""

from __future__ import annotations

from collections.abc import Callable

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from gaia_mail.word_table import WordTable

Find = Callable[[bytes], list[tuple[int, int, int]]]


class Literals:
    """Some hundred literals at most; the automaton is built at the first search."""

    __slots__ = ("_find", "_literals")

    def __init__(self, *literals: str) -> None:
        self._literals: Callable[[], tuple[str, ...]] = lambda: literals
        self._find: Find | None = None

    @classmethod
    def from_table(cls, table: WordTable, title: str) -> Literals:
        """Return the literals of a section, which is read at the first search."""
        literals = cls()
        literals._literals = lambda: table.phrases(title)
        return literals

    def stand_in(self, text: str) -> bool:
        """Return True if a text contains one of them."""
        find = self._find
        if find is None:
            octets = [literal.encode() for literal in self._literals()]
            find = self._find = BytesAhoCorasick(
                octets, implementation=Implementation.DFA
            ).find_matches_as_indexes
        return bool(find(text.encode("utf-8", "surrogatepass")))


class LiteralScanner:
    """A few literals of at least three bytes, none of which contains another; finds each occurrence."""

    __slots__ = ("_find", "_literals")

    def __init__(self, *literals: bytes) -> None:
        self._literals = literals
        self._find: Find | None = None

    def found_in(self, data: bytes) -> list[bytes]:
        """Return the literals in `data`, in order, once per occurrence; long data is mostly skipped."""
        find = self._find
        if find is None:
            find = self._find = BytesAhoCorasick(
                self._literals, implementation=Implementation.DFA, matchkind=MatchKind.LeftmostFirst
            ).find_matches_as_indexes
        return [self._literals[number] for number, _, _ in find(data)]
