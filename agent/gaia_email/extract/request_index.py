"""The English rules for requests, filed by the words that call for them. Entry: `english`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from gaia_email.extract.request_rules import AFTER_CLAUSE, ENGLISH, RequestKind
from gaia_email.extract.view import spaced
from gaia_email.extract.wordlists import words


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIndex:
    """A table of rules filed by the words that call for them; a rule is known by a bit, in order from the lowest.

    Attributes:
        rules: How a rule matches, its kind and its strength.
        triggers: Words one of which stands in every sentence that asks without a question mark.
        words: Those of them that count wherever they stand.
        anywhere: The rules, each with its hint, that a word in the sentence calls for.
        openings: The rules a first word calls for.
        questions: The same for rules that need a question mark.
        clauses: The same for rules that need a clause first.
        asking: The rules that any question mark calls for.
    """

    rules: dict[int, tuple[Callable[[str], re.Match[str] | None], RequestKind, float]]
    triggers: frozenset[str]
    words: frozenset[str]
    anywhere: dict[str, tuple[tuple[int, str], ...]]
    openings: dict[str, int]
    questions: dict[str, int]
    clauses: dict[str, int]
    asking: int


_COMMON = words("i we you it is me us the a to of have be up your in")
"""Words that say too little to look for a hint by them."""


@cache
def english() -> RequestIndex:
    """The English table; its expressions are compiled when it is first asked for."""
    anywhere: dict[str, list[tuple[int, str]]] = {}
    openings: dict[str, int] = {}
    questions: dict[str, int] = {}
    clauses: dict[str, int] = {}
    asking = 0
    for number, rule in enumerate(ENGLISH):
        bit = 1 << number
        for hint in rule.hints:
            if hint == "?":
                asking |= bit
            else:
                anywhere.setdefault(_telling(hint), []).append((bit, hint))
        filed = questions if rule.kind == "question" else clauses if "when" in rule.firsts else openings
        for first in rule.firsts:
            filed[first] = filed.get(first, 0) | bit
    firsts = {spaced(first).split()[0] for first in (*openings, *AFTER_CLAUSE)}
    return RequestIndex(
        rules={
            1 << number: (rule.compiled(), rule.kind, rule.strength) for number, rule in enumerate(ENGLISH)
        },
        triggers=frozenset((*anywhere, *firsts)),
        words=frozenset(anywhere),
        anywhere={word: tuple(hints) for word, hints in anywhere.items()},
        openings=openings,
        questions=questions,
        clauses=clauses,
        asking=asking,
    )


def _telling(hint: str) -> str:
    """The word of a hint that is rarest in mail; its last word may go on, so that does not count where it can."""
    parts = spaced(hint).split()
    return max(
        parts[:-1] if parts[0] == "any" and len(parts) > 1 else parts,
        key=lambda word: (word not in _COMMON, len(word)),
    )
