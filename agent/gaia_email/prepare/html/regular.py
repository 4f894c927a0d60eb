"""Reads regular HTML mail tag by tag, without a parser and its tree. Entry: `read_regular`.

It costs little more than half of that, and most mail that programs write is regular: every element is closed in order
and stands where it may. All other mail is read with the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from gaia_email.prepare.html import elements
from gaia_email.prepare.html.layout import LINE
from gaia_email.prepare.html.places import HOLE, Content, Do, Irregular, Place, Reads, Step
from gaia_email.prepare.html.plans import WITHOUT_SHEET
from gaia_email.prepare.html.references import Unclear, decoded
from gaia_email.prepare.html.sheet import Sheet
from gaia_email.prepare.html.steps import learn
from gaia_email.prepare.html.walk import Walk
from gaia_mail_mcp.mime.lazy import lazy_pattern

if TYPE_CHECKING:
    from gaia_email.prepare.html.findings import Findings
    from gaia_email.prepare.html.walk import Closer

MAX_CHARS = 1_000_000
MAX_TAGS = 20_000
MAX_STYLES = 100
MAX_LEARNT = 12
"""New kinds of tag in one document: the parser is faster at what is new; the next such document finds them known."""

_RAW = frozenset([Content.TITLE, Content.STYLE])
"""Where there are no comments."""

_BLANK = " \t\n\f"
_WHOLE = lazy_pattern(r"(?:!doctype|html)[\s>]", re.IGNORECASE)
GO, LINK, CLOSE, NOTHING, TEXT = Do.GO, Do.LINK, Do.CLOSE, Do.NOTHING, Reads.TEXT
_STYLE = lazy_pattern(r"<style[^<>]*>([^<]*)</style>")


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


def _chunks(html: str) -> list[str]:
    """What stands before the first tag, and each tag without its `<` and with the text below it."""
    chunks = html.lstrip(_BLANK).split("<")
    if len(chunks) > MAX_TAGS:
        raise Irregular
    return chunks


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
        """Go from tag to tag."""
        found, layout, closers = self._found, self._found.layout, self._closers
        add_text, pieces, alts = layout.text, layout.pieces, found.alts
        chunks = _chunks(html)
        first = place = self._first(chunks[1] if len(chunks) > 1 and not chunks[0] else "")
        if chunks[0]:
            self._text(place, chunks[0])
        rest = islice(chunks, 1, None)
        for chunk in rest:
            tag, end, text = chunk.partition(">")
            step = place.known.get(tag)
            address = ""
            if step is None or not end:
                step, address, text = self._look(place, chunk, tag if end else "", text, rest)
            do, place, level, _, _ = step
            if layout.pending < level:
                layout.pending = level
            if do is GO:
                pass
            elif do is LINK:
                closers.append(
                    ("link", len(pieces), len(alts), decoded(f"http{address}", attribute=True).strip())
                )
            elif do is CLOSE:
                self._close()
            elif do is not NOTHING:
                self._do(step, address)
            if text:
                if place.reads is TEXT and "&" not in text:
                    add_text(text)
                else:
                    self._text(place, text)
        if closers or not (place is first or place.content is Content.END):
            raise Irregular
        # A parser puts a body around what has none.
        layout.block(LINE)

    def _first(self, opening: str) -> Place:
        walk = self._walk
        whole = _WHOLE.match(opening) is not None
        if walk.styled and not whole:
            raise Irregular
        return walk.plans.first(Content.DOCUMENT if whole else Content.FLOW)

    def _look(
        self, place: Place, chunk: str, tag: str, text: str, rest: Iterator[str]
    ) -> tuple[Step, str, str]:
        """What a tag does that is not known as it stands, the address in it, and the text below it."""
        before, _, after = tag.partition('="http')
        address, quote, after = after.partition('"')
        if quote:
            tag = f'{before}="{HOLE}"{after}'
        step = place.known.get(tag)
        if step is None:
            if chunk[:3] == "!--" and place.content not in _RAW:
                return (Do.NOTHING, place, 0, {}, ""), "", self._comment(chunk, rest)
            self._learnt += 1
            if self._learnt > MAX_LEARNT:
                raise Irregular
            step = learn(place, tag, self._walk)
        return step, address, text

    def _close(self) -> None:
        closer = self._closers.pop()
        if closer is None:
            return
        if closer[0] == "link":
            elements.close_link(self._found, *closer[1:])
        else:
            self._walk.leave(0, closer)

    def _comment(self, chunk: str, rest: Iterator[str]) -> str:
        """Read a comment, which goes on to the next `-->`; what follows it."""
        parts = [chunk[3:]]
        while "-->" not in parts[-1]:
            more = next(rest, None)
            if more is None:
                raise Irregular
            parts.append(more)
        text, _, after = "<".join(parts).partition("-->")
        if text.startswith((">", "->")) or text.endswith("<!-") or "<!--" in text or "--!>" in text:
            raise Irregular
        elements.comment(self._found, text)
        return after

    def _text(self, place: Place, text: str) -> None:
        if place.reads is Reads.NOTHING:
            if text.strip(_BLANK):
                raise Irregular
            if place.state.cause:
                self._found.runs.gap()
            elif place.state.pre:
                self._found.layout.preformatted(text)
            return
        if place.reads is Reads.RULES:
            self.styles.append(text)
            return
        text = decoded(text, attribute=False)
        if place.reads is Reads.HIDDEN:
            self._found.runs.add(place.state.cause, text)
        elif place.reads is Reads.LINES:
            self._found.layout.preformatted(text)
        else:
            self._found.layout.text(text)

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
