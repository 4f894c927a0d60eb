"""Makes characters visible that would control a terminal or hide in text.

Entries: `safe_json` and `safe_json_line`, which are lossless; `one_line`, `visible`, `visible_block` and `visible_text`
for human readers.

Control characters (C0, DEL, C1) move the cursor. Unicode format characters change the direction, have no width, or, as
tag characters and variation selectors, carry text that only programs read. The table contains the general category Cf
without the characters that have a glyph (Prepended_Concatenation_Mark), the line and paragraph separators, and
Default_Ignorable_Code_Point without U+FE00 to U+FE0F, which end every second emoji
(https://www.unicode.org/reports/tr44/, https://www.unicode.org/reports/tr36/).
"""

from __future__ import annotations

import re
from functools import cache

UNSEEN = (
    "\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
"""All such characters except C0, which JSON always escapes; usable inside a character class."""

_LONE = "\ud800-\udfff"
_JOINERS = "\u200c\u200d"
_JOINING = (
    "\u0620-\u180a\u1810-\u1fff\u2190-\u2bff\u2e80-\ud7ff\uf900-\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
)
"""Scripts whose letters are joined or separated by joiners, and pictographs, which joiners combine into emoji."""

_IDEOGRAPH = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LONG_RUN = 8

_PLAIN = bytes((0x09, 0x0A, 0x0D, *range(0x20, 0x7F)))
"""Bytes of ordinary text: deleting them before the search makes it ten times as fast."""


def safe_json_line(line: bytes) -> bytes:
    r"""Escape the `UNSEEN` characters in UTF-8 JSON as `\uXXXX`; the parsed value stays the same."""
    if line.isascii() and b"\x7f" not in line:
        return line
    if not _unseen().search(line.translate(None, _PLAIN).decode()):
        return line
    return safe_json(line.decode()).encode()


def safe_json(text: str) -> str:
    """Escape the `UNSEEN` characters in JSON text; the parsed value stays the same."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _unseen().sub(_escape, text)


def one_line(text: str) -> str:
    """Return `text` as one visible line, so that a header cannot add lines; breaks and tabs become spaces."""
    return text if text.isprintable() else visible(_breaks().sub(" ", text))


def is_blank(text: str) -> bool:
    """Return True if no character of `text` would be visible."""
    return not _acting().sub("", text).strip()


def visible(text: str) -> str:
    """Return one line of untrusted text in which nothing moves the cursor, changes the direction or hides.

    C0 controls become their pictures (`ESC` → ␛) and other characters their code points (`<U+202E>`). A long run is
    replaced by its first code point and a count. A joiner within an emoji or a script that needs it is kept, as is a
    variation selector after an ideograph.
    """
    if text.isascii() and text.isprintable():
        return text
    return _acting().sub(_pictures, text)


def visible_block(text: str) -> str:
    """Apply `visible` to several lines of untrusted text; line feeds are kept and tabs become spaces."""
    return "\n".join(visible(line.expandtabs(4)) for line in text.split("\n"))


def visible_text(text: str) -> str:
    """Apply `visible` to text for a program to read; tabs and line ends are kept."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    acts = bool(rest) and _acting().search(rest.decode("utf-8", "surrogatepass")) is not None
    if not acts and ("\r" not in text or text.count("\r") == text.count("\r\n")):
        return text
    return _acting_in_lines().sub(_pictures, text)


@cache
def _breaks() -> re.Pattern[str]:
    return re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]")


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(f"[{UNSEEN}]")


@cache
def _acting() -> re.Pattern[str]:
    return re.compile(f"[\x00-\x1f{UNSEEN}{_LONE}]+")


@cache
def _acting_in_lines() -> re.Pattern[str]:
    return re.compile(f"(?:[\x00-\x08\x0b\x0c\x0e-\x1f{UNSEEN}{_LONE}]|\r(?!\n))+")


@cache
def _in_place() -> re.Pattern[str]:
    joiner = f"(?<=[{_JOINING}])[{_JOINERS}](?=[{_JOINING}])"
    return re.compile(f"{joiner}|(?<=[{_IDEOGRAPH}])[\U000e0100-\U000e01ef]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def _pictures(match: re.Match[str]) -> str:
    run = match.group()
    if len(run) == 1 and _in_place().match(match.string, match.start()):
        return run
    if len(run) > _LONG_RUN:
        return f"<U+{ord(run[0]):04X} and {len(run) - 1:,} more>"
    return "".join(map(_picture, run))


def _picture(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"
