"""What a tag does at a place, found out once. Entries: `learn`, and for tags in a row `way_of` and `remember`.

Only markup is learnt that a parser takes as it stands. Where it would have to close, open or move an element of its
own accord, the tag is `Irregular` (https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaia_email.prepare.html import elements
from gaia_email.prepare.html.findings import Attributes
from gaia_email.prepare.html.places import HOLE, Act, Content, Do, Irregular, Place, Step, Way
from gaia_email.prepare.html.plans import MAX_STEPS, Plans
from gaia_email.prepare.html.references import decoded
from gaia_email.prepare.html.walk import Walk
from gaia_mail.lazy import lazy_pattern

MAX_DEPTH = 60
MAX_ATTRIBUTES = 200
MAX_TAG_CHARS = 400
"""Longer tags are not remembered."""

MAX_ROW_CHARS = 800
"""Nor are longer rows of tags."""

_IDLE = frozenset([Do.GO, Do.NOTHING])
_MINDING = frozenset([Do.BREAK, Do.IMAGE])
"""What depends on the break before it."""

_BLOCKS = "div center section article header footer main nav aside address blockquote figure"
_HEADINGS = "p h1 h2 h3 h4 h5 h6"
_INLINE = """
a abbr b bdi bdo big cite code del em font i ins label mark o:p q s small span strike strong sub sup time tt u
"""
_INLINES = frozenset(_INLINE.split())
_IN_FLOW: dict[str, Content] = {
    **dict.fromkeys(_BLOCKS.split(), Content.FLOW),
    **dict.fromkeys(_HEADINGS.split(), Content.PHRASES),
    "table": Content.TABLE,
    "ul": Content.LIST,
    "ol": Content.LIST,
}
_CHILDREN: dict[Content, dict[str, Content]] = {
    Content.DOCUMENT: {"html": Content.ROOT},
    Content.ROOT: {"head": Content.HEAD, "body": Content.FLOW},
    Content.HEAD: {"title": Content.TITLE, "style": Content.STYLE},
    Content.AFTER_HEAD: {"body": Content.FLOW},
    Content.TITLE: {},
    Content.STYLE: {},
    Content.FLOW: _IN_FLOW,
    Content.PHRASES: {},
    Content.TABLE: {
        "tbody": Content.SECTION,
        "thead": Content.SECTION,
        "tfoot": Content.SECTION,
        "tr": Content.ROW,
    },
    Content.SECTION: {"tr": Content.ROW},
    Content.ROW: {"td": Content.FLOW, "th": Content.FLOW},
    Content.LIST: {"li": Content.FLOW},
    Content.END: {},
}
_AFTER = {"html": Content.END, "head": Content.AFTER_HEAD, "body": Content.END}
"""What may stand after elements that occur once."""

_WITH_ADDRESS = frozenset(["href", "src", "xmlns", "cite", "background", "content", "itemtype", "srcset"])
"""Attributes of which it matters at most that they have an address, but for `href` of links and `src` of images."""

_TAG = lazy_pattern(
    r"([a-zA-Z][a-zA-Z0-9:]{0,20})"
    r"((?:[ \t\n\f]+[a-zA-Z_:@-][\w:.@-]*(?:=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=`/]+))?)*)"
    r"[ \t\n\f]*(/?)",
    re.ASCII,
)
_ATTRIBUTE = lazy_pattern(
    r"[ \t\n\f]+([a-zA-Z_:@-][\w:.@-]*)(=(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>=`/]+)))?", re.ASCII
)
_CLOSING = lazy_pattern(r"/([a-zA-Z][a-zA-Z0-9:]{0,20})[ \t\n\f]*")
_DOCTYPE = lazy_pattern(r"!doctype [^<>]*", re.IGNORECASE)


def learn(place: Place, tag: str, walk: Walk) -> Step:
    """The step a tag makes from a place, which is remembered in ordinary cases.

    Raises:
        Irregular: It takes a parser to read the tag here.
    """
    step = _step(place, tag, walk)
    if len(tag) <= MAX_TAG_CHARS and walk.plans.steps < MAX_STEPS:
        walk.plans.steps += 1
        place.known[tag] = step
    return step


def way_of(steps: Sequence[tuple[Step, int]]) -> Way:
    """The way that steps in a row make, each given with the number of its address; there is one at least."""
    acts: list[Act] = []
    level = later = 0
    minding = False
    for step, at in steps:
        do, _, above, _, _ = step
        if minding:
            later = max(later, above)
        else:
            level = max(level, above)
        if do not in _IDLE:
            acts.append((do, later, at, step))
            later = 0
            minding = minding or do in _MINDING
    last = steps[-1][0]
    if later:
        acts.append((Do.GO, later, 0, last))
    return last[1], level, tuple(acts)


def remember(place: Place, tags: str, way: Way, plans: Plans) -> None:
    """Keep a way from a place, in ordinary cases."""
    if len(tags) <= MAX_ROW_CHARS and plans.steps < MAX_STEPS:
        plans.steps += 1
        place.ways[tags] = way


def _step(place: Place, tag: str, walk: Walk) -> Step:
    closing = _CLOSING.fullmatch(tag)
    if closing is not None:
        step = place.known.get(f"/{closing.group(1).lower()}")
        if step is None:
            raise Irregular
        return step
    if place.content is Content.DOCUMENT and _DOCTYPE.fullmatch(tag):
        return Do.NOTHING, place, 0, {}, ""
    match = _TAG.fullmatch(tag)
    if match is None:
        raise Irregular
    name = match.group(1).lower()
    attrs = _attributes(match.group(2))
    if HOLE in tag:
        _check_hole(attrs)
    if name in {"br", "img", "wbr", "hr", "meta", "link", "base"}:
        return _atom(place, name, attrs)
    if match.group(3):
        raise Irregular
    return _enter(place, name, attrs, walk)


def _attributes(text: str) -> Attributes:
    attrs: Attributes = {}
    for name, equals, *values in _ATTRIBUTE.findall(text):
        key = name.lower()
        if key in attrs:
            raise Irregular
        attrs[key] = decoded("".join(values), attribute=True) if equals else None
    if len(attrs) > MAX_ATTRIBUTES:
        raise Irregular
    return attrs


def _check_hole(attrs: Attributes) -> None:
    """Make sure that the address that was cut out is one, and not part of something said or styled."""
    for key, value in attrs.items():
        if value and HOLE in value:
            if value != HOLE or not (key in _WITH_ADDRESS or key.startswith("data-")):
                raise Irregular
            return
    raise Irregular


def _atom(place: Place, name: str, attrs: Attributes) -> Step:
    if name in {"meta", "link", "base"}:
        if place.content is not Content.HEAD or elements.speaks(attrs) or attrs.get("name") == "description":
            raise Irregular
        return Do.NOTHING, place, 0, attrs, ""
    if place.content not in {Content.FLOW, Content.PHRASES}:
        raise Irregular
    if name == "img":
        return _image(place, attrs)
    if name == "hr":
        if place.content is not Content.FLOW:
            raise Irregular
        return Do.RULE, place, 0, attrs, ""
    if elements.speaks(attrs):
        raise Irregular
    return Do.BREAK if name == "br" else Do.NOTHING, place, 0, attrs, ""


def _image(place: Place, attrs: Attributes) -> Step:
    shown = attrs.get("src") == HOLE and not elements.is_unseen(attrs, place.state)
    silent = not attrs.get("alt") and not elements.speaks(attrs)
    return Do.NOTHING if shown and silent else Do.IMAGE, place, 0, attrs, ""


def _enter(place: Place, name: str, attrs: Attributes, walk: Walk) -> Step:
    content = _CHILDREN[place.content].get(name)
    if content is None:
        if name not in _INLINES or place.content not in {Content.FLOW, Content.PHRASES}:
            raise Irregular
        content = place.content
    if (
        (name == "a" and place.linked)
        or (name == "tr" and place.content is Content.TABLE and walk.styles("tbody"))
        or place.depth > MAX_DEPTH
    ):
        raise Irregular
    inner, level, special = walk.look(None, name, attrs, place.state)
    if name == "style" and special:
        raise Irregular
    inside = Place(inner, content, place.depth + 1, linked=place.linked or name == "a")
    after = place
    if name in _AFTER:
        after = Place(place.state, _AFTER[name])
        after.known.update({tag: step for tag, step in place.known.items() if tag[0] == "/"})
    inside.known[f"/{name}"] = Do.CLOSE if special else Do.GO, after, level, {}, ""
    if inner.cause:
        level = -level
    if not special:
        return Do.HIDE if level < 0 else Do.GO, inside, level, attrs, ""
    plain = attrs.get("href") == HOLE and not inner.gone and not level and not elements.speaks(attrs)
    return Do.LINK if plain else Do.OPEN, inside, level, attrs, name
