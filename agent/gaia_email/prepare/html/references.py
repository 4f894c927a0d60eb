"""Character references in regular markup. Entry: `decoded`."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from gaia_mail.lazy import lazy_pattern

MAX_REMEMBERED = 40
"""Texts up to so many characters are often labels that occur again."""

_REFERENCE = lazy_pattern(r"&(#?[a-zA-Z0-9]+)(;?)(=?)")
_PLAIN = {"amp;": "&", "nbsp;": "\xa0", "lt;": "<", "gt;": ">", "quot;": '"'}


class Unclear(ValueError):
    """A reference that is not written as it should be, which parsers still read in their ways."""


def decoded(text: str, *, attribute: bool) -> str:
    """The text with its character references resolved, as in https://html.spec.whatwg.org/#character-reference-state.

    Raises:
        Unclear: One is not closed, or names what is no ordinary character.
    """
    if "&" not in text:
        return text
    if len(text) <= MAX_REMEMBERED and not attribute:
        return _label(text)
    plain = text.replace("&amp;", "&")
    if len(text) - len(plain) == 4 * plain.count("&"):
        return plain
    return _REFERENCE.sub(_in_attribute if attribute else _in_text, text)


@lru_cache(maxsize=1024)
def _label(text: str) -> str:
    return _REFERENCE.sub(_in_text, text)


def _in_attribute(match: re.Match[str]) -> str:
    name, closed, equals = match.groups()
    if equals and not closed and name[0] != "#":
        return match.group()
    return _character(name, closed) + equals


def _in_text(match: re.Match[str]) -> str:
    name, closed, equals = match.groups()
    return _character(name, closed) + equals


def _character(name: str, closed: str) -> str:
    if closed:
        found = _PLAIN.get(f"{name};") or (_numbered(name) if name[0] == "#" else _names().get(f"{name};"))
        if found:
            return found
    if name[0] == "#" or any(name[:end] in _names() for end in range(2, min(len(name), 6) + 1)):
        raise Unclear
    return f"&{name}{closed}"


def _numbered(name: str) -> str:
    digits, base = (name[2:], 16) if name[1:2] in {"x", "X"} else (name[1:], 10)
    try:
        code = int(digits, base) if len(digits) <= 7 else 0
    except ValueError:
        return ""
    if code in {0x9, 0xA} or 0x20 <= code < 0x7F or 0xA0 <= code < 0xD800 or 0xE000 <= code < 0xFDD0:
        return chr(code)
    return chr(code) if 0x1F000 <= code < 0x1FFFE else ""


@cache
def _names() -> dict[str, str]:
    from html.entities import html5

    return html5
