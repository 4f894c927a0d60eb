"""What strangers' text may do to whoever shows it: the one definition of what is escaped.

Entries: `one_line` for a header's words; `visible`, `visible_block` and `visible_text` for who reads; `safe_json` and
`safe_json_line` for a program, whose value stays exactly as it was.
"""

from __future__ import annotations

import re

UNSEEN = (
    "\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""C1 controls, bidirectional and other format controls, zero-width characters, line separators, Unicode tags."""

_UNSEEN = re.compile(f"[{UNSEEN}]")
_STEERING = re.compile(f"[\x00-\x1f{UNSEEN}\ud800-\udfff]")

_JOINER = "\u200d"
_PICTURES = "\u2190"
"""From here on characters are arrows, signs and emoji, which the joiner makes families of."""


def one_line(text: str) -> str:
    """`text` without line ends and other control characters, so that a header cannot add lines of its own."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else " " for character in text)


def visible(text: str) -> str:
    """One line of untrusted text for a terminal: nothing in it moves the cursor, sets a title or flips direction.

    Control characters become their pictures (`ESC` → ␛), format controls their code point (`<U+202E>`). The
    zero-width joiner stays after emoji, since they are made with it.
    """
    if text.isascii() and text.isprintable():
        return text
    return _STEERING.sub(_picture, text)


def visible_block(text: str) -> str:
    """Several lines of untrusted text: as `visible`, but line feeds stay and tabs become spaces."""
    return "\n".join(visible(line.expandtabs(4)) for line in text.split("\n"))


def visible_text(text: str) -> str:
    """As `visible_block` for a program that reads text: tabs and carriage returns stay, too."""
    return text if text.isascii() else _UNSEEN.sub(_picture, text)


def safe_json(text: str) -> str:
    """JSON with every unseen character escaped: the same value, and harmless where it is printed."""
    return text if text.isascii() and "\x7f" not in text else _UNSEEN.sub(_escape, text)


def safe_json_line(line: bytes) -> bytes:
    """As `safe_json`, of UTF-8."""
    if line.isascii() and b"\x7f" not in line:
        return line
    return safe_json(line.decode()).encode()


def _picture(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character == _JOINER and match.start() and match.string[match.start() - 1] >= _PICTURES:
        return character
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
