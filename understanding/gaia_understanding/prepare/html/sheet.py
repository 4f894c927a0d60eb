"""Apply a document's own stylesheets to its elements. Entry: `Sheet`.

The parser finds the elements that pass a compound selector: tag, classes, id, attributes, structural
pseudo-classes. This module follows the combinators between compounds, because the parser takes exponential
time for them on nested elements. Selectors that depend on the pointer or that need siblings are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.css import StyleRule, parse_stylesheet

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_STEPS = 200_000
"""The ancestors examined for one document; after that, rules with combinators no longer apply."""

MAX_COST = 40_000_000
"""The tags that the parser examines for one document, over all compounds (about a second).

Further compounds match nothing.
"""

TAG_CHARS = 16
"""The characters of markup that count as a tag: long attributes are searched, too."""

SQUARED = 32
"""The pairs of tags that cost one.

`:nth-child` counts the siblings of each element, `:not(a b)` follows its ancestors.
"""

MAX_MATCHES = 500_000
"""The pairs of an element and a rule for one document; further rules do not apply."""

MAX_SELECTOR, MAX_COMPOUNDS = 300, 12

MAX_CACHED = 40_000
"""The characters of stylesheets that are cached beyond their document."""

_ATTRIBUTE = r"""\[[^\]"']*+(?:"[^"]*+"|'[^']*+')?+[^\]"']*+\]"""
_PSEUDO = r":(?:root|link|empty|(?:first|last|only)-[a-z-]+|nth-[a-z-]+\([a-z\d\s+-]*+\))"
_PART = rf"(?>\*|[.#]?(?:[\w-]|[^\x00-\x7f]|\\.)++|{_ATTRIBUTE}|{_PSEUDO})"
_INSIDE = rf"\s*+{_PART}++(?:(?:\s*+>\s*+|\s++){_PART}++)?\s*+"
_COMPOUND = lazy_pattern(rf"(?>{_PART}|:(?:not|is|where)\({_INSIDE}\))++")
_COMBINATOR = lazy_pattern(r"\s*+(>)\s*+|\s++")
_COUNTING = lazy_pattern(r":nth-|-of-type|[\w\])][\s>]")
_WEIGHTLESS = lazy_pattern(rf"({_ATTRIBUTE})|\\.|:(?:not|is|where)\(")

Steps = tuple[tuple[str, frozenset[int]], ...]
"""For each compound of ancestors, nearest first: the combinator, and the elements that pass."""


class Selector(NamedTuple):
    """A rule, its place in the cascade, and its conditions on the element and on ancestors, nearest first."""

    order: tuple[int, int]
    rule: StyleRule
    target: str
    ancestors: tuple[tuple[str, str], ...]


def _selector(rule: StyleRule, number: int) -> Selector | None:
    """Return a rule prepared for matching; None if its selector is not supported."""
    text = rule.selector
    compounds: list[str] = []
    joints: list[str] = []
    at = 0
    while len(text) <= MAX_SELECTOR and len(compounds) < MAX_COMPOUNDS:
        compound = _COMPOUND.match(text, at)
        if compound is None:
            return None
        compounds.append(compound.group())
        if compound.end() == len(text):
            ancestors = tuple(zip(reversed(joints), reversed(compounds[:-1]), strict=True))
            return Selector((_specificity(compounds), number), rule, compounds[-1], ancestors)
        joint = _COMBINATOR.match(text, compound.end())
        if joint is None:
            return None
        joints.append(joint.group(1) or " ")
        at = joint.end()
    return None


def _specificity(compounds: list[str]) -> int:
    plain = [_WEIGHTLESS.sub(lambda match: "[" if match.group(1) else "", one) for one in compounds]
    ids = sum(one.count("#") for one in plain)
    classes = sum(one.count(mark) for one in plain for mark in ".[:")
    return ids * 10_000 + classes * 100 + sum(one[:1].isalpha() for one in plain)


def _selectors(texts: tuple[str, ...]) -> tuple[Selector, ...]:
    """Return the supported selectors of the stylesheets, weakest first."""
    rules = [rule for text in texts for rule in parse_stylesheet(text)]
    found = (_selector(rule, number) for number, rule in enumerate(rules))
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.order))


_cached_selectors = lru_cache(maxsize=64)(_selectors)


class Sheet:
    """The stylesheets of one document.

    Attributes:
        simple: True if no rule has conditions on ancestors.
        used: True if a rule applies to some element.
    """

    __slots__ = ("_cost", "_passing", "_rules", "_size", "_steps", "_tags", "_tree", "simple", "used")

    def __init__(self, texts: tuple[str, ...], tree: LexborHTMLParser, html: str) -> None:
        self._tree = tree
        self._tags = html.count("<")
        self._size = max(self._tags, len(html) // TAG_CHARS)
        self._cost = self._steps = 0
        self._passing: dict[str, frozenset[int]] = {}
        self._rules: dict[int, list[tuple[StyleRule, Steps]]] = {}
        self.simple = True
        selectors = _cached_selectors if sum(map(len, texts)) <= MAX_CACHED else _selectors
        matches = 0
        for selector in selectors(texts):
            nodes = self._find(selector.target)
            if not nodes:
                continue
            steps = tuple([(joint, self._find(compound)) for joint, compound in selector.ancestors])
            matches += len(nodes)
            if matches > MAX_MATCHES:
                break
            if not all(passing for _, passing in steps):
                continue
            self.simple = self.simple and not steps
            # One for all elements: the garbage collector would go through each of a million.
            applied = (selector.rule, steps)
            for node in nodes:
                self._rules.setdefault(node, []).append(applied)
        self.used = bool(self._rules)

    def _find(self, compound: str) -> frozenset[int]:
        """Return the elements that pass a compound, by the parser's numbers."""
        known = self._passing.get(compound)
        if known is not None:
            return known
        cost = self._size + len(_COUNTING.findall(compound)) * self._tags * self._tags // SQUARED
        found = frozenset[int]()
        if self._cost + cost <= MAX_COST:
            self._cost += cost
            found = self._ask(compound)
        self._passing[compound] = found
        return found

    def _ask(self, compound: str) -> frozenset[int]:
        from selectolax.lexbor import SelectolaxError

        try:
            return frozenset([node.mem_id for node in self._tree.css(compound)])
        except (SelectolaxError, ValueError):
            return frozenset()

    def matching(self, node: LexborNode, ancestors: Sequence[int]) -> list[StyleRule]:
        """Return the rules that apply to an element, weakest first; `ancestors` runs from the root to the parent."""
        found = self._rules.get(node.mem_id, ())
        return [rule for rule, steps in found if not steps or self._is_below(steps, ancestors)]

    def _is_below(self, steps: Steps, ancestors: Sequence[int]) -> bool:
        self._steps += 1
        at = len(ancestors) - 1
        for joint, passing in steps:
            if joint == " ":
                while at >= 0 and self._steps < MAX_STEPS and ancestors[at] not in passing:
                    at -= 1
                    self._steps += 1
            if at < 0 or self._steps >= MAX_STEPS or ancestors[at] not in passing:
                return False
            at -= 1
        return True
