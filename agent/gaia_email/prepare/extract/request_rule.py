"""One way to ask somebody for something, and how a table says it: `RequestRule`, `rule_of`.

A rule is tried on a sentence in lower case with single spaces and straight apostrophes, after greetings and names
addressed have been taken off its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

from gaia_email.prepare.extract.wordlists import words

RequestKind = Literal["question", "directive", "need", "courtesy", "promotion"]
_KINDS: dict[str, RequestKind] = {kind: kind for kind in get_args(RequestKind)}
Find = Callable[[str], re.Match[str] | None]


@dataclass(slots=True, kw_only=True)
class RequestRule:
    """One way to ask.

    Expressions see the sentence with one space before it: the search can then skip from word to word.

    Attributes:
        kind: What asking of this kind is called.
        strength: Roughly how often such a sentence really asks the reader for something.
        hints: Plain words one of which the sentence must hold; none for a rule about its beginning.
        firsts: Words one of which the sentence must begin with, where that is known.
        source: The regular expression that decides.
        unmarked: Whether it is for sentences that ask without a question mark, by their first words alone.
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
        """Whether the rule matches a normalized sentence with one space put before it.

        In ASCII text letters and spaces are told much more quickly where the expression need not know any others.
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
    """A rule as a table has it.

    Args:
        title: Where the sentence says so, the kind and the strength. `anywhere` and, in scripts without spaces between
            words, `unspaced`: in the sentence, which holds a hint. `opening`: at its beginning. `unmarked`: it begins
            so and ends without the question mark that its writer left out.
        said: The alternatives of the regular expression.
        hint: Plain words one of which the sentence must hold; `_` stands for a space.
        first: Words one of which it must begin with; trying others is spared.
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
