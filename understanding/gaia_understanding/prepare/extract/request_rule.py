"""One way to ask for something, and its form in a table. Entries: `RequestRule`, `rule_of`.

A rule is tried on a sentence in lower case with single spaces and straight apostrophes, after greetings and
names addressed have been removed from its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

from gaia_understanding.prepare.extract.wordlists import words

RequestKind = Literal["question", "directive", "need", "courtesy", "promotion"]
_KINDS: dict[str, RequestKind] = {kind: kind for kind in get_args(RequestKind)}
Find = Callable[[str], re.Match[str] | None]


@dataclass(slots=True, kw_only=True)
class RequestRule:
    """One way to ask.

    Expressions see the sentence with one space before it: the search can then skip from word to word.

    Attributes:
        kind: The kind of request.
        strength: Roughly how often such a sentence really asks the reader for something.
        hints: Plain words of which the sentence must contain one; none for a rule about its beginning.
        firsts: Words of which the sentence must begin with one, if that is known.
        source: The regular expression that decides.
        unmarked: True for sentences that ask without a question mark, by their first words alone.
    """

    kind: RequestKind
    strength: float
    hints: tuple[str, ...]
    source: str
    firsts: frozenset[str] = frozenset()
    unmarked: bool = False
    _in_ascii: Find | None = field(default=None, init=False, repr=False, compare=False)
    _in_any: Find | None = field(default=None, init=False, repr=False, compare=False)

    def matches(self, sentence: str) -> bool:
        """Return True if the rule matches a normalized sentence with one space put before it.

        In ASCII text, an expression that need not know other letters and spaces is much quicker.
        """
        find = self._in_ascii if sentence.isascii() else self._in_any
        return (find or self._compile(ascii=sentence.isascii()))(sentence) is not None

    def _compile(self, *, ascii: bool) -> Find:
        pattern = re.compile(self.source, re.ASCII if ascii else re.UNICODE)
        find = pattern.search if self.hints else pattern.match
        if ascii:
            self._in_ascii = find
        else:
            self._in_any = find
        return find


_BEGINS, _ENDS = {"anywhere": r"\W(?:"}, {"unmarked": r")\b[^?]{2,90}$"}


def rule_of(title: str, said: str, *, hint: str, first: str) -> RequestRule:
    """Return a rule from its entry in a table.

    Args:
        title: The place, the kind and the strength. `anywhere` and, in scripts without spaces between words,
            `unspaced`: in the sentence, which contains a hint. `opening`: at its beginning. `unmarked`: it begins
            like this and ends without the question mark that its writer left out.
        said: The alternatives of the regular expression.
        hint: Plain words of which the sentence must contain one; `_` is a space.
        first: Words of which it must begin with one; trying others is spared.
    """
    place, kind, strength = title.split()
    return RequestRule(
        kind=_KINDS[kind],
        strength=float(strength),
        hints=tuple(one.replace("_", " ") for one in hint.split()),
        source=_BEGINS.get(place, " (?:") + said + _ENDS.get(place, ")"),
        firsts=words(first),
        unmarked=place == "unmarked",
    )
