"""One way to ask somebody for something, and how such ways are written down: `Rule`.

A rule is tried on a sentence in lower case with single spaces and straight apostrophes, after greetings and names
addressed have been taken off its beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gaia_email.extract.wordlists import words

RequestKind = Literal["question", "directive", "need", "courtesy", "promotion"]


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def matches(self, sentence: str) -> bool:
        """Whether the rule matches a normalized sentence with one space put before it.

        In ASCII text letters and spaces are told much more quickly where the expression need not know any others.
        """
        pattern = _compiled(self.source, re.ASCII if sentence.isascii() else re.UNICODE)
        return (pattern.search(sentence) if self.hints else pattern.match(sentence)) is not None


@cache
def _compiled(source: str, flag: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(source, flag)


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
