"""One way to ask somebody for something, and how such ways are written down: `Rule`.

A rule is tried on a sentence in lower case with single spaces and straight apostrophes, after greetings and names
addressed have been taken off its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from gaia_email.extract.wordlists import words

RequestKind = Literal["question", "directive", "need", "courtesy", "promotion"]
Find = Callable[[str], re.Match[str] | None]


@dataclass(slots=True, kw_only=True)
class Rule:
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


def anywhere(kind: RequestKind, strength: float, hints: str, *phrases: str) -> Rule:
    """A rule about phrases anywhere in the sentence.

    In `hints` a `_` stands for a space and a `*` says that the word may go on.
    """
    needed = tuple(hint.replace("_", " ").rstrip("*") for hint in hints.split())
    source = r"\W(?:" + "|".join(phrases) + ")"
    return Rule(kind=kind, strength=strength, hints=needed, source=source)


def opening(kind: RequestKind, strength: float, *phrases: str, firsts: str = "") -> Rule:
    """A rule about how the sentence begins; `firsts` spares trying it where its first word is another."""
    source = " (?:" + "|".join(phrases) + ")"
    return Rule(kind=kind, strength=strength, hints=(), source=source, firsts=words(firsts))


def unmarked(kind: RequestKind, strength: float, *phrases: str, firsts: str) -> Rule:
    """A rule about how a sentence begins and ends that asks, though its writer left out the question mark."""
    source = " (?:" + "|".join(phrases) + r")\b[^?]{2,90}$"
    return Rule(kind=kind, strength=strength, hints=(), source=source, firsts=words(firsts), unmarked=True)
