r"""Characters that act on a terminal or hide in a text instead of showing: which they are, and how they are written.

Entries: `safe_json` and `safe_json_line`, which lose nothing; `one_line`, `visible`, `visible_block` and
`visible_text` for people.

Controls (C0, DEL, C1) move the cursor; format characters of Unicode turn the direction, have no width or, as tag
characters and variation selectors do, carry text that only a program reads. The table is the general category Cf
without what is drawn (Prepended_Concatenation_Mark), the line and paragraph separators, and
Default_Ignorable_Code_Point without U+FE00 to U+FE0F, which every second emoji ends with
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
"""All of them but C0, which JSON never has as they are; the inside of a character class."""

_LONE = "\ud800-\udfff"
_JOINERS = "\u200c\u200d"
_JOINING = (
    "\u0620-\u180a\u1810-\u1fff\u2190-\u2bff\u2e80-\ud7ff\uf900-\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
)
"""Scripts whose letters join or are told apart by joiners, and pictures, which emoji are made of with them."""

_IDEOGRAPH = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LONG_RUN = 8

_PLAIN = bytes((0x09, 0x0A, 0x0D, *range(0x20, 0x7F)))
"""What most text consists of: taking it out and looking at the rest is ten times as fast as looking at all."""


def safe_json_line(line: bytes) -> bytes:
    r"""JSON in UTF-8, the same to who parses it, with `\uXXXX` for what is `UNSEEN`."""
    if line.isascii() and b"\x7f" not in line:
        return line
    if not _unseen().search(line.translate(None, _PLAIN).decode()):
        return line
    return safe_json(line.decode()).encode()


def safe_json(text: str) -> str:
    """JSON text with an escape for each character that is `UNSEEN`; parsed, it is the same."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _unseen().sub(_escape, text)


def one_line(text: str) -> str:
    """`text` as one visible line, so that a header cannot add lines of its own; breaks and tabs become spaces."""
    return text if text.isprintable() else visible(_breaks().sub(" ", text))


def is_blank(text: str) -> bool:
    """Whether nothing of it would be seen."""
    return not _acting().sub("", text).strip()


def visible(text: str) -> str:
    """One line of untrusted text: nothing in it moves the cursor, sets a title, turns the direction or hides.

    C0 controls become their pictures (`ESC` → ␛) and the others their code points (`<U+202E>`); of a long run the
    first is named, and how many there are. A joiner within an emoji or a script that needs it stays, and so does
    the selector after an ideograph.
    """
    if text.isascii() and text.isprintable():
        return text
    return _acting().sub(_pictures, text)


def visible_block(text: str) -> str:
    """Several lines of untrusted text: as `visible`, but line feeds stay and tabs become spaces."""
    return "\n".join(visible(line.expandtabs(4)) for line in text.split("\n"))


def visible_text(text: str) -> str:
    """As `visible`, for a program that reads text: tabs and line ends stay."""
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
