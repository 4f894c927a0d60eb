"""One pass over the nodes of an HTML mail. Entry: `Walk`.

Every text node goes to one of two places, by the `TextStyle` of its element: the layout that a reader sees,
or the runs of hidden text. The pass also notes links, trackers and the places at which quotes may begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_understanding.prepare.css import NOTHING, Declarations, StyleRule, parse_declarations
from gaia_understanding.prepare.html import elements
from gaia_understanding.prepare.html.conventions import ConventionKind, is_outlook_rule, mark_of
from gaia_understanding.prepare.html.findings import Attributes, HtmlFindings
from gaia_understanding.prepare.html.layout import BLANK, LINE, TAB
from gaia_understanding.prepare.html.presentation import RELEVANT, presentational
from gaia_understanding.prepare.html.sheet import Sheet
from gaia_understanding.prepare.html.style import ROOT, TextStyle, derive, hide, with_pre

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_NODES = 300_000

_BLOCKS = """
address article aside body center dd details dialog dir div dl dt fieldset figcaption footer form
header hgroup html legend li main menu nav option optgroup search section summary table tbody tfoot
thead tr caption blockquote
"""
_PARAGRAPHS = "p h1 h2 h3 h4 h5 h6 ul ol pre figure listing"
LEVELS: dict[str, int] = {
    **dict.fromkeys(_BLOCKS.split(), LINE),
    **dict.fromkeys(_PARAGRAPHS.split(), BLANK),
    "td": TAB,
    "th": TAB,
}
"""The break at both edges of an element; elements that are not listed run on in the line."""

Closer = tuple[str, int, int, str]
"""The work when an element closes: `link` (start, descriptions so far, address), `region` (number) or `list`."""

Frame = tuple["LexborNode", TextStyle, int, Closer | None]


def _reveals(rule: StyleRule) -> bool:
    """Return True if a media query would show the element elsewhere, as on a phone."""
    return rule.reveal and any(
        name == "display" and value != "none" for name, value, _ in rule.declarations.items
    )


class Walk:
    """The state of the pass.

    Attributes:
        found: The findings so far.
        full: True if the document had more nodes than are read.
    """

    __slots__ = ("_ancestors", "_layout", "_lists", "_sheet", "found", "full")

    def __init__(self, sheet: Sheet | None) -> None:
        self.found = HtmlFindings()
        self.full = False
        self._sheet = sheet
        self._layout = self.found.layout
        self._ancestors: list[int] | None = None if sheet is None or sheet.simple else []
        self._lists: list[int] = []

    def run(self, first: LexborNode | None, state: TextStyle = ROOT) -> None:
        """Read `first`, its following siblings and all of their content; without recursion, however deep."""
        node = first
        stack: list[Frame] = []
        found, layout, ancestors = self.found, self.found.layout, self._ancestors
        text, enter, atoms = layout.text, self._enter, elements.ATOMS
        for _ in range(MAX_NODES):
            if node is None:
                return
            tag = node.tag
            if tag == "-text":
                if state.cause:
                    found.runs.add(state.cause, node.text_content or "")
                elif state.pre:
                    layout.add_pre(node.text_content or "")
                else:
                    text(node.text_content or "")
            elif tag in atoms:
                elements.read_atom(found, node, tag, state)
            elif tag is not None:
                inner, level, closer = enter(node, tag, state)
                child = node.first_child
                if child is not None:
                    stack.append((node, state, level, closer))
                    state = inner
                    node = child
                    continue
                self._leave(level, closer)
            following = node.next
            while following is None and stack:
                node, state, level, closer = stack.pop()
                if closer is not None or ancestors is not None:
                    self._leave(level, closer)
                elif layout.pending < level:
                    layout.pending = level
                following = node.next
            node = following
        self.full = node is not None

    def _enter(self, node: LexborNode, tag: str, state: TextStyle) -> tuple[TextStyle, int, Closer | None]:
        attrs = node.attributes
        inner, level, special = self._look(node, tag, attrs, state)
        if self._ancestors is not None:
            self._ancestors.append(node.mem_id)
        self._edge(level, inner)
        return inner, level, self._open(tag, attrs, inner) if special else None

    def _edge(self, level: int, inner: TextStyle) -> None:
        """Begin an element."""
        if level:
            if inner.cause:
                self.found.runs.gap()
            elif self._layout.pending < level:
                self._layout.pending = level

    def _look(
        self, node: LexborNode, tag: str, attrs: Attributes, state: TextStyle
    ) -> tuple[TextStyle, int, bool]:
        """Return the state inside an element, the break around it, and True if it needs special treatment."""
        inner = state
        if attrs or self._sheet is not None:
            inner = self._style(node, tag, attrs, state)
        if tag in elements.UNSHOWN:
            inner = hide(inner, elements.UNSHOWN[tag])
        elif tag == "dialog" and "open" not in attrs:
            inner = hide(inner, "dialog")
        elif tag == "pre":
            inner = with_pre(inner)
        level = LEVELS.get(tag, 0)
        if tag == "p" and "Mso" in (attrs.get("class") or ""):
            level = LINE
        style = attrs.get("style")
        special = tag in {"a", "ul", "ol", "li", "blockquote"} or (
            bool(attrs)
            and (
                elements.speaks(attrs)
                or mark_of(attrs) is not None
                or (style is not None and is_outlook_rule(style))
            )
        )
        return inner, level, special

    def _style(self, node: LexborNode, tag: str, attrs: Attributes, state: TextStyle) -> TextStyle:
        declared: list[Declarations] = [] if RELEVANT.isdisjoint(attrs) else presentational(tag, attrs)
        rules: Sequence[StyleRule] = ()
        if self._sheet is not None:
            rules = self._sheet.matching(node, self._ancestors or ())
            declared += [rule.declarations for rule in rules if not rule.reveal]
        style = attrs.get("style")
        if style:
            declared.append(parse_declarations(style))
        known = tuple([one for one in declared if one is not NOTHING])
        if not known:
            return state
        inner = derive(state, known)
        if inner.gone == "display:none" and not state.gone and any(map(_reveals, rules)):
            return hide(state, "responsive")
        return inner

    def _bullet(self) -> None:
        depth = min(len(self._lists), 6)
        mark = "- "
        if self._lists and self._lists[-1] >= 0:
            self._lists[-1] += 1
            mark = f"{self._lists[-1]}. "
        self.found.layout.prefix = "  " * max(depth - 1, 0) + mark

    def _open(self, tag: str, attrs: Attributes, state: TextStyle) -> Closer | None:
        """Note the element's special meaning; return the work for when it closes."""
        if elements.speaks(attrs):
            self.found.speaking = True
        if tag == "a":
            opened = elements.open_link(self.found, attrs, state)
            if opened is not None:
                return opened
        elif tag == "li":
            if not state.cause:
                self._bullet()
        elif tag in {"ul", "ol"}:
            self._lists.append(0 if tag == "ol" else -1)
            return ("list", 0, 0, "")
        if state.cause:
            return None
        mark = mark_of(attrs)
        if tag == "blockquote":
            cited = attrs.get("type") == "cite" or "cite" in attrs or mark is not None
            return self._region("quote", "cite" if cited else "blockquote")
        if mark is not None:
            return self._region(*mark)
        if is_outlook_rule(attrs.get("style") or ""):
            self._region("cue", "outlook")
        return None

    def _region(self, kind: ConventionKind, how: str) -> Closer | None:
        number = self.found.open_region(kind, how)
        return None if number is None else ("region", number, 0, "")

    def _leave(self, level: int, closer: Closer | None) -> None:
        """Close an element."""
        layout = self.found.layout
        if layout.pending < level:
            layout.pending = level
        if self._ancestors is not None:
            self._ancestors.pop()
        if closer is None:
            return
        kind, number, alts, address = closer
        if kind == "link":
            elements.close_link(self.found, number, alts, address)
        elif kind == "list":
            self._lists.pop()
        else:
            self.found.close_region(number)
