"""Elements that are more than a box with text: images, links, comments, scripts, forms. Entry: `read_atom`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.css import NOTHING, parse_declarations
from gaia_understanding.prepare.html.conventions import mark_of
from gaia_understanding.prepare.html.findings import MAX_ALTS, Attributes, HtmlFindings
from gaia_understanding.prepare.html.layout import BLANK, LINE
from gaia_understanding.prepare.html.presentation import SPEAKING
from gaia_understanding.prepare.html.style import TextStyle, derive, pixels

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_ATOMS = """
br hr img script style input area -comment -doctype template base link meta iframe wbr
"""
ATOMS = frozenset(_ATOMS.split())
"""Elements that are read as a whole; the walk does not enter them."""

UNSHOWN = {
    "title": "title",
    "desc": "title",
    "noscript": "noscript",
    "noframes": "noframes",
    "noembed": "noframes",
    "datalist": "datalist",
    "annotation": "annotation",
    "annotation-xml": "annotation",
    "rp": "ruby",
    "audio": "media-fallback",
    "video": "media-fallback",
    "canvas": "media-fallback",
}
"""Elements whose text no mail program paints, and the name of that trick in reports."""

PIXEL = 2.0
"""The width and height up to which an image cannot be seen."""

PROSE_WORDS = 5
"""The fewest words of prose: comments, descriptions and hidden fields with fewer are labels."""

ATTRIBUTE_WORDS = 8
MAX_REMEMBERED = 400
"""The characters up to which the style of an image is cached."""

MAX_ATTRIBUTES = 50
"""The most texts in attributes that are reported."""

SPACERS = ("spacer", "blank.", "clear.gif", "transparent.", "shim.gif", "trans.gif")
_SUSPICIOUS = lazy_pattern(
    r"\s{0,20}(?:data:(?!image/(?:png|jpe?g|gif|webp|bmp))|javascript:|vbscript:)", re.IGNORECASE
)
_MARKUP = lazy_pattern(r"<[^<>]*>")
_CONDITIONAL = lazy_pattern(r"\[\s*if\b[^\]]{0,200}\]>?|<?!\[endif\]-?-?|<!-?-?>?")
_NOT_TEXT = lazy_pattern(r"<(xml|style|script)\b[^<>]*>", re.IGNORECASE)


def is_prose(text: str) -> bool:
    """Return True if a text is long enough to say something, in words or in a script without spaces."""
    if not text or len(text) < 8:
        return False
    words = sum(1 for word in text.split() if any(character.isalpha() for character in word))
    return words >= PROSE_WORDS or sum(1 for character in text if character > "\u2e80") >= 8


_SPEAKING = frozenset(SPEAKING)


def speaks(attrs: Attributes) -> bool:
    """Return True if an element has an attribute that can contain sentences."""
    return not _SPEAKING.isdisjoint(attrs)


def note_attributes(found: HtmlFindings, speaking: Iterable[Attributes]) -> None:
    """Report long texts in attributes that only a program or a pointer resting on the element shows."""
    seen: dict[str, None] = {}
    for attrs in speaking:
        for name in (*SPEAKING, "content"):
            value = attrs.get(name)
            if value and len(value.split()) >= ATTRIBUTE_WORDS and is_prose(value):
                seen.setdefault(value)
    for value in list(seen)[:MAX_ATTRIBUTES]:
        found.runs.add_whole("attribute", value)


def read_atom(found: HtmlFindings, node: LexborNode, tag: str, state: TextStyle) -> None:
    """Read an element of `ATOMS`."""
    match tag:
        case "br":
            line_break(found, state)
        case "hr":
            rule(found, node.attributes, state)
        case "img":
            image(found, node.attributes, state)
        case "-comment":
            comment(found, node.comment_content or "")
        case "script":
            _script(found, node)
        case "input":
            _input(found, node.attributes, state)
        case "area":
            _area(found, node.attributes, state)
        case "template" | "meta":
            found.templates |= tag == "template"
            found.described |= tag == "meta" and node.attributes.get("name") == "description"
        case "iframe":
            _frame(found, node.attributes)
        case _:
            pass


def _side(value: str, styled: float | None) -> float | None:
    value = value.strip()
    return styled if styled is not None else None if value.endswith("%") else pixels(value, 16.0)


def _styled_size(style: str) -> tuple[float | None, float | None]:
    sizes: dict[str, float | None] = {}
    for piece in style[:2000].lower().split(";"):
        name, _, value = piece.partition(":")
        name = name.strip().removeprefix("max-")
        if name in {"width", "height"}:
            size = pixels(value.strip(), 16.0)
            sizes[name] = size if sizes.get(name) is None else min(size or 0.0, sizes[name] or 0.0)
    return sizes.get("width"), sizes.get("height")


def _cannot_be_seen(width: str, height: str, style: str, state: TextStyle) -> bool:
    if not style:
        return _is_tiny(width[:20], height[:20], "")
    unseen = _is_unseen if len(style) <= MAX_REMEMBERED else _is_unseen.__wrapped__
    return unseen(width[:20], height[:20], style, state)


@lru_cache(maxsize=1024)
def _is_unseen(width: str, height: str, style: str, state: TextStyle) -> bool:
    return _is_tiny(width, height, style[:300]) or _is_hidden(style, state)


@lru_cache(maxsize=1024)
def _is_tiny(width: str, height: str, style: str) -> bool:
    width_styled, height_styled = (
        _styled_size(style) if "width" in style or "height" in style else (None, None)
    )
    across, down = _side(width, width_styled), _side(height, height_styled)
    return across is not None and down is not None and across <= PIXEL and down <= PIXEL


def line_break(found: HtmlFindings, state: TextStyle) -> None:
    """Read a `br`."""
    if state.cause:
        found.runs.gap()
    else:
        found.layout.line_break()


def rule(found: HtmlFindings, attrs: Attributes, state: TextStyle) -> None:
    """Read an `hr`."""
    found.layout.block(BLANK)
    found.speaking |= speaks(attrs)
    if state.cause:
        return
    mark = mark_of(attrs) if attrs else None
    if mark is not None and mark[0] == "rest":
        found.open_region(*mark)
    else:
        found.open_region("cue", "rule")


def is_unseen(attrs: Attributes, state: TextStyle) -> bool:
    """Return True if an image cannot be seen."""
    width, height, style = attrs.get("width") or "", attrs.get("height") or "", attrs.get("style") or ""
    if state.cause:
        return True
    return bool(style or (width and height)) and _cannot_be_seen(width, height, style, state)


def image(found: HtmlFindings, attrs: Attributes, state: TextStyle) -> None:
    """Read an `img`."""
    if speaks(attrs):
        found.speaking = True
    get = attrs.get
    source = (get("src") or "").strip()
    alt = get("alt") or ""
    if alt:
        alt = " ".join(alt.split())
    if is_unseen(attrs, state):
        _tracker(found, source)
        if is_prose(alt):
            found.runs.add_whole("image-alt", alt)
        return
    if source[:4] != "http" and source[:5].lower() in {"data:", "javas"}:
        _suspicious(found, source)
    if not alt:
        return
    if len(alt) <= 4 and not alt.isascii():
        found.layout.text(alt)
    elif len(found.alts) < MAX_ALTS:
        found.alts.append(alt)


def _is_hidden(style: str, state: TextStyle) -> bool:
    declarations = parse_declarations(style)
    return declarations is not NOTHING and bool(derive(state, (declarations,)).gone)


def _tracker(found: HtmlFindings, source: str) -> None:
    lowered = source[:2000].lower()
    if lowered.startswith(("http:", "https:", "//")):
        if "?" not in lowered and any(name in lowered for name in SPACERS):
            return
        found.add_tracker(source)


def _suspicious(found: HtmlFindings, address: str | None, *, always: bool = False) -> None:
    if address and (always or (address[:4] != "http" and _SUSPICIOUS.match(address))):
        found.runs.add_whole("data-uri", address)


def comment(found: HtmlFindings, text: str) -> None:
    """Read a comment."""
    if len(text) < 8:
        return
    text = text[:20_000]
    conditional = text.lstrip()[:4].lower().startswith("[if")
    if "<" in text or conditional:
        text = _CONDITIONAL.sub(" ", text)
        text = _MARKUP.sub(" ", _without_elements(text))
    if is_prose(text):
        found.runs.add_whole("mso-conditional" if conditional else "comment", text)


def _without_elements(text: str) -> str:
    """Return `text` without `xml`, `style` and `script` elements and their content."""
    kept: list[str] = []
    at = 0
    while (match := _NOT_TEXT.search(text, at)) is not None:
        kept.append(text[at : match.start()])
        end = text.lower().find(f"</{match.group(1).lower()}", match.end())
        if end < 0:
            return " ".join(kept)
        at = end
    kept.append(text[at:])
    return " ".join(kept)


def _script(found: HtmlFindings, node: LexborNode) -> None:
    text = node.text() or ""
    kind = (node.attributes.get("type") or "").strip().lower()
    if kind == "application/ld+json":
        if len(found.json_ld) < 50:
            found.json_ld.append(text)
    elif is_prose(text):
        found.runs.add_whole("script", text)


def _frame(found: HtmlFindings, attrs: Attributes) -> None:
    found.speaking |= speaks(attrs)
    _suspicious(found, attrs.get("src"))
    _suspicious(found, attrs.get("srcdoc"), always=True)


def _input(found: HtmlFindings, attrs: Attributes, state: TextStyle) -> None:
    found.speaking |= speaks(attrs)
    kind = (attrs.get("type") or "text").lower()
    value = attrs.get("value") or ""
    if kind == "hidden" or state.cause:
        if is_prose(value):
            found.runs.add_whole("hidden-input", value)
    elif kind in {"submit", "button", "reset"}:
        found.layout.block(LINE)
        found.layout.text(value)


def _area(found: HtmlFindings, attrs: Attributes, state: TextStyle) -> None:
    found.speaking |= speaks(attrs)
    address = (attrs.get("href") or "").strip()
    _suspicious(found, address)
    if address and not address.startswith("#") and not state.cause:
        found.add_link(" ".join((attrs.get("alt") or "").split()), address)


def open_link(found: HtmlFindings, attrs: Attributes, state: TextStyle) -> tuple[str, int, int, str] | None:
    """Return `link`, the start of its text, the number of images described before it, and its address.

    None for an anchor that leads nowhere or cannot be seen.
    """
    address = (attrs.get("href") or "").strip()
    if not address or address[0] == "#":
        return None
    if address[:4] != "http":
        _suspicious(found, address)
    if state.gone:
        return None
    return "link", len(found.layout.pieces), len(found.alts), address


def close_link(found: HtmlFindings, start: int, alts: int, url: str) -> None:
    """Note the link that `open_link` began."""
    pieces = found.layout.pieces
    size = len(pieces) - start
    if size == 1 or (size == 2 and pieces[start].isspace()):
        text = pieces[-1]
        if size == 2 and (not text.isprintable() or "  " in text or text[0] == " " or text[-1] == " "):
            text = " ".join(text.split())
    elif size:
        text = " ".join("".join(pieces[start:]).split())
    else:
        text = found.alts[alts] if alts < len(found.alts) else ""
    found.add_link(text, url)
