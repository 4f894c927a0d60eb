"""Find characters of a text that cannot be seen. Entry: `reveal`.

Zero-width characters split words to get past filters, bidirectional controls show text in another order than
it is stored, tag characters (U+E0000) and variation selectors carry whole messages that only a program reads.
Facts: https://www.unicode.org/reports/tr36/ and https://www.unicode.org/reports/tr51/
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern

ZERO_WIDTH = (
    "\u180e\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u206a-\u206f\u034f\u17b4\u17b5\ufff9-\ufffb"
)
BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
FILLERS = "\u115f\u1160\u3164\uffa0"
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"
TAGS = "\U000e0000-\U000e007f"
SOFT_HYPHEN = "\u00ad"
CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"

MAX_NOTED = 5_000
"""The runs that are examined one by one; further ones are removed all the same."""

MAX_MARKS = 2
"""The combining marks in a row that a language needs; more are piled up to blot out text."""


class InvisibleText(NamedTuple):
    """Removed characters: the trick, their number, and the message that they carry, if any.

    `text` is the decoded message for tags and variation selectors and the characters themselves otherwise.
    """

    how: str
    text: str
    chars: int


_ANY = lazy_pattern(f"[{ZERO_WIDTH}{BIDI}{FILLERS}{SELECTORS}{TAGS}{SOFT_HYPHEN}{CONTROLS}]+")
_MARKS = lazy_pattern("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3,}")
_KINDS = (
    ("unicode-tags", lazy_pattern(f"[{TAGS}]+")),
    ("variation-selectors", lazy_pattern(f"[{SELECTORS}]+")),
    ("bidi-control", lazy_pattern(f"[{BIDI}]+")),
    ("zero-width", lazy_pattern(f"[{ZERO_WIDTH}]+")),
    ("filler", lazy_pattern(f"[{FILLERS}]+")),
    ("soft-hyphen", lazy_pattern(SOFT_HYPHEN)),
)
_JOINING = lazy_pattern(
    "[\u0590-\u08ff\u0900-\u0dff\u0e00-\u109f\u1780-\u17ff\u1800-\u18af\ufb1d-\ufdff\ufe70-\ufefc]"
)
"""Scripts that need joiners, and right-to-left scripts, in which direction marks are ordinary."""

_PICTURE = lazy_pattern("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff#*0-9]")
_FLAG = "\U0001f3f4"
ORDINARY_RUN = 1
"""The selectors or joiners in a row that an emoji or a joining script uses."""


_LEADS = {
    0xC2: lazy_pattern(rb"\xc2[\x80-\x84\x86-\x9f\xad]"),
    0xCC: lazy_pattern(rb"(?:[\xcc\xcd][\x80-\xbf]){3}"),
    0xCD: lazy_pattern(rb"\xcd\x8f|(?:[\xcc\xcd][\x80-\xbf]){3}"),
    0xD2: lazy_pattern(rb"\xd2[\x83-\x89]"),
    0xD8: lazy_pattern(rb"\xd8\x9c"),
    0xE1: lazy_pattern(rb"\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f]|\xaa[\xb0-\xbf]|\xab|\xb7)"),
    0xE2: lazy_pattern(rb"\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf]|\x83[\x90-\xbf])"),
    0xE3: lazy_pattern(rb"\xe3\x85\xa4"),
    0xEF: lazy_pattern(rb"\xef(?:\xb8[\x80-\xaf]|\xbb\xbf|\xbe\xa0|\xbf[\xb9-\xbb])"),
    0xF3: lazy_pattern(rb"\xf3\xa0"),
}
"""The UTF-8 lead bytes of the characters above, with the bytes that have to follow."""

_CONTROLS = tuple(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n\r")


def _suspect(text: str) -> bool:
    """Return True if the text may contain any of the characters above; a byte filter, because most texts have none."""
    octets = text.encode("utf-8", "surrogatepass")
    # Searching for forty bytes one after the other takes half the time of one look at each byte of the text.
    if any(map(octets.__contains__, _CONTROLS)):
        return True
    return any(_LEADS[byte].search(octets) is not None for byte in filter(octets.__contains__, _LEADS))


def reveal(text: str) -> tuple[str, tuple[InvisibleText, ...]]:
    """Return the text without its invisible characters, and those that have no ordinary reason to be there.

    Removed but not reported are: joiners between letters of scripts that need them and within emoji, one
    selector after a picture, direction marks next to right-to-left letters, a byte order mark at the start,
    soft hyphens within words, control characters.
    """
    if text.isascii() and text.isprintable():
        return text, ()
    if not _suspect(text):
        return text, ()
    found: dict[str, list[str]] = {}
    kept: list[str] = []
    at = 0
    for number, match in enumerate(_ANY.finditer(text)):
        if number >= MAX_NOTED:
            break
        kept.append(text[at : match.start()])
        at = match.end()
        _note(text, match, found)
    kept.append(_ANY.sub("", text[at:]))
    shown = _MARKS.sub(lambda match: _few_marks(match, found), "".join(kept))
    return shown, tuple(
        InvisibleText(how=how, text=_message(how, runs), chars=sum(map(len, runs)))
        for how, runs in sorted(found.items())
    )


def _few_marks(match: re.Match[str], found: dict[str, list[str]]) -> str:
    marks = match.group()
    found.setdefault("combining", []).append(marks[MAX_MARKS:])
    return marks[:MAX_MARKS]


def _note(text: str, match: re.Match[str], found: dict[str, list[str]]) -> None:
    before = text[match.start() - 1 : match.start()]
    after = text[match.end() : match.end() + 1]
    run = match.group()
    for how, pattern in _KINDS:
        chars = "".join(pattern.findall(run))
        if chars and not _ordinary(how, chars, before, after, match.start()):
            found.setdefault(how, []).append(chars)


def _ordinary(how: str, chars: str, before: str, after: str, at: int) -> bool:
    match how:
        case "unicode-tags":
            return before == _FLAG and len(chars) <= 7 and chars.endswith("\U000e007f")
        case "variation-selectors":
            return len(chars) <= ORDINARY_RUN and bool(_PICTURE.match(before) or _wide(before))
        case "bidi-control":
            return (
                len(chars) <= 2
                and bool(_JOINING.match(before) or _JOINING.match(after))
                and "\u202e" not in chars
            )
        case "zero-width":
            if at == 0 and chars == "\ufeff":
                return True
            beside = (before, after)
            return len(chars) <= ORDINARY_RUN and any(
                _JOINING.match(side) or (side and _PICTURE.match(side) and not side.isascii())
                for side in beside
            )
        case "soft-hyphen":
            return len(chars) == 1 and (before.isalpha() or after.isalpha())
        case _:
            return False


def _wide(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or character >= "\U00020000"


def _message(how: str, runs: list[str]) -> str:
    text = "".join(runs)
    if how == "unicode-tags":
        return "".join(chr(ord(char) - 0xE0000) for char in text if 0xE0020 <= ord(char) < 0xE007F)
    if how == "variation-selectors":
        octets = bytes(_octet(char) for char in text if not "\u180b" <= char <= "\u180f")
        decoded = octets.decode("utf-8", "replace")
        return decoded if len(octets) >= 4 and decoded.isprintable() else text
    return text


def _octet(selector: str) -> int:
    code = ord(selector)
    return code - 0xFE00 if code < 0xE0100 else code - 0xE0100 + 16
