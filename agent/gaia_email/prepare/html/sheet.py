"""Which rules of a document's own stylesheets apply to an element. Entry: `Sheet`.

Compound selectors of tags, classes, ids and attributes joined by descendant or child combinators are matched
here; a single compound with a structural pseudo-class is left to the parser's own matcher. Selectors that
depend on the pointer or that need siblings are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gaia_email.prepare.css import Declarations, StyleRule, parse_stylesheet
from gaia_mail.lazy import lazy_pattern

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_STEPS = 200_000
"""Ancestors looked at for one document; after that rules with combinators no longer apply."""

MAX_STRUCTURAL = 20

MAX_CACHED = 40_000
"""Characters of stylesheets that are remembered beyond their document."""

_SIMPLE = lazy_pattern(
    r"""([a-zA-Z][\w-]*|\*)|\.((?:[\w-]|[^\x00-\x7f]|\\.)+)|\#((?:[\w-]|[^\x00-\x7f]|\\.)+)"""
    r"""|\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*))\s*(?:[is]\s*)?)?\]"""
)
_STRUCTURAL = (":not(", ":nth-", ":first-", ":last-", ":only-", ":is(", ":where(", ":empty")

Ancestor = tuple[str, dict[str, str | None]]


class Compound(NamedTuple):
    """Tag, classes, id and attribute tests that one element has to pass."""

    tag: str
    classes: tuple[str, ...]
    id: str
    attributes: tuple[tuple[str, str, str], ...]

    def matches(self, tag: str, attrs: dict[str, str | None]) -> bool:
        """Whether an element passes."""
        if self.tag and self.tag != tag:
            return False
        if self.id and attrs.get("id") != self.id:
            return False
        if self.classes:
            own = (attrs.get("class") or "").split()
            if not all(name in own for name in self.classes):
                return False
        return all(_attribute(attrs, *test) for test in self.attributes)


class CompiledSelector(NamedTuple):
    """A selector made ready: the compound for the element itself, and those for its ancestors, nearest first."""

    order: tuple[int, int]
    target: Compound
    ancestors: tuple[tuple[str, Compound], ...]
    declarations: Declarations
    reveal: bool


def _attribute(attrs: dict[str, str | None], name: str, operator: str, wanted: str) -> bool:
    if name not in attrs:
        return False
    value = attrs[name] or ""
    match operator:
        case "":
            return True
        case "=":
            return value == wanted
        case "^=":
            return bool(wanted) and value.startswith(wanted)
        case "$=":
            return bool(wanted) and value.endswith(wanted)
        case "*=":
            return bool(wanted) and wanted in value
        case "~=":
            return wanted in value.split()
        case _:
            return value == wanted or value.startswith(wanted + "-")


def parse_compound(text: str) -> Compound | None:
    """One compound selector; None when it has a part that is not understood."""
    tag = identifier = ""
    classes: list[str] = []
    attributes: list[tuple[str, str, str]] = []
    at = 0
    while at < len(text):
        match = _SIMPLE.match(text, at)
        if match is None or match.end() == at:
            return None
        name, class_name, id_name, attribute, operator, *values = match.groups()
        if name:
            tag = "" if name == "*" else name.lower()
        elif class_name:
            classes.append(class_name.replace("\\", ""))
        elif id_name:
            identifier = id_name.replace("\\", "")
        else:
            wanted = next((value for value in values if value is not None), "")
            attributes.append((attribute.lower(), operator or "", wanted))
        at = match.end()
    return Compound(tag=tag, classes=tuple(classes), id=identifier, attributes=tuple(attributes))


def _tokens(selector: str) -> list[str]:
    if len(selector) > 300:
        return []
    if selector.isidentifier() or (selector[:1] == "." and selector[1:].isidentifier()):
        return [selector]
    selector = selector.replace(":root", "html").replace(":link", "").replace("::before", ":before")
    return re.sub(r"\s*>\s*", " > ", selector).split()


def prepare_rule(rule: StyleRule, number: int) -> CompiledSelector | None:
    """A rule made ready for matching; None when its selector is not understood."""
    compounds: list[Compound] = []
    joints: list[str] = []
    joint = " "
    for token in _tokens(rule.selector):
        if token == ">":
            joint = ">"
            continue
        compound = parse_compound(token)
        if compound is None or len(compounds) >= 12:
            return None
        compounds.append(compound)
        joints.append(joint)
        joint = " "
    if not compounds:
        return None
    ids = sum(1 for compound in compounds if compound.id)
    classes = sum(len(compound.classes) + len(compound.attributes) for compound in compounds)
    tags = sum(1 for compound in compounds if compound.tag)
    pairs = zip(reversed(joints[1:]), reversed(compounds[:-1]), strict=True)
    return CompiledSelector(
        order=(ids * 10_000 + classes * 100 + tags, number),
        target=compounds[-1],
        ancestors=tuple(pairs),
        declarations=rule.declarations,
        reveal=rule.reveal,
    )


class SelectorIndex:
    """Selectors by what they ask of the element itself; depends on the stylesheets' text alone.

    Attributes:
        by_class: Rules whose first class is the key.
        by_id: Rules that ask for an id.
        by_tag: The others, under `""` where any tag will do.
        simple: No rule looks at ancestors or other attributes.
        structural: Rules left to the parser, with their number.
    """

    __slots__ = ("by_class", "by_id", "by_tag", "simple", "structural")

    def __init__(self, texts: Sequence[str]) -> None:
        self.by_class: dict[str, list[CompiledSelector]] = {}
        self.by_id: dict[str, list[CompiledSelector]] = {}
        self.by_tag: dict[str, list[CompiledSelector]] = {}
        self.simple = True
        self.structural: list[tuple[StyleRule, int]] = []
        number = 0
        for text in texts:
            for rule in parse_stylesheet(text):
                number += 1
                ready = prepare_rule(rule, number)
                if ready is not None:
                    self._add(ready)
                elif any(mark in rule.selector for mark in _STRUCTURAL):
                    self.structural.append((rule, number))

    def _add(self, rule: CompiledSelector) -> None:
        target = rule.target
        if rule.ancestors or target.attributes:
            self.simple = False
        if target.id:
            self.by_id.setdefault(target.id, []).append(rule)
        elif target.classes:
            self.by_class.setdefault(target.classes[0], []).append(rule)
        else:
            self.by_tag.setdefault(target.tag, []).append(rule)


@lru_cache(maxsize=64)
def _cached_index(texts: tuple[str, ...]) -> SelectorIndex:
    return SelectorIndex(texts)


def index_of(texts: tuple[str, ...]) -> SelectorIndex:
    """The index of a document's stylesheets; those of ordinary size are remembered."""
    return _cached_index(texts) if sum(map(len, texts)) <= MAX_CACHED else SelectorIndex(texts)


class Sheet:
    """The stylesheets of one document.

    Attributes:
        simple: What applies to an element depends on its tag, class and id alone.
        used: There is any rule that can matter.
    """

    __slots__ = ("_index", "_steps", "_structural", "simple", "used")

    def __init__(self, texts: tuple[str, ...], tree: LexborHTMLParser) -> None:
        index = index_of(texts)
        self._index = index
        self._structural: dict[int, list[CompiledSelector]] = {}
        self._steps = 0
        for rule, order in index.structural[:MAX_STRUCTURAL]:
            self._ask_parser(rule, order, tree)
        self.simple = index.simple and not self._structural
        self.used = bool(index.by_class or index.by_id or index.by_tag or self._structural)

    def _ask_parser(self, rule: StyleRule, number: int, tree: LexborHTMLParser) -> None:
        if len(rule.selector) > 100 or re.search(
            r"[\s>+~]", re.sub(r"\([^()]*\)", "", rule.selector.strip())
        ):
            return
        from selectolax.lexbor import SelectolaxError

        everything = Compound(tag="", classes=(), id="", attributes=())
        applied = CompiledSelector(
            order=(100, number),
            target=everything,
            ancestors=(),
            declarations=rule.declarations,
            reveal=rule.reveal,
        )
        try:
            nodes = tree.css(rule.selector)
        except (SelectolaxError, ValueError):
            return
        for node in nodes:
            self._structural.setdefault(node.mem_id, []).append(applied)

    def matching(
        self,
        node: LexborNode,
        tag: str,
        attrs: dict[str, str | None],
        ancestors: Sequence[Ancestor],
    ) -> list[CompiledSelector]:
        """The rules that apply to an element, weakest first; `ancestors` runs from the root to the parent."""
        found = self._find(tag, attrs, ancestors)
        if self._structural:
            found += self._structural.get(node.mem_id, ())
            found.sort(key=_order)
        return found

    def _find(
        self, tag: str, attrs: dict[str, str | None], ancestors: Sequence[Ancestor]
    ) -> list[CompiledSelector]:
        candidates: list[CompiledSelector] = []
        candidates += self._index.by_tag.get(tag, ())
        candidates += self._index.by_tag.get("", ())
        class_names = attrs.get("class")
        if class_names:
            for name in dict.fromkeys(class_names.split()[:50]):
                candidates += self._index.by_class.get(name, ())
        identifier = attrs.get("id")
        if identifier:
            candidates += self._index.by_id.get(identifier, ())
        found = [rule for rule in candidates if self._applies(rule, tag, attrs, ancestors)]
        found.sort(key=_order)
        return found

    def _applies(
        self, rule: CompiledSelector, tag: str, attrs: dict[str, str | None], ancestors: Sequence[Ancestor]
    ) -> bool:
        if not rule.target.matches(tag, attrs):
            return False
        if not rule.ancestors:
            return True
        self._steps += 1
        at = len(ancestors) - 1
        for joint, compound in rule.ancestors:
            if joint == ">":
                if at < 0 or not compound.matches(*ancestors[at]):
                    return False
                at -= 1
                continue
            while at >= 0 and self._steps < MAX_STEPS and not compound.matches(*ancestors[at]):
                at -= 1
                self._steps += 1
            if at < 0 or self._steps >= MAX_STEPS:
                return False
            at -= 1
        return True


def _order(rule: CompiledSelector) -> tuple[int, int]:
    return rule.order


def declarations_of(rules: Iterable[CompiledSelector]) -> list[Declarations]:
    """What rules set outside of media queries that do not hold."""
    return [rule.declarations for rule in rules if not rule.reveal]


def revealed(rules: Iterable[CompiledSelector]) -> bool:
    """True when a media query would show the element elsewhere, as on a phone."""
    return any(
        rule.reveal and name == "display" and value != "none"
        for rule in rules
        for name, value, _ in rule.declarations.items
    )
