"""What may reach a terminal: hostile text made visible, width and colour found out. Entry: `visible`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import TextIO

_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""C0 and C1 controls, bidirectional and other format controls, lone surrogates, Unicode tags."""

_ZERO_WIDTH_JOINER = "\u200d"


def _picture(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character == _ZERO_WIDTH_JOINER:
        return character
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if code >= 0xD800 and code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"


def visible(text: str) -> str:
    """One line of untrusted text for a terminal: nothing in it moves the cursor, sets a title or flips direction.

    Control characters become their pictures (`ESC` → ␛), format controls their code point (`<U+202E>`). The
    zero-width joiner stays, since emoji are made with it.
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLS.sub(_picture, text)


def visible_block(text: str) -> str:
    """Several lines of untrusted text: as `visible`, but line feeds stay and tabs become spaces."""
    return "\n".join(visible(line.expandtabs(4)) for line in text.split("\n"))


def tsv_field(text: str) -> str:
    """A field of a tab-separated line: one line, no tabs, controls visible."""
    return visible(" ".join(text.split()))


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour: NO_COLOR (no-color.org) wins, then FORCE_COLOR, then whether it is a terminal."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO | None = None) -> bool:
    """Whether a person looks at standard output (or `stream`)."""
    return (stream or sys.stdout).isatty()


_UNITS = ((86400 * 365, "y"), (86400 * 30, "mo"), (86400 * 7, "w"), (86400, "d"), (3600, "h"), (60, "min"))


def age(seconds: float | None) -> str:
    """How old something is, in one unit: `12 min`, `3 h`, `2 d`; empty when unknown."""
    if seconds is None:
        return ""
    if seconds < -60:
        return "ahead"
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"
