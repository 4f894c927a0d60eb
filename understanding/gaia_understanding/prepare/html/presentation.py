"""Painting attributes, from before there were styles, as declarations. Entry: `presentational`.

https://html.spec.whatwg.org/multipage/rendering.html#presentational-hints
"""

from __future__ import annotations

from functools import lru_cache

from gaia_understanding.prepare.css import NOTHING, Declarations, parse_declarations
from gaia_understanding.prepare.html.findings import Attributes

PAINTING = ("bgcolor", "background", "color", "size", "text", "hidden")

RELEVANT = frozenset((*PAINTING, "name", "open", "data-marker", "data-smartmail"))
"""Attributes other than `style`, `class` and `id` that matter."""

SPEAKING = ("title", "aria-label", "aria-description")
"""Attributes that can contain sentences, which only a program or a resting pointer shows."""


def presentational(tag: str, attrs: Attributes) -> list[Declarations]:
    """Return the declarations equivalent to an element's attributes; weaker than any stylesheet."""
    return [_declare(tag, name, (attrs[name] or "")[:100]) for name in PAINTING if name in attrs]


@lru_cache(maxsize=2048)
def _declare(tag: str, name: str, value: str) -> Declarations:
    value = value.strip().replace(";", " ")
    match name:
        case "bgcolor":
            return parse_declarations(f"background-color:{value}")
        case "background":
            return parse_declarations("background-image:url")
        case "color" if tag in {"font", "basefont"}:
            return parse_declarations(f"color:{value}")
        case "size" if tag == "font":
            return parse_declarations("font-size:10px" if value in {"1", "-2", "-3"} else "font-size:medium")
        case "text" if tag == "body":
            return parse_declarations(f"color:{value}")
        case "hidden" if value.lower() != "until-found":
            return parse_declarations("display:none")
        case _:
            return NOTHING
