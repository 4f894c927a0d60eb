"""Reads regular HTML mail without a parser and its tree. Entry: `read_regular`.

It costs half of that, and most mail that programs write is regular: every element is closed in order
and stands where it may. All other mail is read with the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email.prepare.html import elements
from gaia_email.prepare.html.layout import LINE
from gaia_email.prepare.html.places import HOLE, Act, Content, Do, Irregular, Place, Reads, Step, Way
from gaia_email.prepare.html.plans import WITHOUT_SHEET
from gaia_email.prepare.html.references import Unclear, decoded
from gaia_email.prepare.html.sheet import Sheet
from gaia_email.prepare.html.steps import MAX_ROW_CHARS, learn, remember, way_of
from gaia_email.prepare.html.walk import Walk
from gaia_mail.lazy import lazy_pattern

if TYPE_CHECKING:
    from gaia_email.prepare.html.findings import Findings
    from gaia_email.prepare.html.walk import Closer

MAX_CHARS = 1_000_000
MAX_PIECES = 20_000
MAX_STYLES = 100
MAX_LEARNT = 12
"""New kinds of tag in one document: the parser is faster at what is new; the next such document finds them known."""

_RAW = frozenset([Content.TITLE, Content.STYLE])
"""Where there are no comments."""

_BLANK = " \t\n\f"
_WHOLE = lazy_pattern(r"<(?:!doctype|html)[\s>]", re.IGNORECASE)
GO, LINK, CLOSE, TEXT, END = Do.GO, Do.LINK, Do.CLOSE, Reads.TEXT, Content.END
NOTHING, RULES, HIDDEN = Reads.NOTHING, Reads.RULES, Reads.HIDDEN
"""Looked up here once: in Python 3.11 a member of an enumeration costs as much as ten other names."""

_STYLE = lazy_pattern(r"<style[^<>]*>([^<]*)</style>")
_TEXTS = lazy_pattern(r">([^<]+)")
_ADDRESS = '="http'


def read_regular(html: str) -> Findings | None:
    """What there is in an HTML body; None when it takes a parser to tell."""
    if len(html) > MAX_CHARS or HOLE in html or "\r" in html:
        return None
    styles = tuple(_STYLE.findall(html, 0, max(html.find("<body"), 0)))
    try:
        sheet = _sheet(styles)
        walk = Walk(sheet, WITHOUT_SHEET if sheet is None else sheet.plans)
        reading = _Reading(walk)
        reading.run(html)
    except (Irregular, Unclear):
        return None
    return walk.found if tuple(reading.styles) == styles else None


def _sheet(texts: tuple[str, ...]) -> Sheet | None:
    if not texts:
        return None
    if len(texts) > MAX_STYLES:
        raise Irregular
    sheet = Sheet(texts, None)
    if not sheet.simple:
        raise Irregular
    return sheet if sheet.used else None


class _Reading:
    """The way through one document.

    Attributes:
        styles: The stylesheets met.
    """

    __slots__ = ("_closers", "_found", "_learnt", "_walk", "styles")

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._found = walk.found
        self._closers: list[Closer | None] = []
        self._learnt = 0
        self.styles: list[str] = []

    def run(self, html: str) -> None:
        """Read a document from its first tag to its last."""
        first, *commented = html.lstrip(_BLANK).split("<!--")
        place = start = self._first(first)
        place = self._markup(place, first)
        for piece in commented:
            text, end, below = piece.partition("-->")
            if not end or place.content in _RAW:
                raise Irregular
            if text.startswith((">", "->")) or text.endswith("<!-") or "--!>" in text:
                raise Irregular
            elements.comment(self._found, text)
            place = self._markup(place, below)
        if self._closers or not (place is start or place.content is END):
            raise Irregular
        # A parser puts a body around what has none.
        self._found.layout.block(LINE)

    def _first(self, opening: str) -> Place:
        walk = self._walk
        whole = _WHOLE.match(opening) is not None
        if walk.styled and not whole:
            raise Irregular
        return walk.plans.first(Content.DOCUMENT if whole else Content.FLOW)

    def _markup(self, place: Place, markup: str) -> Place:
        """Read markup without comments, which begins at a place; the place it leads to.

        Texts stand far apart, with many tags in a row between two of them, so those are taken as one.
        """
        if markup[:1] != "<":
            text, tag, markup = markup.partition("<")
            if text:
                self._text(place, text)
            if not tag:
                return place
            markup = f"<{markup}"
        pieces = _TEXTS.split(markup)
        if len(pieces) > MAX_PIECES:
            raise Irregular
        last = pieces.pop()
        layout = self._found.layout
        add_text, turn = layout.text, iter(pieces)
        for tags, text in zip(turn, turn, strict=True):
            # Comparing with what stood here last is far cheaper than hashing tags in a row.
            way, addresses = (place.way, ()) if tags == place.last else self._look(place, tags)
            place, level, acts = way
            if layout.pending < level:
                layout.pending = level
            if acts:
                self._act(acts, addresses)
            if place.reads is TEXT and "&" not in text:
                add_text(text)
            else:
                self._text(place, text)
        return self._end(place, last) if last else place

    def _end(self, place: Place, tags: str) -> Place:
        """Read the tags below the last text."""
        if tags[-1] != ">":
            raise Irregular
        (place, level, acts), addresses = self._look(place, tags[:-1])
        self._found.layout.block(level)
        self._act(acts, addresses)
        return place

    def _look(self, place: Place, tags: str) -> tuple[Way, Sequence[str]]:
        """Where tags in a row lead, and the addresses in them, which are cut out to know the tags again."""
        head, opened, rest = tags.partition(_ADDRESS)
        if not opened:
            way = place.ways.get(tags) or self._find(place, tags, ())
            if len(tags) <= MAX_ROW_CHARS:
                place.last, place.way = tags, way
            return way, ()
        address, closed, tail = rest.partition('"')
        if head == place.head and tail == place.tail and closed:
            return place.beside, (address,)
        addresses, kept = list[str](), [head]
        for part in rest.split(_ADDRESS):
            address, quote, after = part.partition('"')
            if quote:
                addresses.append(address)
                kept.append(f'="{HOLE}"{after}')
            else:
                kept.append(_ADDRESS + part)
        key = "".join(kept)
        way = place.ways.get(key) or self._find(place, key, addresses)
        if len(addresses) == 1 and len(key) <= MAX_ROW_CHARS:
            place.head, place.tail, place.beside = head, tail, way
        return way, addresses

    def _find(self, place: Place, tags: str, addresses: Sequence[str]) -> Way:
        """Where tags in a row lead that have not been met like this, with holes for their addresses."""
        whole, at = True, 0
        steps: list[tuple[Step, int]] = []
        end = place
        for tag in tags[1:].split("><"):
            holes = tag.count(HOLE)
            if holes > 1:
                # Only the first can be one that is followed or seen; the others make this a tag of its own.
                whole, tag = False, _refilled(tag, addresses[at : at + holes])
            step = end.known.get(tag) or self._learn(end, tag)
            steps.append((step, at))
            end = step[1]
            at += holes
        way = way_of(steps)
        if whole:
            remember(place, tags, way, self._walk.plans)
        return way

    def _learn(self, place: Place, tag: str) -> Step:
        self._learnt += 1
        if self._learnt > MAX_LEARNT:
            raise Irregular
        return learn(place, tag, self._walk)

    def _act(self, acts: Sequence[Act], addresses: Sequence[str]) -> None:
        """Do what tags do beside leading to another place."""
        found, layout, closers = self._found, self._found.layout, self._closers
        for do, level, at, step in acts:
            if layout.pending < level:
                layout.pending = level
            if do is CLOSE:
                closer = closers.pop()
                if closer is None:
                    continue
                kind, start, alts, address = closer
                if kind == "link":
                    elements.close_link(found, start, alts, address)
                else:
                    self._walk.leave(0, closer)
            elif do is LINK:
                address = decoded(f"http{addresses[at]}", attribute=True).strip()
                closers.append(("link", len(layout.pieces), len(found.alts), address))
            elif do is not GO:
                self._do(step, addresses[at] if at < len(addresses) else "")

    def _text(self, place: Place, text: str) -> None:
        reads = place.reads
        if reads is TEXT:
            self._found.layout.text(decoded(text, attribute=False))
            return
        if reads is NOTHING:
            if text.strip(_BLANK):
                raise Irregular
            if place.state.cause:
                self._found.runs.gap()
            elif place.state.pre:
                self._found.layout.preformatted(text)
            return
        if reads is RULES:
            self.styles.append(text)
            return
        text = decoded(text, attribute=False)
        if reads is HIDDEN:
            self._found.runs.add(place.state.cause, text)
        else:
            self._found.layout.preformatted(text)

    def _do(self, step: Step, address: str) -> None:
        found, walk = self._found, self._walk
        do, place, level, attrs, tag = step
        state = place.state
        if elements.speaks(attrs):
            found.spoken.append(attrs)
        match do:
            case Do.OPEN | Do.HIDE:
                if level < 0:
                    found.runs.gap()
                if do is Do.OPEN:
                    if attrs.get("href") == HOLE:
                        attrs = {**attrs, "href": decoded(f"http{address}", attribute=True)}
                    self._closers.append(walk.open(tag, attrs, state))
            case Do.IMAGE:
                if attrs.get("src") == HOLE:
                    attrs = {**attrs, "src": decoded(f"http{address}", attribute=True)}
                elements.image(found, attrs, state)
            case Do.BREAK:
                elements.line_break(found, state)
            case Do.RULE:
                elements.rule(found, attrs, state)
            case _:
                pass


def _refilled(tag: str, addresses: Sequence[str]) -> str:
    """A tag with its addresses but for the first."""
    first, second, *others = tag.split(HOLE)
    return first + HOLE + second + "".join(f"http{a}{o}" for a, o in zip(addresses[1:], others, strict=True))
