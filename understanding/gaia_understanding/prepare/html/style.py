"""Decide if text in an element can be seen, by a `TextStyle` derived from its parent's. Entry: `derive`.

States are shared and cached, because a newsletter gives the same styles to every cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.color import BLACK, FAINT, WHITE, Color, alike, over, parse_color
from gaia_understanding.prepare.css import Declarations

TINY_PX = 2.0
"""The size up to which type cannot be read."""

FAR_PX = 500.0
"""The distance to the left or above from which text is outside the window."""

FAR_RIGHT_PX = 3000.0
"""The distance to the right or below, which is longer: a window can be wide and a page long."""

MEDIUM_PX = 16.0

KEYWORD_PX = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
}

UNIT_PX = {
    "": 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    "vw": 10.0,
    "vh": 8.0,
    "vmin": 8.0,
    "vmax": 10.0,
    "rem": 16.0,
}

_LENGTH = lazy_pattern(r"([+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12}))(?:e(\d))?([a-z%]{0,4})")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextStyle:
    """The painting of text directly inside an element.

    Attributes:
        cause: The trick that hides the text, in the words of `Removal.how`; `""` if it can be seen.
        gone: A cause that no descendant can revoke (`display:none` and the like).
        invisible: True if `visibility` is not `visible`; a descendant can revoke it.
        font: Type size in CSS pixels.
        color: Text colour; None if unknown.
        ground: Colour behind it; None if unknown, such as an image.
        opacity: Product of the opacities of the element and its ancestors.
        clipped: True if the colour of the text is the background's, cut to the letters (gradient text).
        pre: True if white space is kept.
    """

    cause: str = ""
    gone: str = ""
    invisible: bool = False
    font: float = MEDIUM_PX
    color: Color | None = BLACK
    ground: Color | None = WHITE
    opacity: float = 1.0
    clipped: bool = False
    pre: bool = False


ROOT = TextStyle()


@lru_cache(maxsize=8192)
def derive(parent: TextStyle, declared: tuple[Declarations, ...]) -> TextStyle:
    """Return the state inside an element whose declarations are given in ascending order of precedence."""
    values = cascade(declared)
    font = _font_px(values.get("font-size"), parent.font)
    ground = _ground(values, parent.ground)
    color = _color(values, parent.color)
    state = replace(
        parent,
        gone=parent.gone or _gone(values, font),
        invisible=_invisible(values.get("visibility"), parent.invisible),
        font=font,
        color=color,
        ground=ground,
        opacity=parent.opacity * _opacity(values),
        clipped=parent.clipped
        or "text" in (values.get("background-clip"), values.get("-webkit-background-clip")),
        pre=_pre(values.get("white-space"), parent.pre),
    )
    return replace(state, cause=_cause(state))


@lru_cache(maxsize=512)
def with_pre(state: TextStyle) -> TextStyle:
    """Return the state inside a `pre` element."""
    return state if state.pre else replace(state, pre=True)


@lru_cache(maxsize=512)
def hide(state: TextStyle, how: str) -> TextStyle:
    """Return the state inside an element that is not shown at all."""
    return replace(state, gone=state.gone or how, cause=state.gone or how)


def cascade(declared: tuple[Declarations, ...]) -> dict[str, str]:
    """Return the winning value of each property; important ones beat later ones (CSS Cascade 4, section 6)."""
    values: dict[str, str] = {}
    locked: set[str] = set()
    for declarations in declared:
        for name, value, important in declarations.items:
            if important:
                locked.add(name)
                values[name] = value
            elif name not in locked:
                values[name] = value
    return values


def pixels(value: str | None, font: float) -> float | None:
    """Return a CSS length in pixels (an `em` is `font` pixels); None for percentages and other values."""
    if not value:
        return None
    match = _LENGTH.match(value)
    if match is None:
        return None
    number = float(match.group(1)) * 10.0 ** int(match.group(2) or 0)
    unit = match.group(3)
    if unit in {"em", "ex", "ch"}:
        return number * font
    scale = UNIT_PX.get(unit)
    return None if scale is None else number * scale


def _font_px(value: str | None, parent: float) -> float:
    if value is None:
        return parent
    keyword = KEYWORD_PX.get(value)
    if keyword is not None:
        return keyword
    if value.endswith("%"):
        percent = pixels(value[:-1], 1.0)
        return parent if percent is None else parent * percent / 100
    size = pixels(value, parent)
    return parent if size is None or size < 0 else size


def _color(values: dict[str, str], parent: Color | None) -> Color | None:
    value = values.get("-webkit-text-fill-color") or values.get("color")
    if value is None or value in {"inherit", "currentcolor"}:
        return parent
    return parse_color(value)


def _ground(values: dict[str, str], parent: Color | None) -> Color | None:
    image = values.get("background-image")
    if image is not None and image not in {"none", "initial"}:
        return None
    value = values.get("background-color")
    if value is None or value in {"inherit", "initial", "unset", "none"}:
        return parent
    color = parse_color(value)
    if color is None or color[3] >= 1:
        return color
    if color[3] == 0:
        return parent
    return None if parent is None else over(color, parent)


def _opacity(values: dict[str, str]) -> float:
    value = values.get("opacity", "1")
    factor = _number(value[:-1], 100.0) / 100 if value.endswith("%") else _number(value, 1.0)
    filtered = values.get("filter", "")
    if "opacity(" in filtered:
        inside = filtered.partition("opacity(")[2].partition(")")[0]
        factor *= _number(inside[:-1], 100.0) / 100 if inside.endswith("%") else _number(inside, 1.0)
    elif "opacity=" in filtered:
        factor *= _number(filtered.partition("opacity=")[2].rstrip(")"), 100.0) / 100
    return factor


def _number(text: str, otherwise: float) -> float:
    match = _LENGTH.match(text.strip())
    return float(match.group(1)) if match else otherwise


def _invisible(value: str | None, parent: bool) -> bool:
    return parent if value is None or value == "inherit" else value in {"hidden", "collapse"}


def _pre(value: str | None, parent: bool) -> bool:
    return parent if value is None or value == "inherit" else value.startswith("pre") and value != "pre-line"


def _gone(values: dict[str, str], font: float) -> str:
    if values.get("display") == "none":
        return "display:none"
    if values.get("content-visibility") == "hidden":
        return "content-visibility:hidden"
    if _off_screen(values, font):
        return "off-screen"
    if _clips_all(values):
        return "clipped"
    if _no_room(values, font):
        return "zero-size"
    return ""


def _off_screen(values: dict[str, str], font: float) -> bool:
    indent = _distance(values.get("text-indent"), font)
    if indent is not None and (indent <= -FAR_PX or indent >= FAR_RIGHT_PX):
        return True
    names = ["margin-left", "margin-top"]
    if values.get("position") in {"absolute", "fixed", "relative"}:
        names += ["left", "top", "right", "bottom"]
    for name in names:
        value = values.get(name)
        moved = _distance(value, font) if name[0] != "m" else pixels(value, font)
        if moved is not None and (moved <= -FAR_PX or moved >= FAR_RIGHT_PX):
            return True
    return _transformed_away(values.get("transform", ""), font)


def _distance(value: str | None, font: float) -> float | None:
    """Return a length in pixels; a whole width or more of the box counts as far outside, on either side."""
    if value and value.endswith("%"):
        percent = _number(value, 0.0)
        return -FAR_PX if percent <= -100 else FAR_RIGHT_PX if percent >= 100 else 0.0
    return pixels(value, font)


_TRANSFORM = lazy_pattern(r"(translate[xy3d]{0,2}|scale[xy3d]{0,2})\(([^()]{0,80})\)")


_EDGE_ON = lazy_pattern(r"rotate[xy]\(\s{0,5}-?(?:90|270)deg")


def _transformed_away(value: str, font: float) -> bool:
    if _EDGE_ON.search(value):
        return True
    for name, inside in _TRANSFORM.findall(value):
        for part in inside.split(",")[:2]:
            if name.startswith("scale"):
                if abs(_number(part, 1.0)) <= 0.05:
                    return True
                continue
            moved = pixels(part.strip(), font)
            if moved is not None and abs(moved) >= FAR_PX * 2:
                return True
    return False


_INSET = lazy_pattern(r"inset\(\s*([\d.]{1,8})%")
_CIRCLE = lazy_pattern(r"(?:circle|ellipse)\(\s*0(?:px|%)?[\s)]")
_RECT = lazy_pattern(r"rect\(([^()]{0,80})\)")


def _clips_all(values: dict[str, str]) -> bool:
    path = values.get("clip-path", "")
    inset = _INSET.match(path)
    if inset and _number(inset.group(1), 0.0) >= 50:
        return True
    if _CIRCLE.match(path) or path.replace(" ", "") in {"polygon(00)", "polygon(00,00,00)", "polygon(0,0)"}:
        return True
    rect = _RECT.match(values.get("clip", ""))
    if rect is None or values.get("position") not in {"absolute", "fixed"}:
        return False
    edges = [pixels(part, 16.0) for part in rect.group(1).replace(",", " ").split()]
    if len(edges) != 4:
        return False
    top, right, bottom, left = (-1.0 if edge is None else edge for edge in edges)
    return (bottom >= 0 and bottom - max(top, 0) <= 1) or (right >= 0 and right - max(left, 0) <= 1)


def _no_room(values: dict[str, str], font: float) -> bool:
    if values.get("overflow") not in {"hidden", "clip", "scroll", "auto"}:
        return False
    for name in ("max-height", "height", "max-width", "width"):
        value = values.get(name)
        room = 0.0 if value in {"0%", "0"} else pixels(value, font)
        if room is not None and room <= 1:
            return True
    return False


def _cause(state: TextStyle) -> str:
    if state.gone:
        return state.gone
    if state.invisible:
        return "visibility:hidden"
    if state.opacity <= FAINT:
        return "opacity:0"
    if state.font <= TINY_PX:
        return "font-size:0"
    color = state.color
    if color is None or state.clipped:
        return ""
    if color[3] <= FAINT:
        return "transparent-text"
    if state.ground is not None and alike(over(color, state.ground), state.ground):
        return "color-on-color"
    return ""
