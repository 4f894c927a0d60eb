"""The part of CSS that decides if text can be seen. Entries: `parse_declarations`, `parse_stylesheet`.

Only properties that can hide text are kept, shorthands are split into longhands, and both functions are
cached by text, because a newsletter repeats the same few styles on every cell. Grammar:
https://www.w3.org/TR/css-syntax-3/
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.color import parse_color

MAX_STYLE = 4_000
"""The characters read of one `style` attribute."""

MAX_SHEET = 200_000
"""The characters read of one `<style>` element."""

MAX_RULES = 3_000

_LONGHANDS = """
display visibility opacity color font-size text-indent position left right top bottom margin-left
margin-top clip clip-path overflow height width max-height max-width transform filter
content-visibility white-space background-color background-image -webkit-text-fill-color
-webkit-background-clip background-clip
"""
PLAIN = frozenset(_LONGHANDS.split())
"""Longhand properties that are kept unchanged."""

FONT_SIZE = lazy_pattern(r"(?:^|\s)([\d.]+(?:px|pt|em|rem|%|vw|mm|cm|in|pc|ex|ch)?)(?=\s|/|$)")

Declaration = tuple[str, str, bool]
"""Property and value (both lower case), and True if it is important."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Declarations:
    """The declarations of one style that can matter. Compared by identity: equal texts share one object."""

    items: tuple[Declaration, ...]


NOTHING = Declarations(items=())


def parse_declarations(style: str) -> Declarations:
    """Return the declarations of a `style` attribute or rule body that affect visibility, in order."""
    if len(style) <= 400:
        return _cached_declarations(style)
    return _declarations(style[:MAX_STYLE])


def _declarations(style: str) -> Declarations:
    if "\\" in style:
        style = _unescape(style)
    if "/*" in style:
        style = strip_comments(style)
    items: list[Declaration] = []
    for piece in style.lower().split(";"):
        name, colon, value = piece.partition(":")
        if not colon:
            continue
        name = name.strip()
        shorthand = SHORTHANDS.get(name)
        if shorthand is None and name not in PLAIN:
            continue
        value, bang, rest = value.strip().partition("!")
        important = bool(bang) and rest.strip() == "important"
        value = value.strip()
        if shorthand is None:
            items.append((name, value, important))
        else:
            items.extend((longhand, part, important) for longhand, part in shorthand(value))
    return Declarations(items=tuple(items)) if items else NOTHING


_cached_declarations = lru_cache(maxsize=8192)(_declarations)


def _background(value: str) -> list[tuple[str, str]]:
    value = value.replace("url()", "").replace("url('')", "").replace('url("")', "").strip()
    if "url(" in value or "gradient(" in value or "image(" in value:
        return [("background-image", "url")]
    color = "transparent"
    if parse_color(value) is not None or "var(" in value:
        color = value
    else:
        for word in re.findall(r"[^\s(]+(?:\([^)]*\))?", value):
            if parse_color(word) is not None:
                color = word
    return [("background-image", "none"), ("background-color", color)]


def _font(value: str) -> list[tuple[str, str]]:
    match = FONT_SIZE.search(value)
    return [("font-size", match.group(1))] if match else []


def _sides(prefix: str) -> Callable[[str], list[tuple[str, str]]]:
    def split(value: str) -> list[tuple[str, str]]:
        words = value.split()
        if not words:
            return []
        return [(f"{prefix}top", words[0]), (f"{prefix}left", words[{1: 0, 4: 3}.get(len(words), 1)])]

    return split


def _same(longhand: str) -> Callable[[str], list[tuple[str, str]]]:
    return lambda value: [(longhand, value)]


SHORTHANDS: dict[str, Callable[[str], list[tuple[str, str]]]] = {
    "background": _background,
    "font": _font,
    "margin": _sides("margin-"),
    "inset": _sides(""),
    "overflow-x": _same("overflow"),
    "overflow-y": _same("overflow"),
    "-webkit-transform": _same("transform"),
    "-ms-transform": _same("transform"),
    "-webkit-clip-path": _same("clip-path"),
    "translate": lambda value: [("transform", f"translate({value.replace(' ', ',')})")],
    "scale": lambda value: [("transform", f"scale({value})")],
}


def strip_comments(text: str) -> str:
    """Return `text` without `/* … */`; an unclosed comment reaches to the end, as in a browser. Linear."""
    kept: list[str] = []
    at = 0
    while (start := text.find("/*", at)) >= 0:
        kept.append(text[at:start])
        end = text.find("*/", start + 2)
        if end < 0:
            return " ".join(kept)
        at = end + 2
    kept.append(text[at:])
    return " ".join(kept)


_ESCAPE = lazy_pattern(r"\\(?:([0-9a-fA-F]{1,6})\s?|([^\n]))")


def _unescape(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        if match.group(2) is not None:
            return match.group(2)
        code = int(match.group(1), 16)
        return chr(code) if 0 < code < 0xD800 or 0xE000 <= code < 0x110000 else "\ufffd"

    return _ESCAPE.sub(char, text)


class StyleRule(NamedTuple):
    """One selector with its declarations.

    Attributes:
        selector: As written, one selector of the list.
        declarations: The declarations of the rule.
        reveal: True for a rule of a media query that does not match a desktop in light mode: it is not applied, but
            shows that what it would reveal is only hidden here.
    """

    selector: str
    declarations: Declarations
    reveal: bool


@lru_cache(maxsize=64)
def _cached_stylesheet(text: str) -> tuple[StyleRule, ...]:
    return _stylesheet(text)


def parse_stylesheet(text: str) -> tuple[StyleRule, ...]:
    """Return the rules of a `<style>` element that affect visibility, in order."""
    if len(text) <= 40_000:
        return _cached_stylesheet(text)
    return _stylesheet(text[:MAX_SHEET])


def _stylesheet(text: str) -> tuple[StyleRule, ...]:
    text = strip_comments(text).replace("<!--", " ").replace("-->", " ")
    rules: list[StyleRule] = []
    blocks: list[str] = []
    prelude = ""
    at = 0
    for match in re.finditer(r"[{}]", text):
        chunk = text[at : match.start()]
        at = match.end()
        if match.group() == "{":
            prelude = chunk.rpartition(";")[2].strip()
            blocks.append(prelude)
            continue
        if not blocks:
            continue
        prelude = blocks.pop()
        if not prelude.startswith("@"):
            _add_rules(rules, prelude, chunk, blocks)
        if len(rules) >= MAX_RULES:
            break
    return tuple(rules)


def _add_rules(rules: list[StyleRule], prelude: str, body: str, blocks: list[str]) -> None:
    declarations = parse_declarations(body)
    if not declarations.items:
        return
    reveal = False
    for block in blocks:
        kind = block[:7].lower()
        if kind.startswith("@media"):
            reveal = reveal or not media_holds(block[6:].lower())
        elif not kind.startswith(("@suppor", "@layer")):
            return
    rules.extend(
        StyleRule(selector=selector.strip(), declarations=declarations, reveal=reveal)
        for selector in prelude.split(",")[:200]
    )


DESKTOP_WIDTH = 1000
"""The width in pixels that media queries are told for a mail window on a desktop."""

_FEATURE = lazy_pattern(r"\(\s*([a-z-]+)\s*(?::\s*([^()]*))?\)")


@lru_cache(maxsize=512)
def media_holds(query: str) -> bool:
    """Return True if a media query matches a light-mode desktop window; one unknown feature makes it fail."""
    return any(_one_holds(part.strip()) for part in query.split(",")[:20])


def _one_holds(query: str) -> bool:
    words = query.partition("(")[0].split()
    if any(word in {"print", "speech", "not"} for word in words):
        return False
    return all(_feature_holds(name, value.strip()) for name, value in _FEATURE.findall(query))


def _feature_holds(name: str, value: str) -> bool:
    if name in {"max-width", "max-device-width", "min-width", "min-device-width"}:
        match = re.match(r"([\d.]{1,9})(px|em|rem)?", value)
        if match is None or match.group(1).count(".") > 1 or match.group(1) == ".":
            return False
        width = float(match.group(1)) * (16 if match.group(2) in {"em", "rem"} else 1)
        return width >= DESKTOP_WIDTH if name.startswith("max") else width <= DESKTOP_WIDTH
    return (name, value) in {("prefers-color-scheme", "light"), ("orientation", "landscape"), ("color", "")}
