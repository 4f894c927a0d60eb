"""The rules for requests, indexed by the words that trigger them. Entries: `english`, `foreign`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from ahocorasick_rs import BytesAhoCorasick

from gaia_understanding.prepare.extract.request_rule import RequestRule
from gaia_understanding.prepare.extract.request_rules import FOREIGN, request_rules
from gaia_understanding.prepare.extract.spelling import space_out
from gaia_understanding.prepare.extract.wordlists import words


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIndex:
    """A table of rules indexed by their triggers; each rule has a bit, in order from the lowest.

    Attributes:
        rules: The rules by their bits.
        openings: The rules that a first word triggers.
        questions: The same in a sentence with a question mark.
        unmarked: The same in a sentence without one: rules for questions whose writer left it out.
        clauses: The same if a clause comes first.
        asking: The rules that any question mark triggers.
        anywhere: The rules, each with its hint, that a word in the sentence triggers.
        triggers: Words, one of which is in every sentence that asks without a question mark, except those that begin
            with one of `unmarked`.
        hints: The hints, each with the rules that it triggers, if hints are not indexed by their words.
        always: The rules that must be tried on every sentence.
    """

    rules: dict[int, RequestRule]
    openings: dict[str, int]
    questions: dict[str, int] = field(default_factory=dict[str, int])
    unmarked: dict[str, int] = field(default_factory=dict[str, int])
    clauses: dict[str, int] = field(default_factory=dict[str, int])
    asking: int = 0
    anywhere: dict[str, tuple[tuple[int, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[int, str], ...]]
    )
    triggers: frozenset[str] = frozenset()
    hints: tuple[tuple[int, str], ...] = ()
    always: int = 0
    _find: Callable[..., list[tuple[int, int, int]]] | None = None

    def hints_in(self, text: str) -> list[tuple[int, str]]:
        """Return those of `hints` that a text contains; all in one pass over it, as there may be hundreds."""
        if self._find is None:
            return []
        hits = self._find(text.encode("utf-8", "replace"), overlapping=True)
        return [self.hints[number] for number in sorted({number for number, _, _ in hits})]


_COMMON = words("i we you it is me us the a to of have be up your in")
"""Words too common to find a hint by."""


@cache
def english() -> RequestIndex:
    """Return the English table."""
    anywhere: dict[str, list[tuple[int, str]]] = {}
    openings: dict[str, int] = {}
    questions: dict[str, int] = {}
    unmarked: dict[str, int] = {}
    clauses: dict[str, int] = {}
    asking = 0
    table = request_rules("en")
    for number, rule in enumerate(table.rules):
        bit = 1 << number
        for hint in rule.hints:
            if hint == "?":
                asking |= bit
            else:
                anywhere.setdefault(_telling(hint), []).append((bit, hint))
        filed = questions if rule.kind == "question" else clauses if "when" in rule.firsts else openings
        if rule.unmarked:
            filed = unmarked
        for first in rule.firsts:
            filed[first] = filed.get(first, 0) | bit
    firsts = {space_out(first).split()[0] for first in (*openings, *table.parts["after_clause"].split("|"))}
    return RequestIndex(
        rules=_number_rules(table.rules),
        openings=openings,
        questions=questions,
        unmarked=unmarked,
        clauses=clauses,
        asking=asking,
        anywhere={word: tuple(hints) for word, hints in anywhere.items()},
        triggers=frozenset((*anywhere, *firsts)),
    )


@lru_cache(maxsize=32)
def foreign(language: str) -> RequestIndex:
    """Return the table of another language; of English and every other one if there is none for `language`."""
    if language in FOREIGN:
        table = request_rules(language).rules
    else:
        asking = [rule for one in FOREIGN for rule in request_rules(one).rules if "?" not in rule.hints]
        english_rules = request_rules("en").rules
        table = (*english_rules[:-2], *asking, *english_rules[-2:])
    openings: dict[str, int] = {}
    hints: dict[str, int] = {}
    always = 0
    for number, rule in enumerate(table):
        bit = 1 << number
        for hint in rule.hints:
            hints[hint] = hints.get(hint, 0) | bit
        for first in rule.firsts:
            openings[first] = openings.get(first, 0) | bit
        if not rule.hints and not rule.firsts:
            always |= bit
    return RequestIndex(
        rules=_number_rules(table),
        openings=openings,
        hints=tuple((rules, hint) for hint, rules in hints.items()),
        always=always,
        _find=BytesAhoCorasick([hint.encode() for hint in hints]).find_matches_as_indexes,
    )


def _number_rules(table: tuple[RequestRule, ...]) -> dict[int, RequestRule]:
    return {1 << number: rule for number, rule in enumerate(table)}


def _telling(hint: str) -> str:
    """Return the word of a hint that is rarest in mail; the last word counts only if it cannot be a part of one."""
    parts = space_out(hint).split()
    return max(
        parts[:-1] if parts[0] == "any" and len(parts) > 1 else parts,
        key=lambda word: (word not in _COMMON, len(word)),
    )
